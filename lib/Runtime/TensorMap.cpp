#include "Runtime/TensorMap.h"

#include "Program/Strides.h"

#include <algorithm>

namespace sluice {
namespace {

/// CUtensorMapDataType of cuda.h; -1 where the copy engine has no such type.
int mapType(DType type) {
  switch (type) {
  case DType::f32:
  case DType::tf32: // bits as they are: TFLOAT32 would round, which copies by threads do not
    return 7;
  case DType::f16:
    return 6;
  case DType::bf16:
    return 9;
  case DType::i32:
    return 3;
  case DType::s8:
  case DType::ue8m0:
  case DType::e2m1x2: // pairs lie in shared memory as in global memory
  case DType::e4m3:
  case DType::e5m2:
    return 0;       // bytes
  case DType::e2m1: // 16U4_ALIGN16B
    return 14;
  case DType::e2m3:
  case DType::e3m2: // 16U6_ALIGN16B
    return 15;
  default:
    return -1;
  }
}

/// CUtensorMapL2promotion of cuda.h.
int promotionOf(const TensorMapPlan &plan, const TensorMapKey &key) {
  const auto *first = key.strides.begin(), *last = first + plan.dims.size() - 1;
  const bool divides = plan.promotion > 0 && std::all_of(first, last, [&](uint64_t s) {
                         return s % uint64_t(plan.promotion) == 0;
                       });
  const int64_t bytes = divides ? plan.promotion : plan.promotionOtherwise;
  return bytes == 256 ? 3 : bytes == 128 ? 2 : bytes == 64 ? 1 : 0;
}

size_t hashOf(const TensorMapKey &key) {
  uint64_t hash = key.address ^ uint64_t(key.map) << 56;
  for (const auto *numbers : {&key.extents, &key.strides})
    for (uint64_t n : *numbers)
      hash = (hash ^ n) * 0x9e3779b97f4a7c15; // Fibonacci hashing
  return hash >> 32;
}

} // namespace

/// The stride of a single index is never used, yet must be a multiple of 16, or 32 (R52).
TensorMapKey tensorMapKey(const LaunchPlan &plan, int map, const TensorArgument &tensor) {
  const TensorMapPlan &m = plan.maps[map];
  const DType type = plan.tensors[m.tensor].type;
  const auto unit = uint64_t(alignmentOfTma(type));
  TensorMapKey key{map, tensor.address};
  for (size_t i = 0; i < m.dims.size(); ++i) {
    const int dim = m.dims[i];
    const MapPart part = m.part(i);
    key.extents[i] = uint64_t(part.extent ? part.extent : tensor.extents[dim]);
    const auto stride = uint64_t(bytesInTensors(type, tensor.strides[dim] * part.step));
    if (i > 0)
      key.strides[i - 1] = key.extents[i] > 1 ? stride : (stride + unit - 1) / unit * unit;
  }
  return key;
}

TensorMapKey emptyTensorMapKey(const LaunchPlan &plan, int map, CUdeviceptr blank) {
  TensorMapKey key{map, blank};
  const DType type = plan.tensors[plan.maps[map].tensor].type;
  for (size_t i = 0; i < plan.maps[map].dims.size(); ++i) {
    key.extents[i] = isPacked(type) && i == 0 ? packedLine : 1;
    if (i > 0)
      key.strides[i - 1] = uint64_t(alignmentOfTma(type));
  }
  return key;
}

std::optional<Error> encodeTensorMap(const LaunchPlan &plan, const TensorMapKey &key,
                                     CUtensorMap &map) {
  constexpr int noInterleave = 0, fillZero = 0;
  const TensorMapPlan &m = plan.maps[key.map];
  const Tensor &tensor = plan.tensors[m.tensor];
  const Driver &d = **Driver::get();
  uint32_t box[5] = {}, steps[5] = {1, 1, 1, 1, 1};
  std::copy(m.box.begin(), m.box.end(), box);
  const int swizzle = m.swizzle == 128 ? 3 : m.swizzle == 64 ? 2 : m.swizzle == 32 ? 1 : 0;
  if (CUresult r = d.tensorMapEncodeTiled(&map, mapType(tensor.type), uint32_t(m.dims.size()),
                                          reinterpret_cast<void *>(key.address), key.extents.data(),
                                          key.strides.data(), box, steps, noInterleave, swizzle,
                                          promotionOf(m, key), fillZero))
    return d.error("cuTensorMapEncodeTiled", "kernel " + plan.kernel + ", tensor " + tensor.name,
                   r);
  return std::nullopt;
}

std::optional<Error> TensorMapCache::find(const LaunchPlan &plan, const TensorMapKey &key,
                                          CUtensorMap &map) {
  Set &set = sets_[hashOf(key) % setCount];
  {
    std::lock_guard lock(mutex_);
    for (const Entry &entry : set.entries)
      if (entry.key == key) {
        map = entry.map;
        return std::nullopt;
      }
  }
  if (auto failed = encodeTensorMap(plan, key, map))
    return failed;
  std::lock_guard lock(mutex_);
  set.entries[set.oldest] = {key, map};
  set.oldest = (set.oldest + 1) % ways;
  return std::nullopt;
}

} // namespace sluice
