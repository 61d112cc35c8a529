// How views are written: windows on tensors, addresses of slots, objects in registers.
#include "Emit/Cuda/Printer.h"

#include "Program/Boxes.h"
#include "Program/Joined.h"

#include <algorithm>
#include <numeric>

namespace sluice::cuda {

std::string typeName(DType type) {
  return type == DType::f32 ? "float" : type == DType::i32 ? "int" : std::string(name(type));
}

std::string ViewPrinter::valueType(DType type, bool integers, bool bytes) {
  const bool real = type == DType::f32 || type == DType::f16 || type == DType::bf16;
  const bool ofByte = type == DType::e4m3 || type == DType::e5m2 || type == DType::s8;
  if (!real && !(integers && type == DType::i32) && !(bytes && ofByte))
    fail("elements of type " + std::string(name(type)) + " have no form here; f32, f16" +
         (integers ? ", bf16 and i32 have" : " and bf16 have"));
  return typeName(type);
}

/// Which dimensions of the tensor become the rows and columns of a tile of rows x cols: those where
/// the box is larger than 1, in order (exchanged for a transposed view).
std::optional<TensorTile> ViewPrinter::tensorTile(const View &v, int64_t rows, int64_t cols) {
  std::vector<int> dims = dimensionsOfTile(v);
  if (dims.size() > 2) {
    fail("a box of tensor " + program_.tensors[v.object].name +
         " with more than two dimensions larger than 1 is no tile");
    return std::nullopt;
  }
  while (dims.size() < 2)
    dims.insert(dims.begin(), -1);
  if (v.transposed)
    std::swap(dims[0], dims[1]);
  auto size = [&](int d) { return d < 0 ? 1 : v.shape[d]; };
  for (bool exchange : {false, true}) { // a vector may run along either dimension of the tile
    TensorTile t{dims[exchange], dims[!exchange]};
    bool vector = std::min(rows, cols) == 1;
    if ((!exchange || vector) && size(t.row) == rows && size(t.col) == cols)
      return t;
  }
  fail("the box of tensor " + program_.tensors[v.object].name + " and the tile of " + number(rows) +
       " x " + number(cols) + " have different shapes");
  return std::nullopt;
}

/// Of a row whose last parts may be short, "PartsOfRow<const f16>{base, rows, rowStride, row, cols,
/// width, part, col}": lines of the tile are parts.
std::string ViewPrinter::partsOfRow(const View &v, bool write) {
  const Tensor &t = program_.tensors[v.object];
  std::string rows = parts_.parameters.extent(v.object, 0);
  for (const Clip &c : v.clips) // along rows: Transform/Program/ShortParts.h
    rows = clipped(rows, c);
  const auto at = [&](int d) { return coordinate(v.offset[d], leastCoordinate); };
  return "PartsOfRow<" + std::string(write ? "" : "const ") + typeName(t.type) + ">{" +
         parts_.parameters.pointer(v.object) + ", " + rows + ", " +
         parts_.parameters.stride(v.object, 0) + ", " + at(0) + ", " + number(t.joinedExtent) +
         ", " + number(t.extents[2]) + ", " + at(1) + ", " + at(2) + "}";
}

/// "LinesOfTensor<const f16>{base, elements, width, line, col}".
std::string ViewPrinter::linesOfTensor(const View &v, bool write) {
  const Tensor &t = program_.tensors[v.object];
  return "LinesOfTensor<" + std::string(write ? "" : "const ") + typeName(t.type) + ">{" +
         parts_.parameters.pointer(v.object) + ", " + parts_.parameters.elements(v.object) + ", " +
         number(t.extents[1]) + ", " + coordinate(v.offset[0], leastCoordinate) + ", " +
         coordinate(v.offset[1], leastCoordinate) + "}";
}

/// The extent, or where the clip ends it.
std::string ViewPrinter::clipped(const std::string &extent, const Clip &clip) {
  return ranges_.of(clip.end).isWithin(0, INT32_MAX)
             ? "min(" + extent + ", " + text(clip.end) + ")"
             : "clipped(" + extent + ", " + exact(clip.end) + ")";
}

/// "Window<const f16>{base, rows, cols, rowStride, colStride, row, col}". Coordinates in the other
/// dimensions move the base; where one is outside the tensor, the window has no rows.
std::string ViewPrinter::window(const View &v, TensorTile tile, bool write) {
  if (program_.tensors[v.object].isLine)
    return linesOfTensor(v, write);
  if (hasShortParts(program_.tensors[v.object]))
    return partsOfRow(v, write);
  std::string base = parts_.parameters.pointer(v.object), exists;
  auto extentIn = [&](int d) {
    std::string e = parts_.parameters.extent(v.object, d);
    for (const Clip &c : v.clips)
      if (c.dimension == d)
        e = clipped(e, c);
    return e;
  };
  for (int d = 0; d < int(v.offset.size()); ++d) {
    if (d == tile.row || d == tile.col || (v.offset[d].isConstant() && !v.offset[d].constant))
      continue;
    const std::string at = coordinate(v.offset[d], leastCoordinate);
    base += " + i64(" + at + ") * " + parts_.parameters.stride(v.object, d);
    exists += (exists.empty() ? "" : " && ") + ("inside(" + at) + ", " + extentIn(d) + ")";
  }
  auto extentOf = [&](int d) { return d < 0 ? "1" : extentIn(d); };
  auto strideOf = [&](int d) { return d < 0 ? "0" : parts_.parameters.stride(v.object, d); };
  auto offsetOf = [&](int d) { return d < 0 ? "0" : coordinate(v.offset[d], leastCoordinate); };
  std::string rows = extentOf(tile.row);
  if (!exists.empty())
    rows = exists + " ? " + rows + " : 0";
  return "Window<" + std::string(write ? "" : "const ") + typeName(program_.type(v)) + ">{" + base +
         ", " + rows + ", " + extentOf(tile.col) + ", " + strideOf(tile.row) + ", " +
         strideOf(tile.col) + ", " + offsetOf(tile.row) + ", " + offsetOf(tile.col) + "}";
}

/// Address of the one element of a tensor view.
std::string ViewPrinter::element(const View &v) {
  std::string place = parts_.parameters.pointer(v.object);
  for (int d = 0; d < int(v.offset.size()); ++d)
    if (!v.offset[d].isConstant() || v.offset[d].constant) {
      const std::string by = parts_.parameters.stride(v.object, d);
      place += " + i64(" + exact(v.offset[d]) + ")" + (by == "1" ? "" : " * " + by);
    }
  return place;
}

/// Start of the slot of a shared-memory view.
std::string ViewPrinter::address(const View &v) {
  return bufferNames_[v.object] + "[" + text(v.slot) + "]";
}

/// Address of one i32 of a tile in shared memory.
std::string ViewPrinter::numberAddress(const View &v) {
  return address(v) + " + " + tileNames_[v.object] + "::offset(" + text(v.offset[0]) + ", " +
         text(v.offset[1]) + ")";
}

/// Most bytes of a tensor that can be accessed at once along dimension `along` from where a box
/// starts on, up to 16: those that are known to be aligned, where elements are contiguous.
int64_t ViewPrinter::bytesAtOnce(const View &box, int along) const {
  const Tensor &t = program_.tensors[box.object];
  const int64_t size = byteSize(t.type);
  if (along != t.minor)
    return size;
  const int64_t aligned = std::gcd(std::max(t.align, size), divisor(box.offset[along]) * size);
  return std::gcd(std::gcd(int64_t{16}, blockedPiece * size), aligned);
}

static bool isBlocked(Layout layout) {
  return layout == Layout::blocked || layout == Layout::blockedRowVector ||
         layout == Layout::blockedColVector;
}

static std::optional<RegisterTile::Kind> kindOfTile(Layout layout) {
  switch (layout) {
  case Layout::acc:
  case Layout::fragA:
  case Layout::blocked:
  case Layout::row:
    return RegisterTile::fragment;
  case Layout::rowVector:
  case Layout::blockedRowVector:
    return RegisterTile::rowVector;
  case Layout::colVector:
  case Layout::blockedColVector:
    return RegisterTile::colVector;
  default:
    return std::nullopt;
  }
}

/// Blocks of 64 rows that every warpgroup of the role has of a tile of `rows` rows.
int64_t ViewPrinter::rowBlocks(int64_t rows) {
  int64_t perBlock = 16 * int64_t(warps());
  if (warps() % 4 || rows % perBlock) {
    fail("a register tile of " + number(rows) + " rows in a role of " + number(warps()) +
         " warps: rows must be a multiple of 64 per warpgroup");
    return 1;
  }
  return rows / perBlock;
}

/// Rows that every warp of the role has of a tile of whole rows.
int64_t ViewPrinter::rowsOfWarp(int64_t rows) {
  if (rows % warps()) {
    fail("a register tile of " + number(rows) + " whole rows in a role of " + number(warps()) +
         " warps: rows must be a multiple of the warps");
    return 1;
  }
  return rows / warps();
}

std::optional<RegisterTile> ViewPrinter::registerTile(const View &v, bool ofLanes) {
  const Buffer &b = program_.buffers[v.object];
  if (role_ ? b.role != role_->name : !b.role.empty()) {
    fail("register buffer " + b.name +
         (b.role.empty() ? " is declared outside of the roles; declare it in role " + role_->name
                         : " belongs to role " + b.role));
    return std::nullopt;
  }
  if (v.transposed) {
    fail("register buffer " + b.name + " cannot be read transposed");
    return std::nullopt;
  }
  RegisterTile t;
  t.name = bufferNames_[v.object];
  if (b.slots > 1) {
    if (!v.slot.isConstant())
      fail("register buffer " + b.name +
           " is indexed by a run-time slot; registers have no run-time index");
    t.name += "[" + number(v.slot.constant) + "]";
  }
  t.columns = b.shape[1];
  t.viewColumns = v.shape[1];
  bool allRows = v.shape[0] == b.shape[0];
  const auto kind = kindOfTile(b.layout);
  if (!kind || (b.layout == Layout::row && program_.target != Target::sm_100a)) {
    fail("register buffer " + b.name + " has layout " + std::string(name(b.layout)) +
         "; acc, fragA, rowVector, colVector and those of blocked can be printed");
    return std::nullopt;
  }
  t.kind = *kind;
  t.lanes = b.layout == Layout::row;
  t.blocked = isBlocked(b.layout);
  const bool vector = t.kind == RegisterTile::rowVector, row = t.kind == RegisterTile::colVector;
  if (t.lanes)
    t.lanesUsed = b.shape[0] / warps();
  if (t.lanes && (b.shape[0] % warps() || (t.lanesUsed != 32 && t.lanesUsed != 16)))
    fail("register buffer " + b.name +
         " has a row in every thread of its role, or in every second "
         "16 of them; the role has " +
         number(32 * warps()));
  else if (!row && !t.lanes)
    t.blocks = t.blocked ? rowsOfWarp(b.shape[0]) : rowBlocks(b.shape[0]);
  const bool ofRow = t.lanes && t.columns == 1;
  allRows &= vector || t.isShort() || ofRow || t.columns % (t.blocked ? 256 : 8) == 0 ||
             (ofLanes && t.isOfLanes());
  allRows &= !t.blocked || t.viewColumns == t.columns;
  const bool integers = b.layout == Layout::acc || t.lanes || b.layout == Layout::blocked ||
                        b.layout == Layout::blockedRowVector || t.isShort();
  t.type = t.kindName() + "<" + valueType(b.type, integers, b.layout == Layout::blocked);
  t.type += t.blocked && !row ? ", " + number(t.blocks) : "";
  t.type += vector ? "" : ", " + number(t.columns);
  t.type += !t.blocked && t.blocks > 1 ? ", " + number(t.blocks) : "";
  t.type += t.lanesUsed != 32 ? ", " + number(t.lanesUsed) + ">" : ">";
  const Index &column = v.offset[1];
  t.firstColumn = column.constant;
  if (!allRows || !column.isConstant() || !v.offset[0].isConstant() || v.offset[0].constant ||
      (!vector && !t.isShort() && !ofRow && (t.firstColumn % 8 || t.viewColumns % 8))) {
    fail("a view of register buffer " + b.name +
         (t.blocked ? " must be the whole tile, and its columns a multiple of 256"
                    : " must span all rows, and columns in constant multiples of 8"));
    return std::nullopt;
  }
  tileNames_[v.object] = t.type;
  return t;
}

} // namespace sluice::cuda
