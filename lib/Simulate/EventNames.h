// What rows and events of a timeline are called, whoever saw them: the virtual machine or a device.
#pragma once

#include "Program/Agent.h"

#include <string>

namespace sluice {

/// "mma", "load a", "map -> p": what an operation is called in pictures.
std::string label(const Program &program, const Operation &op);
/// "full[2]"; "full" when the array has one barrier.
std::string slotName(const Mbarrier &barrier, int64_t slot);

/// The row of a warp's events: one warp stands for its warpgroup. Empty: the warp is not shown.
std::string rowName(const Agent &agent);

/// What a warp or pipe that waits is waiting for.
struct Awaited {
  std::string barrier; // "full", "named barrier 1", "wgmma groups"
  std::string text;    // "wait full[2]"
  int64_t slot = -1;   // of an mbarrier
};
Awaited awaited(const Program &program, const Agent &agent, const Operation &op);

/// The slot of a ring that a view selects; -1 where the buffer is none.
int64_t ringSlot(const Program &program, const Agent &agent, const View &view);
/// The view whose slot stands on the bar of an operation's work.
const View *ringOf(const Program &program, const Operation &op);

} // namespace sluice
