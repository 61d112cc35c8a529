// Two dimensions of a kernel's tensor that a launch passes as one (Tensor::joined): rows x parts x
// columns of a part are there rows x columns.
#pragma once

#include "Program/Program.h"

namespace sluice {

/// The tensor as a launch passes it.
Tensor passed(const Tensor &tensor);
/// Extents and strides likewise.
Launch::Shape passed(const Tensor &tensor, Launch::Shape shape);
/// Of all tensors.
Launch passed(const Program &program, Launch launch);
/// Of what is passed, extents and strides that the kernel sees; as they are where the joined one
/// does not have as many elements as the tensor's type says.
Launch::Shape seen(const Tensor &tensor, Launch::Shape shape);

/// Whether the last of the parts may have fewer elements than the others.
inline bool hasShortParts(const Tensor &tensor) {
  return tensor.joinedExtent > 0;
}
/// Elements of part `part` that are in the tensor.
int64_t elementsOfPart(const Tensor &tensor, int64_t part);

/// Whether dimension `d` of the kernel's is a part of one that is passed.
bool isPartOfJoined(const Tensor &tensor, int d);
/// The dimension that is passed for the kernel's.
int passedDimension(const Tensor &tensor, int d);
/// An extent as one of what is passed: those of joined dimensions are numbers.
Scalar passed(const std::vector<Tensor> &tensors, Scalar scalar);

} // namespace sluice
