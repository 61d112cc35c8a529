// What must have ended, and what must be back to rest, when a CTA or core of a canonical run exits
// (R10, R14, R35, R37).
#pragma once

#include "Verify/RunPart.h"

#include <map>

namespace sluice {

class RunExit : public RunPart {
public:
  using RunPart::RunPart;

  /// Something that a CTA must have seen end before it exits.
  struct Debt {
    BarrierEvent event;
    int object = -1; // mbarrier that it signals, and its slot; -1: an asynchronous operation
    int64_t slot = 0;
  };

  void owe(int cta, const BarrierEvent &event, int object = -1, int64_t slot = 0);
  /// Of all parts.
  std::optional<Violation> exitChecks();

private:
  friend class NormalForm;

  /// What the warps of each CTA know to have ended; `shown`: of copies, by relaxed barriers.
  struct Ends {
    Clock known, shown;
    bool meets(const Debt &debt) const {
      return known.knows(debt.event.stamp) || (debt.object < 0 && shown.knows(debt.event.stamp));
    }
  };
  std::vector<Ends> endsByCta() const;
  bool previousEnded() const; // some agent knows it
  bool stillUnderWay();
  bool tookPreviousForEnded();

  std::map<std::pair<int, int32_t>, Debt> debts_; // (cta, component)
};

} // namespace sluice
