#include "Launch/LaunchPlan.h"

#include "Program/Agent.h"
#include "Program/Joined.h"
#include "Program/Ranges.h"

#include <algorithm>

namespace sluice {

/// In terms of what a launch passes. The value of an assumption is its last.
static void usePassed(const std::vector<Tensor> &tensors, LaunchPlan &plan) {
  std::vector<ValueId> values;
  plan.grid.scalars = passed(tensors, plan.grid.scalars, values);
  for (ValueId &extent : plan.grid.extents)
    extent = plan.grid.unknown.empty() ? values[size_t(extent)] : 0;
  for (Assumption &assumption : plan.assumptions)
    assumption.scalars = passed(tensors, assumption.scalars, values);
}

LaunchPlan launchPlan(const Program &program, std::string symbol) {
  LaunchPlan plan;
  plan.kernel = std::move(symbol);
  plan.target = program.target;
  for (const Tensor &tensor : program.tensors)
    plan.tensors.push_back(passed(tensor));
  plan.extentNames.resize(plan.tensors.size());
  plan.arguments = program.arguments;
  plan.threads = 32 * program.warps;
  plan.sharedBytes = program.sharedBytes;
  std::copy(program.cluster, program.cluster + 3, plan.cluster.begin());
  plan.grid = planGrid(program);
  plan.assumptions = program.assumptions;
  const Ranges ranges(program);
  plan.assumptions.insert(plan.assumptions.end(), ranges.limits().begin(), ranges.limits().end());
  usePassed(program.tensors, plan);
  walk(program.body, [&](const Stmt &s) {
    if (auto *dependency = std::get_if<GridDependency>(&s.op))
      plan.overlapsPrevious |= !dependency->launch;
  });
  return plan;
}

} // namespace sluice
