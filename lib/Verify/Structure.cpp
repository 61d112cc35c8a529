#include "Verify/Structure.h"

#include "Program/AscendCores.h"
#include "Program/LayoutMap.h"
#include "Program/OperationFacts.h"
#include "Program/TensorMemory.h"
#include "Verify/Names.h"
#include "Verify/Verify.h"

#include <algorithm>

namespace sluice {

std::string shapeText(const View &view) {
  return std::to_string(view.rows()) + " x " + std::to_string(view.cols());
}

int logicalMinor(const Program &program, const View &view) {
  const int minor = LayoutMap::of(program.buffers[view.object])->minor();
  return view.transposed ? 1 - minor : minor;
}

namespace {

/// Empty when the view fits its object.
std::string faultOf(const Program &p, const View &v) {
  const auto objects =
      static_cast<int>(v.kind == View::buffer ? p.buffers.size() : p.tensors.size());
  if (v.object < 0 || v.object >= objects)
    return "a view names no object of the program";
  const std::string &name =
      v.kind == View::buffer ? p.buffers[v.object].name : p.tensors[v.object].name;
  const size_t rank = v.kind == View::buffer ? p.buffers[v.object].shape.size()
                                             : static_cast<size_t>(p.tensors[v.object].rank);
  if (v.shape.size() != rank || v.offset.size() != rank)
    return "a view of " + name + " has rank " + std::to_string(v.shape.size()) + ", " + name +
           " has rank " + std::to_string(rank);
  for (int64_t extent : v.shape)
    if (extent < 1)
      return "a view of " + name + " is empty";
  if (v.transposed && rank != 2)
    return "a transposed view of " + name + " needs rank 2";
  return "";
}

int64_t elements(const View &v) {
  int64_t n = 1;
  for (int64_t extent : v.shape)
    n *= extent;
  return n;
}

std::string mismatch(const char *rows, const View &x, const char *columns, const View &y) {
  return std::string(rows) + " is " + shapeText(x) + ", " + columns + " is " + shapeText(y);
}

std::string productFault(const View &d, const View &a, const View &b) {
  if (d.shape.size() != 2 || a.shape.size() != 2 || b.shape.size() != 2)
    return "D, A and B have rank 2";
  if (a.cols() != b.rows())
    return mismatch("A", a, "B", b);
  if (d.rows() != a.rows())
    return mismatch("D", d, "A", a);
  if (d.cols() != b.cols())
    return mismatch("D", d, "B", b);
  return "";
}

/// Both sides of a copy carry the same elements; TMA also the same type.
std::string copyFault(const Program &p, const View &to, const View &from, bool sameType) {
  if (elements(to) != elements(from))
    return "the destination has " + std::to_string(elements(to)) + " elements, the source " +
           std::to_string(elements(from));
  if (sameType && byteSize(p.type(to)) != byteSize(p.type(from)))
    return "the destination is " + std::string(name(p.type(to))) + ", the source " +
           std::string(name(p.type(from))) + "; TMA does not convert";
  return "";
}

bool dealsOut(const Program &p, const Operation &op) {
  const auto *copy = std::get_if<Copy>(&op);
  return copy && crossingOf(p, *copy) == Crossing::toVectors;
}

/// On machines that have the path (R30).
std::string dealingFault(const Program &p, const View &to, const View &from) {
  if (p.target != Target::ascend950)
    return "";
  if (from.shape.size() == 2 && to.shape.size() == 2 && !from.transposed && !to.transposed &&
      from.rows() == 2 * to.rows() && from.cols() == to.cols())
    return "";
  return mismatch("the destination", to, "the source", from) +
         ", of which each of the two vector cores gets half of the rows";
}

std::string counterFault(const Program &p, const View &counter) {
  if (isAscend(p.target))
    return "counters in global memory are operations of NVIDIA GPUs";
  if (counter.kind != View::tensor)
    return "a counter is an element of a tensor";
  const Tensor &t = p.tensors[counter.object];
  if (t.type != DType::i32)
    return "counters are i32, " + t.name + " has elements of type " + std::string(name(t.type));
  bool data = t.inPlaceOf >= 0; // whose elements are data
  walk(p.body, [&](const Stmt &s) {
    for (const View *v : viewsOf(s.op))
      data |= !counterDeed(s.op).counter && v->kind == View::tensor && v->object == counter.object;
  });
  return data ? "other operations move elements of the counters " + t.name : "";
}

/// Threads store what they hold, 4 or 8 bytes at a time, without converting it (PTX ISA, st.async).
std::string remoteStoreFault(const Program &p, const RemoteCopy &copy) {
  const Buffer &to = p.buffers[copy.destination.object], &from = p.buffers[copy.source.object];
  if (to.space != Space::smem)
    return "st.async goes from registers to shared memory";
  const bool fragment = from.layout == Layout::acc || from.layout == Layout::fragA;
  const bool rows = from.layout == Layout::row || from.layout == Layout::rowVector ||
                    from.layout == Layout::blockedRowVector;
  if (!fragment && !rows)
    return from.name + " has layout " + std::string(name(from.layout)) +
           "; st.async takes tiles whose elements each belong to one thread or to one warp: acc, "
           "fragA, row, rowVector or blockedRowVector";
  if (copy.destination.shape != copy.source.shape || to.type != from.type)
    return "the source is " + shapeText(copy.source) + " " + std::string(name(from.type)) +
           ", the destination " + shapeText(copy.destination) + " " + std::string(name(to.type)) +
           ", and st.async does not convert";
  if (byteSize(from.type) != 4 && (rows || to.minor != 1))
    return "st.async stores 4 or 8 bytes, and elements of " + from.name +
           " do not come in pairs of neighbours; use a type of 4 bytes";
  return "";
}

/// A bulk copy moves a run of bytes: whole slots that are laid out alike (PTX ISA,
/// cp.async.bulk).
std::string remoteFault(const Program &p, const RemoteCopy &copy) {
  const Buffer &to = p.buffers[copy.destination.object], &from = p.buffers[copy.source.object];
  if (p.storesRegisters(copy))
    return remoteStoreFault(p, copy);
  if (to.space != Space::smem || from.space != Space::smem)
    return "a bulk copy goes from shared memory to shared memory";
  if (to.shape != from.shape || to.type != from.type || to.layout != from.layout ||
      to.minor != from.minor)
    return to.name + " and " + from.name + " differ in shape, type or layout, and it moves bytes";
  if (copy.destination.shape != to.shape || copy.source.shape != from.shape)
    return "it moves whole slots";
  if (elements(copy.source) * byteSize(from.type) % 16 != 0)
    return "it moves multiples of 16 bytes";
  return "";
}

std::string numberFault(const Program &p, const View &tile) {
  const Buffer &b = p.buffers[tile.object];
  if (b.type != DType::i32)
    return "numbers are i32, " + b.name + " has elements of type " + std::string(name(b.type));
  return b.space == Space::reg ? "numbers are handed on through memory, not registers" : "";
}

/// One instruction writes and reads it, at a multiple of its size.
std::string responseFault(const Program &p, const View &response) {
  const Buffer &b = p.buffers[response.object];
  const bool whole = response.shape == std::vector<int64_t>{1, 4} && b.shape[1] == 4;
  const bool placed = b.space == Space::smem && b.layout == Layout::row && b.minor == 1;
  return whole && placed && b.type == DType::i32
             ? ""
             : "a response is 16 bytes in shared memory, a row of 4 numbers of i32";
}

std::string operandFault(const Program &p, const Operation &op) {
  const OperationFacts facts = factsOf(op);
  if (auto *remote = std::get_if<RemoteCopy>(&op))
    return remoteFault(p, *remote);
  if (auto *ask = std::get_if<ClcTryCancel>(&op))
    return responseFault(p, ask->response);
  if (auto *read = std::get_if<ScalarRead>(&op))
    return read->response ? responseFault(p, read->source) : numberFault(p, read->source);
  if (auto *write = std::get_if<ScalarWrite>(&op))
    return numberFault(p, write->destination);
  if (facts.counter.counter)
    return counterFault(p, *facts.counter.counter);
  if (auto *t = std::get_if<Tcgen05Mma>(&op); t && t->pair)
    return productFault(partOfColumns(*t, false), rowsForPart(*t, false), t->b);
  if (facts.product)
    return productFault(*facts.product.d, *facts.product.a, *facts.product.b);
  if (auto *alloc = std::get_if<TmemAlloc>(&op))
    return numberFault(p, alloc->address);
  if (auto *address = std::get_if<TmemAddress>(&op))
    return numberFault(p, address->source);
  if (facts.move)
    return dealsOut(p, op)
               ? dealingFault(p, *facts.move.destination, *facts.move.source)
               : copyFault(p, *facts.move.destination, *facts.move.source, facts.byAsyncProxy);
  return "";
}

} // namespace

bool checkForm(const StructureContext &c) {
  const Program &p = c.program;
  const size_t before = c.found.size();
  for (const Buffer &b : p.buffers)
    if (b.shape.size() != 2 || b.slots < 1 || b.shape[0] < 1 || b.shape[1] < 1)
      c.refuse("R20", "buffer " + b.name + " needs a shape of two positive extents and a slot",
               b.loc, b.name);
  for (const Mbarrier &b : p.mbarriers)
    if (b.slots < 1)
      c.refuse("R20", "mbarrier array " + b.name + " needs at least one barrier", b.loc, b.name);
  if (c.found.size() != before)
    return false;
  walk(p.body, [&](const Stmt &s) {
    std::string fault;
    for (const View *v : viewsOf(s.op))
      if (fault.empty())
        fault = faultOf(p, *v);
    const MbarrierRef *ref = mbarrierOf(s.op);
    if (fault.empty() && ref &&
        (ref->object < 0 || ref->object >= static_cast<int>(p.mbarriers.size())))
      fault = "it names no mbarrier of the program";
    if (fault.empty())
      fault = operandFault(p, s.op);
    if (!fault.empty())
      c.refuse("R20",
               operationName(s.op) + place(s.loc) + ": " + fault +
                   ". The operands of an operation must agree in rank, shape and type",
               s.loc);
  });
  return c.found.size() == before;
}

std::vector<Violation> checkStructure(const Program &program, const Arch &arch) {
  std::vector<Violation> found;
  const StructureContext c{program, arch, found};
  if (!checkForm(c))
    return found;
  checkMemory(c);
  if (isAscend(program.target))
    checkAscend(c), checkTurns(c), checkMeetings(c), checkUnits(c), checkCalls(c), checkPacked(c);
  else
    checkNvidia(c);
  return found;
}

} // namespace sluice
