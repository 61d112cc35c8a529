// Copies and fills by threads.
#include "Emit/Cuda/ElementText.h"
#include "Emit/Cuda/Printer.h"
#include "Program/Apart.h"
#include "Program/Joined.h"
#include "Program/TileText.h"
#include "Support/Rounding.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace sluice::cuda {

void CopyPrinter::copy(const Copy &o) {
  auto space = [&](const View &v) {
    const Buffer *b = program_.buffer(v);
    return b ? b->space : Space::global;
  };
  Space from = space(o.source), to = space(o.destination);
  if (o.async && (from != Space::global || to != Space::smem))
    return fail("cp.async copies from global to shared memory only");
  if (from == Space::global && to == Space::smem)
    return copyToShared(o);
  if (o.rows)
    return fail("a gather goes from global to shared memory only");
  if (from == Space::smem && to == Space::global)
    return copyFromShared(o);
  if (to == Space::reg)
    return copyToRegisters(o);
  if (from == Space::reg)
    return copyFromRegisters(o);
  fail("a copy from " + std::string(name(from)) + " to " + std::string(name(to)) +
       " has no form by threads; go through registers");
}

/// A copy of whole pieces between a tensor and shared memory. `smallest` bytes of a piece.
void CopyPrinter::tileCopy(std::string_view function, const View &tensor, const View &buffer,
                           bool load, int64_t smallest, const std::optional<RowNumbers> &rows) {
  const Tensor &t = program_.tensors[tensor.object];
  const Buffer &b = program_.buffers[buffer.object];
  if (t.type != b.type)
    return fail("a copy between " + t.name + " and " + b.name +
                " converts; convert in registers instead");
  auto tile = tensorTile(tensor, buffer.rows(), buffer.cols());
  if (!tile)
    return;
  if (buffer.transposed)
    std::swap(tile->row, tile->col);
  if ((b.minor == 1 ? tile->col : tile->row) != t.minor)
    return fail("a copy between " + t.name + " and " + b.name +
                ": their contiguous dimensions differ");
  // The widest piece that never straddles alignment: in shared memory of where the view starts, of
  // its width, of the unit that the layout keeps together; of the tensor, of where the box starts.
  const int64_t size = byteSize(b.type), along = buffer.shape[b.minor];
  int64_t bytes = std::gcd(int64_t{16}, along * size);
  bytes = std::gcd(bytes, divisor(buffer.offset[b.minor]) * size);
  if (!swizzleBytes(b.layout))
    bytes = std::gcd(bytes, b.shape[b.minor] * size);
  const bool whole = bytes == 16;
  bytes = std::gcd(bytes, std::max(t.align, size));
  bytes = std::gcd(bytes, divisor(tensor.offset[t.minor]) * size);
  if (bytes < smallest)
    return fail("cp.async of tensor " + t.name + " needs pieces of 4 bytes, and only " +
                number(bytes) + " are known to be aligned; copy without async");
  // Pieces around the tile are read, which nobody writes.
  const bool shifts =
      whole && bytes < 16 && function == "loadTile" && isOnlyRead(program_.tensors, tensor.object);
  const bool oneEach = along * size <= 32 * 16; // of a line for each lane
  const std::string shape = number(buffer.shape[1 - b.minor]) + ", " + number(along) + ", " +
                            (shifts ? "" : number(bytes) + ", ") + number(32 * warps());
  const std::string place = address(buffer) + ", " + text(buffer.offset[1 - b.minor]) + ", " +
                            text(buffer.offset[b.minor]);
  const std::string w = window(tensor, *tile, !load);
  const std::string name = !shifts   ? std::string(function)
                           : oneEach ? "loadTileShifted"
                                     : "loadLinesShifted";
  out().line(name + "<" + tileNames_[buffer.object] + ", " + shape + ">(" +
             (load ? place + ", " + w : w + ", " + place) +
             (rows ? ", " + rowNumbers(rows->numbers) : "") + ", " + thread() + ");");
}

/// "RowNumbers{rows, rowsExtent0, row}"
std::string CopyPrinter::rowNumbers(const View &numbers) {
  return "RowNumbers{" + parts_.parameters.pointer(numbers.object) + ", " +
         parts_.parameters.extent(numbers.object, 0) + ", " +
         coordinate(numbers.offset[0], leastCoordinate) + "}";
}

void CopyPrinter::copyToShared(const Copy &o) {
  const std::string_view function = o.rows ? (o.async ? "gatherTileAsync" : "gatherTile")
                                           : (o.async ? "loadTileAsync" : "loadTile");
  if (o.rows && o.source.shape[o.rows->dimension] != o.destination.rows())
    return fail("a gather takes rows along the dimension of its tile's rows");
  tileCopy(function, o.source, o.destination, true, o.async ? 4 : 1, o.rows);
}

void CopyPrinter::copyFromShared(const Copy &o) {
  tileCopy("storeTile", o.destination, o.source, false, 1);
}

/// Values of registers on their way from or to memory; `narrows`: to floats of 8 bits too.
bool CopyPrinter::converts(DType from, DType to, bool narrows) {
  valueType(from, /*integers=*/true, /*bytes=*/from == to);
  valueType(to, /*integers=*/true, /*bytes=*/from == to || (narrows && isFloat(to)));
  if (isFloat(from) != isFloat(to))
    fail("a copy of " + std::string(name(from)) + " to " + std::string(name(to)) +
         " would convert; use map, which says how");
  return !failed();
}

/// Whether a fragment of so many columns goes to or comes from this place by matrices of 8 x 8.
static bool byMatrices(const Buffer &shared, const View &place, int64_t columns, bool aligned) {
  const int64_t row = shared.shape[1] * byteSize(shared.type);
  return byteSize(shared.type) == 2 && shared.minor == 1 && columns % 16 == 0 && aligned &&
         !place.transposed && (swizzleBytes(shared.layout) || row % 16 == 0);
}

/// Whether it goes to this place by matrices of 8 x 8 that are transposed: rows are contiguous.
static bool byTransposedMatrices(const Buffer &shared, const View &place, bool aligned) {
  return byteSize(shared.type) == 2 && shared.minor == 0 && aligned && !place.transposed &&
         swizzleBytes(shared.layout);
}

/// Integers of 8 bits come out of shared memory as numbers of any float type: each has them all.
static bool widens(const Buffer *from, DType to) {
  return from && from->space == Space::smem && from->type == DType::s8 &&
         (to == DType::f32 || to == DType::f16 || to == DType::bf16);
}

/// Whether rows of 16-bit or 32-bit numbers that start anywhere come in the pieces around them,
/// which nobody writes.
bool CopyPrinter::shiftsRows(const View &from, const RegisterTile &to, const TensorTile &tile) {
  const Tensor &t = program_.tensors[from.object];
  const int64_t size = byteSize(t.type);
  return to.blocked && (size == 2 || size == 4) && bytesAtOnce(from, tile.col) < 8 &&
         tile.col == t.minor && !t.isLine && !hasShortParts(t) &&
         isOnlyRead(program_.tensors, from.object);
}

void CopyPrinter::copyToRegisters(const Copy &o) {
  auto to = registerTile(o.destination);
  const Buffer *from = program_.buffer(o.source);
  const bool wider = widens(from, program_.type(o.destination));
  if (!to || (!wider && !converts(program_.type(o.source), program_.type(o.destination))))
    return;
  if (!to->whole())
    return fail("a copy into a part of register buffer " + to->name);
  if (to->lanes && from && from->space != Space::reg)
    return parts_.tensorMemory.sharedToLanes(o, *to);
  std::string warpArgument = ", " + warp() + ");", count = number(warps());
  const bool pairs = !from || from->space == Space::reg || from->minor == 1;
  if (!wider && !isFloat(program_.type(o.source)) && !pairs)
    return fail("values of i32 come into registers from shared memory by rows, not by a copy to " +
                to->name);
  if (!from) {
    auto tile = tensorTile(o.source, o.destination.rows(), o.destination.cols());
    if (!tile)
      return;
    const bool row = to->kind == RegisterTile::colVector; // which every warp loads
    std::string given = row ? "" : count, shifted;
    if (to->kind == RegisterTile::fragment && shiftsRows(o.source, *to, *tile))
      shifted = "Shifted";
    else if (to->lanes || (to->blocked && to->kind != RegisterTile::rowVector))
      given += (row ? "" : ", ") + number(bytesAtOnce(o.source, tile->col));
    out().line("load" + to->kindName() + shifted + (given.empty() ? "" : "<" + given + ">") + "(" +
               to->name + ", " + window(o.source, *tile, false) + (row ? ");" : warpArgument));
    return;
  }
  if (from->space == Space::reg) {
    auto source = registerTile(o.source);
    if (!source)
      return;
    if (!source->isLike(*to) || !source->whole())
      return fail("a copy between register buffers of different layouts");
    out().line("assign(" + to->name + ", " + source->name + ");");
    return;
  }
  if (to->isShort() && o.source.transposed) {
    const int64_t together = to->lanesOfShort() > 1 ? 1 : to->columns;
    out().line("loadBlockedColVectorShared<" + tileNames_[o.source.object] + ", " +
               number(numbersAtOnce(o.source, together)) + ">(" + to->name + ", " +
               address(o.source) + ", " + text(o.source.offset[0]) + ", " +
               text(o.source.offset[1]) + ");");
    return;
  }
  if (to->kind == RegisterTile::rowVector && !to->blocked && !o.source.transposed) {
    out().line("loadRowVectorShared<" + tileNames_[o.source.object] + ", " + count + ">(" +
               to->name + ", " + address(o.source) + ", " + text(o.source.offset[0]) + ", " +
               text(o.source.offset[1]) + warpArgument);
    return;
  }
  if (to->kind != RegisterTile::fragment || o.source.transposed)
    return fail("a copy from shared memory fills whole fragments, not transposed");
  if (to->blocked)
    return sharedRows("load", o.source, to->name + ", ", warpArgument);
  const bool same = from->type == program_.type(o.destination);
  const bool matrices =
      same && byMatrices(*from, o.source, to->viewColumns, divisor(o.source.offset[1]) % 8 == 0);
  const bool transposed =
      same && byTransposedMatrices(*from, o.source, divisor(o.source.offset[0]) % 8 == 0);
  const std::string how = matrices ? "Matrices<" : transposed ? "Transposed<" : "Shared<";
  out().line("loadFragment" + how + tileNames_[o.source.object] + ", " + count + ">(" + to->name +
             ", " + address(o.source) + ", " + text(o.source.offset[0]) + ", " +
             text(o.source.offset[1]) + warpArgument);
}

/// A tile of whole rows from or to shared memory, in pieces of 8 columns.
void CopyPrinter::sharedRows(std::string_view verb, const View &shared, const std::string &before,
                             const std::string &behind) {
  if (divisor(shared.offset[1]) % blockedPiece)
    return fail("whole rows go from and to shared memory at columns that are a multiple of 8");
  const bool lines = isAsItLies(program_.buffers[shared.object].layout);
  out().line(std::string(verb) + (lines ? "BlockedLines<" : "BlockedShared<") +
             tileNames_[shared.object] + ", " + number(warps()) + ">(" + before + address(shared) +
             ", " + text(shared.offset[0]) + ", " + text(shared.offset[1]) + behind);
}

/// Bytes that a lane takes at once of a tile of one column, of which it takes `count` numbers.
int64_t CopyPrinter::numbersAtOnce(const View &column, int64_t count) {
  const Buffer &b = program_.buffers[column.object];
  const int64_t size = byteSize(b.type);
  if (size != 4 || b.layout != Layout::row || b.shape[1] != 1)
    return size;
  const int64_t slot = b.slots > 1 ? b.slotBytes : 0, first = divisor(column.offset[0]) * size;
  return std::gcd(std::gcd(std::gcd(int64_t{16}, b.offset), slot), std::gcd(first, count * size));
}

/// Most that a warp stores of a row at once from where a fragment goes to: 16 bytes of a 16-bit
/// type, two elements, one.
int64_t CopyPrinter::bytesOfStore(const View &to, int along) const {
  const int64_t size = byteSize(program_.type(to)), bytes = bytesAtOnce(to, along);
  return size == 2 && bytes == 16 ? 16 : std::min(2 * size, bytes);
}

/// Whether rows side by side that start at multiples of `bytes` are put together from lanes'
/// neighbours to whole pieces: all but short rows of 16 bits at 8 bytes, of which a lane stores
/// halves (an H200: rmsnorm 27106 x 156 8.8 us, 7.1; 32768 x 4100 141, 154).
static bool shiftsStores(DType type, int64_t bytes, int64_t columns) {
  constexpr int64_t few = 512, elementsOfLane = 8;
  const int64_t size = byteSize(type);
  const bool halves = size == 2 && bytes == 8 && columns <= few;
  return bytes < std::min<int64_t>(16, elementsOfLane * size) && !halves;
}

void CopyPrinter::copyFromRegisters(const Copy &o) {
  auto from = registerTile(o.source);
  const bool ofRows = from && from->lanes && o.destination.kind == View::buffer;
  if (!from || !converts(program_.type(o.source), program_.type(o.destination), ofRows))
    return;
  if (!from->whole() && from->kind != RegisterTile::fragment)
    return fail("a copy from a part of register buffer " + from->name);
  std::string values = from->name;
  if (!from->whole())
    values = "columns<" + number(from->firstColumn) + ", " + number(from->viewColumns) + ">(" +
             from->name + ")";
  std::string tail = values + ", " + warp() + ");", count = number(warps());
  if (o.destination.kind == View::buffer) {
    if (from->kind == RegisterTile::rowVector && !o.destination.transposed) {
      out().line("store" + from->kindName() + "Shared<" + tileNames_[o.destination.object] + ", " +
                 count + ">(" + address(o.destination) + ", " + text(o.destination.offset[0]) +
                 ", " + text(o.destination.offset[1]) + ", " + tail);
      return;
    }
    if (from->kind != RegisterTile::fragment || o.destination.transposed)
      return fail("a copy into shared memory takes whole fragments, not transposed");
    if (from->blocked)
      return sharedRows("store", o.destination, "", ", " + tail);
    if (from->lanes)
      return parts_.tensorMemory.lanesToShared(o, *from, values);
    const Buffer &to = program_.buffers[o.destination.object];
    const bool matrices =
        byMatrices(to, o.destination, from->viewColumns, divisor(o.destination.offset[1]) % 8 == 0);
    const bool transposed =
        byTransposedMatrices(to, o.destination, divisor(o.destination.offset[0]) % 8 == 0);
    const std::string how = matrices ? "Matrices<" : transposed ? "Transposed<" : "Shared<";
    out().line("storeFragment" + how + tileNames_[o.destination.object] + ", " + count + ">(" +
               address(o.destination) + ", " + text(o.destination.offset[0]) + ", " +
               text(o.destination.offset[1]) + ", " + tail);
    return;
  }
  const Tensor &t = program_.tensors[o.destination.object];
  auto tile = tensorTile(o.destination, o.source.rows(), o.source.cols());
  if (!tile || from->kind == RegisterTile::colVector)
    return fail("a copy of " + from->name + " to tensor " + t.name + " has no form");
  std::string arguments = count, name = "store" + from->kindName();
  if (from->kind == RegisterTile::fragment) {
    const int64_t bytes = from->blocked || from->lanes ? bytesAtOnce(o.destination, tile->col)
                                                       : bytesOfStore(o.destination, tile->col);
    if (from->blocked && tile->col == t.minor && shiftsStores(t.type, bytes, from->viewColumns))
      name += "Shifted";
    else
      arguments += ", " + number(bytes);
  }
  out().line(name + "<" + arguments + ">(" + window(o.destination, *tile, true) + ", " + tail);
}

/// The value that an element of the type gets.
static std::string literal(DType type, double value) {
  const double rounded = roundTo(type, value);
  return isFloat(type) ? floatLiteral(rounded) : integerLiteral(static_cast<int64_t>(rounded));
}

void CopyPrinter::fill(const Fill &o) {
  const Buffer *b = program_.buffer(o.destination);
  if (!b)
    return fail("a fill of a tensor in global memory");
  if (b->space == Space::reg) {
    auto to = registerTile(o.destination, /*ofLanes=*/true);
    if (!to)
      return;
    if (!to->whole())
      return fail("a fill of a part of register buffer " + b->name);
    out().line("fill(" + to->name + ", " + literal(b->type, o.value) + ");");
    return;
  }
  const View &v = o.destination;
  valueType(b->type, /*integers=*/true);
  out().line("fillTile<" + tileNames_[v.object] + ", " + number(v.shape[0]) + ", " +
             number(v.shape[1]) + ", " + number(32 * warps()) + ">(" + address(v) + ", " +
             text(v.offset[0]) + ", " + text(v.offset[1]) + ", " + literal(b->type, o.value) +
             ", " + thread() + ");");
}

void CopyPrinter::prefetch(const Prefetch &o) {
  const Tensor &t = program_.tensors[o.source.object];
  TensorTile tile{-1, t.minor}; // lines of the box, and what is contiguous
  for (int d = 0; d < t.rank; ++d)
    if (d != t.minor && (tile.row < 0 || o.source.shape[d] > 1))
      tile.row = d;
  const int64_t lines = tile.row < 0 ? 1 : o.source.shape[tile.row];
  out().line("prefetchTile<" + number(lines) + ", " + number(o.source.shape[t.minor]) + ", " +
             number(32 * warps()) + ">(" + window(o.source, tile, false) + ", " + thread() + ");");
}

/// The words are those of tileHeading (Program/TileText.h).
void CopyPrinter::printTile(const Print &o) {
  prints_ = true;
  const View &v = o.source;
  const Buffer &b = program_.buffers[v.object];
  if (b.type != DType::f16 && b.type != DType::bf16 && b.type != DType::f32)
    return fail("a tile of " + std::string(name(b.type)) + " cannot be printed on a device; f16, " +
                "bf16 and f32 can");
  if (v.cols() > 1 && v.cols() < 8)
    return fail("a tile of " + number(v.cols()) + " columns cannot be printed on a device; one " +
                "column, and 8 or more, can");
  const std::string what = "\"" + tileHeading(b.name, b.type, v.rows(), v.cols()) + "\", " +
                           number(v.rows()) + ", " + number(v.cols());
  if (b.space == Space::smem) {
    if (v.transposed)
      return fail("a transposed view of " + b.name + " cannot be printed; print the tile itself");
    out().line("printShared<" + tileNames_[v.object] + ">(" + what + ", " + bufferNames_[v.object] +
               "[" + text(v.slot) + "], " + text(v.offset[0]) + ", " + text(v.offset[1]) + ");");
    return;
  }
  auto tile = registerTile(v);
  if (tile && !tile->whole())
    return fail("columns of register tile " + b.name + " cannot be printed; print the whole tile");
  if (tile)
    out().line("printRegisters(" + what + ", " + tile->name + ", " + warp() + ");");
}

} // namespace sluice::cuda
