// Map: loops over the values that a thread has of register tiles.
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

std::string indexOf(const RegisterTile &space) {
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
  if (tile.ofPiece)
    return tile.name + ".get((" + i + ") % " + number(blockedPiece) + ")";
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
void ElementPrinter::mapValues(const Map &o, const MapTiles &tiles, const std::string &counter,
                               const ArgumentsAt &argumentsAt) {
  const std::vector<RegisterTile> &outs = tiles.outs;
  if (const auto limit = columnLimitOf(o.fn);
      limit && outs[0].blocked && outs[0].kind == RegisterTile::fragment)
    return mapPieces(o, *limit, tiles, counter, argumentsAt);
  std::vector<DType> outTypes;
  for (const View &v : o.outs)
    outTypes.push_back(program_.type(v));
  // One number a row, and a row to a thread.
  const bool single = outs[0].lanes && outs[0].values() == 1;
  const std::string i = single ? "0" : counter;
  eachPiece(o, tiles, [&](const std::string &from, const std::string &to) {
    if (!single)
      out().line("#pragma unroll");
    out().open(
        single ? "{" : "for (int " + i + " = " + from + "; " + i + " < " + to + "; ++" + i + ") {");
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
  });
}

/// A choice by column, of a warp's 256 columns at a time: as a rule all of them are there, and
/// nothing is asked of each. (Of 56 choices in one piece nvcc keeps the answers as bits of
/// registers, four instructions an element: bench/ROWS.md.)
void ElementPrinter::mapPieces(const Map &o, const ColumnLimit &limit, const MapTiles &tiles,
                               const std::string &i, const ArgumentsAt &argumentsAt) {
  constexpr int64_t ofLane = blockedPiece;
  const RegisterTile &to = tiles.outs[0];
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
  out().open("for (int " + i + " = 0; " + i + " < " + number(to.values()) + "; " + i +
             " += " + number(ofLane) + ") {");
  readPieces(o, tiles.ins, i);
  const std::string end = elementFn(limit.end, argumentsAt(i), {DType::index}, o.shared)[0];
  out().open("if (blockedEnd(" + indexOf(to) + "colIndex(" + i +
             ")) <= " + (isAtom(end) ? end : "(" + end + ")") + ") {");
  values(limit.there);
  out().next("} else {");
  values(o.fn);
  out().close();
  out().close();
}

/// What a value of `space` is computed of: the elements of the other tiles, its row and column.
ElementPrinter::ArgumentsAt ElementPrinter::argumentsOf(const Map &o,
                                                        const std::vector<RegisterTile> &ins,
                                                        const RegisterTile &space) {
  return [this, &o, ins, space](const std::string &at) {
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
}

/// Why a map does not work on such tiles; empty: it does.
std::string ElementPrinter::unlike(const MapTiles &tiles) {
  const std::vector<RegisterTile> &outs = tiles.outs, &ins = tiles.ins;
  if (outs.empty())
    return "map without outputs";
  const RegisterTile &space = outs[0];
  for (const RegisterTile &t : outs)
    if (!t.isLike(space))
      return "the outputs of map must be tiles of one shape and layout";
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
      return "map: input " + t.name + " is neither a tile like " + space.name +
             " nor a vector that is broadcast along it";
  }
  return "";
}

std::optional<ElementPrinter::MapTiles> ElementPrinter::tilesOf(const Map &o) {
  MapTiles tiles;
  for (auto [views, of] : {std::pair{&o.outs, &tiles.outs}, std::pair{&o.ins, &tiles.ins}})
    for (const View &v : *views) {
      const Buffer *b = program_.buffer(v);
      const bool inShared = b && b->space == Space::smem && views == &o.ins;
      if (!b || (b->space != Space::reg && !inShared)) {
        fail("map works on register tiles; copy " +
             (b ? b->name : program_.tensors[v.object].name) + " into registers first");
        return {};
      }
      auto tile = inShared ? pieceTile(v) : registerTile(v, /*ofLanes=*/!o.fn.coordinates);
      if (!tile)
        return {};
      of->push_back(*tile);
    }
  if (const std::string why = unlike(tiles); !why.empty()) {
    fail(why);
    return {};
  }
  return tiles;
}

/// Tiles with types of 16 bits take values in pairs.
void ElementPrinter::mapPairs(const Map &o, const MapTiles &tiles, const std::string &i,
                              const ArgumentsAt &argumentsAt) {
  const std::vector<RegisterTile> &outs = tiles.outs;
  std::vector<DType> outTypes;
  for (const View &v : o.outs)
    outTypes.push_back(program_.type(v));
  eachPiece(o, tiles, [&](const std::string &from, const std::string &to) {
    out().line("#pragma unroll");
    out().open("for (int " + i + " = " + from + "; " + i + " < " + to + "; " + i + " += 2) {");
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
  });
}

void ElementPrinter::map(const Map &o) {
  auto tiles = tilesOf(o);
  if (!tiles)
    return;
  const std::vector<RegisterTile> &ins = tiles->ins;
  const RegisterTile &space = tiles->outs[0];
  if (isIdentity(o.fn) && ins[0].isLike(space) && ins[0].whole() && space.whole() &&
      !ins[0].ofPiece) {
    out().line("assign(" + space.name + ", " + ins[0].name + ");");
    return;
  }
  auto names = names_.mark();
  namePieces(*tiles);
  std::string i = names_.take("i");
  const ArgumentsAt argumentsAt = argumentsOf(o, ins, space);
  if (std::ranges::all_of(o.outs, [&](const View &v) { return byteSize(program_.type(v)) == 4; }))
    mapValues(o, *tiles, i, argumentsAt);
  else
    mapPairs(o, *tiles, i, argumentsAt);
  names_.release(names);
}

} // namespace sluice::cuda
