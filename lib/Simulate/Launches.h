// The clusters (or cores) of a grid that have not been launched yet, in the order in which the
// hardware launches them. Who runs may take the place of the next one (clusterlaunchcontrol).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace sluice {

class Launches {
public:
  using Coordinates = std::array<int64_t, 3>; // of the first CTA

  explicit Launches(const std::vector<Coordinates> &units) : units_(units) {}

  /// Nothing: all have been launched or taken.
  std::optional<Coordinates> take() {
    return taken_ == units_.size() ? std::nullopt : std::optional(units_[taken_++]);
  }
  size_t taken() const { return taken_; }

private:
  const std::vector<Coordinates> &units_;
  size_t taken_ = 0;
};

} // namespace sluice
