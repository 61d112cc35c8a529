// Registers of the threads of a CTA on NVIDIA.
#pragma once

#include "Program/Program.h"

#include <algorithm>

namespace sluice {

constexpr int64_t mostRegisters = 255; // of a thread that addresses them (PTX ISA, .maxnreg)

/// What a role that computes asks for at most (setmaxnreg), and what those do with that issue
/// copies (ptxas: below 40 a thread) and that copy themselves (pieces of 16 bytes on their way).
constexpr int64_t mostRegistersOfARole = 240, registersForCopies = 40, registersOfCopying = 72;
/// Of one that asks for TMA copies alone, where others need every register.
constexpr int64_t leastRegistersOfARole = 24;

/// What every thread of a CTA has at launch where the CTA may have all `registersPerSm`: a multiple
/// of 8. They lie in the four quarters of an SM, which take warps in turn: 9 warps leave each warp
/// no more than 12 do.
inline int64_t registersAtLaunch(int64_t warps, int64_t registersPerSm) {
  const int64_t ofAQuarter = (warps + 3) / 4 * 32;
  return std::min<int64_t>(registersPerSm / 4 / ofAQuarter / 8 * 8, 256);
}

/// What a thread must have at launch for a wgmma of n columns, summed in 32 bits. ptxas 13 (C7602):
/// accumulators, four of A if it is in registers, and 26 more; setmaxnreg does not count.
inline int64_t registersOfProduct(int64_t n, bool aInRegisters) {
  return n / 2 + (aInRegisters ? 30 : 26);
}

/// First and end of the whole warpgroups that hold a role.
struct WarpRange {
  int begin, end;
};
inline WarpRange warpgroupsOf(const Role &role) {
  return {role.firstWarp / 4 * 4, (role.firstWarp + role.warps + 3) / 4 * 4};
}

} // namespace sluice
