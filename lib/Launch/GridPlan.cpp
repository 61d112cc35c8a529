#include "Launch/GridPlan.h"

#include "Program/Agent.h"
#include "Program/GridLimits.h"

#include <map>

namespace sluice {
namespace {

bool isArithmetic(ScalarOp op) {
  return op >= ScalarOp::constant && op <= ScalarOp::select;
}

/// Copies the scalars that a value needs, operands first.
class Needed {
public:
  Needed(const Program &program, GridPlan &plan) : plan_(plan) {
    for (const Stmt &s : program.body.stmts)
      if (auto *scalar = std::get_if<Scalar>(&s.op))
        definitions_[scalar->result] = scalar;
  }

  ValueId take(ValueId v) {
    if (auto have = taken_.find(v); have != taken_.end())
      return have->second;
    auto defined = definitions_.find(v);
    if (defined == definitions_.end() || !isArithmetic(defined->second->op)) {
      plan_.unknown = "it depends on more than extents and arguments";
      return 0;
    }
    Scalar copy = *defined->second;
    for (ValueId &operand : copy.operands)
      operand = take(operand);
    if (plan_.scalars.size() == maxLaunchScalars)
      plan_.unknown = "it takes more than " + std::to_string(maxLaunchScalars) + " steps";
    if (!plan_.unknown.empty())
      return 0;
    copy.result = static_cast<ValueId>(plan_.scalars.size());
    plan_.scalars.push_back(std::move(copy));
    return taken_[v] = plan_.scalars.back().result;
  }

private:
  GridPlan &plan_;
  std::map<ValueId, const Scalar *> definitions_;
  std::map<ValueId, ValueId> taken_;
};

Error sideError(const std::string &kernel, size_t side, int64_t extent, const std::string &why) {
  return inputError("kernel " + kernel + ": side " + std::to_string(side) + " of the grid is " +
                    std::to_string(extent) + ", " + why);
}

} // namespace

GridPlan planGrid(const Program &program) {
  GridPlan plan;
  Needed needed(program, plan);
  for (const Stmt &s : program.body.stmts)
    if (auto *grid = std::get_if<Grid>(&s.op)) {
      for (ValueId extent : grid->extents)
        plan.extents.push_back(needed.take(extent));
      break;
    }
  if (plan.extents.size() > 3)
    plan.unknown = "it has more than three sides";
  return plan;
}

std::optional<Error> launchGrid(const GridPlan &plan, const std::string &kernel,
                                const std::array<int64_t, 3> &cluster,
                                const LaunchArguments &arguments, std::array<int64_t, 3> &grid) {
  if (!plan.unknown.empty())
    return unsupportedError("kernel " + kernel +
                            ": the host cannot compute its grid: " + plan.unknown);
  int64_t frame[maxPassedScalars];
  evaluate(
      plan.scalars, [&](const Scalar &s) { return arguments.number(s); }, frame);
  grid = {1, 1, 1};
  for (size_t d = 0; d < plan.extents.size(); ++d) {
    grid[d] = frame[plan.extents[d]];
    if (const int64_t most = mostCtas(Target::sm_90a, d); grid[d] < 0 || grid[d] > most)
      return sideError(kernel, d, grid[d], "the limit is " + std::to_string(most));
    if (grid[d] % cluster[d])
      return sideError(kernel, d, grid[d],
                       "no multiple of the cluster's " + std::to_string(cluster[d]));
  }
  return std::nullopt;
}

} // namespace sluice
