// Between what numbers the terms of one launch lie, as far as the answers of a run tell: answers
// that fit no launch end the run (docs/proof.md).
#pragma once

#include "Verify/Facts.h"

#include <map>

namespace sluice {

class LaunchRanges {
public:
  LaunchRanges(const Program &program, Terms &terms);

  /// False: no launch gives the small answers (Facts::small) together. These alone are asked, as
  /// normal forms have all of them.
  bool allow(const Facts &facts) const;

private:
  void takeGrid(const Program &program);

  Terms &terms_;
  std::map<int32_t, Range> ofGrid_; // it has the CTA that runs
};

} // namespace sluice
