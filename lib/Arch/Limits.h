// Counts that a generation of machines has a limit for, beside its capacities (Arch.h).
#pragma once

#include <cstdint>

namespace sluice {

// NVIDIA.
constexpr int64_t mostOfABox = 256;         // elements along a side (cuTensorMapEncodeTiled)
constexpr int64_t mostDimensionsOfAMap = 5; // the same
constexpr int64_t mostCtasOfSm = 32; // CUDA C++ Programming Guide, compute capabilities 9.0, 10.0

// Ascend.
/// Of each pair of pipes, from 0: A2/A3 have 8, of which static-tensor mode, in which kernels are
/// printed, keeps two (Ascend C, "static tensor programming").
constexpr int64_t mostEventIds = 6;
constexpr int64_t mostCrossFlags = 11; // 0 to 10, A2/A3 (CrossCoreSetFlag)

} // namespace sluice
