// Tensors on the host as a launch has them.
#pragma once

#include "Program/Joined.h"
#include "Support/HostTensor.h"

namespace sluice {

inline Launch::Shape shapeOf(const HostTensor &tensor) {
  return {tensor.extents, tensor.strides, {}};
}

/// A dense one for the kernel's tensor, of the extents that who launches gives.
inline HostTensor denseFor(const Tensor &tensor, const std::vector<int64_t> &extents) {
  const int minor = tensor.isLine ? int(extents.size()) - 1 : passed(tensor).minor;
  return HostTensor::dense(tensor.type, extents, minor);
}

} // namespace sluice
