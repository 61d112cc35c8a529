// What a launch keeps of a tensor's lines so that they lie where the program assumes.
#pragma once

#include "Program/Program.h"

#include <algorithm>

namespace sluice {

/// Numbers of 4 and 6 bits that TMA brings side by side (R52); lines have a multiple of them.
constexpr int64_t packedLine = 128;

/// Bytes, of the base and every stride of a tensor that TMA brings (PTX ISA, restrictions on tensor
/// copies); of packed numbers more (R52).
inline int64_t alignmentOfTma(DType type) {
  return isPacked(type) ? 32 : 16;
}

/// Elements of which every stride that is wider than the contiguous one is a multiple.
inline int64_t elementsApart(const Tensor &tensor) {
  return isPacked(tensor.type) ? packedLine
                               : std::max<int64_t>(tensor.align / byteSize(tensor.type), 1);
}

/// Of a tensor that has elements.
inline bool keepsLines(const Tensor &tensor, const Launch::Shape &shape) {
  if (isPacked(tensor.type) && shape.extents[static_cast<size_t>(tensor.minor)] % packedLine)
    return false;
  for (size_t d = 0; d < shape.strides.size(); ++d)
    if (static_cast<int>(d) != tensor.minor && shape.extents[d] > 1 &&
        shape.strides[d] * bitsInTensors(tensor.type) % (8 * tensor.align))
      return false;
  return true;
}

/// Bytes of a line, where the type of a tensor fixes them; else negative.
inline int64_t lineBytes(const Tensor &tensor) {
  const auto minor = static_cast<size_t>(tensor.minor);
  return minor < tensor.extents.size() && tensor.extents[minor] >= 0
             ? tensor.extents[minor] * byteSize(tensor.type)
             : -1;
}

/// Those that TMA stores to, line by line, in whole 16 bytes (R40), and whose lines no type fixes.
std::vector<const Tensor *> storedInPieces(const Program &program);

} // namespace sluice
