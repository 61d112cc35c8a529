#include "Verify/Observations.h"

#include "Program/Agent.h"
#include "Verify/Names.h"

namespace sluice {
namespace {

std::string uselessText(const Program &program, const Stmt &s) {
  if (auto *wait = std::get_if<MbarrierWait>(&s.op))
    return "the wait for " + program.mbarriers[wait->barrier.object].name + place(s.loc) +
           " never blocks: all that it waits for is known before it";
  if (auto *barrier = std::get_if<NamedBarrier>(&s.op))
    return (barrier->id.isConstant() ? "named barrier " + std::to_string(barrier->id.constant)
                                     : operationName(s.op)) +
           place(s.loc) + " is implied by others: nobody learns anything new from it";
  const auto kind = std::get<Fence>(s.op).kind;
  if (kind == Fence::mbarrierInit)
    return "fence.mbarrier_init" + place(s.loc) +
           " has nothing to publish: no mbarrier of the thread was initialised since the fence "
           "before";
  const bool global = kind == Fence::proxyAsyncGlobal;
  return std::string(global ? "fence.proxy.async.global" : "fence.proxy.async") + place(s.loc) +
         " has nothing to make visible: no generic " +
         (global ? "write of global" : "access to shared") +
         " memory comes before it that another fence does not cover";
}

} // namespace

std::vector<std::string> Observations::notes(const Program &program) const {
  std::vector<std::string> notes;
  walk(program.body, [&](const Stmt &s) {
    if (const auto at = mattered_.find(&s); at != mattered_.end() && !at->second)
      notes.push_back(uselessText(program, s));
  });
  for (size_t i = 0; i < program.buffers.size(); ++i) {
    const Buffer &b = program.buffers[i];
    const int64_t most = mostSlots_[i];
    if (most == 0 || most >= b.slots)
      continue;
    const std::string slots = std::to_string(b.slots) + " slots";
    notes.push_back(most == 1 ? b.name +
                                    " is serialised: each refill follows the last read of the "
                                    "fill before, so its " +
                                    slots + " never overlap" + place(b.loc)
                              : "never more than " + std::to_string(most) + " of " + b.name +
                                    "'s " + slots + " are in use" + place(b.loc));
  }
  return notes;
}

} // namespace sluice
