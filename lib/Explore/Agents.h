// Who takes part in a launch: warps of a cluster, or of all CTAs that counters join; pipes of a
// core.
#pragma once

#include "Explore/Script.h"

#include <functional>

namespace sluice::explorer {

/// Scripts without actions, and the CTAs.
void createAgents(const Program &program, const Launch &launch, std::array<int64_t, 3> first,
                  Unrolled &out);

/// The names of all mbarriers; yields where those of an array begin, by CTA and array.
std::vector<int32_t> nameMbarriers(const Program &program, Unrolled &out);

/// What products into one sum have in common: the same columns, shapes and types.
std::vector<int64_t> sumKey(const Program &program, const Tcgen05Mma &op,
                            const std::function<int64_t(const Index &)> &value);

/// Numbers that a run draws or reads: the explorer does not follow them. Addresses of tensor memory
/// are like any bytes.
bool readsNumbers(const Program &program);

} // namespace sluice::explorer
