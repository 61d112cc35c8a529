// Blocks, loops, branches, and the values that loops carry.
#include "Emit/Cuda/Printer.h"

#include "Program/OperationFacts.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace sluice::cuda {

void ControlPrinter::block(const Block &b) {
  const std::string tmem = parts_.tensorMemory.seen(); // what is read inside is seen inside
  for (size_t i = 0; i < b.stmts.size(); ++i) {
    const Stmt &s = b.stmts[i];
    at_ = s.loc;
    if (options_.places && s.loc.line > 0)
      out().at(s.loc.file.substr(s.loc.file.rfind('/') + 1) + ":" + std::to_string(s.loc.line));
    if (std::holds_alternative<Role>(s.op)) {
      parts_.roles.closeGuard();
      i = parts_.roles.roles(b, i) - 1;
    } else {
      statement(s);
    }
  }
  parts_.roles.closeGuard();
  parts_.tensorMemory.see(tmem);
}

void ControlPrinter::statement(const Stmt &s) {
  if (auto *o = std::get_if<Scalar>(&s.op))
    return parts_.scalars.scalar(*o);
  if (auto *o = std::get_if<Grid>(&s.op))
    return grid(*o);
  if (auto *o = std::get_if<For>(&s.op)) {
    parts_.roles.closeGuard();
    return loop(*o);
  }
  if (auto *o = std::get_if<If>(&s.op)) {
    parts_.roles.closeGuard();
    return branch(*o);
  }
  if (auto *o = std::get_if<CounterAdd>(&s.op);
      o && o->old != kNone && parts_.scalars.isUsed(o->old))
    return draw(s, *o);
  if (auto *o = std::get_if<MbarrierTest>(&s.op))
    return parts_.barriers.ask(s, *o);
  parts_.roles.openGuard(s.exec);
  parts_.records.beginStamp(s);
  operation(s);
  parts_.records.endStamp(s);
  parts_.records.sumSlots(s);
}

void ControlPrinter::operation(const Stmt &s) {
  if (parts_.barriers.synchronise(s))
    return;
  if (auto *o = std::get_if<TmaLoad>(&s.op))
    return parts_.tma.tmaLoad(*o);
  if (auto *o = std::get_if<TmaStore>(&s.op))
    return parts_.tma.tmaStore(*o);
  if (auto *o = std::get_if<RemoteCopy>(&s.op))
    return parts_.tma.remoteCopy(*o);
  if (parts_.tensorMemory.tensorMemory(s))
    return;
  if (auto *o = std::get_if<ScalarWrite>(&s.op)) {
    out().line("storeNumber(" + numberAddress(o->destination) + ", " + text(o->value) + ");");
    return;
  }
  if (auto *o = std::get_if<Print>(&s.op))
    return parts_.copies.printTile(*o);
  if (auto *o = std::get_if<Raw>(&s.op))
    return parts_.raw.raw(*o);
  if (s.exec != Exec::threads)
    return fail("this operation needs all threads of its warps, and only some execute it");
  if (auto *o = std::get_if<ScalarRead>(&s.op))
    return parts_.scalars.define(o->result,
                                 {.text = "loadNumber(" + numberAddress(o->source) + ")"}, true);
  if (auto *o = std::get_if<Copy>(&s.op))
    return parts_.copies.copy(*o);
  if (auto *o = std::get_if<Fill>(&s.op))
    return parts_.copies.fill(*o);
  if (auto *o = std::get_if<Wgmma>(&s.op))
    return parts_.matrix.wgmma(*o);
  if (auto *o = std::get_if<Map>(&s.op))
    return parts_.elements.map(*o);
  if (auto *o = std::get_if<Reduce>(&s.op))
    return parts_.elements.reduce(*o);
  fail("this operation has no form in CUDA C++ for " + std::string(name(program_.target)));
}

void ControlPrinter::grid(const Grid &g) {
  static constexpr const char *axes[] = {"blockIdx.x", "blockIdx.y", "blockIdx.z"};
  if (g.results.size() > 3)
    return fail("a grid has at most three dimensions");
  for (size_t d = 0; d < g.results.size(); ++d)
    if (parts_.scalars.isUsed(g.results[d]))
      parts_.scalars.define(g.results[d], {.text = axes[d]}, true,
                            d == 0   ? "x"
                            : d == 1 ? "y"
                                     : "z");
}

/// Variables of the values that the loop carries and that anything reads.
void ScalarPrinter::declareLoopValues(const For &f, std::vector<size_t> &live) {
  for (size_t i = 0; i < f.inits.size(); ++i) {
    if (!uses_[f.iterArgs[i]] && !uses_[f.results[i]])
      continue;
    live.push_back(i);
    ValueText init = values_[f.inits[i]];
    init.kind = kindOf(f.iterArgs[i], init);
    if (takesOver(f, i)) {
      values_[f.iterArgs[i]] = init;
      values_[f.iterArgs[i]].loop = &f;
      continue;
    }
    std::string wanted, fallback = init.kind == ValueText::cursor ? "at" : "carried";
    for (ValueId v : {f.iterArgs[i], f.results[i]})
      if (wanted.empty() && v < int(program_.valueNames.size()))
        wanted = program_.valueNames[v];
    std::string name = names_.take(wanted, fallback);
    std::string initial = text(f.inits[i]);
    if (init.kind == ValueText::cursor) {
      std::string type = "Cursor<" + number(init.slots) + ">";
      out().line(type + " " + name + (initial == type + "{}" ? "" : " = " + initial) + ";");
    } else {
      const std::string type =
          init.kind == ValueText::boolean ? "bool" : integerType(f.iterArgs[i]);
      out().line(type + " " + name + " = " + initial + ";");
    }
    values_[f.iterArgs[i]] = {init.kind, name, true, init.slots, true, true, &f};
  }
}

/// Whether a carried value goes on in the variable of its initial value: a variable that nothing
/// else reads from here on, and that every iteration of the loop around sets anew.
bool ScalarPrinter::takesOver(const For &f, size_t i) const {
  const ValueId init = f.inits[i];
  return values_[init].variable && values_[init].loop == loop_ && uses_[init] == 1 &&
         truth_[init] == truth_[f.iterArgs[i]] &&
         ranges_.isWide(init) == ranges_.isWide(f.iterArgs[i]);
}

/// Through variables of their own: the yields of `left` read each other's targets.
void ScalarPrinter::assignTogether(const std::vector<ValueId> &targets,
                                   const std::vector<ValueId> &yields,
                                   const std::vector<size_t> &left) {
  std::vector<std::string> next;
  for (size_t i : left) {
    next.push_back(names_.take(text(targets[i]) + "Next", "next"));
    out().line("const auto " + next.back() + " = " + text(yields[i]) + ";");
  }
  for (size_t k = 0; k < left.size(); ++k)
    out().line(text(targets[left[k]]) + " = " + next[k] + ";");
}

/// targets = yields, all at once: a target that another yield still reads is assigned after it.
void ScalarPrinter::assignYields(const std::vector<ValueId> &targets,
                                 const std::vector<ValueId> &yields) {
  std::vector<size_t> left;
  for (size_t i = 0; i < targets.size(); ++i)
    if (targets[i] != yields[i] && text(targets[i]) != text(yields[i]))
      left.push_back(i);
  while (!left.empty()) {
    auto readByOther = [&](size_t i) {
      return std::any_of(left.begin(), left.end(),
                         [&](size_t j) { return j != i && dependsOn(yields[j], targets[i]); });
    };
    auto next = std::find_if_not(left.begin(), left.end(), readByOther);
    if (next == left.end())
      return assignTogether(targets, yields, left);
    out().line(text(targets[*next]) + " = " + text(yields[*next]) + ";");
    left.erase(next);
  }
}

/// Whole rows of 16 bits that all rounds of a loop compute with and none writes, as weights beside
/// rows that warps share: nvcc holds each element as an f32 over the loop, and spills where they
/// are many (bench/ROWS.md).
void ControlPrinter::keepPacked(const Block &body) {
  constexpr int64_t mostUnpacked = 64; // values of a thread
  std::map<const Buffer *, const View *> kept;
  std::set<const Buffer *> written;
  walk(body, [&](const Stmt &s) {
    if (const auto *map = std::get_if<Map>(&s.op))
      for (const View &v : map->ins)
        kept.emplace(program_.buffer(v), &v);
    for (const View *v : touchedBy(s.op).writes)
      written.insert(program_.buffer(*v));
  });
  std::set<std::string> names;
  int64_t values = 0;
  for (const auto &[buffer, view] : kept) {
    if (!buffer || written.contains(buffer) || buffer->space != Space::reg ||
        byteSize(buffer->type) != 2)
      continue;
    const auto tile = registerTile(*view);
    if (tile && tile->blocked && tile->kind == RegisterTile::fragment &&
        names.insert(tile->name).second)
      values += tile->values();
  }
  for (const std::string &name : values > mostUnpacked ? names : std::set<std::string>())
    out().line("keepPacked(" + name + ");");
}

void ControlPrinter::loop(const For &f) {
  std::vector<size_t> live;
  parts_.scalars.declareLoopValues(f, live);
  bool named = f.iv < int(program_.valueNames.size()) && !program_.valueNames[f.iv].empty();
  std::string iv = names_.take(named ? program_.valueNames[f.iv] : f.name, "i");
  const bool wide = ranges_.isWide(f);
  ScalarPrinter &scalars = parts_.scalars;
  scalars.value(f.iv) = {.text = wide && !ranges_.isWide(f.iv) ? "int(" + iv + ")" : iv,
                         .printed = true};
  const For *around = scalars.enter(&f);
  if (f.isWhile()) {
    out().open("for (;;) {");
  } else {
    const std::string step = text(f.step);
    out().open("for (" + std::string(wide ? "i64 " : "int ") + iv + " = " + text(f.lower) + "; " +
               iv + " < " + parts_.scalars.operand(f.upper) + "; " +
               (step == "1" ? "++" + iv : iv + " += " + step) + ") {");
  }
  keepPacked(f.body);
  block(f.body);
  std::vector<ValueId> targets, yields;
  for (size_t i : live) {
    targets.push_back(f.iterArgs[i]);
    yields.push_back(f.body.yields[i]);
  }
  std::string more;
  if (f.isWhile() && scalars.value(f.condition).printed) {
    more = text(f.condition);
  } else if (f.isWhile()) { // before the carried values change
    more = names_.take("more", "more");
    out().line("const bool " + more + " = " + condition({f.condition, 0}) + ";");
  }
  parts_.scalars.assignYields(targets, yields);
  if (f.isWhile()) {
    out().line("if (!" + more + ")");
    out().line("  break;");
  }
  out().close();
  scalars.enter(around);
  for (size_t i : live) {
    scalars.value(f.results[i]) = scalars.value(f.iterArgs[i]);
    scalars.value(f.results[i]).loop = around;
  }
}

/// The adding lane hands the old value to its warp.
void ControlPrinter::draw(const Stmt &s, const CounterAdd &o) {
  const Exec exec = s.exec;
  parts_.roles.closeGuard();
  std::string old = names_.take(
      o.old < int(program_.valueNames.size()) ? program_.valueNames[o.old] : "", "drawn");
  const bool oneWarp = warps() == 1 || exec == Exec::warp;
  std::string call = scoped(o.relaxed ? "counterDrawRelaxed" : "counterDraw", o.scope) +
                     element(o.counter) + ", " + text(o.value) + ");";
  parts_.barriers.numberCall(call, s);
  if (oneWarp) {
    out().line("const int " + old + " = " + call);
  } else {
    out().line("int " + old + " = 0;");
    out().line("if (" + warp() + (exec == Exec::one ? " == 0)" : " % 4 == 0)"));
    out().line("  " + old + " = " + call);
  }
  parts_.scalars.value(o.old) = {.text = old, .atom = true, .printed = true};
}

void ControlPrinter::branch(const If &i) {
  // The kind of a result is known once its value was printed: print the branches first.
  Text *outer = out_;
  Text thenText = outer->inside(), elseText = outer->inside();
  auto body = [&](const Block &b, Text &text) {
    out_ = &text;
    block(b);
    out_ = outer;
  };
  body(i.thenBlock, thenText);
  std::vector<size_t> live;
  for (size_t r = 0; r < i.results.size(); ++r) {
    if (!parts_.scalars.isUsed(i.results[r]))
      continue;
    live.push_back(r);
    ValueText v = parts_.scalars.value(i.thenBlock.yields[r]);
    v.kind = parts_.scalars.kindOf(i.results[r], v);
    std::string wanted =
        i.results[r] < int(program_.valueNames.size()) ? program_.valueNames[i.results[r]] : "";
    std::string name = names_.take(wanted, "chosen");
    std::string type = v.kind == ValueText::cursor    ? "Cursor<" + number(v.slots) + ">"
                       : v.kind == ValueText::boolean ? "bool"
                                                      : parts_.scalars.integerType(i.results[r]);
    out().line(type + " " + name + ";");
    parts_.scalars.value(i.results[r]) = {v.kind, name, true, v.slots, true};
    thenText.line(name + " = " + text(i.thenBlock.yields[r]) + ";");
  }
  body(i.elseBlock, elseText);
  for (size_t r : live)
    elseText.line(text(i.results[r]) + " = " + text(i.elseBlock.yields[r]) + ";");
  if (thenText.empty() && elseText.empty())
    return;
  if (elseText.empty())
    out().branch(condition({i.condition}), thenText);
  else
    out()
        .open("if (" + condition({i.condition}) + ") {")
        .append(thenText)
        .next("} else {")
        .append(elseText);
  out().close();
}

} // namespace sluice::cuda
