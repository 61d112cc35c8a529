// The agents of an Ascend program: which pipes of which cores have something to do.
#pragma once

#include "Program/Agent.h"

#include <vector>

namespace sluice {

/// Core and pipe of every agent of one block (AIC and its two AIVs); coordinates are left at 0.
/// Without roles the operations tell the core: a program with vector operations runs on the
/// AIVs, any other on the AIC.
std::vector<AgentId> ascendPipes(const Program &program);

} // namespace sluice
