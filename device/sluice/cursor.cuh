// Position in a ring of `slots` slots: the only place where slot and phase are computed.
#pragma once

#include <sluice/base.cuh>

namespace sluice {

/// `phase` is the parity that a consumer waits for; it flips with every wrap. A producer waits for
/// phase ^ 1, which a fresh mbarrier lets pass.
template <int slots> struct Cursor {
  int slot = 0;
  int phase = 0;

  __device__ __forceinline__ Cursor advance() const {
    return slot + 1 == slots ? Cursor{0, phase ^ 1} : Cursor{slot + 1, phase};
  }
  /// n >= 0.
  __device__ __forceinline__ Cursor advance(int n) const {
    const u32 to = u32(slot) + u32(n);
    return Cursor{int(to % slots), phase ^ int(to / slots & 1)};
  }
  /// By any number.
  __device__ __forceinline__ Cursor advance(i64 n) const {
    const i64 rest = (n % slots + slots) % slots, rounds = (n - rest) / slots;
    const Cursor behind = advance(int(rest));
    return Cursor{behind.slot, behind.phase ^ int(rounds & 1)};
  }
};

} // namespace sluice
