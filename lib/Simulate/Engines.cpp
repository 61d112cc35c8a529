#include "Simulate/Engines.h"

#include "Program/WideningSum.h"

#include <algorithm>

namespace sluice {
namespace {

int64_t ceilDiv(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

Space spaceOf(const Program &p, const View &v) {
  return v.kind == View::tensor ? Space::global : p.buffers[v.object].space;
}

/// Bytes per cycle between two Ascend memories; the slowest known path where the table has none.
double moveRate(const Arch &a, Space from, Space to) {
  if (from == Space::global)
    return to == Space::ub ? a.gmToUb : a.gmToL1;
  if (from == Space::l1)
    return to == Space::l0a ? a.l1ToL0a : a.l1ToL0b;
  if (from == Space::l0c)
    return to == Space::l1 ? a.l0cToL1 : to == Space::ub ? a.l0cToUb : a.l0cToGm;
  return to == Space::global ? a.ubToGm : to == Space::l1 ? a.ubToL1 : a.ubToUb;
}

double mmadCycles(const Program &p, const Arch &arch, const Mmad &op) {
  DType type = p.type(op.a);
  int64_t products = ceilDiv(op.d.rows(), 16) * ceilDiv(op.a.cols(), 32 / byteSize(type)) *
                     ceilDiv(op.d.cols(), 16);
  return arch.mmadSetup + products * (type == DType::f32 ? 2.0 : 1.0);
}

/// Vector pipe: lanes hold twice as many 16-bit elements.
double vectorCycles(const Program &p, const Arch &arch, const View &out, double operations) {
  return operations * std::min<int64_t>(byteSize(p.type(out)), 4) / 4 / arch.vectorPerCycle;
}

} // namespace

ElementCost costOf(const ElementFn &fn) {
  ElementCost cost;
  for (const ElementNode &n : fn.nodes)
    switch (n.op) {
    case ElementOp::argument:
    case ElementOp::parameter:
    case ElementOp::constant:
      break;
    case ElementOp::exp2:
    case ElementOp::log2:
    case ElementOp::rsqrt:
      cost.special += 1;
      break;
    case ElementOp::exp: // a multiplication and exp2
    case ElementOp::log:
    case ElementOp::sqrt:
    case ElementOp::tanh:
      cost.special += 1;
      cost.arithmetic += 1;
      break;
    case ElementOp::div: // reciprocal and a Newton step
      cost.special += 1;
      cost.arithmetic += 4;
      break;
    // A quarter of a block of four columns: 20 products of 32 bits, which the integer unit takes in
    // two cycles each (CUDA C++ Programming Guide, throughput of arithmetic instructions), beside
    // 20 exclusive ors; a shift, a conversion and a product make a number in [0, 1) of its bits.
    case ElementOp::random:
      cost.arithmetic += n.type == DType::f32 ? 13 : 10;
      break;
    case ElementOp::erf: // polynomial and exponential
      cost.special += 1;
      cost.arithmetic += 16;
      break;
    default:
      cost.arithmetic += 1;
    }
  return cost;
}

ElementCost costOf(const Reduce &op) {
  ElementCost cost = op.element ? costOf(*op.element) : ElementCost{};
  cost.arithmetic += 1;
  return cost;
}

double simtCycles(const Arch &arch, const ElementCost &cost, double elements) {
  // The two units work side by side, the issue slot (one warp instruction a clock) serves both.
  double issue = (cost.arithmetic + cost.special) * elements / 32;
  double arithmetic = cost.arithmetic * elements / (arch.fp32PerCycle / 4);
  double special = cost.special * elements / (arch.sfuPerCycle / 4);
  return std::max({issue, arithmetic, special});
}

/// An instruction's k is 32 bytes of either operand.
static double instructionsOf(const Program &program, const Wgmma &op) {
  return static_cast<double>(ceilDiv(op.a.cols() * byteSize(program.type(op.a)), 32));
}

double wgmmaBytes(const Program &program, const Wgmma &op) {
  const bool aShared = program.buffers[op.a.object].space == Space::smem;
  const auto lines = static_cast<double>(op.d.cols() + (aShared ? 64 : 0));
  return instructionsOf(program, op) * 32 * lines;
}

double wgmmaCycles(const Program &program, const Arch &arch, const Wgmma &op) {
  // m64nNk16 of f16 takes max(N/2, shared memory bytes / 128) clocks. Predicts the rates measured
  // in arXiv 2402.13499 for N from 8 to 256.
  return std::max(instructionsOf(program, op) * static_cast<double>(op.d.cols()) / 2,
                  wgmmaBytes(program, op) / arch.smemBytesPerCycle);
}

double pipeCycles(const Program &p, const Arch &arch, const Operation &op, double elements) {
  if (auto *copy = std::get_if<Copy>(&op)) {
    double bytes = elements * byteSize(p.type(copy->destination));
    return arch.moveLatency +
           bytes / moveRate(arch, spaceOf(p, copy->source), spaceOf(p, copy->destination));
  }
  if (auto *mmad = std::get_if<Mmad>(&op))
    return mmadCycles(p, arch, *mmad);
  if (auto *fill = std::get_if<Fill>(&op))
    return arch.moveLatency + vectorCycles(p, arch, fill->destination, elements);
  if (auto *map = std::get_if<Map>(&op)) {
    ElementCost cost = costOf(map->fn);
    if (isWideningSum(map->fn)) // one instruction
      cost.arithmetic = 1;
    double operations = std::max(cost.arithmetic + cost.special * 4, 1.0) * elements;
    return arch.moveLatency + vectorCycles(p, arch, map->outs[0], operations);
  }
  if (auto *reduce = std::get_if<Reduce>(&op)) {
    ElementCost cost = costOf(*reduce);
    return arch.moveLatency +
           vectorCycles(p, arch, reduce->in, (cost.arithmetic + cost.special * 4) * elements);
  }
  return 0;
}

} // namespace sluice
