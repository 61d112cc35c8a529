#include "Runtime/DeviceKernel.h"

#include <algorithm>

namespace sluice {

Result<DeviceMemory> DeviceMemory::allocate(int64_t bytes, const std::string &about) {
  auto driver = Driver::get();
  if (!driver)
    return driver.error();
  CUdeviceptr address = 0;
  if (CUresult r = (*driver)->memAlloc(&address, std::max<int64_t>(bytes, 16)))
    return (*driver)->error("cuMemAlloc", about + ", " + std::to_string(bytes) + " bytes", r);
  return DeviceMemory(address, bytes);
}

DeviceMemory::~DeviceMemory() {
  if (address_)
    (*Driver::get())->memFree(address_);
}

Result<DeviceKernel> DeviceKernel::load(const LaunchPlan &plan, const std::string &cubin) {
  constexpr int maxDynamicSharedBytes = 8; // CUfunction_attribute of cuda.h
  auto device = cudaDevice();
  if (!device)
    return device.error();
  if (device->capability != 90)
    return inputError("kernel " + plan.kernel + " is for sm_90a, and " + device->name +
                      " has compute capability " + std::to_string(device->capability / 10) + "." +
                      std::to_string(device->capability % 10));
  const Driver &d = **Driver::get();
  std::string about = "kernel " + plan.kernel;
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  if (CUresult r = d.moduleLoadData(&module, cubin.data()))
    return d.error("cuModuleLoadData", about, r);
  DeviceKernel kernel(plan, module, nullptr);
  if (CUresult r = d.moduleGetFunction(&function, module, plan.kernel.c_str()))
    return d.error("cuModuleGetFunction", about, r);
  if (CUresult r = d.functionSetAttribute(function, maxDynamicSharedBytes,
                                          static_cast<int>(plan.sharedBytes)))
    return d.error("cuFuncSetAttribute",
                   about + ", " + std::to_string(plan.sharedBytes) + " bytes of shared memory", r);
  kernel.function_ = function;
  return kernel;
}

DeviceKernel::~DeviceKernel() {
  if (module_)
    (*Driver::get())->moduleUnload(module_);
}

std::optional<Error> checkLaunch(const Program &program, const Launch &launch) {
  auto refuse = [&](const Tensor &t, const std::string &why) {
    return inputError("kernel " + program.name + ", tensor " + t.name + ": " + why, t.loc);
  };
  if (launch.tensors.size() != program.tensors.size() ||
      launch.arguments.size() != program.arguments.size())
    return inputError("kernel " + program.name + " takes " +
                      std::to_string(program.tensors.size()) + " tensors and " +
                      std::to_string(program.arguments.size()) + " arguments");
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const Tensor &t = program.tensors[i];
    const Launch::Shape &s = launch.tensors[i];
    if (int(s.extents.size()) != t.rank || int(s.strides.size()) != t.rank)
      return refuse(t, "its rank is " + std::to_string(t.rank) + ", not " +
                           std::to_string(s.extents.size()));
    if (t.rank > 0 && s.strides[t.minor] != 1)
      return refuse(t, "dimension " + std::to_string(t.minor) + " must be contiguous");
    for (int d = 0; d < t.rank; ++d) {
      if (s.extents[d] < 0 || s.extents[d] > INT32_MAX)
        return refuse(t, "an extent of " + std::to_string(s.extents[d]) +
                             " does not fit printed code, the limit is 2^31 - 1");
      if (d < int(t.extents.size()) && t.extents[d] >= 0 && t.extents[d] != s.extents[d])
        return refuse(t, "its type fixes dimension " + std::to_string(d) + " at " +
                             std::to_string(t.extents[d]) + ", not " +
                             std::to_string(s.extents[d]));
      if (d != t.minor && s.extents[d] > 1 && s.strides[d] * byteSize(t.type) % t.align)
        return refuse(t, "the stride of dimension " + std::to_string(d) + " is " +
                             std::to_string(s.strides[d]) +
                             " elements, and the kernel assumes "
                             "multiples of " +
                             std::to_string(t.align) + " bytes");
    }
  }
  return std::nullopt;
}

namespace {

/// CUtensorMapDataType of cuda.h; -1 where the copy engine has no such type.
int mapType(DType type) {
  switch (type) {
  case DType::f32:
  case DType::tf32:
    return 7;
  case DType::f16:
    return 6;
  case DType::bf16:
    return 9;
  case DType::i32:
    return 3;
  case DType::s8:
  case DType::e4m3:
  case DType::e5m2:
    return 0; // bytes
  default:
    return -1;
  }
}

/// cuTensorMapEncodeTiled. An extent of 0 is encoded as 1: no tile of such a tensor is ever loaded.
std::optional<Error> encode(CUtensorMap &map, const TensorMapPlan &plan, const Tensor &tensor,
                            const Launch::Shape &shape, CUdeviceptr base,
                            const std::string &kernel) {
  const Driver &d = **Driver::get();
  uint32_t rank = static_cast<uint32_t>(plan.dims.size());
  uint64_t dims[5] = {}, strides[5] = {};
  uint32_t box[5] = {}, steps[5] = {1, 1, 1, 1, 1};
  int64_t size = byteSize(tensor.type);
  for (uint32_t i = 0; i < rank; ++i) {
    int dim = plan.dims[i];
    dims[i] = std::max<int64_t>(shape.extents[dim], 1);
    box[i] = static_cast<uint32_t>(plan.box[i]);
    // The stride of a single index is never used, yet must be a multiple of 16.
    if (i > 0)
      strides[i - 1] =
          dims[i] > 1 ? shape.strides[dim] * size : (shape.strides[dim] * size + 15) / 16 * 16;
  }
  int swizzle = plan.swizzle == 128 ? 3 : plan.swizzle == 64 ? 2 : plan.swizzle == 32 ? 1 : 0;
  // A box row of 128 bytes brings its neighbour into the cache, the next step's; rows that start
  // anywhere would bring two (4000 x 5000 x 3000: 0.68 of cuBLASLt's speed instead of 0.80).
  const bool aligned =
      std::all_of(strides, strides + rank - 1, [](auto s) { return s % 256 == 0; });
  const int promotion = aligned ? 3 : 2; // 256 or 128 bytes
  constexpr int noInterleave = 0, fillZero = 0;
  if (CUresult r = d.tensorMapEncodeTiled(&map, mapType(tensor.type), rank,
                                          reinterpret_cast<void *>(base), dims, strides, box, steps,
                                          noInterleave, swizzle, promotion, fillZero))
    return d.error("cuTensorMapEncodeTiled", "kernel " + kernel + ", tensor " + tensor.name, r);
  return std::nullopt;
}

} // namespace

Result<BoundLaunch> DeviceKernel::bind(const Program &program, const Launch &launch,
                                       const std::vector<CUdeviceptr> &bases) const {
  if (auto wrong = checkLaunch(program, launch))
    return *wrong;
  auto grid = launchGrid(program, launch);
  if (!grid)
    return grid.error();
  for (size_t i = 0; i < bases.size(); ++i)
    if (bases[i] % std::max<int64_t>(program.tensors[i].align, 1))
      return inputError("kernel " + plan_.kernel + ", tensor " + program.tensors[i].name +
                        ": its address is no multiple of " +
                        std::to_string(program.tensors[i].align) + " bytes");
  BoundLaunch bound;
  bound.kernel_ = plan_.kernel;
  bound.function_ = function_;
  bound.grid_ = *grid;
  bound.threads_ = plan_.threads;
  bound.sharedBytes_ = plan_.sharedBytes;
  for (const KernelParameter &p : plan_.parameters) {
    BoundLaunch::Slot slot{};
    bound.isMap_.push_back(p.kind == KernelParameter::tensorMap);
    if (p.kind == KernelParameter::tensorMap) {
      const TensorMapPlan &m = plan_.maps[p.object];
      if (auto failed = encode(slot.map, m, program.tensors[m.tensor], launch.tensors[m.tensor],
                               bases[m.tensor], plan_.kernel))
        return *failed;
    } else if (p.kind == KernelParameter::pointer) {
      slot.word = bases[p.object];
    } else if (p.kind == KernelParameter::argument) {
      slot.word = static_cast<uint64_t>(launch.arguments[p.object]);
    } else {
      const Launch::Shape &s = launch.tensors[p.object];
      slot.word =
          static_cast<uint64_t>((p.kind == KernelParameter::extent ? s.extents : s.strides)[p.dim]);
    }
    bound.slots_.push_back(slot);
  }
  return bound;
}

Result<bool> BoundLaunch::launch() const {
  if (std::find(grid_.begin(), grid_.end(), 0) != grid_.end())
    return false;
  const Driver &d = **Driver::get();
  std::vector<void *> parameters;
  for (size_t i = 0; i < slots_.size();
       ++i) // x86-64 and arm64 are little-endian: an int is a prefix
    parameters.push_back(const_cast<void *>(isMap_[i] ? static_cast<const void *>(&slots_[i].map)
                                                      : &slots_[i].word));
  if (CUresult r = d.launchKernel(function_, unsigned(grid_[0]), unsigned(grid_[1]),
                                  unsigned(grid_[2]), unsigned(threads_), 1, 1,
                                  unsigned(sharedBytes_), nullptr, parameters.data(), nullptr))
    return d.error("cuLaunchKernel", "kernel " + kernel_, r);
  return true;
}

Result<double> timeCalls(const std::function<std::optional<Error>()> &call, int repeats) {
  const Driver &d = **Driver::get();
  CUevent begin = nullptr, end = nullptr;
  float ms = 0;
  auto run = [&]() -> std::optional<Error> {
    if (CUresult r = d.eventCreate(&begin, 0))
      return d.error("cuEventCreate", "", r);
    if (CUresult r = d.eventCreate(&end, 0))
      return d.error("cuEventCreate", "", r);
    if (CUresult r = d.eventRecord(begin, nullptr))
      return d.error("cuEventRecord", "", r);
    for (int i = 0; i < repeats; ++i)
      if (auto failed = call())
        return failed;
    if (CUresult r = d.eventRecord(end, nullptr))
      return d.error("cuEventRecord", "", r);
    if (CUresult r = d.eventSynchronize(end))
      return d.error("cuEventSynchronize", "after the launch of the kernel", r);
    if (CUresult r = d.eventElapsedTime(&ms, begin, end))
      return d.error("cuEventElapsedTime", "", r);
    return std::nullopt;
  };
  std::optional<Error> failed = run();
  for (CUevent e : {begin, end})
    if (e)
      d.eventDestroy(e);
  if (failed)
    return *failed;
  return double(ms) / std::max(repeats, 1);
}

Result<double> timeLaunches(const BoundLaunch &launch, int repeats) {
  auto once = [&]() -> std::optional<Error> {
    auto launched = launch.launch();
    return launched ? std::nullopt : std::optional(launched.error());
  };
  return timeCalls(once, repeats);
}

} // namespace sluice
