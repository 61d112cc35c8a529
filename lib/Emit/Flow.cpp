#include "Emit/Flow.h"

namespace sluice::emit {

void FlowPrinter::block(const Block &b) {
  for (size_t i = 0; i < b.stmts.size();) {
    const Stmt &s = b.stmts[i];
    at_ = s.loc;
    if (options_.places && s.loc.line > 0)
      out().at(s.loc.file.substr(s.loc.file.rfind('/') + 1) + ":" + std::to_string(s.loc.line));
    i = target_.statements(b, i);
  }
  target_.closeGuard();
}

void FlowPrinter::head(const For &f, const std::string &iv) {
  if (f.isWhile()) {
    out().open("for (;;) {");
    return;
  }
  const std::string step = scalars_.text(f.step);
  out().open("for (" + std::string(ranges_.isWide(f) ? "i64 " : "int ") + iv + " = " +
             scalars_.text(f.lower) + "; " + iv + " < " + scalars_.operand(f.upper) + "; " +
             (step == "1" ? "++" + iv : iv + " += " + step) + ") {");
}

/// The carried values change; a while ends where its condition no longer holds.
void FlowPrinter::tail(const For &f, const std::vector<size_t> &live) {
  std::vector<ValueId> targets, yields;
  for (size_t i : live) {
    targets.push_back(f.iterArgs[i]);
    yields.push_back(f.body.yields[i]);
  }
  std::string more;
  if (f.isWhile() && scalars_.value(f.condition).printed) {
    more = scalars_.text(f.condition);
  } else if (f.isWhile()) { // before the carried values change
    more = names_.take("more", "more");
    out().line("const bool " + more + " = " + scalars_.condition({f.condition, 0}) + ";");
  }
  scalars_.assignYields(targets, yields);
  if (f.isWhile()) {
    out().line("if (!" + more + ")");
    out().line("  break;");
  }
}

void FlowPrinter::loop(const For &f) {
  target_.closeGuard();
  std::vector<size_t> live;
  scalars_.declareLoopValues(f, live);
  const std::string named = nameOf(f.iv), iv = names_.take(named.empty() ? f.name : named, "i");
  const bool narrows = ranges_.isWide(f) && !ranges_.isWide(f.iv);
  scalars_.value(f.iv) = {.text = narrows ? "int(" + iv + ")" : iv, .printed = true};
  const For *around = scalars_.enter(&f);
  head(f, iv);
  target_.round(f.body);
  target_.block(f.body);
  tail(f, live);
  out().close();
  scalars_.enter(around);
  for (size_t i : live) {
    scalars_.value(f.results[i]) = scalars_.value(f.iterArgs[i]);
    scalars_.value(f.results[i]).loop = around;
  }
}

void FlowPrinter::branch(const If &i) {
  target_.closeGuard();
  // The kind of a result is known once its value was printed: print the branches first.
  Text *outer = out_;
  Text thenText = outer->inside(), elseText = outer->inside();
  auto body = [&](const Block &b, Text &text) {
    out_ = &text;
    target_.block(b);
    out_ = outer;
  };
  body(i.thenBlock, thenText);
  std::vector<size_t> live;
  for (size_t r = 0; r < i.results.size(); ++r) {
    if (!scalars_.isUsed(i.results[r]))
      continue;
    live.push_back(r);
    ValueText v = scalars_.value(i.thenBlock.yields[r]);
    v.kind = scalars_.kindOf(i.results[r], v);
    std::string name = names_.take(nameOf(i.results[r]), "chosen");
    std::string type = v.kind == ValueText::cursor    ? "Cursor<" + number(v.slots) + ">"
                       : v.kind == ValueText::boolean ? "bool"
                                                      : scalars_.integerType(i.results[r]);
    out().line(type + " " + name + ";");
    scalars_.value(i.results[r]) = {v.kind, name, true, v.slots, true};
    thenText.line(name + " = " + scalars_.text(i.thenBlock.yields[r]) + ";");
  }
  body(i.elseBlock, elseText);
  for (size_t r : live)
    elseText.line(scalars_.text(i.results[r]) + " = " + scalars_.text(i.elseBlock.yields[r]) + ";");
  if (thenText.empty() && elseText.empty())
    return;
  const std::string holds = scalars_.condition({i.condition});
  if (elseText.empty())
    out().branch(holds, thenText);
  else if (thenText.empty())
    out().branch(holds.find(' ') == holds.npos ? "!" + holds : "!(" + holds + ")", elseText);
  else
    out().open("if (" + holds + ") {").append(thenText).next("} else {").append(elseText);
  out().close();
}

} // namespace sluice::emit
