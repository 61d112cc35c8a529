// Tensor maps and memory beside the program's, and the signature of the kernel.
#include "Emit/Cuda/Printer.h"

#include "Program/Joined.h"

#include <algorithm>

namespace sluice::cuda {

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
  if (p.kind != KernelParameter::pointer)
    return numberType(p);
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
