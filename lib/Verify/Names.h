// How agents, places and memories are called in diagnostics.
#pragma once

#include "Program/Agent.h"
#include "Program/OperationFacts.h"
#include "Program/OperationText.h"

#include <string>

namespace sluice {

/// "mma warp 5 of CTA (0,1)", "pipe M of aic"; the block is left out on Ascend when it is the
/// first.
std::string agentName(const Program &program, const AgentId &id, const std::string &role);
/// "(0,1)", as many coordinates as the grid has.
std::string coordinates(const Program &program, const std::array<int64_t, 3> &cta);
/// " at gemm.mlir:12:3"; empty when the place is unknown.
std::string place(const Location &loc);
/// What is assumed of counters.
std::string zeroAtLaunch(const Tensor &counters);
/// "shared memory", "registers", "L0A" ...
std::string spaceName(Space space);

} // namespace sluice
