// Reduce: what a thread has of the rows of a register tile into one number each, then what the
// lanes that share a row have.
#include "Emit/Cuda/Folds.h"

#include "Emit/Cuda/ElementText.h"
#include "Emit/Cuda/Printer.h"
#include "Program/OperationFacts.h"

#include <algorithm>
#include <cmath>

namespace sluice::cuda {

bool isWidening(const ElementFn &fn) {
  const ElementNode *n = &fn.nodes[fn.results[0]];
  if (n->op == ElementOp::cast && n->type == DType::f32)
    n = &fn.nodes[n->operands[0]];
  return n->op == ElementOp::argument;
}

/// What the wrapper's name begins with that folds so tiles of this type, whose values it has as
/// f32; empty: there is none.
static std::string foldName(const Reduce &o, DType type) {
  if (o.element && !(isFloat(type) && isWidening(*o.element)))
    return "";
  const bool least = std::isinf(o.identity) && o.identity < 0;
  if (least && (o.combine == ElementOp::max || o.combine == ElementOp::maximum))
    return o.combine == ElementOp::max ? "maxOf" : "maximumOf";
  return o.combine == ElementOp::add && o.identity == 0 && !std::signbit(o.identity) ? "sumOf" : "";
}

/// state op element(x): argument 0 is the state.
static ElementFn stepOf(ElementOp combine, const std::optional<ElementFn> &element, DType type) {
  ElementFn step{2, false, {{ElementOp::argument, type, {}, 0, 0}}, {}};
  int value = 1;
  if (element) {
    for (ElementNode n : element->nodes) {
      n.imm += n.op == ElementOp::argument;
      for (int &operand : n.operands)
        ++operand;
      step.nodes.push_back(std::move(n));
    }
    value = element->results[0] + 1;
  } else {
    step.nodes.push_back({ElementOp::argument, type, {}, 1, 0});
  }
  step.nodes.push_back({combine, type, {0, value}, 0, 0});
  step.results = {int(step.nodes.size()) - 1};
  return step;
}

bool ElementPrinter::foldsOnto(const Reduce &o, const RegisterTile &in,
                               const RegisterTile &to) const {
  if (o.axis != 1 || in.kind != RegisterTile::fragment || to.kind != RegisterTile::fragment ||
      !in.whole() || !to.whole() || in.blocked != to.blocked || in.lanes != to.lanes ||
      in.blocks != to.blocks || to.columns == 1 || program_.type(o.out) != DType::f32)
    return false;
  if (in.lanes)
    return true;
  if (to.isOfLanes())
    return o.together == blockedPiece;
  return o.together == 1 && to.columns % (in.blocked ? 256 : 8) == 0;
}

/// A short vector into one number: what a lane has, then, where they are dealt, what the others
/// have. Many go side by side: one step waits for the one before.
void ElementPrinter::foldNumbers(const Reduce &o, const RegisterTile &in, const RegisterTile &to) {
  constexpr int64_t many = 16, sideBySide = 4;
  const int64_t values = in.values(), folds = values < many ? 1 : sideBySide;
  auto names = names_.mark();
  const std::string i = names_.take("i"), folded = names_.take("folded");
  const auto fold = [&](const std::string &number) {
    return folds > 1 ? folded + "[" + number + "]" : folded;
  };
  const std::string identity = floatLiteral(o.identity);
  std::string start = identity;
  for (int64_t n = 1; n < folds; ++n)
    start += ", " + identity;
  out().open("{");
  out().line("float " + folded + (folds > 1 ? "[] = {" + start + "};" : " = " + start + ";"));
  out().line("#pragma unroll");
  out().line("for (int " + i + " = 0; " + i + " < " + number(values) + "; ++" + i + ")");
  const std::string own = fold(i + " % " + number(folds)), whole = fold("0");
  out().line("  " + own + " = " +
             elementFn(stepOf(o.combine, o.element, DType::f32), {own, in.name + ".get(" + i + ")"},
                       {DType::f32})[0] +
             ";");
  const auto join = [&](const std::string &other) {
    out().line(
        whole + " = " +
        elementFn(stepOf(o.combine, std::nullopt, DType::f32), {whole, other}, {DType::f32})[0] +
        ";");
  };
  for (int64_t n = 1; n < folds; ++n)
    join(fold(number(n)));
  for (int64_t mask = 1; mask < in.lanesOfShort(); mask *= 2)
    join("laneXor(" + whole + ", " + number(mask) + ")");
  out().line(to.name + ".put(0, " + whole + ", " + whole + ");");
  out().close();
  names_.release(names);
}

/// Rows of a tile of which each thread has one: four columns side by side, as one step waits for
/// the one before.
void ElementPrinter::foldLanes(const Reduce &o, const RegisterTile &in, const RegisterTile &to) {
  auto names = names_.mark();
  const std::string i = names_.take("i"), folded = names_.take("folded");
  const std::string identity = floatLiteral(o.identity);
  const auto step = [&](const std::optional<ElementFn> &element, const std::string &target,
                        const std::string &value) {
    return elementFn(stepOf(o.combine, element, DType::f32), {target, value}, {DType::f32})[0];
  };
  const auto part = [&](const std::string &number) { return folded + "[" + number + "]"; };
  out().open("{");
  out().line("float " + folded + "[] = {" + identity + ", " + identity + ", " + identity + ", " +
             identity + "};");
  out().line("#pragma unroll");
  out().open("for (int " + i + " = 0; " + i + " < " + number(in.values()) + "; ++" + i + ") {");
  const std::string own = part(i + " % 4");
  out().line(own + " = " + step(o.element, own, element(in, in, i)) + ";");
  out().close();
  for (const auto &[into, from] : {std::pair("0", "1"), {"2", "3"}, {"0", "2"}})
    out().line(part(into) + " = " + step(std::nullopt, part(into), part(from)) + ";");
  out().line(to.name + ".set(0, " + part("0") + ");");
  out().close();
  names_.release(names);
}

/// Rows of a tile into a row vector: first the columns of the thread, then of the lanes that share
/// the row: a quad, or the warp.
void ElementPrinter::reduce(const Reduce &o) {
  for (const View *v : {&o.in, &o.out}) {
    const Buffer *b = program_.buffer(*v);
    if (!b || b->space != Space::reg)
      return fail("reduce works on register tiles");
  }
  auto in = registerTile(o.in, /*ofLanes=*/true), to = registerTile(o.out, /*ofLanes=*/true);
  if (!in || !to)
    return;
  for (const View *v : {&o.in, &o.out})
    if (const DType type = program_.type(*v); !isFloat(type) && !(v == &o.in && o.element))
      return fail("reduce folds floats; convert " + program_.buffers[v->object].name + " of " +
                  std::string(name(type)) + " to f32 first");
  if (o.axis == 1 && in->isShort() && to->isShort())
    return foldNumbers(o, *in, *to);
  const std::string fold = foldName(o, program_.type(o.in));
  const auto wrapped = [&](const char *of) {
    out().line(fold + of + "(" + to->name + ", " + in->name + ");");
  };
  if (foldsOnto(o, *in, *to))
    return to->isOfLanes() && !fold.empty() ? wrapped("Lanes") : foldEach(o, *in, *to);
  const bool lanes = in->lanes && to->lanes && to->columns == 1 && o.axis == 1;
  if (lanes && in->whole() && !fold.empty())
    return wrapped("Rows");
  if (lanes)
    return foldLanes(o, *in, *to);
  if (o.axis != 1 || in->kind != RegisterTile::fragment || to->kind != RegisterTile::rowVector ||
      in->blocks != to->blocks || in->blocked != to->blocked)
    return fail(
        "reduce folds the columns of a fragment into a row vector (axis 1), or into f32 that "
        "lies as they do; a fold over rows crosses warps and needs shared memory");
  if (in->whole() && to->whole() && !fold.empty())
    return wrapped("Rows");
  foldEach(o, *in, *to);
}

/// Value by value.
void ElementPrinter::foldEach(const Reduce &o, const RegisterTile &in, const RegisterTile &to) {
  auto names = names_.mark();
  const Folds folds = beginFolds(o, in, to);
  const std::string &i = folds.i;
  out().line("#pragma unroll");
  out().open("for (int " + i + " = 0; " + i + " < " + number(in.values()) + "; ++" + i + ") {");
  foldValue(o, in, folds, i, element(in, in, i));
  out().close();
  endFolds(o, in, to, folds);
  names_.release(names);
}

/// Folds of a row side by side: one step waits for the one before.
ElementPrinter::Folds ElementPrinter::beginFolds(const Reduce &o, const RegisterTile &in,
                                                 const RegisterTile &to, bool one) {
  if (to.kind == RegisterTile::fragment && !to.isOfLanes())
    return beginColumns(o, to);
  const int64_t lines = in.rowsOfLane();
  const Folds folds{names_.take("i"), names_.take("folded"), (lines + 1) / 2 * 2,
                    in.blocked && lines < 4 && !one ? 4 / lines : 1};
  const std::string all = number(folds.even * folds.together), &i = folds.i;
  out().open("{");
  out().line("float " + folds.folded + "[" + all + "];");
  out().line("#pragma unroll");
  out().line("for (int " + i + " = 0; " + i + " < " + all + "; ++" + i + ")");
  out().line("  " + folds.folded + "[" + i + "] = " + floatLiteral(o.identity) + ";");
  return folds;
}

/// Folds into several columns: the tile has them.
ElementPrinter::Folds ElementPrinter::beginColumns(const Reduce &o, const RegisterTile &to) {
  const int64_t lines = to.lanes ? 1 : to.blocks;
  out().line("fill(" + to.name + ", " + floatLiteral(o.identity) + ");");
  return {names_.take("i"), to.name, 0, 1, to.values() / lines};
}

/// Fold f of row r is number f * rows + r, so that those of the rows come first.
void ElementPrinter::foldValue(const Reduce &o, const RegisterTile &in, const Folds &folds,
                               const std::string &at, const std::string &value) {
  const std::string index = isAtom(at) ? at : "(" + at + ")";
  const ElementFn step = stepOf(o.combine, o.element, DType::f32);
  if (folds.columns) {
    const int64_t ofLine = in.columns / o.out.cols() * folds.columns, all = in.values();
    const std::string line =
        all > ofLine ? index + " / " + number(ofLine) + " * " + number(folds.columns) + " + "
                     : std::string();
    const std::string dealt = o.together > 1 ? index + " / " + number(o.together) : index;
    const std::string to = line + dealt + " % " + number(folds.columns);
    const std::string had = folds.folded + ".get(" + to + ")";
    out().line(folds.folded + ".set(" + to + ", " + elementFn(step, {had, value}, {DType::f32})[0] +
               ");");
    return;
  }
  const std::string beside = folds.together > 1 ? index + " % " + number(folds.together) + " * " +
                                                      number(folds.even) + " + "
                                                : std::string();
  const std::string target = folds.folded + "[" + beside + indexOf(in) + "rowIndex(" + at + ")]";
  out().line(target + " = " + elementFn(step, {target, value}, {DType::f32})[0] + ";");
}

void ElementPrinter::endFolds(const Reduce &o, const RegisterTile &in, const RegisterTile &to,
                              const Folds &folds) {
  if (folds.columns)
    return;
  const std::string &i = folds.i, rows = number(folds.even);
  const ElementFn join = stepOf(o.combine, std::nullopt, DType::f32);
  const std::string at = folds.folded + "[" + i + "]";
  const auto step = [&](const std::string &value) {
    out().line(at + " = " + elementFn(join, {at, value}, {DType::f32})[0] + ";");
  };
  const auto each = [&](const std::string &from, const std::string &by) {
    out().line("#pragma unroll");
    return "for (int " + i + " = 0; " + i + " < " + from + "; " + by + ")";
  };
  const int64_t lanes = to.isOfLanes() ? 1 : in.blocked ? 32 : 4; // that share a row
  if (folds.together > 1 || lanes > 1) {
    out().open(each(rows, "++" + i) + " {");
    for (int64_t fold = 1; fold < folds.together; ++fold)
      step(folds.folded + "[" + i + " + " + number(fold * folds.even) + "]");
    for (int64_t mask = 1; mask < lanes; mask *= 2)
      step("laneXor(" + at + ", " + number(mask) + ")");
    out().close();
  }
  if (lanes == 1) {
    out().line(each(number(to.blocks), "++" + i));
    out().line("  " + to.name + ".set(" + i + ", " + at + ");");
  } else {
    out().line(each(rows, i + " += 2"));
    out().line("  " + to.name + ".put(" + i + ", " + folds.folded + "[" + i + "], " + folds.folded +
               "[" + i + " + 1]);");
  }
  out().close();
}

} // namespace sluice::cuda
