// Counts that a generation of machines has a limit for, beside its capacities (Arch.h).
#pragma once

#include "Program/Types.h"

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

// Ascend C, basic API: what one call takes, on A2/A3 and on 950.
constexpr int64_t mostOfMmad = 4095;        // m, n, k
constexpr int64_t startOfSums = 1024;       // bytes that the place of Mmad's sums is a multiple of
constexpr int64_t mostLinesOfNd2nz = 16384; // nValue
constexpr int64_t mostOfNd2nzLine = 65535;  // dValue: elements
constexpr int64_t mostFractals = 255;       // LoadData: repeatTimes; 950: mStep, kStep
constexpr int64_t mostColumnsOfFixpipe = 4095; // nSize
/// mSize. To rows of a tensor (NZ2ND) A2/A3 have fewer (FixpipeParamsV220, FixpipeParamsArch3510).
constexpr int64_t mostRowsOfFixpipe(Target target, bool toTensor) {
  return toTensor && target != Target::ascend950 ? 8192 : 65535;
}
constexpr int64_t mostLinesOfPad = 4095;    // DataCopyPad, blockCount
constexpr int64_t mostBytesOfPad = 2097151; // blockLen
constexpr int64_t blockOfUb = 32;           // bytes: rows and operands start at multiples of it
constexpr int64_t mostRepeats = 255;        // of an instruction of the vector cores
constexpr int64_t repeatBytes = 256;        // that a repeat takes
constexpr int64_t rowsOfBrcb = 8;           // that a repeat of Brcb spreads
constexpr int64_t rowsOfTransData = 16;     // that TransDataTo5HD turns at once

} // namespace sluice
