// What gemm asks of the cores of Ascend: settings that they have no use for, and the plan.
#pragma once

#include "kernels/Catalog.h"
#include "kernels/Gemm.h"

namespace sluice {

/// Settings that ask for what an Ascend core does not have.
std::optional<Error> nvidiasAlone(const Parameters &p);

/// Cores that share the steps of a tile store their sums, and vector cores add them up.
std::optional<Error> wrongSplitOfCores(const GemmConfig &config);

Plan planForAscend(const Parameters &p, const GemmConfig &config, const Arch &arch);

} // namespace sluice
