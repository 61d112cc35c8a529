// The warpgroups of a canonical run: whether their warps come to the same products (R13).
#pragma once

#include "Verify/RunPart.h"

#include <array>
#include <deque>
#include <map>

namespace sluice {

class RunWarpgroups : public RunPart {
public:
  using RunPart::RunPart;

  /// A product that the other warps of the warpgroup come to as well.
  bool comesWithItsGroup(const Actor &a, const Stmt &s, const Wgmma &op);
  /// At exit.
  bool leftByItsGroup();

private:
  friend class NormalForm;

  /// Products of numbers that some warps of a warpgroup have come to and others have not yet.
  struct Together {
    struct Product {
      const Stmt *stmt;
      std::vector<int64_t> tiles; // where numbers choose them
      bool operator==(const Product &) const = default;
    };
    std::deque<Product> open;
    std::array<size_t, 4> done{}; // of them, by warp
  };

  std::map<std::pair<int, int>, Together> together_; // (cta, warpgroup)
};

} // namespace sluice
