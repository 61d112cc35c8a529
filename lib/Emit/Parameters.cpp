// Kernel parameters come into being when the text first mentions them.
#include "Emit/Parameters.h"

#include "Program/Agent.h"
#include "Program/Joined.h"

#include <algorithm>

namespace sluice::emit {

ParameterPrinter::ParameterPrinter(State &state)
    : Part(state), plan_(launchPlan(program_, names_.takeKernel(program_.name))) {
  walk(program_.body, [&](const Stmt &s) {
    auto *dim = std::get_if<Scalar>(&s.op);
    if (dim && dim->op == ScalarOp::dim && dim->result < int(program_.valueNames.size()) &&
        !program_.valueNames[dim->result].empty())
      extentNames_.emplace(std::pair{dim->object, int(dim->imm)}, program_.valueNames[dim->result]);
  });
}

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
  if (program_.tensors[tensor].isLine)
    return "ceilDiv(" + elements(tensor) + ", " + number(fixed[1]) + ")";
  auto named = extentNames_.find({tensor, dim});
  std::string wanted = named != extentNames_.end()
                           ? named->second
                           : program_.tensors[tensor].name + "Extent" + number(dim);
  return parameter(KernelParameter::extent, tensor, passedDimension(program_.tensors[tensor], dim),
                   wanted);
}

std::string ParameterPrinter::elements(int tensor) {
  return parameter(KernelParameter::extent, tensor, 0, program_.tensors[tensor].name + "Elements");
}

std::string ParameterPrinter::stride(int tensor, int dim) {
  const Tensor &t = program_.tensors[tensor];
  if (dim == t.minor)
    return "1";
  if (t.isLine)
    return number(t.extents[1]);
  const int passed = passedDimension(t, dim);
  std::string along =
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

std::string ParameterPrinter::numberType(const KernelParameter &p) const {
  if (p.kind == KernelParameter::stride)
    return "i64 ";
  if (p.kind == KernelParameter::argument)
    return program_.arguments[p.object].type == DType::f32 ? "float " : "int ";
  return "int ";
}

/// Maps first: they are what the launcher has to encode. Extents in the program's order.
void ParameterPrinter::sortParameters() {
  std::vector<std::pair<int, int>> dims;
  walk(program_.body, [&](const Stmt &s) {
    if (auto *o = std::get_if<Scalar>(&s.op); o && o->op == ScalarOp::dim)
      dims.emplace_back(o->object, int(o->imm));
  });
  auto place = [&](const KernelParameter &p) {
    const auto found = std::find(dims.begin(), dims.end(), std::pair{p.object, p.dim});
    return std::pair{p.kind, p.kind == KernelParameter::extent ? found - dims.begin() : 0};
  };
  std::stable_sort(plan_.parameters.begin(), plan_.parameters.end(),
                   [&](auto &a, auto &b) { return place(a) < place(b); });
}

} // namespace sluice::emit
