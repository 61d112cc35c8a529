// Reduce: what a thread has of the rows of a register tile into one number each, then what the
// lanes that share a row have.
#include "Emit/Cuda/ElementText.h"
#include "Emit/Cuda/Printer.h"
#include "Program/OperationFacts.h"

#include <algorithm>
#include <cmath>

namespace sluice::cuda {

/// The elements as they are, or as f32.
static bool isWidening(const ElementFn &fn) {
  const ElementNode *n = &fn.nodes[fn.results[0]];
  if (n->op == ElementOp::cast && n->type == DType::f32)
    n = &fn.nodes[n->operands[0]];
  return n->op == ElementOp::argument;
}

/// The wrapper that folds so tiles of this type, whose values it has as f32; empty: there is none.
static std::string foldName(const Reduce &o, DType type) {
  if (o.element && !(isFloat(type) && isWidening(*o.element)))
    return "";
  if (o.combine == ElementOp::max && std::isinf(o.identity) && o.identity < 0)
    return "maxOfRows";
  return o.combine == ElementOp::add && o.identity == 0 && !std::signbit(o.identity) ? "sumOfRows"
                                                                                     : "";
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
  auto in = registerTile(o.in), to = registerTile(o.out);
  if (!in || !to)
    return;
  for (const View *v : {&o.in, &o.out})
    if (const DType type = program_.type(*v); !isFloat(type) && !(v == &o.in && o.element))
      return fail("reduce folds floats; convert " + program_.buffers[v->object].name + " of " +
                  std::string(name(type)) + " to f32 first");
  if (o.axis == 1 && in->isShort() && to->isShort())
    return foldNumbers(o, *in, *to);
  const bool lanes = in->lanes && to->lanes && to->columns == 1 && o.axis == 1;
  if (const std::string fold = foldName(o, program_.type(o.in));
      lanes && in->whole() && !fold.empty()) {
    out().line(fold + "(" + to->name + ", " + in->name + ");");
    return;
  }
  if (lanes)
    return foldLanes(o, *in, *to);
  if (o.axis != 1 || in->kind != RegisterTile::fragment || to->kind != RegisterTile::rowVector ||
      in->blocks != to->blocks || in->blocked != to->blocked)
    return fail("reduce folds the columns of a fragment into a row vector (axis 1); a fold over "
                "rows crosses warps and needs shared memory");
  if (const std::string fold = foldName(o, program_.type(o.in));
      in->whole() && to->whole() && !fold.empty()) {
    out().line(fold + "(" + to->name + ", " + in->name + ");");
    return;
  }
  auto names = names_.mark();
  const Folds folds = beginFolds(o, *in);
  const std::string &i = folds.i;
  out().line("#pragma unroll");
  out().open("for (int " + i + " = 0; " + i + " < " + number(in->values()) + "; ++" + i + ") {");
  foldValue(o, *in, folds, i, element(*in, *in, i));
  out().close();
  endFolds(o, *in, *to, folds);
  names_.release(names);
}

/// Folds of a row side by side: one step waits for the one before.
ElementPrinter::Folds ElementPrinter::beginFolds(const Reduce &o, const RegisterTile &in,
                                                 bool one) {
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

/// Fold f of row r is number f * rows + r, so that those of the rows come first.
void ElementPrinter::foldValue(const Reduce &o, const RegisterTile &in, const Folds &folds,
                               const std::string &at, const std::string &value) {
  const std::string index = isAtom(at) ? at : "(" + at + ")";
  const std::string beside = folds.together > 1 ? index + " % " + number(folds.together) + " * " +
                                                      number(folds.even) + " + "
                                                : std::string();
  const std::string target = folds.folded + "[" + beside + indexOf(in) + "rowIndex(" + at + ")]";
  const ElementFn step = stepOf(o.combine, o.element, DType::f32);
  out().line(target + " = " + elementFn(step, {target, value}, {DType::f32})[0] + ";");
}

void ElementPrinter::endFolds(const Reduce &o, const RegisterTile &in, const RegisterTile &to,
                              const Folds &folds) {
  const std::string &i = folds.i, rows = number(folds.even);
  const ElementFn join = stepOf(o.combine, std::nullopt, DType::f32);
  const std::string at = folds.folded + "[" + i + "]";
  const auto step = [&](const std::string &value) {
    out().line(at + " = " + elementFn(join, {at, value}, {DType::f32})[0] + ";");
  };
  out().line("#pragma unroll");
  out().open("for (int " + i + " = 0; " + i + " < " + rows + "; ++" + i + ") {");
  for (int64_t fold = 1; fold < folds.together; ++fold)
    step(folds.folded + "[" + i + " + " + number(fold * folds.even) + "]");
  for (int mask = 1; mask < (in.blocked ? 32 : 4); mask *= 2)
    step("laneXor(" + at + ", " + number(mask) + ")");
  out().close();
  out().line("#pragma unroll");
  out().line("for (int " + i + " = 0; " + i + " < " + rows + "; " + i + " += 2)");
  out().line("  " + to.name + ".put(" + i + ", " + folds.folded + "[" + i + "], " + folds.folded +
             "[" + i + " + 1]);");
  out().close();
}

// ---- What a map gives to nobody else

static constexpr int64_t ofLane = 8; // columns of 256

/// How often tiles of the buffer are read or written in the program.
static int64_t touchesOf(const Program &program, const Buffer *buffer) {
  int64_t touches = 0;
  walk(program.body, [&](const Stmt &s) {
    for (const View *v : viewsOf(s.op))
      touches += program.buffer(*v) == buffer;
  });
  return touches;
}

/// Which inputs of a map have one value for all columns of a row.
static std::vector<bool> areOfRows(const std::vector<RegisterTile> &ins) {
  std::vector<bool> ofRows;
  for (const RegisterTile &t : ins)
    ofRows.push_back(t.isNumber() || t.kind == RegisterTile::rowVector);
  return ofRows;
}

/// A sum that what is 0 does not change.
static bool skipsZeros(const Reduce &o) {
  return o.combine == ElementOp::add && o.identity == 0 && !std::signbit(o.identity) &&
         (!o.element || isWidening(*o.element));
}

/// Columns of a row of which 256 at a time are asked whether one of them is chosen: of fewer the
/// branches take as long as the choices.
static constexpr int64_t leastChosen = 2048;

bool ElementPrinter::isFolded(const Map &map, const Reduce &o) {
  const Buffer *between = program_.buffer(o.in);
  if (!map.fn.coordinates || map.outs.size() != 1 || program_.buffer(map.outs[0]) != between ||
      o.axis != 1 || !between || between->space != Space::reg || between->type != DType::f32)
    return false;
  const auto isInShared = [&](const View &v) {
    const Buffer *b = program_.buffer(v);
    return b && b->space == Space::smem;
  };
  if (std::ranges::any_of(map.ins, isInShared))
    return false;
  const auto in = registerTile(o.in), to = registerTile(o.out), made = registerTile(map.outs[0]);
  if (!in || !to || !made || in->kind != RegisterTile::fragment || !in->blocked || !in->whole() ||
      !made->whole() || to->kind != RegisterTile::rowVector || to->blocks != in->blocks)
    return false;
  const auto tiles = tilesOf(map);
  const bool chosen =
      tiles && (columnLimitOf(map.fn) || (skipsZeros(o) && in->columns >= leastChosen &&
                                          columnChoiceOf(map.fn, areOfRows(tiles->ins))));
  return chosen && touchesOf(program_, between) == 2;
}

/// 256 columns of a warp at a time: as a rule all of them are there, and none is chosen.
void ElementPrinter::foldMap(const Map &map, const Reduce &o) {
  const auto tiles = tilesOf(map);
  const RegisterTile in = *registerTile(o.in), to = *registerTile(o.out);
  auto names = names_.mark();
  const auto limit = columnLimitOf(map.fn);
  const Folds folds = beginFolds(o, in, /*one=*/!limit); // one number of a row is chosen
  const ArgumentsAt argumentsAt = argumentsOf(map, tiles->ins, in);
  const ValueAt valueAt = [&](const ElementFn &fn, const std::string &at, DType type) {
    return elementFn(fn, argumentsAt(at), {type}, map.shared)[0];
  };
  out().line("#pragma unroll");
  out().open("for (int " + folds.i + " = 0; " + folds.i + " < " + number(in.values()) + "; " +
             folds.i + " += " + number(ofLane) + ") {");
  if (limit)
    foldLimited(o, in, folds, *limit, map.fn, valueAt);
  else
    foldChosen(o, in, folds, *columnChoiceOf(map.fn, areOfRows(tiles->ins)), valueAt);
  out().close();
  endFolds(o, in, to, folds);
  names_.release(names);
}

void ElementPrinter::foldLimited(const Reduce &o, const RegisterTile &in, const Folds &folds,
                                 const ColumnLimit &limit, const ElementFn &whole,
                                 const ValueAt &valueAt) {
  const std::string e = names_.take("e"), at = folds.i + " + " + e;
  const auto fold = [&](const ElementFn &fn) {
    out().line("#pragma unroll");
    out().open("for (int " + e + " = 0; " + e + " < " + number(ofLane) + "; ++" + e + ") {");
    foldValue(o, in, folds, at, valueAt(fn, at, DType::f32));
    out().close();
  };
  const std::string end = valueAt(limit.end, folds.i, DType::index);
  out().open("if (blockedEnd(" + indexOf(in) + "colIndex(" + folds.i +
             ")) <= " + (isAtom(end) ? end : "(" + end + ")") + ") {");
  fold(limit.there);
  out().next("} else {");
  fold(whole);
  out().close();
}

void ElementPrinter::foldChosen(const Reduce &o, const RegisterTile &in, const Folds &folds,
                                const ColumnChoice &choice, const ValueAt &valueAt) {
  const std::string e = names_.take("e"), at = folds.i + " + " + e;
  const std::string apart = names_.take("apart");
  out().line("const u32 " + apart + " = u32(wrapSub<int>(" +
             valueAt(choice.place, folds.i, DType::i32) + ", " +
             valueAt(choice.column, folds.i, DType::i32) + "));");
  out().open("if (" + apart + " < " + number(ofLane) + ") {");
  out().line("#pragma unroll");
  out().open("for (int " + e + " = 0; " + e + " < " + number(ofLane) + "; ++" + e + ") {");
  out().open("if (" + apart + " == " + e + ") {");
  foldValue(o, in, folds, at, valueAt(choice.there, at, DType::f32));
  out().close();
  out().close();
  out().close();
}

} // namespace sluice::cuda
