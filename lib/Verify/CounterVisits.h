// Two visits to a counter in some launch: iterations of the loops around its add, in none the CTA
// itself, of two CTAs or of one.
#pragma once

#include "Verify/PointSearch.h"

#include <vector>

namespace sluice {

class CounterVisits {
public:
  CounterVisits(const Program &program, const Sources &sources, const AccessSite &add,
                bool ofOneCta);

  /// Visit 0 or 1 is one that comes: its CTA runs these iterations.
  void comes(int which);
  /// The variable of a loop, of a visit of which it is not told that it comes.
  LinearForm variable(const For &loop, int which) { return forms_.variable(loop, which); }

  AccessForms &forms() { return forms_; }
  /// Coordinates of its CTA in the grid, and the place in its cluster.
  const std::vector<LinearForm> &cta(int which) const { return ctas_[which]; }
  const LinearForm &place(size_t d, int which) const { return forms_.agent(which)[d]; }
  /// Of the loops around, outermost first.
  std::vector<LinearForm> iterations(int which);
  std::vector<LinearForm> element(int which);
  Constraints oneElement();
  /// Whether no launch has two visits for which all of this holds.
  bool never(const Constraints &these, std::vector<Choice> choices = {});

private:
  const AccessSite &add_;
  AccessForms forms_;
  std::vector<LinearForm> ctas_[2];
};

} // namespace sluice
