// What the counters that CTAs wait for make of a grid in every launch (docs/proof.md): its CTAs
// come one after the other, or all of them meet.
#pragma once

#include "Program/Program.h"

#include <map>
#include <string>

namespace sluice {

struct CounterProtocol {
  enum Kind {
    none,
    /// Each visit waits until those before it at its element have added, and adds once itself.
    turns,
    /// Each CTA adds once; who waits, waits until all CTAs of its element have added.
    meeting,
  } kind = none;
  std::string missing; // none: what it takes to be either
  Location at;         // where that is missing
  const View *element = nullptr;
  std::vector<const For *> loops; // around the add, outermost first: an iteration is a visit
};

/// By tensor, of those that somebody waits for.
std::map<int, CounterProtocol> counterProtocols(const Program &program);

} // namespace sluice
