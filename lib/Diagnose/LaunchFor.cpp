#include "Diagnose/LaunchFor.h"

#include "Program/Agent.h"
#include "Program/Strides.h"

#include <algorithm>
#include <map>
#include <set>

namespace sluice {
namespace {

using Elements = std::map<std::pair<int, std::vector<int64_t>>, int64_t>; // tensor, index

class Solver {
public:
  Solver(const Program &program, const Terms &terms, Launch &launch)
      : program_(program), terms_(terms), launch_(launch) {}

  const Elements &elements() const { return elements_; }
  bool ofData(Affine a) const { return !a.isConstant() && terms_[a.term].ofData; }

  /// In the first CTA, as far as the launch is made.
  int64_t evaluate(Affine a) const {
    if (a.isConstant())
      return a.constant;
    const Term &t = terms_[a.term];
    int64_t value = 0;
    if (t.kind == Term::extent) {
      value = launch_.tensors[t.object].extents[t.immediate];
    } else if (t.kind == Term::argument) {
      value = launch_.arguments[t.object];
    } else if (t.kind == Term::iteration) {
      value = evaluate(t.operands[0]) + t.immediate * evaluate(t.operands[1]);
    } else if (t.kind == Term::drawn) { // the CTAs take turns, or the first one takes all places
      const bool ofLaunches = t.operands[0].constant == Terms::ofLaunches;
      value = ofLaunches ? 1 : t.immediate;
      for (const int64_t extent : gridExtents(program_, launch_))
        value *= extent;
      if (ofLaunches)
        value = t.immediate + 1 < value ? t.immediate + 1 : -1;
    } else if (t.kind == Term::operation && t.op == ScalarOp::load) {
      const auto at = elements_.find({t.object, indexOf(t)});
      value = at == elements_.end() ? 1 : at->second;
    } else if (t.kind == Term::operation) {
      int64_t operands[3] = {0, 0, 0};
      for (int i = 0; i < t.operandCount; ++i)
        operands[i] = evaluate(t.operands[i]);
      value = arithmetic(t.op, operands, t.operandCount, t.immediate);
    }
    return value + a.constant;
  }

  /// Makes `a` equal to `value` where it is one unknown under divisions and multiplications.
  void solve(Affine a, int64_t value) {
    if (a.isConstant())
      return;
    value -= a.constant;
    const Term &t = terms_[a.term];
    if (t.kind == Term::extent) {
      launch_.tensors[t.object].extents[t.immediate] = std::max<int64_t>(value, 0);
    } else if (t.kind == Term::argument) {
      launch_.arguments[t.object] = value;
    } else if (t.kind == Term::operation && t.op == ScalarOp::load) {
      elements_[{t.object, indexOf(t)}] = value;
    } else if (t.kind == Term::operation && t.operandCount == 2) {
      solve(t, value);
    }
  }

private:
  std::vector<int64_t> indexOf(const Term &load) const {
    std::vector<int64_t> index;
    for (int i = 0; i < load.operandCount; ++i)
      index.push_back(evaluate(load.operands[i]));
    return index;
  }

  void solve(const Term &t, int64_t value) {
    const Affine &a = t.operands[0], &b = t.operands[1];
    const bool known = b.isConstant();
    switch (t.op) {
    case ScalarOp::ceilDiv:
    case ScalarOp::divS:
      solve(a, value * (known ? b.constant : std::max<int64_t>(evaluate(b), 1)));
      break;
    case ScalarOp::mul: // tiles in two dimensions: all in the first
      if (known || a.isConstant()) {
        const int64_t factor = known ? b.constant : a.constant;
        solve(known ? a : b, factor ? (value + factor - 1) / factor : 0);
      } else {
        solve(a, value);
        solve(b, 1);
      }
      break;
    case ScalarOp::add:
      solve(a, value);
      solve(b, 0);
      break;
    case ScalarOp::sub:
      if (!ofData(a) && ofData(b) && terms_[b.term].kind != Term::drawn)
        solve(b, evaluate(a) - value);
      else
        solve(a, value + evaluate(b));
      break;
    case ScalarOp::minS:
    case ScalarOp::maxS:
      if (ofData(a) || ofData(b)) {
        solve(a, value);
        solve(b, value);
      }
      break;
    case ScalarOp::lt: // 1: it holds, 0: it does not
      if (ofData(b))
        solve(b, evaluate(a) + value);
      else if (ofData(a))
        solve(a, evaluate(b) - value);
      break;
    case ScalarOp::eq:
      if (ofData(a) || ofData(b))
        solve(ofData(a) ? a : b, evaluate(ofData(a) ? b : a) + 1 - value);
      break;
    default:
      break;
    }
  }

  const Program &program_;
  const Terms &terms_;
  Launch &launch_;
  Elements elements_;
};

/// Puts the integers in; a tensor without a decided extent grows as far as they need.
void place(const Program &program, const Elements &elements,
           const std::set<std::pair<int, int64_t>> &decided, Launch &launch) {
  constexpr int64_t mostElements = 1 << 16;
  for (const auto &[where, value] : elements) {
    const auto &[tensor, index] = where;
    Launch::Shape &shape = launch.tensors[tensor];
    const std::vector<int64_t> &fixed = program.tensors[tensor].extents;
    for (size_t d = 0; d < index.size(); ++d)
      if (!decided.count({tensor, static_cast<int64_t>(d)}) && (d >= fixed.size() || fixed[d] < 0))
        shape.extents[d] = std::clamp(index[d] + 1, shape.extents[d], mostElements);
  }
  for (const auto &[where, value] : elements) {
    const auto &[tensor, index] = where;
    Launch::Shape &shape = launch.tensors[tensor];
    int64_t count = 1, at = 0;
    bool inside = true;
    for (size_t d = 0; d < index.size(); ++d) {
      inside &= index[d] >= 0 && index[d] < shape.extents[d];
      at = at * shape.extents[d] + index[d];
      count = std::min(count * shape.extents[d], mostElements + 1);
    }
    if (!inside || count > mostElements)
      continue;
    shape.integers.resize(count, 1);
    shape.integers[at] = value;
  }
}

} // namespace

void setDenseStrides(const Program &program, Launch &launch) {
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    Launch::Shape &shape = launch.tensors[i];
    const auto rank = static_cast<int>(shape.extents.size());
    shape.strides.assign(rank, 1);
    const int minor = std::clamp(program.tensors[i].minor, 0, std::max(rank - 1, 0));
    if (rank && isPacked(program.tensors[i].type)) // whole lines, of the same number of boxes
      shape.extents[minor] = (shape.extents[minor] + packedLine - 1) / packedLine * packedLine;
    int64_t stride = rank ? std::max<int64_t>(shape.extents[minor], 1) : 1;
    for (int d = rank; d-- > 0;)
      if (d != minor) {
        shape.strides[d] = stride;
        stride *= std::max<int64_t>(shape.extents[d], 1);
      }
  }
}

Launch uniformLaunch(const Program &program, int64_t extent) {
  Launch launch;
  for (const Tensor &t : program.tensors) {
    Launch::Shape shape;
    shape.extents.assign(t.rank, extent);
    for (size_t d = 0; d < t.extents.size() && d < shape.extents.size(); ++d)
      if (t.extents[d] >= 0)
        shape.extents[d] = t.extents[d];
    launch.tensors.push_back(shape);
  }
  launch.arguments.assign(program.arguments.size(), extent);
  setDenseStrides(program, launch);
  return launch;
}

Launch launchFor(const Program &program, const Terms &terms,
                 const std::vector<std::pair<Instance, Range>> &decided, const Launch &otherwise,
                 int part) {
  Launch launch = otherwise;
  for (Launch::Shape &shape : launch.tensors)
    shape.integers.clear();
  Solver solver(program, terms, launch);
  std::set<std::pair<int, int64_t>> extents;
  const auto holds = [&](const std::pair<Instance, Range> &d) {
    const int64_t now = solver.evaluate({d.first.term, 0});
    return now >= d.second.lo && now <= d.second.hi;
  };
  // The second pass knows where the integers lie; a divisor that grows with what it divides takes
  // more of them.
  constexpr int mostPasses = 16;
  for (int pass = 0; pass < mostPasses; ++pass) {
    if (pass > 1 && std::ranges::all_of(decided, holds))
      break;
    for (const auto &[instance, range] : decided) {
      if (const Term &t = terms[instance.term]; t.kind == Term::extent)
        extents.insert({t.object, t.immediate});
      const bool least = range.lo > -Range::infinite;
      const bool data = solver.ofData({instance.term, 0});
      const int64_t now = data ? solver.evaluate({instance.term, 0}) : 0;
      if (data ? now >= range.lo && now <= range.hi : !least)
        continue;
      const int64_t span =
          !least || range.hi >= Range::infinite ? 0 : std::max(range.hi - range.lo, int64_t{0});
      solver.solve({instance.term, 0}, (least ? range.lo : range.hi) + span * part / 4);
    }
  }
  place(program, solver.elements(), extents, launch);
  setDenseStrides(program, launch);
  return launch;
}

std::string launchText(const Program &program, const Launch &launch) {
  std::string text;
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    text += (text.empty() ? "" : " ") + program.tensors[i].name + "[";
    for (size_t d = 0; d < launch.tensors[i].extents.size(); ++d)
      text += (d ? "," : "") + std::to_string(launch.tensors[i].extents[d]);
    text += "]";
  }
  for (size_t i = 0; i < program.tensors.size(); ++i)
    if (const std::vector<int64_t> &values = launch.tensors[i].integers; !values.empty()) {
      constexpr size_t shown = 16;
      text += " " + program.tensors[i].name + "={";
      for (size_t n = 0; n < values.size() && n < shown; ++n)
        text += (n ? "," : "") + std::to_string(values[n]);
      text += values.size() > shown ? ",...}" : "}";
    }
  for (size_t i = 0; i < program.arguments.size(); ++i)
    text += (text.empty() ? "" : " ") + program.arguments[i].name + "=" +
            std::to_string(launch.arguments[i]);
  return text.empty() ? "its only launch" : text;
}

} // namespace sluice
