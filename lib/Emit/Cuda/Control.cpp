// Blocks, loops, branches, and the guards that say which threads execute a statement.
#include "Emit/Checksums.h"
#include "Emit/Cuda/Printer.h"

#include <algorithm>
#include <utility>

namespace sluice::cuda {

void Printer::block(const Block &b) {
  const std::string tmem = tmem_; // what is read inside is seen inside
  for (size_t i = 0; i < b.stmts.size(); ++i) {
    const Stmt &s = b.stmts[i];
    at_ = s.loc;
    if (options_.places && s.loc.line > 0)
      out().at(s.loc.file.substr(s.loc.file.rfind('/') + 1) + ":" + std::to_string(s.loc.line));
    if (std::holds_alternative<Role>(s.op)) {
      closeGuard();
      i = roles(b, i) - 1;
    } else {
      statement(s);
    }
  }
  closeGuard();
  tmem_ = tmem;
}

void Printer::statement(const Stmt &s) {
  if (auto *o = std::get_if<Scalar>(&s.op))
    return scalar(*o);
  if (auto *o = std::get_if<Grid>(&s.op))
    return grid(*o);
  if (auto *o = std::get_if<For>(&s.op)) {
    closeGuard();
    return loop(*o);
  }
  if (auto *o = std::get_if<If>(&s.op)) {
    closeGuard();
    return branch(*o);
  }
  if (auto *o = std::get_if<CounterAdd>(&s.op); o && o->old != kNone && uses_[o->old])
    return draw(s, *o);
  if (auto *o = std::get_if<MbarrierTest>(&s.op))
    return ask(s, *o);
  openGuard(s.exec);
  const auto event = events_.find(&s);
  if (event != events_.end())
    out().line(stamps_ + ".begin();");
  operation(s);
  if (event != events_.end())
    out().line(stamps_ + ".end(" + number(event->second) + ");");
  sumSlots(s);
}

/// What a wait has handed over to its role, as the first warp finds it.
void Printer::sumSlots(const Stmt &s) {
  const auto buffers = slots_.find(&s);
  if (buffers == slots_.end())
    return;
  if (warps() > 1)
    out().open("if (" + warp() + " == 0) {");
  for (int b : buffers->second)
    out().line(checksums_ + ".slot(" + bufferNames_[b] + "[" +
               text(std::get<MbarrierWait>(s.op).barrier.slot) + "], " +
               number(checksumBytes(program_.buffers[b])) + ");");
  if (warps() > 1)
    out().close();
}

void Printer::operation(const Stmt &s) {
  if (synchronise(s))
    return;
  if (auto *o = std::get_if<TmaLoad>(&s.op))
    return tmaLoad(*o);
  if (auto *o = std::get_if<TmaStore>(&s.op))
    return tmaStore(*o);
  if (auto *o = std::get_if<RemoteCopy>(&s.op))
    return remoteCopy(*o);
  if (tensorMemory(s))
    return;
  if (auto *o = std::get_if<ScalarWrite>(&s.op)) {
    out().line("storeNumber(" + numberAddress(o->destination) + ", " + text(o->value) + ");");
    return;
  }
  if (auto *o = std::get_if<Print>(&s.op))
    return printTile(*o);
  if (auto *o = std::get_if<Raw>(&s.op))
    return raw(*o);
  if (s.exec != Exec::threads)
    return fail("this operation needs all threads of its warps, and only some execute it");
  if (auto *o = std::get_if<ScalarRead>(&s.op))
    return define(o->result, {.text = "loadNumber(" + numberAddress(o->source) + ")"}, true);
  if (auto *o = std::get_if<Copy>(&s.op))
    return copy(*o);
  if (auto *o = std::get_if<Fill>(&s.op))
    return fill(*o);
  if (auto *o = std::get_if<Wgmma>(&s.op))
    return wgmma(*o);
  if (auto *o = std::get_if<Map>(&s.op))
    return map(*o);
  if (auto *o = std::get_if<Reduce>(&s.op))
    return reduce(*o);
  fail("this operation has no form in CUDA C++ for " + std::string(name(program_.target)));
}

void Printer::openGuard(Exec exec) {
  if (exec == Exec::threads)
    return closeGuard();
  bool oneWarp = warps() == 1;
  if (guard_ && (*guard_ == exec || oneWarp))
    return;
  closeGuard();
  guard_ = exec;
  guardBlocks_ = false;
  if (exec == Exec::warp || oneWarp)
    out().open("if (electLane()) {");
  else if (exec == Exec::one || warps() <= 4)
    out().open("if (" + warp() + " == 0 && electLane()) {");
  else
    out().open("if (" + warp() + " % 4 == 0 && electLane()) {");
}

/// Where the elected lane waited, the warp as a whole has waited.
void Printer::closeGuard() {
  if (!guard_)
    return;
  guard_.reset();
  out().close();
  if (guardBlocks_)
    out().line("warpSync();");
}

void Printer::grid(const Grid &g) {
  static constexpr const char *axes[] = {"blockIdx.x", "blockIdx.y", "blockIdx.z"};
  if (g.results.size() > 3)
    return fail("a grid has at most three dimensions");
  for (size_t d = 0; d < g.results.size(); ++d)
    if (uses_[g.results[d]])
      define(g.results[d], {.text = axes[d]}, true, d == 0 ? "x" : d == 1 ? "y" : "z");
}

/// Variables of the values that the loop carries and that anything reads.
void Printer::declareLoopValues(const For &f, std::vector<size_t> &live) {
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
bool Printer::takesOver(const For &f, size_t i) const {
  const ValueId init = f.inits[i];
  return values_[init].variable && values_[init].loop == loop_ && uses_[init] == 1 &&
         truth_[init] == truth_[f.iterArgs[i]] &&
         ranges_.isWide(init) == ranges_.isWide(f.iterArgs[i]);
}

/// Through variables of their own: the yields of `left` read each other's targets.
void Printer::assignTogether(const std::vector<ValueId> &targets,
                             const std::vector<ValueId> &yields, const std::vector<size_t> &left) {
  std::vector<std::string> next;
  for (size_t i : left) {
    next.push_back(names_.take(text(targets[i]) + "Next", "next"));
    out().line("const auto " + next.back() + " = " + text(yields[i]) + ";");
  }
  for (size_t k = 0; k < left.size(); ++k)
    out().line(text(targets[left[k]]) + " = " + next[k] + ";");
}

/// targets = yields, all at once: a target that another yield still reads is assigned after it.
void Printer::assignYields(const std::vector<ValueId> &targets,
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

void Printer::loop(const For &f) {
  std::vector<size_t> live;
  declareLoopValues(f, live);
  bool named = f.iv < int(program_.valueNames.size()) && !program_.valueNames[f.iv].empty();
  std::string iv = names_.take(named ? program_.valueNames[f.iv] : f.name, "i");
  const bool wide = ranges_.isWide(f);
  values_[f.iv] = {.text = wide && !ranges_.isWide(f.iv) ? "int(" + iv + ")" : iv, .printed = true};
  inductions_[f.iv] = &f;
  const For *around = std::exchange(loop_, &f);
  if (f.isWhile()) {
    out().open("for (;;) {");
  } else {
    const std::string step = text(f.step);
    out().open("for (" + std::string(wide ? "i64 " : "int ") + iv + " = " + text(f.lower) + "; " +
               iv + " < " + operand(f.upper) + "; " +
               (step == "1" ? "++" + iv : iv + " += " + step) + ") {");
  }
  block(f.body);
  std::vector<ValueId> targets, yields;
  for (size_t i : live) {
    targets.push_back(f.iterArgs[i]);
    yields.push_back(f.body.yields[i]);
  }
  std::string more;
  if (f.isWhile() && values_[f.condition].printed) {
    more = text(f.condition);
  } else if (f.isWhile()) { // before the carried values change
    more = names_.take("more", "more");
    out().line("const bool " + more + " = " + condition({f.condition, 0}) + ";");
  }
  assignYields(targets, yields);
  if (f.isWhile()) {
    out().line("if (!" + more + ")");
    out().line("  break;");
  }
  out().close();
  loop_ = around;
  for (size_t i : live) {
    values_[f.results[i]] = values_[f.iterArgs[i]];
    values_[f.results[i]].loop = loop_;
  }
}

/// The adding lane hands the old value to its warp.
void Printer::draw(const Stmt &s, const CounterAdd &o) {
  const Exec exec = s.exec;
  closeGuard();
  std::string old = names_.take(
      o.old < int(program_.valueNames.size()) ? program_.valueNames[o.old] : "", "drawn");
  const bool oneWarp = warps() == 1 || exec == Exec::warp;
  std::string call = scoped(o.relaxed ? "counterDrawRelaxed" : "counterDraw", o.scope) +
                     element(o.counter) + ", " + text(o.value) + ");";
  if (options_.syncIds)
    numberCall(call, syncIds_.at(&s));
  if (oneWarp) {
    out().line("const int " + old + " = " + call);
  } else {
    out().line("int " + old + " = 0;");
    out().line("if (" + warp() + (exec == Exec::one ? " == 0)" : " % 4 == 0)"));
    out().line("  " + old + " = " + call);
  }
  values_[o.old] = {.text = old, .atom = true, .printed = true};
}

void Printer::branch(const If &i) {
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
    if (!uses_[i.results[r]])
      continue;
    live.push_back(r);
    ValueText v = values_[i.thenBlock.yields[r]];
    v.kind = kindOf(i.results[r], v);
    std::string wanted =
        i.results[r] < int(program_.valueNames.size()) ? program_.valueNames[i.results[r]] : "";
    std::string name = names_.take(wanted, "chosen");
    std::string type = v.kind == ValueText::cursor    ? "Cursor<" + number(v.slots) + ">"
                       : v.kind == ValueText::boolean ? "bool"
                                                      : integerType(i.results[r]);
    out().line(type + " " + name + ";");
    values_[i.results[r]] = {v.kind, name, true, v.slots, true};
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
