// Kernel parameters come into being when the text first mentions them.
#include "Emit/Cuda/Printer.h"

#include "Program/Joined.h"

namespace sluice::cuda {

std::string ParameterPrinter::parameter(KernelParameter::Kind kind, int object, int dim,
                                        const std::string &wanted) {
  for (const KernelParameter &p : plan_.parameters)
    if (p.kind == kind && p.object == object && p.dim == dim)
      return p.name;
  plan_.parameters.push_back({kind, object, dim, names_.takeParameter(wanted)});
  return plan_.parameters.back().name;
}

std::string ParameterPrinter::pointer(int tensor) {
  return parameter(KernelParameter::pointer, tensor, 0, program_.tensors[tensor].name + "Global");
}

/// A number where the tensor's type fixes it, as every launch is held to that; else named as the
/// program names the extent ("M"), or after the tensor.
std::string ParameterPrinter::extent(int tensor, int dim) {
  const std::vector<int64_t> &fixed = program_.tensors[tensor].extents;
  if (dim < int(fixed.size()) && fixed[dim] >= 0)
    return number(fixed[dim]);
  auto named = extentNames_.find({tensor, dim});
  std::string wanted = named != extentNames_.end()
                           ? named->second
                           : program_.tensors[tensor].name + "Extent" + number(dim);
  return parameter(KernelParameter::extent, tensor, passedDimension(program_.tensors[tensor], dim),
                   wanted);
}

std::string ParameterPrinter::stride(int tensor, int dim) {
  const Tensor &t = program_.tensors[tensor];
  if (dim == t.minor)
    return "1";
  const int passed = passedDimension(t, dim);
  const std::string along =
      passed == passedDimension(t, t.minor)
          ? "1"
          : parameter(KernelParameter::stride, tensor, passed, t.name + "Stride" + number(passed));
  if (dim != t.joined)
    return along;
  const std::string width = number(t.extents[dim + 1]); // from one part to the next
  return along == "1" ? width : "(" + along + " * " + width + ")";
}

std::string ParameterPrinter::argument(int argument) {
  const Argument &a = program_.arguments[argument];
  return parameter(KernelParameter::argument, argument, 0, a.name);
}

/// As the launch passes the tensor: joined dimensions are parts of one.
static void usePassed(const Tensor &tensor, TensorMapPlan &map) {
  if (tensor.joined < 0)
    return;
  for (int &d : map.dims) {
    const bool isPart = isPartOfJoined(tensor, d);
    map.parts.push_back(
        isPart ? MapPart{tensor.extents[d], d == tensor.joined ? tensor.extents[d + 1] : 1}
               : MapPart());
    d = passedDimension(tensor, d);
  }
}

std::string ParameterPrinter::tensorMap(TensorMapPlan plan) {
  usePassed(program_.tensors[plan.tensor], plan);
  for (size_t m = 0; m < plan_.maps.size(); ++m) {
    TensorMapPlan &have = plan_.maps[m];
    if (have.tensor == plan.tensor && have.dims == plan.dims && have.box == plan.box &&
        have.swizzle == plan.swizzle) {
      have.stores |= plan.stores;
      return parameter(KernelParameter::tensorMap, int(m), 0, "");
    }
  }
  std::string wanted = program_.tensors[plan.tensor].name + "Map";
  plan_.maps.push_back(std::move(plan));
  return parameter(KernelParameter::tensorMap, int(plan_.maps.size()) - 1, 0, wanted);
}

} // namespace sluice::cuda
