// The explorer: every interleaving of one cluster of CTAs, or of one Ascend core with its AIVs; of
// the whole grid where that meets. It
// shares no code with the checker, not even a walk or a layout, and has no clocks: an asynchronous
// operation is under way from its issue until somebody has waited for it, and a race is a state in
// which two accesses that conflict are both under way or both next. Memory is what each strand has
// been handed on of it. To test the checker with: a launch of a few trips is seen whole.
#pragma once

#include "Program/Program.h"

#include <array>
#include <string>
#include <vector>

namespace sluice {

struct ExploreOptions {
  int64_t maxStates = 1'000'000;
  std::array<int64_t, 3> first{0, 0, 0}; // coordinates of the cluster's first CTA, or of the core
  /// The assumption `warps-converge`: all lanes of a warp come to a wait before any leaves it. When
  /// false they only look at the barrier together, wherever each of them stands.
  bool warpsConverge = true;
  /// Where maxStates are not enough: so many schedules from start to end, drawn at random.
  int walks = 0;
  /// Leaves out interleavings that differ only in the order of steps that do not depend on each
  /// other (Explore/Ahead.h). False: all of them, to test that.
  bool reduces = true;
  /// The assumption `tensor-in-order`: products of one thread that meet in tensor memory run one
  /// after the other, those of different sums too.
  bool tensorInOrder = true;
  /// Ascend 910B: a wait for other cores holds up its pipe alone. The documents leave it open
  /// whether it does, or all pipes of its core, as with false.
  bool waitsHoldOnePipe = true;
};

struct Exploration {
  enum Kind : uint8_t {
    clean,  // every interleaving runs to its end without a fault, and all read the same data
    faulty, // `schedule` leads to a fault
    bounded // maxStates (or the memory for one schedule's states) were not enough and no walk found
            // a fault
  } kind = clean;
  std::string rule;                  // of docs/semantics.md, that the fault breaks
  std::string fault;                 // what happens
  std::vector<std::string> schedule; // steps from the start to the fault
  int64_t states = 0;
};

Exploration explore(const Program &program, const Launch &launch,
                    const ExploreOptions &options = {});

} // namespace sluice
