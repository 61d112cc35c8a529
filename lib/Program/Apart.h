// Which tensors of a launch share no memory: what a kernel writes no other argument may be, except
// for the input in whose place it is written (Tensor::inPlaceOf).
#pragma once

#include "Program/Program.h"

#include <span>
#include <string>
#include <vector>

namespace sluice {

/// Whether a kernel may write the tensor: an output, or a workspace.
inline bool mayBeWritten(const Tensor &t) {
  return t.output || !t.input;
}

/// Whether the two may be one tensor: the same elements at the same places.
inline bool mayBeOne(std::span<const Tensor> tensors, size_t a, size_t b) {
  return tensors[a].inPlaceOf == static_cast<int>(b) || tensors[b].inPlaceOf == static_cast<int>(a);
}

/// Whether no launch writes the tensor, also not as another one.
bool isOnlyRead(std::span<const Tensor> tensors, size_t tensor);

/// By tensor: the number of its memory, as the proof has it. That of an input is the output that
/// may be written in its place.
std::vector<int> memories(std::span<const Tensor> tensors);

/// A line for each tensor that is written: "apart: C shares no memory with A, B ...".
std::vector<std::string> apartTexts(std::span<const Tensor> tensors);

} // namespace sluice
