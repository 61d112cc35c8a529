// Tensor memory: one wrapper call per statement. A role or the kernel reads the address once.
#include "Program/TensorMemory.h"
#include "Emit/Cuda/Printer.h"
#include "Program/Agent.h"

#include <algorithm>

namespace sluice::cuda {

std::string TensorMemoryPrinter::tmemBase() {
  if (tmem_.empty())
    fail("tensor memory is used where its address is not in sight; read it (tmem.address) in the "
         "kernel or at the start of the role");
  return tmem_;
}

/// First column of the slot of a view.
std::string TensorMemoryPrinter::tmemPlace(const View &v) {
  const Buffer &b = program_.buffers[v.object];
  const int64_t width = b.slotBytes / TensorMemory::columnBytes;
  int64_t columns = b.offset / TensorMemory::columnBytes;
  const Index column = v.offset[1];
  const int64_t first = column.constant * byteSize(b.type);
  if (!column.isConstant() || first % TensorMemory::columnBytes != 0)
    fail("columns of " + b.name + " in tensor memory are known numbers, of 32 bits");
  columns += first / TensorMemory::columnBytes;
  std::string place = tmemBase();
  if (b.slots > 1 && !v.slot.isConstant())
    place += " + " + number(width) + " * " + factor(v.slot);
  else if (b.slots > 1)
    columns += width * v.slot.constant;
  return columns ? place + " + " + number(columns) : place;
}

std::optional<std::string> TensorMemoryPrinter::operandA(const View &v) {
  const Buffer &b = program_.buffers[v.object];
  if (b.space == Space::smem)
    return parts_.matrix.sharedOperand(v, true);
  return "tmemOperand<" + typeName(b.type) + ">(" + tmemPlace(v) + ")";
}

void TensorMemoryPrinter::tcgen05Mma(const Tcgen05Mma &o) {
  auto a = operandA(o.a), b = parts_.matrix.sharedOperand(o.b, false);
  if (!a || !b)
    return;
  std::string rows = rowsOfA(o) == TensorMemory::lanes ? "" : ", " + number(rowsOfA(o));
  if (o.pair)
    rows = ", " + number(2 * rowsOfA(o)) + ", 2";
  if (o.scales) {
    const DType factor = program_.type(o.scales->a);
    std::string of = factor == DType::ue8m0 && !o.pair ? "" : ", " + typeName(factor);
    if (o.pair)
      of += splitsColumns(o) ? ", 2, 128" : ", 2";
    out().line("tcgen05MmaScaled<" + number(columnsOfB(o)) + ", " + number(o.a.cols()) + of + ">(" +
               tmemPlace(o.d) + ", " + *a + ", " + *b + ", " + tmemPlace(o.scales->a) + ", " +
               tmemPlace(o.scales->b) + ", " + condition(o.accumulate) + ");");
    return;
  }
  out().line("tcgen05Mma<" + number(columnsOfB(o)) + ", " + number(o.a.cols()) + rows + ">(" +
             tmemPlace(o.d) + ", " + *a + ", " + *b + ", " + condition(o.accumulate) + ");");
}

/// The same from a lane on, which an address has in its upper half.
std::string TensorMemoryPrinter::tmemPlace(const View &v, int64_t lane) {
  const std::string place = tmemPlace(v);
  return lane ? place + " + (" + number(lane) + " << 16)" : place;
}

/// Rows with a swizzle by the descriptor of an operand, 32 bytes at a time; others have 16 bytes.
void TensorMemoryPrinter::tmemCopy(const TmemCopy &o) {
  const Buffer &from = program_.buffers[o.source.object];
  const int64_t rows = o.source.rows();
  if (swizzleBytes(from.layout)) {
    if (const auto source = parts_.matrix.sharedOperand(o.source, true))
      out().line((rows == fourRows ? "tmemCopyFour<" : "tmemCopy<") + number(o.source.cols()) +
                 (o.pair ? ", 2>(" : ">(") + tmemPlace(o.destination, o.lane) + ", " + *source +
                 ");");
    return;
  }
  const std::string shape = rows == 128    ? "tmemCopyRows"
                            : rows == 32   ? "tmemCopyScales"
                            : o.neighbours ? "tmemCopyNeighbours"
                                           : "tmemCopyTwice";
  out().line(shape + (o.pair ? "<2>(" : "(") + tmemPlace(o.destination) + ", " +
             numberAddress(o.source) + ");");
}

void TensorMemoryPrinter::tmemLoad(const TmemLoad &o) {
  auto to = registerTile(o.destination);
  if (!to)
    return;
  if (!to->lanes || !to->whole())
    return fail("tensor memory is loaded into a whole register tile, a row in every thread");
  if (std::ranges::find(loading_, to->name) == loading_.end())
    loading_.push_back(to->name);
  out().line("tmemLoad(" + to->name + ", " + tmemPlace(o.source) + ", " + warp() + ");");
}

void TensorMemoryPrinter::tmemStore(const TmemStore &o) {
  auto from = registerTile(o.source);
  if (!from)
    return;
  if (!from->lanes || !from->whole())
    return fail("a whole register tile, a row in every thread, is stored to tensor memory");
  out().line("tmemStore(" + tmemPlace(o.destination) + ", " + from->name + ", " + warp() + ");");
}

/// Register tiles that are loaded from tensor memory since the last wait.
std::string TensorMemoryPrinter::loadedTiles() {
  std::string list;
  for (const std::string &tile : loading_)
    list += (list.empty() ? "" : ", ") + tile;
  loading_.clear();
  return list;
}

/// One number of 32 bits a row, on its way to or from shared memory.
static bool isOfNumbers(int64_t columns, DType shared, DType registers) {
  return columns == 1 && shared == registers && byteSize(shared) == 4;
}

/// Rows of numbers of 32 bits, in pieces of 16 bytes, from a column that `divides` divides.
static bool isOfWords(const Buffer &shared, const View &view, int64_t divides, DType registers) {
  constexpr int64_t elements = 4; // of a piece
  return shared.type == registers && byteSize(registers) == elements && shared.minor == 1 &&
         view.cols() % elements == 0 && divides % elements == 0 &&
         (swizzleBytes(shared.layout) || shared.shape[1] % elements == 0);
}

void TensorMemoryPrinter::sharedToLanes(const Copy &o, const RegisterTile &to) {
  const DType type = program_.type(o.destination);
  const Buffer &from = program_.buffers[o.source.object];
  if (o.source.transposed || !(isOfNumbers(to.columns, from.type, type) ||
                               isOfWords(from, o.source, divisor(o.source.offset[1]), type)))
    return fail("register buffer " + to.name +
                " has a row in every thread; it is filled from tensor memory, from tensors and by "
                "maps, and with numbers of 32 bits from shared memory, one a row or four at a "
                "time");
  out().line("loadLanesShared<" + tileNames_[o.source.object] + ", " + number(warps()) + ">(" +
             to.name + ", " + address(o.source) + ", " + text(o.source.offset[0]) + ", " +
             text(o.source.offset[1]) + ", " + warp() + ");");
}

void TensorMemoryPrinter::lanesToShared(const Copy &o, const RegisterTile &from,
                                        const std::string &values) {
  const Buffer &to = program_.buffers[o.destination.object];
  const int64_t elements = 16 / byteSize(to.type);
  const bool pieces = to.minor == 1 && from.viewColumns % elements == 0 &&
                      divisor(o.destination.offset[1]) % elements == 0 &&
                      (swizzleBytes(to.layout) || to.shape[1] % elements == 0);
  if (!pieces && !isOfNumbers(from.viewColumns, to.type, program_.type(o.source)))
    return fail("rows of threads go to shared memory in pieces of 16 bytes, along its rows");
  out().line("storeLanesShared<" + tileNames_[o.destination.object] + ", " + number(warps()) +
             ">(" + address(o.destination) + ", " + text(o.destination.offset[0]) + ", " +
             text(o.destination.offset[1]) + ", " + values + ", " + warp() + ");");
}

/// False where the statement is none of tensor memory.
bool TensorMemoryPrinter::tensorMemory(const Stmt &s) {
  if (auto *o = std::get_if<TmemAlloc>(&s.op)) {
    out().line("tmemAlloc<" + number(o->columns) + (o->pair ? ", 2>(" : ">(") +
               numberAddress(o->address) + ");");
  } else if (auto *o = std::get_if<TmemRelinquish>(&s.op)) {
    out().line(o->pair ? "tmemRelinquish<2>();" : "tmemRelinquish();");
  } else if (auto *o = std::get_if<TmemDealloc>(&s.op)) {
    out().line("tmemDealloc<" + number(o->columns) + (o->pair ? ", 2>(" : ">(") + tmemBase() +
               ");");
  } else if (auto *o = std::get_if<TmemAddress>(&s.op)) {
    tmem_ = names_.take("tmem", "tmem");
    out().line("const u32 " + tmem_ + " = tmemAddress(" + numberAddress(o->source) + ");");
  } else if (auto *o = std::get_if<TmemCopy>(&s.op)) {
    tmemCopy(*o);
  } else if (auto *o = std::get_if<TmemShift>(&s.op)) {
    out().line((o->pair ? "tmemShift<2>(" : "tmemShift(") +
               tmemPlace(o->columns, o->columns.offset[0].constant) + ");");
  } else if (auto *o = std::get_if<Tcgen05Mma>(&s.op)) {
    tcgen05Mma(*o);
  } else if (auto *o = std::get_if<TmemLoad>(&s.op)) {
    tmemLoad(*o);
  } else if (auto *o = std::get_if<TmemStore>(&s.op)) {
    tmemStore(*o);
  } else {
    return false;
  }
  return true;
}

} // namespace sluice::cuda
