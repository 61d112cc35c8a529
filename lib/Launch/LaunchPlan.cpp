#include "Launch/LaunchPlan.h"

#include "Program/Agent.h"
#include "Program/Ranges.h"

#include <algorithm>

namespace sluice {

LaunchPlan launchPlan(const Program &program, std::string symbol) {
  LaunchPlan plan;
  plan.kernel = std::move(symbol);
  plan.target = program.target;
  plan.tensors = program.tensors;
  plan.extentNames.resize(plan.tensors.size());
  plan.arguments = program.arguments;
  plan.threads = 32 * program.warps;
  plan.sharedBytes = program.sharedBytes;
  std::copy(program.cluster, program.cluster + 3, plan.cluster.begin());
  plan.grid = planGrid(program);
  plan.assumptions = program.assumptions;
  const Ranges ranges(program);
  plan.assumptions.insert(plan.assumptions.end(), ranges.limits().begin(), ranges.limits().end());
  walk(program.body, [&](const Stmt &s) {
    if (auto *dependency = std::get_if<GridDependency>(&s.op))
      plan.overlapsPrevious |= !dependency->launch;
  });
  return plan;
}

} // namespace sluice
