// Kernels with checksums: which slots of rings a role sums up behind its waits, and how.
// device/sluice/checksums.cuh does it on a GPU, tools/sluice/Slots.cpp on the virtual machine.
#pragma once

#include "Program/Program.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace sluice {

/// Of every wait behind which its role reads slots of shared memory that the barrier hands over:
/// their buffers. The slot has the number of the barrier's. Left out: waits of single lanes, tiles
/// with gaps between their bytes, and those that functions computed which no two machines round
/// alike (exp, division).
std::map<const Stmt *, std::vector<int>> slotsRead(const Program &program);

/// No function of the program has an operation that machines round differently (exp, division).
bool roundsAlike(const Program &program);

/// Sums of a warp that a kernel keeps where nobody says how many there will be.
constexpr int64_t kChecksumsKept = 4096;

/// Bytes of a slot that are summed up.
int64_t checksumBytes(const Buffer &buffer);
/// Over words of 32 bits and their places.
uint64_t checksum(std::span<const std::byte> bytes);

/// The tensor behind those of the program: per CTA (x fastest) and warp the number of its sums,
/// then up to `kept` of them, two 32-bit words each. All zero before the launch.
Tensor checksumsTensor();
int64_t checksumWords(const Program &program, int64_t ctas, int64_t kept);

} // namespace sluice
