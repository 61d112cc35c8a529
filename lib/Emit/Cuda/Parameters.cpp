// Kernel parameters come into being when the text first mentions them.
#include "Emit/Cuda/Printer.h"

#include "Program/Joined.h"

#include <algorithm>

namespace sluice::cuda {

ParameterPrinter::ParameterPrinter(PrinterState &state, PrinterParts &parts)
    : PrinterPart(state, parts), plan_(launchPlan(program_, names_.takeKernel(program_.name))) {
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

/// A tensor more than the program has; yields its parameter.
std::string ParameterPrinter::addMemory(Tensor tensor, const std::string &type) {
  const std::string wanted = tensor.name + "Global";
  plan_.tensors.push_back(std::move(tensor));
  plan_.extentNames.emplace_back();
  memoryTypes_.push_back(type);
  return parameter(KernelParameter::pointer, int(plan_.tensors.size()) - 1, 0, wanted);
}

std::string ParameterPrinter::parameterType(const KernelParameter &p) const {
  if (p.kind == KernelParameter::tensorMap)
    return "const __grid_constant__ TensorMap ";
  if (p.kind == KernelParameter::stride)
    return "i64 ";
  if (p.kind == KernelParameter::argument)
    return program_.arguments[p.object].type == DType::f32 ? "float " : "int ";
  if (p.kind != KernelParameter::pointer)
    return "int ";
  if (p.object >= int(program_.tensors.size()))
    return memoryTypes_[size_t(p.object) - program_.tensors.size()];
  const Tensor &tensor = program_.tensors[p.object];
  return std::string(tensor.output || !tensor.input ? "" : "const ") + typeName(tensor.type) + " *";
}

Text ParameterPrinter::signature() const {
  Text t;
  std::string cluster;
  if (plan_.cluster[0] * plan_.cluster[1] * plan_.cluster[2] > 1)
    cluster = " __cluster_dims__(" + number(plan_.cluster[0]) + ", " + number(plan_.cluster[1]) +
              ", " + number(plan_.cluster[2]) + ")";
  std::string list;
  for (const KernelParameter &p : plan_.parameters) {
    list += (list.empty() ? "" : ", ") + parameterType(p) + p.name;
  }
  t.line("extern \"C\" __global__ void" + cluster + " __launch_bounds__(" + number(plan_.threads) +
         ", " + number(program_.ctasPerSm) + ")");
  t.open(plan_.kernel + "(" + list + ") {");
  return t;
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

/// TMA reads a map from memory at its first use; asked for at once, it comes while barriers are set
/// up and the kernel before ends.
void ParameterPrinter::prefetchMaps(Text &text) const {
  const auto isMap = [](const KernelParameter &p) { return p.kind == KernelParameter::tensorMap; };
  if (std::none_of(plan_.parameters.begin(), plan_.parameters.end(), isMap))
    return;
  text.open("if (ctaWarp == 0 && electLane()) {");
  for (const KernelParameter &p : plan_.parameters)
    if (isMap(p))
      text.line("tmaPrefetch(" + p.name + ");");
  text.close("}");
}

} // namespace sluice::cuda
