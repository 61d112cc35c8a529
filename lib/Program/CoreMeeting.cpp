#include "Program/CoreMeeting.h"

#include "Program/Agent.h"
#include "Program/Blocks.h"

#include <algorithm>

namespace sluice {

std::optional<CoreMeeting> coreMeetingOf(const Program &program) {
  CoreMeeting found;
  walkRoles(program.body, [&](const Stmt &s, const Role *role) {
    const auto *set = std::get_if<CrossSet>(&s.op);
    if (role && set && set->mode == allCores) {
      found.set = &s;
      found.kind = role->core;
      found.id = set->id.constant;
    }
  });
  if (!found.set)
    return std::nullopt;
  walkRoles(program.body, [&](const Stmt &s, const Role *role) {
    const auto *wait = std::get_if<CrossWait>(&s.op);
    if (role && wait && wait->id.isConstant() && wait->id.constant == found.id)
      found.wait = &s;
  });
  return found;
}

bool joinsGrid(const Program &program) {
  const std::vector<bool> awaited = awaitedCounters(program);
  return std::ranges::find(awaited, true) != awaited.end() || coreMeetingOf(program).has_value();
}

} // namespace sluice
