#include "Runtime/Run.h"

#include "Program/TensorShape.h"
#include "Program/WorkspaceCounters.h"
#include "Runtime/Compile.h"
#include "Runtime/DeviceMemory.h"
#include "Runtime/Timing.h"

namespace sluice {
namespace {

/// Copies in; tensors that the kernel does not read are poisoned: all bits set is NaN in every
/// floating-point type. Counters of a workspace are zero.
std::optional<Error> upload(const Driver &d, const Tensor &t, const HostTensor &host,
                            const DeviceMemory &memory) {
  if (!memory.bytes())
    return std::nullopt;
  if (!t.input) {
    if (CUresult r = d.memsetD8(memory.address(), holdsCounters(t) ? 0 : 0xff, memory.bytes()))
      return d.error("cuMemsetD8", "tensor " + t.name, r);
  } else if (CUresult r =
                 d.copyToDevice(memory.address(), bytesOfDevice(host).data(), memory.bytes())) {
    return d.error("cuMemcpyHtoD", "tensor " + t.name, r);
  }
  return std::nullopt;
}

/// Memory of every tensor on the device, filled.
Result<std::vector<DeviceMemory>> place(const Driver &d, const LaunchPlan &plan,
                                        const std::vector<HostTensor> &tensors) {
  std::vector<DeviceMemory> memories;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor &t = plan.tensors[i];
    if (tensors[i].type != t.type)
      return inputError("kernel " + plan.kernel + ", tensor " + t.name + ": its elements are " +
                        std::string(name(t.type)) + ", not " + std::string(name(tensors[i].type)));
    auto memory = DeviceMemory::allocate(
        bytesInTensors(t.type, int64_t(tensors[i].bytes.size()) / byteSize(t.type)),
        "tensor " + t.name);
    if (!memory)
      return memory.error();
    if (auto failed = upload(d, t, tensors[i], *memory))
      return *failed;
    memories.push_back(std::move(*memory));
  }
  return memories;
}

} // namespace

Result<RunResult> runOnCuda(const LaunchPlan &plan, const std::string &cubin,
                            const std::vector<int64_t> &arguments, std::vector<HostTensor> &tensors,
                            const CudaRunOptions &options) {
  const Launch launch = passedOf(plan, arguments, tensors);
  if (auto wrong = checkShapes(plan, {tensorArguments(plan, launch), launch.arguments}))
    return *wrong;
  auto device = cudaDevice();
  if (!device)
    return device.error();
  const Driver &d = **Driver::get();
  auto kernel = DeviceKernel::load(plan, cubin);
  if (!kernel)
    return kernel.error();
  auto memories = place(d, plan, tensors);
  if (!memories)
    return memories.error();
  std::vector<CUdeviceptr> bases;
  for (const DeviceMemory &m : *memories)
    bases.push_back(m.address());
  auto bound = kernel->bind({tensorArguments(plan, launch, bases), launch.arguments});
  if (!bound)
    return bound.error();
  if (options.before > 0) {
    if (auto warm = timeLaunches(*bound, options.before); !warm)
      return warm.error();
    for (size_t i = 0; i < tensors.size(); ++i)
      if (auto failed = upload(d, plan.tensors[i], tensors[i], (*memories)[i]))
        return *failed;
  }
  auto ms = timeLaunches(*bound, 1);
  if (!ms)
    return ms.error();
  for (size_t i = 0; i < tensors.size(); ++i)
    if (plan.tensors[i].output && !tensors[i].bytes.empty())
      if (CUresult r = d.copyToHost(tensors[i].bytes.data(), bases[i], tensors[i].bytes.size()))
        return d.error("cuMemcpyDtoH", "tensor " + plan.tensors[i].name, r);
  if (options.repeats > 0) {
    if (options.warmups > 0)
      ms = timeLaunches(*bound, options.warmups);
    if (ms)
      ms = timeLaunches(*bound, options.repeats);
    if (!ms)
      return ms.error();
  }
  return RunResult{*ms, device->name};
}

Result<RunResult> runOnCuda(const EmittedSource &source, const std::vector<int64_t> &arguments,
                            std::vector<HostTensor> &tensors, const CudaRunOptions &options) {
  if (auto device = cudaDevice(); !device) // before the time of a compilation is spent
    return device.error();
  auto cubin = compileCuda(source.text, source.plan.kernel, source.plan.target);
  if (!cubin)
    return cubin.error();
  return runOnCuda(source.plan, *cubin, arguments, tensors, options);
}

} // namespace sluice
