#include "Emit/SyncIds.h"

#include "Program/Blocks.h"
#include "Program/OperationFacts.h"

namespace sluice {

bool isSynchronisation(const Operation &op) {
  const OperationFacts facts = factsOf(op);
  const bool verb = facts.barrier.kind != BarrierDeed::none && !facts.barrier.completes;
  const bool ofGroups =
      facts.group.kind == GroupDeed::commits || facts.group.kind == GroupDeed::waits;
  return verb || ofGroups || facts.counter.counter || facts.meeting.kind != MeetingDeed::none ||
         isOneOf<WarpSync, Fence, WgmmaFence, GridDependency>(op);
}

std::vector<Synchronisation> synchronisations(const Program &program) {
  std::vector<Synchronisation> found;
  walkRoles(program.body, [&found](const Stmt &s, const Role *role) {
    if (isSynchronisation(s.op))
      found.push_back({&s, role});
  });
  return found;
}

} // namespace sluice
