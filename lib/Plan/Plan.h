// Settings of a kernel, chosen by arithmetic.
#pragma once

#include <string>
#include <vector>

namespace sluice {

/// Settings that a kernel can be built with, and how long the model says it takes.
struct PlanCandidate {
  std::string settings; // "bm=128 bn=256 ...", as --set takes them
  /// Of a second launch for the last columns: "N=512 bm=128 ..."; empty: there is none.
  std::string rest = {};
  double cycles = 0;    // of the SM clock, launch to end
  double tensor = 0;    // of these, those in which the products, or the memory, run at their rate
  std::string limit;    // what a step takes its time from: "products", "loads", "latency", "memory"
  std::string why = {}; // what is under way, where that decides

  /// Both, as bench and tune take them.
  std::string text() const { return rest.empty() ? settings : settings + " + " + rest; }
};

struct PlanRejected {
  std::string settings, reason;
};

/// Fastest first.
struct Plan {
  std::vector<PlanCandidate> candidates;
  std::vector<PlanRejected> rejected;
};

} // namespace sluice
