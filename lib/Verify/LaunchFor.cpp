#include "Verify/LaunchFor.h"

#include <algorithm>

namespace sluice {
namespace {

void setStrides(const Program &program, Launch &launch) {
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    Launch::Shape &shape = launch.tensors[i];
    const auto rank = static_cast<int>(shape.extents.size());
    shape.strides.assign(rank, 1);
    const int minor = std::clamp(program.tensors[i].minor, 0, std::max(rank - 1, 0));
    int64_t stride = rank ? std::max<int64_t>(shape.extents[minor], 1) : 1;
    for (int d = rank; d-- > 0;)
      if (d != minor) {
        shape.strides[d] = stride;
        stride *= std::max<int64_t>(shape.extents[d], 1);
      }
  }
}

class Solver {
public:
  Solver(const Terms &terms, Launch &launch) : terms_(terms), launch_(launch) {}

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
    } else if (t.kind == Term::operation && t.operandCount == 2) {
      solve(t, value);
    }
  }

private:
  void solve(const Term &t, int64_t value) {
    const Affine &a = t.operands[0], &b = t.operands[1];
    const bool known = b.isConstant();
    switch (t.op) {
    case ScalarOp::ceilDiv:
    case ScalarOp::divS:
      if (known)
        solve(a, value * b.constant);
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
    default:
      break;
    }
  }

  const Terms &terms_;
  Launch &launch_;
};

} // namespace

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
  setStrides(program, launch);
  return launch;
}

Launch launchFor(const Program &program, const Terms &terms,
                 const std::vector<std::pair<Instance, Range>> &decided, const Launch &otherwise,
                 int part) {
  Launch launch = otherwise;
  Solver solver(terms, launch);
  for (const auto &[instance, range] : decided) {
    if (range.lo <= -Range::infinite)
      continue;
    const int64_t span =
        range.hi >= Range::infinite ? 0 : std::max(range.hi - range.lo, int64_t{0});
    solver.solve({instance.term, 0}, range.lo + span * part / 4);
  }
  setStrides(program, launch);
  return launch;
}

} // namespace sluice
