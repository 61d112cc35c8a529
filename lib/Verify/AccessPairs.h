// Accesses to tensors that no run of one CTA sets against each other: of different CTAs, of
// iterations that are far apart, and of places that are counted from different unknowns
// (docs/proof.md). Every pair of which one writes is told to be apart in every launch, or not.
#pragma once

#include "Simulate/Simulate.h"
#include "Verify/AccessForms.h"
#include "Verify/CounterOrder.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

/// Two statements that touch a tensor, in the order of the text.
using StmtPair = std::pair<const Stmt *, const Stmt *>;

/// Two accesses that may touch the same element and that nothing orders.
struct Overlap {
  enum Kind { groups, iterations, places } kind;
  const Stmt *first, *second;
  bool firstWrites, secondWrites;
  int tensor;
  bool ofData;                  // it depends on integers that only the run has
  std::optional<Launch> launch; // where it may show
  /// Not of two agents of a cluster: by its layout each warp has a share of the box, and the shares
  /// of two warps are apart in every launch.
  bool ofOneAgent = false;
  bool ofOneCta = false; // not of two CTAs of a cluster
};

/// By statement: the loops that runs have found its place to move with; null: none (Context.h).
using Moves = std::map<const Stmt *, std::set<const For *>>;

/// Of all pairs of accesses of a program whose launches are counted in `units`. `uncompared`: pairs
/// that the runs have met at places counted from different unknowns, and set against each other in
/// no way. `met`: Terms::met of the runs. `counters`: what orders CTAs, and where runs have found
/// accesses beside that.
std::vector<Overlap> overlaps(const Program &program, const AccessForms::Units &units,
                              const Launch &given, const Moves &moves,
                              const std::map<StmtPair, bool> &uncompared, const LoopsMet &met,
                              const CounterOrder &counters);

} // namespace sluice
