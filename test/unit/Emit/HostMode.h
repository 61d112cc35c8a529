// The same launch twice: the printed text in host mode, and the virtual machine. Both yield lines
// "x,y,z warp: operation", in the words of device/sluice/host_mode.cuh.
#pragma once

#include "Emit/Emit.h"
#include "Program/Program.h"
#include "Support/Result.h"

#include <map>
#include <string>
#include <vector>

namespace sluice::test {

/// Lines of every warp, by "x,y,z warp".
using WarpLines = std::map<std::string, std::vector<std::string>>;

/// What a run depends on beside its launch.
struct Chances {
  std::vector<std::string> additions; // the warps that add to counters, in the order in which they
                                      // do; empty: as it comes
  std::map<int64_t, std::vector<int64_t>> responses; // by the first CTA of a cluster what it read
};

/// Compiles the text with the host's compiler and runs it.
Result<WarpLines> runInHostMode(const Program &program, const EmittedSource &source,
                                const Launch &launch, const std::string &name,
                                const Chances &chances = {});

struct MachineRun {
  WarpLines lines;
  Chances chances;
};
/// What the agents of the virtual machine do; with `records` also the events that a kernel with
/// stamps tells of, and the slots that one with checksums sums up.
Result<MachineRun> runOnMachine(const Program &program, const Launch &launch, bool records = false);

} // namespace sluice::test
