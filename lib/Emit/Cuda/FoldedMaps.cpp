// A map whose result goes into a fold and nowhere else, printed as one loop with it.
#include "Emit/Cuda/ElementText.h"
#include "Emit/Cuda/Folds.h"
#include "Emit/Cuda/Printer.h"
#include "Program/OperationFacts.h"

#include <algorithm>
#include <cmath>

namespace sluice::cuda {

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
  const auto in = registerTile(o.in), to = registerTile(o.out, /*ofLanes=*/true),
             made = registerTile(map.outs[0]);
  if (!in || !to || !made || in->kind != RegisterTile::fragment || !in->blocked || !in->whole() ||
      !made->whole() || to->blocks != in->blocks ||
      (to->kind != RegisterTile::rowVector && !foldsOnto(o, *in, *to)))
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
  const RegisterTile in = *registerTile(o.in), to = *registerTile(o.out, /*ofLanes=*/true);
  auto names = names_.mark();
  const auto limit = columnLimitOf(map.fn);
  const Folds folds = beginFolds(o, in, to, /*one=*/!limit); // one number of a row is chosen
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
