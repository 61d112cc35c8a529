#include "Runtime/DeviceKernel.h"

#include "Runtime/Context.h"
#include "Runtime/TensorMap.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace sluice {

struct KernelState {
  /// The kernel on one device.
  struct Loaded {
    CUcontext context = nullptr;
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    CUdeviceptr blank = 0; // where the maps of tensors without elements point
  };
  /// Zeros that are read, then bytes that may be written: what a map cannot help touching.
  static constexpr int64_t blankBytes = 256, blankOutput = 128;

  LaunchPlan plan;
  std::string cubin;
  std::vector<uint32_t> offsets; // of the parameters in BoundLaunch::bytes_
  mutable TensorMapCache maps;
  mutable std::mutex loading;
  mutable std::array<std::atomic<Loaded *>, maxDevices> onDevice{};

  ~KernelState();
  std::optional<Error> layOut();
  std::optional<Error> load(int device) const;
  std::optional<Error> setAttributes(const Driver &d, CUfunction function) const;
  std::optional<Error> makeBlank(const Driver &d, CUdeviceptr &blank) const;
  void unload(const Driver &d, const Loaded &l) const;
  const Loaded *loaded(int device) const {
    return device >= 0 && device < maxDevices ? onDevice[device].load(std::memory_order_acquire)
                                              : nullptr;
  }
  TensorMapKey keyOf(int map, const LaunchArguments &with, int device) const;
  std::optional<Error> fill(const LaunchArguments &with, int device, std::byte *bytes) const;
  std::optional<Error> bind(const LaunchArguments &with, int device, BoundLaunch &bound) const;
};

namespace {

size_t sizeOf(KernelParameter::Kind kind) {
  switch (kind) {
  case KernelParameter::tensorMap:
    return sizeof(CUtensorMap);
  case KernelParameter::pointer:
  case KernelParameter::stride:
    return 8;
  default:
    return 4;
  }
}

std::string aboutDevice(const LaunchPlan &plan, int device) {
  return "kernel " + plan.kernel + ", device " + std::to_string(device);
}

/// Whether the device runs code for the kernel's target: "a" targets run on their own generation
/// only (CUDA C++ Programming Guide, "Architecture-Specific Features").
std::optional<Error> checkDevice(const LaunchPlan &plan, int device) {
  auto about = describeDevice(device);
  if (!about)
    return about.error();
  const int wanted = plan.target == Target::sm_100a ? 100 : 90;
  if (about->capability == wanted && !isAscend(plan.target))
    return std::nullopt;
  return inputError("kernel " + plan.kernel + " is for " + std::string(name(plan.target)) +
                    ", and " + about->name + " has compute capability " +
                    std::to_string(about->capability / 10) + "." +
                    std::to_string(about->capability % 10));
}

} // namespace

KernelState::~KernelState() {
  for (auto &slot : onDevice)
    if (Loaded *l = slot.load()) {
      const Driver &d = **Driver::get();
      CurrentContext current;
      const char *call = nullptr;
      if (!current.enter(d, l->context, call))
        unload(d, *l);
      delete l;
    }
}

void KernelState::unload(const Driver &d, const Loaded &l) const {
  d.moduleUnload(l.module);
  if (l.blank)
    d.memFree(l.blank);
}

std::optional<Error> KernelState::makeBlank(const Driver &d, CUdeviceptr &blank) const {
  const std::string about = "kernel " + plan.kernel + ", " + std::to_string(blankBytes) + " bytes";
  if (CUresult r = d.memAlloc(&blank, blankBytes))
    return d.error("cuMemAlloc", about, r);
  if (CUresult r = d.memsetD8(blank, 0, blankBytes))
    return d.error("cuMemsetD8", about, r);
  if (CUresult r = d.contextSynchronize()) // launches may be on any stream
    return d.error("cuCtxSynchronize", about, r);
  return std::nullopt;
}

std::optional<Error> KernelState::layOut() {
  size_t end = 0;
  for (const KernelParameter &p : plan.parameters) {
    const size_t size = sizeOf(p.kind), unit = std::min<size_t>(size, alignof(CUtensorMap));
    end = (end + unit - 1) / unit * unit;
    offsets.push_back(static_cast<uint32_t>(end));
    end += size;
  }
  if (end > BoundLaunch::maxBytes || offsets.size() > BoundLaunch::maxParameters)
    return unsupportedError("kernel " + plan.kernel + " takes " + std::to_string(offsets.size()) +
                            " parameters of " + std::to_string(end) + " bytes; the limits are " +
                            std::to_string(BoundLaunch::maxParameters) + " and " +
                            std::to_string(BoundLaunch::maxBytes));
  return std::nullopt;
}

std::optional<Error> KernelState::setAttributes(const Driver &d, CUfunction function) const {
  // CUfunction_attribute of cuda.h; clusters of up to 8 CTAs are portable (CUDA C++ Programming
  // Guide, "Thread Block Clusters").
  constexpr int maxDynamicSharedBytes = 8, nonPortableClusters = 14;
  if (CUresult r = d.functionSetAttribute(function, maxDynamicSharedBytes, int(plan.sharedBytes)))
    return d.error("cuFuncSetAttribute",
                   "kernel " + plan.kernel + ", " + std::to_string(plan.sharedBytes) +
                       " bytes of shared memory",
                   r);
  const int64_t ctas = plan.cluster[0] * plan.cluster[1] * plan.cluster[2];
  if (ctas > 8)
    if (CUresult r = d.functionSetAttribute(function, nonPortableClusters, 1))
      return d.error("cuFuncSetAttribute",
                     "kernel " + plan.kernel + ", clusters of " + std::to_string(ctas) + " CTAs",
                     r);
  return std::nullopt;
}

std::optional<Error> KernelState::load(int device) const {
  auto context = primaryContext(device);
  if (!context)
    return context.error();
  std::lock_guard lock(loading);
  if (loaded(device))
    return std::nullopt;
  if (auto wrong = checkDevice(plan, device))
    return wrong;
  const Driver &d = **Driver::get();
  CurrentContext current;
  const char *call = nullptr;
  if (CUresult r = current.enter(d, *context, call))
    return d.error(call, aboutDevice(plan, device), r);
  Loaded l{*context};
  if (CUresult r = d.moduleLoadData(&l.module, cubin.data()))
    return d.error("cuModuleLoadData", aboutDevice(plan, device), r);
  std::optional<Error> failed;
  if (CUresult r = d.moduleGetFunction(&l.function, l.module, plan.kernel.c_str()))
    failed = d.error("cuModuleGetFunction", aboutDevice(plan, device), r);
  else
    failed = setAttributes(d, l.function);
  if (!failed && !plan.maps.empty())
    failed = makeBlank(d, l.blank);
  if (failed)
    unload(d, l);
  else
    onDevice[device].store(new Loaded(l), std::memory_order_release);
  return failed;
}

TensorMapKey KernelState::keyOf(int map, const LaunchArguments &with, int device) const {
  const int tensor = plan.maps[map].tensor;
  if (!with.tensors[tensor].isEmpty())
    return tensorMapKey(plan, map, with.tensors[tensor]);
  const int64_t offset = plan.tensors[tensor].input ? 0 : blankOutput;
  return emptyTensorMapKey(plan, map, loaded(device)->blank + uint64_t(offset));
}

/// Writes every parameter. x86-64 and arm64 are little-endian: an int is a prefix.
std::optional<Error> KernelState::fill(const LaunchArguments &with, int device,
                                       std::byte *bytes) const {
  for (size_t i = 0; i < offsets.size(); ++i) {
    const KernelParameter &p = plan.parameters[i];
    std::byte *at = bytes + offsets[i];
    if (p.kind == KernelParameter::tensorMap) {
      CUtensorMap map;
      if (auto failed = maps.find(plan, keyOf(p.object, with, device), map))
        return failed;
      std::memcpy(at, &map, sizeof map);
      continue;
    }
    const int64_t value =
        p.kind == KernelParameter::pointer    ? static_cast<int64_t>(with.tensors[p.object].address)
        : p.kind == KernelParameter::argument ? with.integers[p.object]
        : p.kind == KernelParameter::extent   ? with.tensors[p.object].extents[p.dim]
                                              : with.tensors[p.object].strides[p.dim];
    std::memcpy(at, &value, sizeOf(p.kind));
  }
  return std::nullopt;
}

std::optional<Error> KernelState::bind(const LaunchArguments &with, int device,
                                       BoundLaunch &bound) const {
  if (auto wrong = checkArguments(plan, with))
    return wrong;
  if (auto wrong = launchGrid(plan.grid, plan.kernel, plan.cluster, with, bound.grid_))
    return wrong;
  if (!loaded(device))
    if (auto failed = load(device))
      return failed;
  bound.kernel_ = this;
  bound.device_ = device;
  return fill(with, device, bound.bytes_);
}

std::optional<Error> BoundLaunch::launch(CUstream stream) const {
  constexpr int programmaticStreamSerialization = 6; // CUlaunchAttributeID of cuda.h
  if (std::find(grid_.begin(), grid_.end(), 0) != grid_.end())
    return std::nullopt;
  const LaunchPlan &plan = kernel_->plan;
  const KernelState::Loaded *l = kernel_->loaded(device_);
  const Driver &d = **Driver::get();
  CurrentContext current;
  const char *call = nullptr;
  if (CUresult r = current.enter(d, l->context, call))
    return d.error(call, aboutDevice(plan, device_), r);
  void *parameters[maxParameters];
  for (size_t i = 0; i < kernel_->offsets.size(); ++i)
    parameters[i] = const_cast<std::byte *>(bytes_ + kernel_->offsets[i]);
  CUlaunchAttribute overlap{programmaticStreamSerialization, 0, {1}};
  const CUlaunchConfig config{unsigned(grid_[0]),
                              unsigned(grid_[1]),
                              unsigned(grid_[2]),
                              unsigned(plan.threads),
                              1,
                              1,
                              unsigned(plan.sharedBytes),
                              stream,
                              &overlap,
                              plan.overlapsPrevious ? 1u : 0u};
  if (CUresult r = d.launchKernel(&config, l->function, parameters, nullptr))
    return d.error("cuLaunchKernelEx", aboutDevice(plan, device_), r);
  return std::nullopt;
}

DeviceKernel::DeviceKernel(std::unique_ptr<KernelState> state) : state_(std::move(state)) {}
DeviceKernel::DeviceKernel(DeviceKernel &&) noexcept = default;
DeviceKernel::~DeviceKernel() = default;

Result<DeviceKernel> DeviceKernel::create(LaunchPlan plan, std::string cubin) {
  auto state = std::make_unique<KernelState>();
  state->plan = std::move(plan);
  state->cubin = std::move(cubin);
  if (auto failed = state->layOut())
    return *failed;
  return DeviceKernel(std::move(state));
}

Result<DeviceKernel> DeviceKernel::load(LaunchPlan plan, std::string cubin) {
  auto kernel = create(std::move(plan), std::move(cubin));
  if (!kernel)
    return kernel;
  if (auto failed = kernel->prepare(0))
    return *failed;
  return kernel;
}

const LaunchPlan &DeviceKernel::plan() const {
  return state_->plan;
}

std::optional<Error> DeviceKernel::prepare(int device) const {
  return state_->load(device);
}

Result<BoundLaunch> DeviceKernel::bind(const LaunchArguments &arguments, int device) const {
  BoundLaunch bound;
  if (auto wrong = state_->bind(arguments, device, bound))
    return *wrong;
  return bound;
}

std::optional<Error> DeviceKernel::launch(const LaunchArguments &arguments, int device,
                                          CUstream stream) const {
  BoundLaunch bound;
  if (auto wrong = state_->bind(arguments, device, bound))
    return wrong;
  return bound.launch(stream);
}

} // namespace sluice
