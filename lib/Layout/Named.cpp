#include "Layout/Named.h"

#include <algorithm>
#include <bit>

namespace sluice {
namespace {

ShapeStride tuple(std::vector<ShapeStride> modes) {
  return modes;
}
ShapeStride leaf(int64_t extent, int64_t stride) {
  return Leaf{extent, stride};
}

Result<bool> multiples(TileShape tile, TileShape unit) {
  const auto check = [](const char *what, int64_t extent, int64_t of) -> Result<bool> {
    if (extent % of == 0)
      return true;
    return inputError(std::to_string(extent) + " " + what + ": they must be a multiple of " +
                      std::to_string(of));
  };
  if (auto good = check("rows", tile.rows, unit.rows); !good)
    return good;
  return check("columns", tile.columns, unit.columns);
}

/// Ascend C, "data layout": fractals of 16 lines of 32 bytes; the first letter is the order of
/// fractals, the second that within one, Z by rows and N by columns.
Result<TileLayout> fractals(std::string_view name, TileShape tile, DType type) {
  const bool turned = name.starts_with("n"); // lines stand upright
  const int64_t line = 32 / byteSize(type), lines = 16;
  const TileShape unit = turned ? TileShape{line, lines} : TileShape{lines, line};
  if (auto good = multiples(tile, unit); !good)
    return good.error();
  const int64_t down = tile.rows / unit.rows, across = tile.columns / unit.columns;
  const int64_t fractal = line * lines;
  const bool byColumns = name.ends_with("N");
  return TileLayout{{{},
                     tuple({tuple({leaf(unit.rows, turned ? 1 : line),
                                   leaf(down, byColumns ? fractal : fractal * across)}),
                            tuple({leaf(unit.columns, turned ? line : 1),
                                   leaf(across, byColumns ? fractal * down : fractal)})})}};
}

/// PTX ISA, "swizzling modes": chunks of a span of columns, chunk after chunk; in bytes Sw<3,4,3>,
/// Sw<2,4,3>, Sw<1,4,3>.
Result<TileLayout> chunks(int64_t span, TileShape tile, DType type) {
  const int64_t columns = span / byteSize(type);
  if (auto good = multiples(tile, {8, columns}); !good)
    return good.error();
  const int bits = std::bit_width(static_cast<uint64_t>(span / 32));
  const int base = 4 - std::countr_zero(static_cast<uint64_t>(byteSize(type)));
  return TileLayout{
      {{bits, base, 3},
       tuple({leaf(tile.rows, columns),
              tuple({leaf(columns, 1), leaf(tile.columns / columns, tile.rows * columns)})})},
      std::nullopt,
      type};
}

/// PTX ISA, wgmma, fragments in registers: in each 64 rows a warp has 16; a lane of it has row
/// lane / 4 and the row 8 below, of both `together` columns out of every four times as many.
Result<TileLayout> fragments(TileShape tile, int64_t together) {
  if (auto good = multiples(tile, {64, 4 * together}); !good)
    return good.error();
  const int64_t column = tile.rows;
  std::vector<ShapeStride> threads = {leaf(4, together * column), leaf(8, 1), leaf(4, 16)};
  if (tile.rows > 64)
    threads.push_back(leaf(tile.rows / 64, 64));
  std::vector<ShapeStride> values = {leaf(together, column), leaf(2, 8),
                                     leaf(tile.columns / (4 * together), 4 * together * column)};
  return TileLayout{{{}, tuple({tuple(threads), tuple(values)})}, tile};
}

} // namespace

const std::vector<std::string> &namedLayouts() {
  static const std::vector<std::string> names = {
      "nD(rows,columns)",        "zN(rows,columns,type)",    "zZ(rows,columns,type)",
      "nZ(rows,columns,type)",   "nN(rows,columns,type)",    "sw32(rows,columns,type)",
      "sw64(rows,columns,type)", "sw128(rows,columns,type)", "acc(rows,columns)",
      "fragA(rows,columns,type)"};
  return names;
}

bool isNamedLayout(std::string_view name) {
  return std::ranges::any_of(namedLayouts(), [&](const std::string &known) {
    return known.substr(0, known.find('(')) == name;
  });
}

Result<TileLayout> namedLayout(std::string_view name, TileShape tile, DType type) {
  if (name == "nD")
    return TileLayout{{{}, tuple({leaf(tile.rows, tile.columns), leaf(tile.columns, 1)})}};
  if (name == "acc")
    return fragments(tile, 2);
  if (name == "fragA")
    return fragments(tile, 4 / byteSize(type));
  if (name.starts_with("sw"))
    return chunks(name == "sw32" ? 32 : name == "sw64" ? 64 : 128, tile, type);
  return fractals(name, tile, type);
}

} // namespace sluice
