#include "Verify/WarpShares.h"

#include "Program/Sharing.h"

#include <algorithm>

namespace sluice {
namespace {

/// A warp by its number in a role.
class WarpOf : public AgentPosition {
public:
  WarpOf(const Program &program, const Role *role, int number) : AgentPosition(program, {}) {
    role_ = role;
    id_.warp = (role ? role->firstWarp : 0) + number;
  }
};

/// Views that say whose rows the operation takes, the first of which counts them.
std::vector<const View *> sharers(const Stmt &s) {
  if (const auto *copy = std::get_if<Copy>(&s.op); copy && !copy->async)
    return {&copy->destination, &copy->source};
  if (const auto *fill = std::get_if<Fill>(&s.op))
    return {&fill->destination};
  return {};
}

} // namespace

std::vector<std::vector<View>> warpShares(const Program &program, const AccessSite &site) {
  const int warps = site.role ? site.role->warps : program.warps;
  if (isAscend(program.target))
    return {};
  if (warps == 1 || site.stmt->exec == Exec::one) { // the first warp
    std::vector<std::vector<View>> shares(static_cast<size_t>(warps));
    shares.front() = {*site.view};
    return shares;
  }
  const std::vector<const View *> views = sharers(*site.stmt);
  const auto isFixed = [&](const View *v) { // what lies where in a tile
    return v->kind == View::tensor || std::ranges::all_of(v->offset, &Index::isConstant);
  };
  if (views.empty() || site.stmt->exec != Exec::threads || copiesColumns(program, *site.stmt) ||
      !std::ranges::all_of(views, isFixed))
    return {};
  std::vector<std::vector<View>> shares;
  for (int warp = 0; warp < warps; ++warp) {
    std::vector<View> &parts = shares.emplace_back();
    for (const RowRange &rows :
         sharedRows(program, WarpOf(program, site.role, warp), site.stmt->exec, views,
                    [](const Index &i) { return i.constant; }))
      for (View &part : restrictedTo(*site.view, rows, rowCount(*views[0])))
        parts.push_back(std::move(part));
  }
  return shares;
}

} // namespace sluice
