// Random numbers that follow from a place alone: Philox4x32-10 (Salmon, Moraes, Dror, Shaw,
// "Parallel random numbers: as easy as 1, 2, 3", SC 2011). docs/semantics.md, "Random numbers".
#pragma once

#include <array>
#include <cstdint>

namespace sluice {

/// The four words of the block with this counter.
std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key);

/// What the random number of one element follows from. Of all but the stream the lower 32 bits
/// count.
struct RandomPlace {
  int64_t seed0 = 0, seed1 = 0; // lower and upper half of the seed
  int64_t stream = 0;
  int64_t row = 0, column = 0;
};

/// 32 random bits: four columns side by side share a block.
uint32_t randomBits(const RandomPlace &place);
/// The upper 24 of such bits as a number in [0, 1), a multiple of 2^-24.
float uniformOf(uint32_t bits);

} // namespace sluice
