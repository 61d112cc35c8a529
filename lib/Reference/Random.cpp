// Counter-based random numbers: element n of a stream needs no element before it.
#include "Reference/Reference.h"
#include "Support/E2m1.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sluice {
namespace {

/// The finaliser of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
/// generators").
uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// In (0, 1], 53 bits.
double uniform(uint64_t key, uint64_t counter) {
  uint64_t bits = mix(key + (counter + 1) * 0x9e3779b97f4a7c15ull);
  return (static_cast<double>(bits >> 11) + 1) * 0x1p-53;
}

/// Box-Muller.
double normal(uint64_t key, uint64_t element) {
  double radius = std::sqrt(-2 * std::log(uniform(key, 2 * element)));
  return radius * std::cos(2 * std::numbers::pi * uniform(key, 2 * element + 1));
}

/// What is stored for the values of a type: tf32 is f32 in memory.
DType storedAs(DType type) {
  return type == DType::tf32 ? DType::f32 : type;
}

/// Element after element in row-major order: value(n) of the n-th.
template <typename Value> void fillEach(HostTensor &tensor, Value value) {
  const DType type = storedAs(tensor.type);
  int64_t size = byteSize(type), count = tensor.elements();
  std::vector<int64_t> index(tensor.extents.size(), 0);
  for (int64_t n = 0; n < count; ++n) {
    int64_t at = 0;
    for (size_t d = 0; d < index.size(); ++d)
      at += index[d] * tensor.strides[d];
    storeElement(type, tensor.bytes.data() + at * size, value(static_cast<uint64_t>(n)));
    for (size_t d = index.size(); d-- > 0 && ++index[d] == tensor.extents[d];)
      index[d] = 0;
  }
}

uint64_t keyOf(uint64_t seed, uint64_t stream) {
  return mix(mix(seed + 0x9e3779b97f4a7c15ull) + stream);
}

/// Factors of blocks: 1/4 to 4.
void fillPowers(HostTensor &tensor, uint64_t key) {
  fillEach(tensor, [&](uint64_t n) {
    return std::exp2(std::clamp(std::round(normal(key, n)), -2.0, 2.0));
  });
}

/// Two numbers to a byte: normal ones, or whole ones from -2 to 2.
void fillPairs(HostTensor &tensor, uint64_t key, bool whole) {
  const auto number = [&](uint64_t n) {
    const double x = normal(key, n);
    return whole ? std::clamp(std::round(x), -2.0, 2.0) : x;
  };
  fillEach(tensor, [&](uint64_t n) { return e2m1Byte(number(2 * n), number(2 * n + 1)); });
}

} // namespace

void fillNormal(HostTensor &tensor, uint64_t seed, uint64_t stream, double scale) {
  const uint64_t key = keyOf(seed, stream);
  if (tensor.type == DType::ue8m0)
    return fillPowers(tensor, key);
  if (tensor.type == DType::e2m1x2)
    return fillPairs(tensor, key, false);
  if (tensor.type == DType::s8)
    scale *= 8;
  fillEach(tensor, [&](uint64_t n) { return scale * normal(key, n); });
}

void fillIntegers(HostTensor &tensor, uint64_t seed, uint64_t stream) {
  const uint64_t key = keyOf(seed, stream);
  if (tensor.type == DType::ue8m0)
    return fillPowers(tensor, key);
  if (tensor.type == DType::e2m1x2)
    return fillPairs(tensor, key, true);
  fillEach(tensor, [&](uint64_t n) { return std::clamp(std::round(normal(key, n)), -2.0, 2.0); });
}

std::vector<int64_t> randomOffsets(int64_t groups, int64_t rows, uint64_t seed) {
  const uint64_t key = keyOf(seed, 0);
  std::vector<int64_t> offsets = {0};
  for (int64_t g = 1; g < groups; ++g)
    offsets.push_back(static_cast<int64_t>(uniform(key, 2 * g) * static_cast<double>(rows)));
  std::sort(offsets.begin(), offsets.end());
  offsets.push_back(rows);
  for (int64_t g = 1; g < groups; ++g)
    if (uniform(key, 2 * g + 1) < 0.125)
      offsets[g] = offsets[g - 1];
  return offsets;
}

} // namespace sluice
