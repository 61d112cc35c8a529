// What a way to go along rows costs.
#pragma once

#include "Plan/RowsPlan.h"

#include <algorithm>
#include <utility>

namespace sluice {

constexpr int64_t pieceBytes = 4096; // of a row that is visited twice
constexpr int64_t warpsOfCta = 8;    // that share a row

/// One way to go along the rows.
struct Way {
  int64_t parts, staging;
  bool twice;     // pieces of a row are visited twice
  int64_t height; // rows of a tile
  int64_t stages;
  int64_t share = 0; // blocks that a CTA takes; 0: there are as many CTAs as run at once

  int64_t ctas() const { return std::max<int64_t>(parts / warpsOfCta, 1); } // of a row
};

class RowsTime {
public:
  RowsTime(const RowsProblem &p, const Arch &arch);

  PlanCandidate of(const Way &way) const;
  int64_t bytesInFlight(const Way &way) const;
  /// CTAs that an SM has room for at once, of those that take a few blocks; else 1.
  int64_t ctasPerSm(const Way &way) const;
  /// Blocks of rows, or of pieces of rows, that CTAs take.
  int64_t blocks(const Way &way) const;

private:
  double rate(double sms) const;
  int64_t atOnce(const Way &way) const;
  int64_t bytesOfCta(const Way &way) const;
  double bytesUnderWay(const Way &way, double used) const;
  double readAgain(const Way &way, double used) const;
  double efficiency(const Way &way) const;
  double vectorCycles(const Way &way) const;
  std::pair<double, const char *> blockCycles(const Way &way, double used, double memory) const;
  double workingCycles(const Way &way, double used) const;
  double meetingCycles(const Way &way, double moving, double used) const;
  std::string whyOf(const Way &way, double used) const;
  void timeStaying(const Way &way, PlanCandidate &candidate) const;
  void timeShares(const Way &way, PlanCandidate &candidate) const;
  double beginningCycles(const Way &way) const;
  double computingCycles(const Way &way) const;
  int64_t registersOf(const Way &way) const;

  const RowsProblem &p_;
  const Arch &arch_;
  const int64_t rowBytes_, span_, ctas_; // span: bytes of a row that a block has
};

} // namespace sluice
