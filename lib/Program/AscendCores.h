// The cores of an Ascend program: which pipes of them have something to do, and whose memory is
// what.
#pragma once

#include "Program/Agent.h"

#include <vector>

namespace sluice {

/// Core and pipe of every agent of one block (AIC and its two AIVs); coordinates are left at 0.
/// Without roles the operations tell the core: a program with vector operations runs on the
/// AIVs, any other on the AIC.
std::vector<AgentId> ascendPipes(const Program &program);

/// Fractals of L0A lie row by row on 910B, column by column on 950 (Ascend C, from 2201 to 3510).
constexpr Layout layoutOfL0a(Target target) {
  return target == Target::ascend950 ? Layout::zN : Layout::zZ;
}

/// Copies that leave their core, on 950 alone (Ascend C, Fixpipe from L0C to UB, dualDstCtrl;
/// DataCopy from UB to L1).
enum class Crossing : uint8_t {
  none,
  toVectors, // from L0C: the upper half of the rows to UB of AIV 0, the lower to that of AIV 1
  toCube     // from UB: to L1 of the AIC
};
Crossing crossingOf(const Program &program, const Copy &copy);

} // namespace sluice
