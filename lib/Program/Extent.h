// An extent of a tensor as texts have it: "M", "groups+1", "H-2" or "128".
#pragma once

#include <cstdint>
#include <string>

namespace sluice {

/// The largest extent of a launch: what lies behind the last tile fits 32 bits, too.
constexpr int64_t mostExtent = (int64_t(1) << 31) - (1 << 20);

/// The number that `name` stands for (empty: 0) and `more`.
struct Extent {
  std::string name;
  int64_t more = 0;
};

Extent parseExtent(const std::string &text);
std::string textOf(const Extent &extent);

} // namespace sluice
