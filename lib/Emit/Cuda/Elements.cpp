// Map and reduce: loops over the values that a thread has of register tiles.
#include "Emit/Cuda/ElementText.h"
#include "Emit/Cuda/Printer.h"

#include <algorithm>
#include <cmath>

namespace sluice::cuda {

std::vector<std::string> ElementPrinter::elementFn(const ElementFn &fn,
                                                   const std::vector<std::string> &arguments,
                                                   const std::vector<DType> &resultTypes,
                                                   const std::vector<Index> &shared) {
  for (const ElementNode &n : fn.nodes)
    if (isFloat(n.type))
      valueType(n.type, /*integers=*/false, /*bytes=*/true);
  ElementPlace place{out(), names_, arguments, resultTypes,
                     [this](int parameter) { return parts_.parameters.argument(parameter); }};
  for (const Index &i : shared) {
    place.arguments.push_back(exact(i));
    const IntegerRange range = ranges_.of(i);
    place.shared.push_back(std::max(-double(range.least), double(range.most)));
  }
  return elementText(fn, place);
}

/// What stands before "rowIndex(i)": the tile itself; where a view has fewer columns, a type like
/// it.
static std::string indexOf(const RegisterTile &space) {
  return space.whole() ? space.name + "." : "Fragment<float, " + number(space.viewColumns) + ">::";
}

/// Which value of the whole tile value `i` of its view is. Of blocks of 64 rows each has its own
/// columns.
static std::string ofWhole(const RegisterTile &tile, const std::string &i) {
  const bool fragment = tile.kind == RegisterTile::fragment;
  if (fragment && !tile.lanes && tile.blocks > 1 && !tile.whole())
    return tile.name + ".within<" + number(tile.firstColumn) + ", " + number(tile.viewColumns) +
           ">(" + i + ")";
  const int64_t columnsOfAValue = tile.lanes ? 1 : fragment ? 2 : 4;
  return tile.firstColumn ? i + " + " + number(tile.firstColumn / columnsOfAValue) : i;
}

/// Value of a short vector for column `i`, in whatever lane that is.
static std::string ofShort(const RegisterTile &tile, const std::string &i) {
  const int64_t lanes = tile.lanesOfShort();
  const std::string column = tile.firstColumn ? i + " + " + number(tile.firstColumn) : i;
  if (lanes == 1)
    return tile.name + ".get(" + column + ")";
  return "laneValue(" + tile.name + ".get((" + column + ") / " + number(lanes) + "), (" + column +
         ") % " + number(lanes) + ")";
}

/// Value of `tile` that belongs to value `i` of a tile like `space`.
std::string ElementPrinter::element(const RegisterTile &tile, const RegisterTile &space,
                                    const std::string &i) {
  if (tile.isNumber() || (space.lanes && tile.columns == 1)) // of all, or of the row
    return tile.name + ".get(0)";
  if (space.lanes && tile.isShort())
    return ofShort(tile, i);
  if (tile.kind == space.kind)
    return tile.name + ".get(" + ofWhole(tile, i) + ")";
  std::string like = indexOf(space);
  if (tile.kind == RegisterTile::rowVector)
    return tile.name + ".get(" + like + "rowIndex(" + i + "))";
  return tile.name + ".get(" + ofWhole(tile, like + "colIndex(" + i + ")") + ")";
}

/// One argument, handed on; a change of the type is that of the tile it goes to, integers going by
/// way of f32 (of which bf16 would be rounded a second time).
static bool isIdentity(const ElementFn &fn) {
  if (fn.results.size() != 1 || fn.coordinates)
    return false;
  const ElementNode *n = &fn.nodes[fn.results[0]];
  const auto fromInteger = [&] { return !isFloat(fn.nodes[n->operands[0]].type); };
  if (n->op == ElementOp::cast && isFloat(n->type) && !(n->type == DType::bf16 && fromInteger()))
    n = &fn.nodes[n->operands[0]];
  if (n->op == ElementOp::cast && n->type == DType::f32 && fromInteger())
    n = &fn.nodes[n->operands[0]];
  return n->op == ElementOp::argument && n->imm == 0;
}

/// Tiles of f32 and i32 take values one by one.
void ElementPrinter::mapValues(const Map &o, const std::vector<RegisterTile> &outs, int64_t count,
                               const std::string &counter, const ArgumentsAt &argumentsAt) {
  if (const auto limit = columnLimitOf(o.fn);
      limit && outs[0].blocked && outs[0].kind == RegisterTile::fragment)
    return mapPieces(o, *limit, outs[0], count, counter, argumentsAt);
  std::vector<DType> outTypes;
  for (const View &v : o.outs)
    outTypes.push_back(program_.type(v));
  const bool single = outs[0].lanes && count == 1; // one number a row, and a row to a thread
  const std::string i = single ? "0" : counter;
  if (!single)
    out().line("#pragma unroll");
  out().open(single ? "{"
                    : "for (int " + i + " = 0; " + i + " < " + number(count) + "; ++" + i + ") {");
  std::vector<std::string> results = elementFn(o.fn, argumentsAt(i), outTypes, o.shared);
  for (size_t k = 0; k + 1 < outs.size(); ++k) { // before any of them changes
    if (isAtom(results[k]) && results[k].find('(') == std::string::npos)
      continue;
    std::string name = names_.take("", "x");
    out().line("const " + std::string(cppType(outTypes[k])) + " " + name + " = " + results[k] +
               ";");
    results[k] = name;
  }
  for (size_t k = outs.size(); k-- > 0;) {
    out().line(outs[k].name + ".set(" + ofWhole(outs[k], i) + ", " + results[k] + ");");
  }
  out().close();
}

/// A choice by column, of a warp's 256 columns at a time: as a rule all of them are there, and
/// nothing is asked of each. (Of 56 choices in one piece nvcc keeps the answers as bits of
/// registers, four instructions an element: bench/ROWS.md.)
void ElementPrinter::mapPieces(const Map &o, const ColumnLimit &limit, const RegisterTile &to,
                               int64_t count, const std::string &i,
                               const ArgumentsAt &argumentsAt) {
  constexpr int64_t ofLane = 8;
  const DType type = program_.type(o.outs[0]);
  const std::string e = names_.take("e"), at = i + " + " + e;
  const auto values = [&](const ElementFn &fn) {
    out().line("#pragma unroll");
    out().open("for (int " + e + " = 0; " + e + " < " + number(ofLane) + "; ++" + e + ") {");
    const std::string value = elementFn(fn, argumentsAt(at), {type}, o.shared)[0];
    out().line(to.name + ".set(" + ofWhole(to, at) + ", " + value + ");");
    out().close();
  };
  out().line("#pragma unroll");
  out().open("for (int " + i + " = 0; " + i + " < " + number(count) + "; " + i +
             " += " + number(ofLane) + ") {");
  const std::string end = elementFn(limit.end, argumentsAt(i), {DType::index}, o.shared)[0];
  out().open("if (blockedEnd(" + indexOf(to) + "colIndex(" + i +
             ")) <= " + (isAtom(end) ? end : "(" + end + ")") + ") {");
  values(limit.there);
  out().next("} else {");
  values(o.fn);
  out().close();
  out().close();
}

void ElementPrinter::map(const Map &o) {
  std::vector<RegisterTile> outs, ins;
  std::vector<DType> outTypes;
  for (auto [views, tiles] : {std::pair{&o.outs, &outs}, std::pair{&o.ins, &ins}})
    for (const View &v : *views) {
      const Buffer *b = program_.buffer(v);
      if (!b || b->space != Space::reg)
        return fail("map works on register tiles; copy " +
                    (b ? b->name : program_.tensors[v.object].name) + " into registers first");
      auto tile = registerTile(v);
      if (!tile)
        return;
      tiles->push_back(*tile);
      if (tiles == &outs)
        outTypes.push_back(b->type);
    }
  if (outs.empty())
    return fail("map without outputs");
  const RegisterTile &space = outs[0];
  for (const RegisterTile &t : outs)
    if (!t.isLike(space))
      return fail("the outputs of map must be tiles of one shape and layout");
  for (const RegisterTile &t : ins) {
    const bool number = t.isNumber();
    bool broadcast = number || (space.kind == RegisterTile::fragment && t.kind != space.kind);
    const bool ofRow = space.lanes && t.lanes && t.columns == 1;
    bool columns =
        number || ofRow || t.kind == RegisterTile::rowVector || t.viewColumns == space.viewColumns;
    bool rows = t.kind == RegisterTile::colVector || t.blocks == space.blocks;
    const bool ofThreads = space.lanes && t.isShort(); // every thread has all of it
    const bool placed = ofThreads || (t.blocked == space.blocked && t.lanes == space.lanes);
    if ((t.kind != space.kind && !broadcast) || !placed || !columns || !rows)
      return fail("map: input " + t.name + " is neither a tile like " + space.name +
                  " nor a vector that is broadcast along it");
  }
  const int64_t count = space.values();
  if (isIdentity(o.fn) && ins[0].isLike(space) && ins[0].whole() && space.whole()) {
    out().line("assign(" + space.name + ", " + ins[0].name + ");");
    return;
  }
  auto names = names_.mark();
  std::string i = names_.take("i");
  auto argumentsAt = [&](const std::string &at) {
    std::vector<std::string> arguments;
    for (const RegisterTile &t : ins)
      arguments.push_back(element(t, space, at));
    if (o.fn.coordinates) {
      std::string like = space.kind == RegisterTile::fragment ? indexOf(space) : space.type + "::";
      const bool row = space.kind == RegisterTile::colVector; // of vectors, the only one
      const bool column = space.kind == RegisterTile::rowVector || space.isNumber();
      const bool few = space.isShort() && !column;
      if (space.lanes) {
        arguments.insert(
            arguments.end(),
            {(space.lanesUsed == 32 ? "laneRow(" : "laneRow<" + number(space.lanesUsed) + ">(") +
                 warp() + ")",
             at});
        return arguments;
      }
      const std::string rowOf = space.blocked ? "blockedRow<" + number(space.blocks) + ">("
                                              : "fragmentRow<" + number(warps()) + ">(";
      const std::string colOf = space.blocked ? "blockedCol(" : "fragmentCol(";
      arguments.push_back(row ? "0" : rowOf + like + "rowIndex(" + at + "), " + warp() + ")");
      arguments.push_back(column ? "0"
                          : few  ? like + "column(" + at + ")"
                                 : colOf + like + "colIndex(" + at + "))");
    }
    return arguments;
  };
  if (std::all_of(outTypes.begin(), outTypes.end(), [](DType t) { return byteSize(t) == 4; })) {
    mapValues(o, outs, count, i, argumentsAt);
    return names_.release(names);
  }
  out().line("#pragma unroll");
  out().open("for (int " + i + " = 0; " + i + " < " + number(count) + "; " + i + " += 2) {");
  for (size_t k = 0; k < outs.size(); ++k)
    out().line(std::string(cppType(outTypes[k])) + " out" + number(k) + "[2];");
  out().line("#pragma unroll");
  out().open("for (int e = 0; e < 2; ++e) {");
  std::vector<std::string> results = elementFn(o.fn, argumentsAt(i + " + e"), outTypes, o.shared);
  for (size_t k = 0; k < outs.size(); ++k)
    out().line("out" + number(k) + "[e] = " + results[k] + ";");
  out().close();
  for (size_t k = 0; k < outs.size(); ++k) {
    out().line(outs[k].name + ".put(" + ofWhole(outs[k], i) + ", out" + number(k) + "[0], out" +
               number(k) + "[1]);");
  }
  out().close();
  names_.release(names);
}

/// The wrapper that folds so; empty: there is none.
static std::string foldName(const Reduce &o) {
  if (o.element)
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
  if (const std::string fold = foldName(o); lanes && in->whole() && !fold.empty()) {
    out().line(fold + "(" + to->name + ", " + in->name + ");");
    return;
  }
  if (lanes)
    return foldLanes(o, *in, *to);
  if (o.axis != 1 || in->kind != RegisterTile::fragment || to->kind != RegisterTile::rowVector ||
      in->blocks != to->blocks || in->blocked != to->blocked)
    return fail("reduce folds the columns of a fragment into a row vector (axis 1); a fold over "
                "rows crosses warps and needs shared memory");
  if (const std::string fold = foldName(o); in->whole() && to->whole() && !fold.empty()) {
    out().line(fold + "(" + to->name + ", " + in->name + ");");
    return;
  }
  const int64_t lines = in->rowsOfLane(), even = (lines + 1) / 2 * 2;
  // Folds of a row side by side: one step waits for the one before.
  const int64_t folds = in->blocked && lines < 4 ? 4 / lines : 1;
  const std::string rows = number(even), all = number(even * folds);
  auto names = names_.mark();
  std::string i = names_.take("i"), folded = names_.take("folded");
  out().open("{");
  out().line("float " + folded + "[" + all + "];");
  out().line("#pragma unroll");
  out().line("for (int " + i + " = 0; " + i + " < " + all + "; ++" + i + ")");
  out().line("  " + folded + "[" + i + "] = " + floatLiteral(o.identity) + ";");
  out().line("#pragma unroll");
  out().open("for (int " + i + " = 0; " + i + " < " + number(in->values()) + "; ++" + i + ") {");
  const auto step = [&](const ElementFn &fn, const std::string &target, const std::string &value) {
    out().line(target + " = " + elementFn(fn, {target, value}, {DType::f32})[0] + ";");
  };
  // Fold f of row r is number f * rows + r, so that those of the rows come first.
  const std::string beside =
      folds > 1 ? i + " % " + number(folds) + " * " + rows + " + " : std::string();
  step(stepOf(o.combine, o.element, DType::f32),
       folded + "[" + beside + indexOf(*in) + "rowIndex(" + i + ")]", element(*in, *in, i));
  out().close();
  out().line("#pragma unroll");
  out().open("for (int " + i + " = 0; " + i + " < " + rows + "; ++" + i + ") {");
  const ElementFn join = stepOf(o.combine, std::nullopt, DType::f32);
  std::string at = folded + "[" + i + "]";
  for (int64_t fold = 1; fold < folds; ++fold)
    step(join, at, folded + "[" + i + " + " + number(fold * even) + "]");
  for (int mask = 1; mask < (in->blocked ? 32 : 4); mask *= 2)
    step(join, at, "laneXor(" + at + ", " + number(mask) + ")");
  out().close();
  out().line("#pragma unroll");
  out().line("for (int " + i + " = 0; " + i + " < " + rows + "; " + i + " += 2)");
  out().line("  " + to->name + ".put(" + i + ", " + folded + "[" + i + "], " + folded + "[" + i +
             " + 1]);");
  out().close();
  names_.release(names);
}

} // namespace sluice::cuda
