// wgmma on the host, as its descriptors say. PTX ISA "wgmma: Matrix Descriptor Format", "Register
// fragments for wgmma.mma_async", "Strides": sums in the order of K.
#include "Host/Operands.h"

namespace sluice::host {
namespace {

using values::Product;

constexpr int rowsOfWarp = 16;

/// PTX ISA "wgmma: Matrix Descriptor Format": 1 is a swizzle of 128 bytes, 2 of 64, 3 of 32.
uint32_t spanOf(uint64_t descriptor) {
  return descriptor >> 62 ? 256u >> (descriptor >> 62) : 0;
}

/// Row and column of value i of a lane in the accumulator of its warp.
int rowOf(int lane, int i) {
  return lane / 4 + i / 2 % 2 * 8;
}
int columnOf(int lane, int i) {
  return i / 4 * 8 + lane % 4 * 2 + i % 2;
}

/// A of the warp from the registers of its lanes: four words, of two columns of K each; the second
/// and the fourth of rows 8 below, the third and the fourth 8 columns further on.
std::vector<float> fromRegisters(const Product *const *lanes) {
  std::vector<float> a(rowsOfWarp * 16);
  for (int lane = 0; lane < lanesOfWarp; ++lane)
    for (int i = 0; i < 8; ++i) {
      const int row = lane / 4 + i / 2 % 2 * 8, k = i / 4 * 8 + lane % 4 * 2 + i % 2;
      const auto *words = reinterpret_cast<const std::byte *>(lanes[lane]->registersA);
      a[size_t(row * 16 + k)] = numberOf(lanes[lane]->a, words + 2 * i);
    }
  return a;
}

/// d += a b, each sum by itself in the order of K.
template <class T>
void addProducts(const Product *const *lanes, const std::vector<float> &a,
                 const std::vector<float> &b, int depth) {
  const int n = lanes[0]->n;
  std::vector<T> sum(size_t(rowsOfWarp) * size_t(n), T(0));
  const auto forAll = [&](const auto &visit) {
    for (int lane = 0; lane < lanesOfWarp; ++lane)
      for (int i = 0; i < n / 2; ++i)
        visit(sum[size_t(rowOf(lane, i) * n + columnOf(lane, i))],
              static_cast<T *>(lanes[lane]->d)[i]);
  };
  if (lanes[0]->accumulate)
    forAll([](T &s, const T &d) { s = d; });
  for (int row = 0; row < rowsOfWarp; ++row)
    for (int k = 0; k < depth; ++k) {
      const T left = T(a[size_t(row * depth + k)]);
      const float *right = b.data() + size_t(k) * size_t(n);
      T *to = sum.data() + size_t(row) * size_t(n);
      for (int j = 0; j < n; ++j)
        to[j] += left * T(right[j]);
    }
  forAll([](const T &s, T &d) { d = s; });
}

std::string wrongOf(const Product *const *lanes) {
  const Product &first = *lanes[0];
  for (int l = 1; l < lanesOfWarp; ++l)
    if (lanes[l]->descriptorA != first.descriptorA || lanes[l]->descriptorB != first.descriptorB ||
        !lanes[l]->accumulate != !first.accumulate || lanes[l]->n != first.n)
      return "the lanes of a warp multiply differently";
  for (const uint64_t descriptor :
       {first.registersA ? first.descriptorB : first.descriptorA, first.descriptorB})
    if (descriptor >> 62 == 0 || descriptor >> 49 & 7)
      return "descriptors of tiles without swizzle, or with a base offset, are not followed";
  return "";
}

} // namespace

void HostMachine::multiply(const Product *const *lanes) {
  if (const std::string wrong = wrongOf(lanes); !wrong.empty())
    grid_.fail(wrong);
  const Product &p = *lanes[0];
  const uint32_t size = uint32_t(byteSize(typeOf(p.b)));
  const int depth = bytesOfK / int(size);
  const auto element = [&](const Operand &o, int mn, int k) {
    const auto *at = shared(o.address(mn, k, size), size);
    return numberOf(o.element, static_cast<const std::byte *>(at));
  };
  std::vector<float> a, b(size_t(depth) * size_t(p.n));
  if (p.registersA) {
    a = fromRegisters(lanes);
  } else {
    const Operand left(p.a, p.transposedA, p.descriptorA, spanOf(p.descriptorA));
    const int first = grid_.warp().number % 4 * rowsOfWarp; // of the 64 rows of a warpgroup
    for (int row = 0; row < rowsOfWarp; ++row)
      for (int k = 0; k < depth; ++k)
        a.push_back(element(left, first + row, k));
  }
  const Operand right(p.b, p.transposedB, p.descriptorB, spanOf(p.descriptorB));
  for (int k = 0; k < depth; ++k)
    for (int j = 0; j < p.n; ++j)
      b[size_t(k * p.n + j)] = element(right, j, k);
  if (p.a == Element::s8)
    addProducts<int32_t>(lanes, a, b, depth);
  else
    addProducts<float>(lanes, a, b, depth);
}

} // namespace sluice::host
