// Where operands of products start (R18, R43): a descriptor names the first of whole swizzle
// patterns, and steps of 32 bytes along K in it (PTX ISA, wgmma and tcgen05, matrix descriptors).
#include "Program/LayoutMap.h"
#include "Verify/Structure.h"

namespace sluice {
namespace {

/// Rows and columns of the view, as the product counts them.
const Index &offsetAlong(const View &v, int dimension) {
  return v.offset[v.transposed ? 1 - dimension : dimension];
}

} // namespace

std::string operandStartFault(const StructureContext &c, const View &operand, bool isA) {
  const Buffer &b = c.program.buffers[operand.object];
  const int64_t span = swizzleBytes(b.layout), size = byteSize(b.type);
  const bool inRegisters = b.space == Space::reg;
  if (!inRegisters && (b.space != Space::smem || span == 0))
    return ""; // which other rules refuse, or say more of
  const int k = isA ? 1 : 0;
  const bool alongK = inRegisters || logicalMinor(c.program, operand) == k;
  const int64_t lines = inRegisters ? 1 : alongK ? 8 : span / size, step = 32 / size;
  const int64_t along = c.ranges->of(offsetAlong(operand, k)).multiple,
                across = c.ranges->of(offsetAlong(operand, 1 - k)).multiple;
  if (along % step == 0 && across % lines == 0)
    return "";
  const auto from = [](int64_t multiple) {
    return multiple == 0 ? std::string("0") : "multiples of " + std::to_string(multiple);
  };
  return "operand " + b.name + " starts at " + from(across) + (isA ? " of M" : " of N") + " and " +
         from(along) + " of K, as far as is known; it has to at multiples of " +
         std::to_string(lines) + " and of " + std::to_string(step);
}

} // namespace sluice
