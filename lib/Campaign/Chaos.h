// Runs of the virtual machine with random delays: what gives other bits then was not ordered.
#pragma once

#include "Arch/Arch.h"
#include "Program/Program.h"
#include "Simulate/Simulate.h"
#include "Support/HostTensor.h"

#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// One launch of one program, run again and again from the same inputs.
class Chaos {
public:
  /// `delay`: most cycles by which an operation is late. `cta`: only its cluster runs. `lateReads`:
  /// no verdict assumes that reads come in time (R39).
  Chaos(const Program &program, const Arch &arch, const Launch &launch, double delay,
        std::optional<int64_t> cta, bool lateReads = false);

  /// Runs once more; the first time without delays. What went wrong: the machine stops, or a
  /// tensor has other bits than after the first run.
  std::optional<std::string> run();
  /// After the first run.
  const std::vector<HostTensor> &result() const { return first_; }
  /// With what the machine stopped.
  const std::optional<Violation> &violation() const { return violation_; }

private:
  const Program &program_;
  const Arch &arch_;
  const Launch &launch_;
  const double delay_;
  const std::optional<int64_t> cta_;
  const bool lateReads_;
  std::vector<HostTensor> inputs_, first_;
  std::optional<Violation> violation_;
  uint64_t runs_ = 0;
};

/// The linear number of a CTA where its grid is too large to run as a whole, over and over; nothing
/// where it is small enough.
std::optional<int64_t> onlyCtaOf(const Program &program, const Launch &launch,
                                 const std::array<int64_t, 3> &cta);

} // namespace sluice
