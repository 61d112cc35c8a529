// What a kernel may assume of its tensors' addresses.
#pragma once

#include "Program/Strides.h"
#include "sluice/Options.h"

#include <algorithm>
#include <bit>

namespace sluice {

/// Bytes, a power of two up to 16 (what TMA asks for), that divide the stride of a dense matrix
/// whose lines have `leading` elements. Empty lines are one element apart. Lines of packed numbers
/// are multiples of 128, which is more (R52).
inline int64_t alignmentOf(int64_t leading, DType type) {
  if (isPacked(type))
    return alignmentOfTma(type);
  int64_t bytes = std::max<int64_t>(leading, 1) * byteSize(type);
  return std::min<int64_t>(16, int64_t(1) << std::countr_zero(uint64_t(bytes)));
}

/// A tensor of one number for each row, that lie side by side: what a copy of Ascend's vector cores
/// takes in one piece.
inline lang::TensorOptions oneForEachRow(int rank) {
  std::vector<int64_t> extents(rank, lang::anyExtent);
  extents.back() = 1;
  return {.minor = rank - 2, .extents = std::move(extents)};
}

} // namespace sluice
