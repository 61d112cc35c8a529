// What a pipe does, as the barrier level has it, in the words of HostModel::notes.
#pragma once

#include "Program/Program.h"

#include <string>
#include <vector>

namespace sluice::test {

/// A pipe of a core: "aic", "aiv0" or "aiv1" of this coordinate of the grid.
struct PipeOfCore {
  int64_t block;
  std::string core;
  Pipe pipe;
};
std::vector<std::string> expectedNotes(const Program &program, const Launch &launch,
                                       const PipeOfCore &which);

/// Without waits between cores of which `expected` has none: the scalar unit waits for all pipes.
std::vector<std::string> ownNotes(const std::vector<std::string> &notes,
                                  const std::vector<std::string> &expected);

} // namespace sluice::test
