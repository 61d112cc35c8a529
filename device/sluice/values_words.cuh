// Words of CUDA C++ that the headers of a device use beside those of a printed kernel, for a
// compiler of the host.
#pragma once

#include <sluice/values_machine.cuh>

namespace sluice {
using HostIndex = values::Index;
}

#include <sluice/host_words.cuh>

inline sluice::HostIndex gridDim, blockDim;

namespace sluice {
inline values::Machine *runningMachine; // set by who runs the kernel
inline values::Machine &machine() {
  return *runningMachine;
}
} // namespace sluice

inline float __uint_as_float(unsigned bits) {
  return __int_as_float(int(bits));
}
inline unsigned __float_as_uint(float x) {
  return unsigned(__float_as_int(x));
}
/// The upper word shifted right, its low bits from the lower one.
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned bits) {
  return unsigned((uint64_t(high) << 32 | low) >> (bits & 31));
}
/// Dynamic shared memory starts here.
inline unsigned long long __cvta_generic_to_shared(const void *) {
  return 1024;
}
