// An extent of a tensor as texts have it: "M", "groups+1", "H-2", "128" or "(K+127)/128*32", which
// is C++, too.
#pragma once

#include <cstdint>
#include <string>

namespace sluice {

/// The largest extent of a launch: what lies behind the last tile fits 32 bits, too.
constexpr int64_t mostExtent = (int64_t(1) << 31) - (1 << 20);

/// The number that `name` stands for (empty: 0) and `more`; of it every `per`-th, `times` over.
struct Extent {
  std::string name;
  int64_t more = 0;
  int64_t per = 1, times = 1;

  int64_t at(int64_t number) const { return (number + more) / per * times; }
  /// Whether the extent tells the number.
  bool tells() const { return per == 1 && times == 1; }
};

Extent parseExtent(const std::string &text);
std::string textOf(const Extent &extent);

} // namespace sluice
