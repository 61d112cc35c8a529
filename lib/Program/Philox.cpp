#include "Program/Philox.h"

namespace sluice {

std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t even = uint64_t{counter[0]} * 0xD2511F53,
                   odd = uint64_t{counter[2]} * 0xCD9E8D57;
    counter = {static_cast<uint32_t>(odd >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(odd),
               static_cast<uint32_t>(even >> 32) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(even)};
    key[0] += 0x9E3779B9; // the golden ratio
    key[1] += 0xBB67AE85; // the square root of 3, less 1
  }
  return counter;
}

uint32_t randomBits(const RandomPlace &at) {
  const auto lower = [](int64_t x) { return static_cast<uint32_t>(x); };
  const uint32_t column = lower(at.column);
  return philox({column / 4, lower(at.row), lower(at.stream), lower(at.stream >> 32)},
                {lower(at.seed0), lower(at.seed1)})[column % 4];
}

float uniformOf(uint32_t bits) {
  return static_cast<float>(bits >> 8) * 0x1p-24F;
}

} // namespace sluice
