// The figures of a run in words, shared by the picture, the page and the terminal.
#pragma once

#include "Trace/Trace.h"

#include <utility>
#include <vector>

namespace sluice::trace {

/// "cycles" -> "18,432 (10.5 us)" ... ; figures that the run does not have are left out.
std::vector<std::pair<std::string, std::string>> figures(const Timeline &timeline,
                                                         const PictureOptions &options);

/// Cycles of one iteration three ways, to be compared: serial (nothing overlapped), as run, and the
/// busiest engine alone (the bound of any overlap).
struct IterationCost {
  std::string label;
  double cycles;
};
std::vector<IterationCost> iterationCosts(const Timeline &timeline);

std::string terminalSummary(const Timeline &timeline, const PictureOptions &options);

/// The summaries of two timelines, and their figures side by side.
std::string bothSummaries(const Shown &one, const Shown &other, const PictureOptions &options);

/// "gemm on sm_90a (h100), M=4096 ..."
std::string headline(const PictureOptions &options);

} // namespace sluice::trace
