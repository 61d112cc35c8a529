// Tensor maps: what the copy engine is told of a tensor, encoded by the driver and kept.
#pragma once

#include "Launch/LaunchPlan.h"
#include "Runtime/Driver.h"

#include <array>
#include <mutex>
#include <optional>
#include <vector>

namespace sluice {

/// What a map says of its tensor at a launch; a map is a function of it.
struct TensorMapKey {
  int map = -1; // index into LaunchPlan::maps; -1: none
  CUdeviceptr address = 0;
  std::array<uint64_t, 5> extents{}, strides{}; // of the map's dimensions; strides in bytes
  bool operator==(const TensorMapKey &) const = default;
};

TensorMapKey tensorMapKey(const LaunchPlan &plan, int map, const TensorArgument &tensor);

/// Of a tensor without elements: a map cannot say 0, so this one has a single element, at `blank`,
/// and all around it is filled with zero.
TensorMapKey emptyTensorMapKey(const LaunchPlan &plan, int map, CUdeviceptr blank);

/// cuTensorMapEncodeTiled.
std::optional<Error> encodeTensorMap(const LaunchPlan &plan, const TensorMapKey &key,
                                     CUtensorMap &map);

/// The maps that were used last, for any number of threads. It never grows.
class TensorMapCache {
public:
  TensorMapCache() : sets_(setCount) {}
  /// Copies the map out, encoded now where it was not kept.
  std::optional<Error> find(const LaunchPlan &plan, const TensorMapKey &key, CUtensorMap &map);

private:
  static constexpr size_t setCount = 64, ways = 4;
  struct Entry {
    TensorMapKey key;
    CUtensorMap map;
  };
  struct Set {
    std::array<Entry, ways> entries;
    size_t oldest = 0;
  };

  std::mutex mutex_;
  std::vector<Set> sets_;
};

} // namespace sluice
