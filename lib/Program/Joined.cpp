#include "Program/Joined.h"

#include <algorithm>
#include <utility>

namespace sluice {

bool isPartOfJoined(const Tensor &tensor, int d) {
  return tensor.joined >= 0 && (d == tensor.joined || d == tensor.joined + 1);
}

int passedDimension(const Tensor &tensor, int d) {
  return tensor.joined >= 0 && d > tensor.joined ? d - 1 : d;
}

/// Elements of the joined dimension.
static int64_t joinedExtent(const Tensor &tensor) {
  if (hasShortParts(tensor))
    return tensor.joinedExtent;
  return tensor.extents[tensor.joined] * tensor.extents[tensor.joined + 1];
}

int64_t elementsOfPart(const Tensor &tensor, int64_t part) {
  const int64_t width = tensor.extents[tensor.joined + 1];
  return std::clamp<int64_t>(joinedExtent(tensor) - part * width, 0, width);
}

Tensor passed(const Tensor &tensor) {
  Tensor whole = tensor;
  if (tensor.joined < 0)
    return whole;
  whole.rank = tensor.rank - 1;
  whole.minor = passedDimension(tensor, tensor.minor);
  whole.extents[tensor.joined] = joinedExtent(tensor);
  whole.extents.erase(whole.extents.begin() + tensor.joined + 1);
  whole.joined = -1;
  whole.joinedExtent = 0;
  return whole;
}

Launch::Shape passed(const Tensor &tensor, Launch::Shape shape) {
  if (tensor.joined < 0 || int(shape.extents.size()) != tensor.rank)
    return shape;
  shape.extents[tensor.joined] =
      hasShortParts(tensor) ? tensor.joinedExtent
                            : shape.extents[tensor.joined] * shape.extents[tensor.joined + 1];
  shape.extents.erase(shape.extents.begin() + tensor.joined + 1);
  shape.strides.erase(shape.strides.begin() + tensor.joined);
  return shape;
}

Launch passed(const Program &program, Launch launch) {
  for (size_t i = 0; i < program.tensors.size(); ++i)
    launch.tensors[i] = passed(program.tensors[i], std::move(launch.tensors[i]));
  return launch;
}

Launch::Shape seen(const Tensor &tensor, Launch::Shape shape) {
  const int at = tensor.joined;
  if (at < 0 || int(shape.extents.size()) != tensor.rank - 1 ||
      shape.extents[at] != joinedExtent(tensor))
    return shape;
  const int64_t width = tensor.extents[at + 1];
  shape.extents[at] = tensor.extents[at];
  shape.extents.insert(shape.extents.begin() + at + 1, width);
  shape.strides.insert(shape.strides.begin() + at, shape.strides[at] * width);
  return shape;
}

Scalar passed(const std::vector<Tensor> &tensors, Scalar scalar) {
  if (scalar.op != ScalarOp::dim)
    return scalar;
  const Tensor &tensor = tensors[scalar.object];
  const int d = int(scalar.imm);
  if (!isPartOfJoined(tensor, d)) {
    scalar.imm = passedDimension(tensor, d);
    return scalar;
  }
  return {ScalarOp::constant, scalar.result, {}, tensor.extents[d], -1};
}

} // namespace sluice
