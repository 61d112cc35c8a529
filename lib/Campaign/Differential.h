// A verdict for every launch held against launches one by one: the checker's run of each, all CTAs'
// accesses set against each other, and the virtual machine with random delays.
#pragma once

#include "Diagnose/Check.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sluice {

class Differential {
public:
  /// `verdict` is proven for every launch; what it assumes of places is left out of the comparison.
  /// `mostEvents`: of the checker's run of a launch; longer ones are left out.
  Differential(const Program &program, const Arch &arch, const Verdict &verdict,
               int64_t mostEvents = 200'000);

  /// What goes wrong at the launch, with its extents; nothing where all agree. `machineRuns`: of
  /// the virtual machine, where tensors and grid are small enough.
  std::optional<std::string> disagreementAt(const Launch &launch, int machineRuns);

  /// What has been looked at.
  struct Counts {
    int64_t launches = 0, untold = 0, machineRuns = 0;
    int64_t mostCtas = 0, mostEvents = 0; // of a launch
    void add(const Counts &other);
    std::string str() const;
  };
  const Counts &counts() const { return counts_; }

private:
  std::optional<std::string> faultAt(const Launch &launch, int machineRuns);
  bool fitsMachine(const Launch &launch, int64_t ctas, int64_t events) const;

  const Program &program_;
  const Arch &arch_;
  const int64_t mostEvents_;
  bool placesAssumed_ = false; // that parts of tensors lie apart
  Counts counts_;
};

} // namespace sluice
