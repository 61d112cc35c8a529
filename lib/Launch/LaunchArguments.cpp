#include "Launch/LaunchArguments.h"

#include "Launch/CommonMemory.h"
#include "Launch/LaunchPlan.h"
#include "Program/Strides.h"
#include "Program/TensorShape.h"

#include <algorithm>

namespace sluice {
namespace {

/// One tensor of a launch against what the plan says of it.
class TensorCheck {
public:
  TensorCheck(const LaunchPlan &plan, size_t tensor, const TensorArgument &given)
      : plan_(plan), tensor_(plan.tensors[tensor]), given_(given) {}

  std::optional<Error> shape() const {
    const Tensor &t = tensor_;
    if (given_.type != t.type && !sameBits(given_.type, t.type))
      return refuse("its elements are " + std::string(name(t.type)) + ", not " +
                    std::string(name(given_.type)));
    if (given_.rank != t.rank && t.isLine)
      return refuse(
          "it is passed as one line of numbers, and its elements do not lie side by side");
    if (given_.rank != t.rank)
      return refuse("its rank is " + std::to_string(t.rank) + ", not " +
                    std::to_string(given_.rank));
    if (t.rank > 0 && given_.strides[t.minor] != 1 && given_.extents[t.minor] > 1 &&
        !given_.isEmpty())
      return refuse("dimension " + std::to_string(t.minor) + " must be contiguous");
    for (int d = 0; d < t.rank; ++d)
      if (auto wrong = dimension(d))
        return wrong;
    if (t.output && !given_.isEmpty() && !elementsAreApart(given_))
      return refuse(
          "its strides, " + stridesText() +
          " elements, may place two elements at one address, and elements of an output must not "
          "overlap: each stride is wider than all that narrower ones span");
    return std::nullopt;
  }

  std::optional<Error> address() const {
    if (given_.isEmpty())
      return std::nullopt;
    if (given_.address % static_cast<uint64_t>(std::max<int64_t>(tensor_.align, 1)))
      return refuse("its address is no multiple of " + std::to_string(tensor_.align) + " bytes");
    if (!given_.address)
      return refuse("its address is null");
    return std::nullopt;
  }

private:
  /// tf32 is f32 in memory.
  static bool sameBits(DType x, DType y) {
    return (x == DType::tf32 && y == DType::f32) || (x == DType::f32 && y == DType::tf32);
  }

  std::optional<Error> dimension(int d) const {
    const Tensor &t = tensor_;
    const int64_t extent = given_.extents[d], stride = given_.strides[d];
    if (extent < 0 || extent > mostExtent)
      return refuse("an extent of " + std::to_string(extent) +
                    " does not fit printed code, the limit is 2^31 - 2^20");
    if (d < int(t.extents.size()) && t.extents[d] >= 0 && t.extents[d] != extent)
      return refuse("its type fixes dimension " + std::to_string(d) + " at " +
                    std::to_string(t.extents[d]) + ", not " + std::to_string(extent));
    if (given_.isEmpty())
      return std::nullopt;
    if (t.output && extent > 1 && stride == 0)
      return refuse("the stride of dimension " + std::to_string(d) +
                    " is 0, and elements of an output must not overlap");
    if (d == t.minor && isPacked(t.type) && extent % packedLine)
      return refuse("dimension " + std::to_string(d) + " has " + std::to_string(extent) +
                    " numbers of " + std::string(name(t.type)) +
                    ", which the copy engine brings 128 at a time: it has to have a multiple");
    if (d != t.minor && extent > 1 && stride * bitsInTensors(t.type) % (8 * t.align))
      return refuse("the stride of dimension " + std::to_string(d) + " is " +
                    std::to_string(stride) + " elements, and the kernel assumes multiples of " +
                    std::to_string(t.align) + " bytes");
    return std::nullopt;
  }

  std::string stridesText() const {
    std::string text;
    for (int d = 0; d < given_.rank; ++d)
      text += (d ? " x " : "") + std::to_string(given_.strides[d]);
    return text;
  }

  Error refuse(const std::string &why) const {
    return inputError("kernel " + plan_.kernel + ", tensor " + tensor_.name + ": " + why,
                      tensor_.loc);
  }

  const LaunchPlan &plan_;
  const Tensor &tensor_;
  const TensorArgument &given_;
};

/// The first earlier dimension of the same name gives it the same number.
std::optional<Error> checkName(const LaunchPlan &plan, const LaunchArguments &with, size_t tensor,
                               size_t dim) {
  const Extent &extent = plan.extentNames[tensor][dim];
  for (size_t t = 0; !extent.name.empty() && t <= tensor; ++t)
    for (size_t d = 0; d < plan.extentNames[t].size(); ++d) {
      const Extent &earlier = plan.extentNames[t][d];
      if (earlier.name != extent.name || !earlier.tells())
        continue;
      const int64_t first = with.tensors[t].extents[d], here = with.tensors[tensor].extents[dim];
      if (extent.at(first - earlier.more) == here)
        return std::nullopt;
      return inputError("kernel " + plan.kernel + ", tensor " + plan.tensors[tensor].name +
                        ": dimension " + std::to_string(dim) + " is " + textOf(extent) + " = " +
                        std::to_string(here) + ", but in tensor " + plan.tensors[t].name + " " +
                        textOf(earlier) + " = " + std::to_string(first));
    }
  return std::nullopt;
}

/// The copy engine stores 16 bytes at a time (R40).
std::optional<Error> checkStored(const LaunchPlan &plan, const TensorMapPlan &map,
                                 const TensorArgument &given) {
  const Tensor &t = plan.tensors[map.tensor];
  const int64_t part = map.part(0).extent;
  const int64_t bytes = (part ? part : given.extents[t.minor]) * byteSize(t.type);
  if (!map.stores || given.isEmpty() || bytes % 16 == 0)
    return std::nullopt;
  return inputError("kernel " + plan.kernel + ", tensor " + t.name + ": dimension " +
                        std::to_string(t.minor) + " has " + std::to_string(bytes) +
                        " bytes; the copy engine stores multiples of 16",
                    t.loc);
}

} // namespace

bool TensorArgument::isEmpty() const {
  return std::find(extents, extents + rank, 0) != extents + rank;
}

void takeAsLine(TensorArgument &tensor, int64_t &elements) {
  static constexpr int64_t step = 1;
  bool dense = true;
  int64_t next = 1;
  for (int d = tensor.rank; d-- > 0; next *= tensor.extents[d])
    dense &= tensor.extents[d] == 1 || tensor.strides[d] == next;
  if (!dense && !tensor.isEmpty())
    return;
  elements = next;
  tensor.extents = &elements, tensor.strides = &step, tensor.rank = 1;
}

Launch passedOf(const LaunchPlan &plan, const std::vector<int64_t> &arguments,
                const std::vector<HostTensor> &tensors) {
  Launch launch{{}, arguments};
  for (size_t i = 0; i < tensors.size(); ++i) {
    Launch::Shape shape = shapeOf(tensors[i]);
    TensorArgument given{0, shape.extents.data(), shape.strides.data(), int(shape.extents.size())};
    int64_t elements = -1;
    if (i < plan.tensors.size() && plan.tensors[i].isLine)
      takeAsLine(given, elements);
    if (elements >= 0)
      shape.extents = {elements}, shape.strides = {1};
    launch.tensors.push_back(std::move(shape));
  }
  return launch;
}

std::vector<TensorArgument> tensorArguments(const LaunchPlan &plan, const Launch &launch,
                                            std::span<const uint64_t> addresses) {
  std::vector<TensorArgument> tensors;
  for (size_t i = 0; i < launch.tensors.size(); ++i) {
    const Launch::Shape &s = launch.tensors[i];
    tensors.push_back({i < addresses.size() ? addresses[i] : 0, s.extents.data(), s.strides.data(),
                       int(s.extents.size()),
                       i < plan.tensors.size() ? plan.tensors[i].type : DType::f32});
  }
  return tensors;
}

std::optional<Error> checkShapes(const LaunchPlan &plan, const LaunchArguments &with) {
  if (with.tensors.size() != plan.tensors.size() || with.integers.size() != plan.arguments.size())
    return inputError("kernel " + plan.kernel + " takes " + std::to_string(plan.tensors.size()) +
                      " tensors and " + std::to_string(plan.arguments.size()) + " arguments, not " +
                      std::to_string(with.tensors.size()) + " and " +
                      std::to_string(with.integers.size()));
  for (size_t i = 0; i < with.tensors.size(); ++i)
    if (auto wrong = TensorCheck(plan, i, with.tensors[i]).shape())
      return wrong;
  for (const TensorMapPlan &map : plan.maps)
    if (auto wrong = checkStored(plan, map, with.tensors[map.tensor]))
      return wrong;
  for (size_t i = 0; i < plan.arguments.size(); ++i)
    if (with.integers[i] < INT32_MIN || with.integers[i] > INT32_MAX)
      return inputError("kernel " + plan.kernel + ", argument " + plan.arguments[i].name + ": " +
                        std::to_string(with.integers[i]) + " does not fit 32 bits");
  for (size_t t = 0; t < plan.extentNames.size(); ++t)
    for (size_t d = 0; d < plan.extentNames[t].size(); ++d)
      if (auto wrong = checkName(plan, with, t, d))
        return wrong;
  return brokenAssumption(plan.kernel, plan.assumptions, plan.tensors, plan.arguments,
                          [&](const Scalar &s) { return with.number(s); });
}

std::optional<Error> checkArguments(const LaunchPlan &plan, const LaunchArguments &with) {
  if (auto wrong = checkShapes(plan, with))
    return wrong;
  for (size_t i = 0; i < with.tensors.size(); ++i)
    if (auto wrong = TensorCheck(plan, i, with.tensors[i]).address())
      return wrong;
  return checkApart(plan, with);
}

} // namespace sluice
