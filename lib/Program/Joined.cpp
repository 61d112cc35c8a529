#include "Program/Joined.h"

#include "Program/Agent.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace sluice {

bool isPartOfJoined(const Tensor &tensor, int d) {
  return tensor.joined >= 0 && (d == tensor.joined || d == tensor.joined + 1);
}

int passedDimension(const Tensor &tensor, int d) {
  if (tensor.isLine)
    return 0;
  return tensor.joined >= 0 && d > tensor.joined ? d - 1 : d;
}

static int64_t productOf(const std::vector<int64_t> &extents) {
  return std::accumulate(extents.begin(), extents.end(), int64_t{1}, std::multiplies<>());
}

/// Elements of the joined dimension.
static int64_t joinedExtent(const Tensor &tensor) {
  if (tensor.joinedExtent > 0)
    return tensor.joinedExtent;
  return tensor.extents[tensor.joined] * tensor.extents[tensor.joined + 1];
}

int64_t elementsTogether(const Tensor &tensor, const Launch::Shape &shape) {
  if (!tensor.isLine)
    return tensor.joinedExtent;
  return productOf(shape.given.empty() ? shape.extents : shape.given);
}

int64_t elementsOfPart(int64_t together, int64_t width, int64_t part) {
  return std::clamp<int64_t>(together - part * width, 0, width);
}

int64_t widthOfLines(const Tensor &tensor) {
  return tensor.extents.empty() ? -1 : tensor.extents.back();
}

int64_t widthOfLines(const Program &program, int buffer) {
  int64_t width = 0;
  walk(program.body, [&](const Stmt &s) {
    const auto *load = std::get_if<TmaLoad>(&s.op);
    const Tensor *from = load ? program.tensor(load->source) : nullptr;
    if (from && !width && load->destination.object == buffer)
      width = widthOfLines(*from);
  });
  return width;
}

bool followOneAnother(const Tensor &tensor, const std::vector<int64_t> &box) {
  if (int(box.size()) != tensor.rank || tensor.minor != tensor.rank - 1)
    return false;
  if (tensor.isLine)
    return box[1] == widthOfLines(tensor);
  return tensor.joinedExtent > 0 && tensor.joined == 1 && box[0] == 1 &&
         box[2] >= widthOfLines(tensor);
}

Tensor passed(const Tensor &tensor) {
  Tensor whole = tensor;
  if (tensor.isLine) {
    whole.rank = 1;
    whole.minor = 0;
    whole.extents = {-1};
  }
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

/// Strides of rows that lie side by side.
static std::vector<int64_t> denseStrides(const std::vector<int64_t> &extents) {
  std::vector<int64_t> strides(extents.size());
  int64_t next = 1;
  for (size_t d = extents.size(); d-- > 0; next *= std::max<int64_t>(extents[d], 1))
    strides[d] = next;
  return strides;
}

/// Whether one element lies behind the other; strides of extents of 1 do not matter.
static bool isDense(const Launch::Shape &shape) {
  const std::vector<int64_t> dense = denseStrides(shape.extents);
  bool so = true;
  for (size_t d = 0; d < dense.size(); ++d)
    so &= shape.extents[d] <= 1 || shape.strides[d] == dense[d];
  return so || productOf(shape.extents) == 0;
}

Launch::Shape passed(const Tensor &tensor, Launch::Shape shape) {
  if (tensor.isLine && int(shape.extents.size()) == tensor.rank)
    return {{elementsTogether(tensor, shape)}, {1}, std::move(shape.integers)};
  if (tensor.joined < 0 || int(shape.extents.size()) != tensor.rank)
    return shape;
  shape.extents[tensor.joined] =
      tensor.joinedExtent > 0 ? tensor.joinedExtent
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

Launch::Shape given(const Tensor &tensor, const Launch::Shape &shape) {
  if (!tensor.isLine || shape.given.empty())
    return passed(tensor, shape);
  return {shape.given, denseStrides(shape.given), shape.integers};
}

/// One line of what is dense, by lines.
static Launch::Shape asLines(const Tensor &tensor, Launch::Shape shape) {
  if (!isDense(shape))
    return shape;
  const int64_t width = tensor.extents[1], all = productOf(shape.extents);
  return {{(all + width - 1) / width, width},
          {width, 1},
          std::move(shape.integers),
          std::move(shape.extents)};
}

Launch::Shape seen(const Tensor &tensor, Launch::Shape shape) {
  if (tensor.isLine)
    return asLines(tensor, std::move(shape));
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
  if (tensor.isLine && d == 1)
    return {ScalarOp::constant, scalar.result, {}, tensor.extents[1], -1};
  if (!isPartOfJoined(tensor, d)) {
    scalar.imm = passedDimension(tensor, d);
    return scalar;
  }
  return {ScalarOp::constant, scalar.result, {}, tensor.extents[d], -1};
}

/// The number of lines that so many elements take.
static bool countsLines(const std::vector<Tensor> &tensors, const Scalar &scalar) {
  return scalar.op == ScalarOp::dim && tensors[scalar.object].isLine && scalar.imm == 0;
}

std::vector<Scalar> passed(const std::vector<Tensor> &tensors, const std::vector<Scalar> &scalars,
                           std::vector<ValueId> &values) {
  std::vector<Scalar> all;
  values.clear();
  const auto add = [&](Scalar scalar) {
    scalar.result = ValueId(all.size());
    all.push_back(std::move(scalar));
    return all.back().result;
  };
  for (Scalar scalar : scalars) {
    for (ValueId &operand : scalar.operands)
      operand = values[size_t(operand)];
    if (!countsLines(tensors, scalar)) {
      values.push_back(add(passed(tensors, std::move(scalar))));
      continue;
    }
    const ValueId width =
        add({ScalarOp::constant, kNone, {}, tensors[scalar.object].extents[1], -1});
    const ValueId elements = add({ScalarOp::dim, kNone, {}, 0, scalar.object});
    values.push_back(add({ScalarOp::ceilDiv, kNone, {elements, width}}));
  }
  return all;
}

} // namespace sluice
