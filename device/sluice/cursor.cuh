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
    int to = slot + n;
    return Cursor{to % slots, phase ^ (to / slots & 1)};
  }
};

} // namespace sluice
