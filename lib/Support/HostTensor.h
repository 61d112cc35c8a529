// A tensor in host memory: what .npy files hold, what a run reads and writes. Numbers of 4 and 6
// bits have a byte each (PackedFloats.h).
#pragma once

#include "Support/ElementType.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sluice {

struct HostTensor {
  DType type = DType::f32;
  std::vector<int64_t> extents;
  std::vector<int64_t> strides; // elements
  std::vector<std::byte> bytes;

  /// Dense tensor whose dimension `minor` is contiguous, the others in order; zero bytes.
  static HostTensor dense(DType type, std::vector<int64_t> extents, int minor);

  int64_t elements() const; // product of extents
  double at(const std::vector<int64_t> &index) const;
  void set(const std::vector<int64_t> &index, double value); // rounds to nearest even
};

/// All elements in row-major order: as integers, and from such.
std::vector<int64_t> integersOf(const HostTensor &tensor);
void setIntegers(HostTensor &tensor, const std::vector<int64_t> &integers);

/// Bytes as a GPU has them: numbers of 4 and 6 bits packed (PackedFloats.h).
std::vector<std::byte> bytesOfDevice(const HostTensor &tensor);

/// One element in memory, as double, and back, as roundTo().
double loadElement(DType type, const std::byte *from);
void storeElement(DType type, std::byte *to, double value);
/// Many elements at once; the fast path of the virtual machine.
void loadElements(DType type, const std::byte *from, int64_t count, float *to);
void storeElements(DType type, const float *from, int64_t count, std::byte *to);

} // namespace sluice
