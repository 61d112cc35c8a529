// Settings of gemm: what may be given, what is taken for "auto", and what is refused of them.
#pragma once

#include "kernels/Gemm.h"

namespace sluice {

std::vector<Parameter> gemmParameters();
/// Names of the settings that the planner decides.
const std::vector<std::string> &plannedOfGemm();

Result<Plan> planOfGemm(const Parameters &p, const Arch &arch);
/// With what `gemmConfig` takes for "auto".
Result<Parameters> settledGemm(const Parameters &p, const Arch &arch);
/// What is built; an error that names the settings that no kernel has.
Result<GemmConfig> gemmConfig(const Parameters &p, const Arch &arch);

} // namespace sluice
