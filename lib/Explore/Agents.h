// Who takes part in a launch: warps of a cluster, or of all CTAs that counters join; pipes of a
// core.
#pragma once

#include "Explore/Script.h"

namespace sluice::explorer {

/// Scripts without actions, and the CTAs.
void createAgents(const Program &program, const Launch &launch, std::array<int64_t, 3> first,
                  Unrolled &out);

/// Numbers that a run draws or reads: the explorer does not follow them. Addresses of tensor memory
/// are like any bytes.
bool readsNumbers(const Program &program);

} // namespace sluice::explorer
