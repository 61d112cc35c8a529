#include "Host/HostRun.h"

#include "Host/HostCompile.h"
#include "Host/HostMachine.h"
#include "Program/TensorShape.h"
#include "Runtime/TensorMap.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sluice {
namespace host {
namespace {

values::Element elementOf(DType type) {
  return type == DType::f16    ? values::Element::f16
         : type == DType::bf16 ? values::Element::bf16
         : type == DType::i32  ? values::Element::i32
                               : values::Element::f32;
}

/// What cuTensorMapEncodeTiled takes; "" where it does.
std::string refused(const TensorMap &map) {
  const uint32_t unit = map.packedBits ? 32 : 16;
  if (reinterpret_cast<uintptr_t>(map.address) % unit)
    return "its address is no multiple of " + std::to_string(unit);
  if (map.packedBits && (map.box[0] != 128 || map.extents[0] % 128 || map.swizzle != 128))
    return "numbers of 4 and 6 bits come by 128, of a multiple of 128, swizzled by 128 bytes";
  const uint32_t inner = map.box[0] * uint32_t(map.elementBytes);
  if (inner % 16 || (map.swizzle && inner != uint32_t(map.swizzle)))
    return "a box has lines of " + std::to_string(inner) + " bytes under a swizzle of " +
           std::to_string(map.swizzle);
  for (int d = 0; d < map.rank; ++d) {
    if (map.box[d] == 0 || map.box[d] > 256)
      return "a side of a box is " + std::to_string(map.box[d]);
    if (d > 0 && map.strides[d] % unit)
      return "a stride of " + std::to_string(map.strides[d]) + " bytes";
  }
  return "";
}

/// Everything that a launch passes.
class Parameters {
public:
  Parameters(const LaunchPlan &plan, const LaunchArguments &with) {
    for (const KernelParameter &p : plan.parameters)
      add(plan, with, p);
    for (size_t i = 0; i < plan.parameters.size(); ++i)
      places_.push_back(plan.parameters[i].kind == KernelParameter::tensorMap
                            ? static_cast<void *>(&maps_[size_t(numbers_[i])])
                            : &numbers_[i]);
  }
  void **places() { return places_.data(); }
  const std::string &wrong() const { return wrong_; }

private:
  void add(const LaunchPlan &plan, const LaunchArguments &with, const KernelParameter &p) {
    const TensorArgument *tensor =
        p.kind == KernelParameter::tensorMap  ? &with.tensors[size_t(plan.maps[p.object].tensor)]
        : p.kind == KernelParameter::argument ? nullptr
                                              : &with.tensors[size_t(p.object)];
    switch (p.kind) {
    case KernelParameter::tensorMap:
      numbers_.push_back(int64_t(maps_.size()));
      maps_.push_back(mapOf(plan, p.object, *tensor));
      break;
    case KernelParameter::pointer:
      numbers_.push_back(int64_t(tensor->address));
      break;
    case KernelParameter::extent:
      numbers_.push_back(tensor->extents[p.dim]);
      break;
    case KernelParameter::stride:
      numbers_.push_back(tensor->strides[p.dim]);
      break;
    case KernelParameter::argument:
      numbers_.push_back(with.integers[size_t(p.object)]);
      break;
    }
  }
  TensorMap mapOf(const LaunchPlan &plan, int number, const TensorArgument &tensor) {
    const TensorMapPlan &m = plan.maps[number];
    const Tensor &of = plan.tensors[m.tensor];
    const TensorMapKey key = tensor.isEmpty() ? emptyTensorMapKey(plan, number, uint64_t(blank_))
                                              : tensorMapKey(plan, number, tensor);
    TensorMap map{};
    map.tensor = of.name.c_str();
    map.address = reinterpret_cast<unsigned char *>(key.address);
    map.rank = int(m.dims.size());
    map.elementBytes = int(byteSize(of.type));
    map.packedBits = isPacked(of.type) ? int(bitsInTensors(of.type)) : 0;
    map.element = int(elementOf(of.type));
    map.swizzle = int(m.swizzle);
    map.strides[0] = uint64_t(map.elementBytes);
    for (size_t d = 0; d < m.dims.size(); ++d) {
      map.extents[d] = key.extents[d];
      map.box[d] = uint32_t(m.box[d]);
      if (d > 0)
        map.strides[d] = key.strides[d - 1];
    }
    if (const std::string why = refused(map); !why.empty() && wrong_.empty())
      wrong_ = "the tensor map of " + of.name + " cannot be: " + why;
    return map;
  }

  alignas(32) std::byte blank_[128] = {}; // of tensors without elements
  std::vector<TensorMap> maps_;
  std::vector<int64_t> numbers_; // little-endian: an int is a prefix
  std::vector<void *> places_;
  std::string wrong_;
};

/// In the child: what it has to say, "" where all went well.
std::string launch(const std::string &library, const LaunchPlan &plan, const GridShape &shape,
                   const LaunchArguments &with, const TensorMemory &memory) {
  void *loaded = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  auto *kernel = loaded ? static_cast<values::Kernel *>(::dlsym(loaded, "sluiceKernel")) : nullptr;
  if (!kernel)
    return "cannot load the compiled text: " + std::string(::dlerror());
  Parameters parameters(plan, with);
  if (!parameters.wrong().empty())
    return parameters.wrong();
  Grid grid(shape, *kernel, parameters.places());
  HostMachine machine(grid, memory);
  *kernel->machine = &machine;
  return grid.run();
}

/// Waits for the child; what it said, or how it ended.
std::string endOf(pid_t child, const TensorMemory &memory) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return std::strerror(errno);
  if (WIFSIGNALED(status))
    return "it ends by signal " + std::to_string(WTERMSIG(status)) + " (" +
           ::strsignal(WTERMSIG(status)) + ")";
  return WEXITSTATUS(status) ? memory.message() : "";
}

std::string launchApart(const std::string &library, const LaunchPlan &plan, const GridShape &shape,
                        const LaunchArguments &with, const TensorMemory &memory) {
  std::fflush(nullptr); // what is held back would be written twice
  const pid_t child = ::fork();
  if (child < 0)
    return std::strerror(errno);
  if (child > 0)
    return endOf(child, memory);
  const std::string wrong = launch(library, plan, shape, with, memory);
  std::snprintf(memory.message(), TensorMemory::messageBytes, "%s", wrong.c_str());
  std::fflush(stdout); // of tiles as text
  ::_exit(wrong.empty() ? 0 : 1);
}

} // namespace
} // namespace host

std::optional<Error> runOnHost(const EmittedSource &source, const std::vector<int64_t> &arguments,
                               std::vector<HostTensor> &tensors) {
  const LaunchPlan &plan = source.plan;
  const Launch launch = passedOf(plan, arguments, tensors);
  auto memory = host::TensorMemory::make(plan, tensors);
  if (!memory)
    return memory.error();
  std::vector<uint64_t> addresses;
  for (size_t i = 0; i < tensors.size(); ++i)
    addresses.push_back(reinterpret_cast<uint64_t>(memory->address(i)));
  const auto passed = tensorArguments(plan, launch, addresses);
  const LaunchArguments with{passed, launch.arguments};
  if (auto wrong = checkArguments(plan, with))
    return wrong;
  host::GridShape shape{{}, plan.cluster, plan.threads / host::lanesOfWarp, plan.sharedBytes};
  if (auto wrong = launchGrid(plan.grid, plan.kernel, plan.cluster, with, shape.grid))
    return wrong;
  if (std::find(shape.grid.begin(), shape.grid.end(), 0) == shape.grid.end()) {
    auto compiled = host::compileForHost(source);
    if (!compiled)
      return compiled.error();
    const std::string wrong = host::launchApart(compiled->library, plan, shape, with, *memory);
    if (!wrong.empty())
      return inputError("the printed text of kernel " + plan.kernel + " on the host: " + wrong);
  }
  return memory->copyOut(plan, tensors);
}

} // namespace sluice
