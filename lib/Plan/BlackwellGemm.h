// Tiles, stages, staging, clusters, pairs and grid of a GEMM on Blackwell.
#pragma once

#include "Plan/GemmPlan.h"

namespace sluice {

Plan planBlackwellGemm(const GemmProblem &problem, const Arch &arch);

} // namespace sluice
