// Products in value mode: a warp multiplies when its last lane has come.
#pragma once

#include <sluice/number.cuh>

namespace sluice {
namespace values {

template <class T> constexpr Element elementOf() {
  return isSame<T, f16>    ? Element::f16
         : isSame<T, bf16> ? Element::bf16
         : isSame<T, tf32> ? Element::tf32
         : isSame<T, e4m3> ? Element::e4m3
         : isSame<T, e5m2> ? Element::e5m2
                           : Element::s8;
}
inline void multiply(void *const *lanes) {
  const Product *all[32];
  for (int i = 0; i < 32; ++i)
    all[i] = static_cast<const Product *>(lanes[i]);
  machine().multiply(all);
}

} // namespace values

template <int N> struct WgmmaShape {
  template <class T, class S, int transposeA, int transposeB, class D>
  static void ss(D *d, u64 a, u64 b, int accumulate) {
    static_assert(isSame<D, int> == isSame<T, s8>, "sums of s8 are s32, others f32");
    values::Product mine{values::elementOf<T>(),
                         values::elementOf<S>(),
                         N,
                         transposeA != 0,
                         transposeB != 0,
                         a,
                         b,
                         nullptr,
                         accumulate,
                         d};
    machine().together(values::multiply, &mine);
  }
  template <class T, int transposeB> static void rs(float *d, const u32 *a, u64 b, int accumulate) {
    values::Product mine{values::elementOf<T>(),
                         values::elementOf<T>(),
                         N,
                         false,
                         transposeB != 0,
                         0,
                         b,
                         a,
                         accumulate,
                         d};
    machine().together(values::multiply, &mine);
  }
};

template <int sync = 0, class... Frags> void wgmmaFence(Frags &...) {}
template <int sync = 0> void wgmmaCommit() {}
template <int pending, int sync = 0, class... Frags> void wgmmaWait(Frags &...) {}

} // namespace sluice
