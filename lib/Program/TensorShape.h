// The extents and strides of a tensor on the host, as a launch has them.
#pragma once

#include "Program/Joined.h"
#include "Support/HostTensor.h"

namespace sluice {

inline Launch::Shape shapeOf(const HostTensor &tensor) {
  return {tensor.extents, tensor.strides, {}};
}

} // namespace sluice
