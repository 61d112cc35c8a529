// The proof for every trip count: a graph of normal forms whose edges are the answers to "one more
// iteration?" (docs/proof.md). When it closes without a violation, no launch has one.
#pragma once

#include "Simulate/Simulate.h"
#include "Verify/Context.h"
#include "Verify/Facts.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

struct TripLimits {
  int64_t maxStates = 20'000;
  /// Of events, and of questions about unknowns.
  int64_t maxEvents = 20'000'000, maxEventsOfCta = 5'000'000; // for each further CTA of a cluster
  double seconds = 30;
  Context::Clock::time_point until = Context::Clock::time_point::max(); // or earlier
  int64_t maxTextBytes = int64_t{1} << 28; // of normal forms; beyond, fingerprints are kept
};

struct TripProof {
  std::optional<Violation> violation;              // of the first run that has one
  std::vector<std::pair<Instance, Range>> decided; // the trip counts of that run
  std::optional<Error> unsupported;                // why the graph is not closed
  int64_t states = 0, events = 0;
};

/// For a context without a launch: every launch, and within it any trip count for every entry of a
/// loop over it.
TripProof proveTripCounts(Context &context, const TripLimits &limits = {});

} // namespace sluice
