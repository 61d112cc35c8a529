// An extent of a tensor as texts have it: "M", "groups+1" or "128".
#pragma once

#include <cstdint>
#include <string>

namespace sluice {

/// The number that `name` stands for (empty: 0) and `more`.
struct Extent {
  std::string name;
  int64_t more = 0;
};

Extent parseExtent(const std::string &text);
std::string textOf(const Extent &extent);

} // namespace sluice
