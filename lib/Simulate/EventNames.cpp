#include "Simulate/EventNames.h"

#include "Program/OperationFacts.h"
#include "Program/OperationText.h"

namespace sluice {
namespace {

std::string nameOfView(const Program &p, const View &v) {
  return v.kind == View::tensor ? p.tensors[v.object].name : p.buffers[v.object].name;
}

} // namespace

std::string label(const Program &p, const Operation &op) {
  const OperationFacts facts = factsOf(op);
  const auto named = [&](const View *v) { return nameOfView(p, *v); };
  if (const TileMove &move = facts.move; move && !std::holds_alternative<RemoteCopy>(op)) {
    const auto isOf = [&](const View &v, Space space) {
      return p.buffer(v) && p.buffer(v)->space == space;
    };
    if (move.source->kind == View::tensor)
      return "load " + named(move.destination);
    if (isOf(*move.source, Space::tmem))
      return "load " + named(move.source);
    if (move.destination->kind == View::tensor || isOf(*move.destination, Space::tmem))
      return "store " + named(move.destination);
    return "copy " + named(move.source) + " -> " + named(move.destination);
  }
  if (facts.product)
    return (std::holds_alternative<Wgmma>(op) ? "wgmma -> " : "mma -> ") + named(facts.product.d);
  if (facts.hint)
    return std::string(facts.name) + " " + named(facts.hint);
  if (auto *o = std::get_if<Print>(&op))
    return "print " + named(&o->source);
  if (auto *o = std::get_if<Fill>(&op))
    return "fill " + named(&o->destination);
  if (std::holds_alternative<Raw>(op))
    return "raw text";
  if (std::holds_alternative<Map>(op) || std::holds_alternative<Reduce>(op))
    return std::string(facts.name) + " -> " + named(facts.views.writes[0]);
  return "operation";
}

std::string slotName(const Mbarrier &barrier, int64_t slot) {
  return barrier.slots == 1 ? barrier.name : barrier.name + "[" + std::to_string(slot) + "]";
}

std::string rowName(const Agent &agent) {
  const Role *role = agent.role();
  const int warp = agent.warpInRole();
  if (!role || role->warps < 8)
    return warp != 0 ? "" : role ? role->name : "all warps";
  return warp % 4 ? "" : role->name + " wg" + std::to_string(warp / 4);
}

namespace {

std::string barrierOf(const Program &program, const Agent &agent, const Operation &op) {
  if (auto *o = std::get_if<TmemWait>(&op))
    return o->stores ? "stores to tensor memory" : "loads of tensor memory";
  if (auto *o = std::get_if<MbarrierWait>(&op))
    return program.mbarriers[o->barrier.object].name;
  if (auto *o = std::get_if<WaitFlag>(&op))
    return flagName(o->source, o->destination, agent.value(o->id));
  if (auto *o = std::get_if<NamedBarrier>(&op))
    return "named barrier " + std::to_string(agent.value(o->id));
  const OperationFacts facts = factsOf(op);
  if (facts.flag.mutex)
    return mutexName(agent.value(*facts.flag.id));
  if (facts.units)
    return "units of " + program.buffers[facts.units.tile->object].name;
  if (facts.counter.counter)
    return "counter " + program.tensors[facts.counter.counter->object].name;
  if (facts.meeting.kind != MeetingDeed::none)
    return facts.meeting.kind == MeetingDeed::cluster ? "cluster barrier" : "pipe barrier ALL";
  if (facts.flag.cross)
    return "cross-core flag";
  const bool waits = facts.group.kind == GroupDeed::waits;
  return waits && facts.group.queue == GroupDeed::wgmmas ? "wgmma groups"
         : waits && facts.group.queue == GroupDeed::bulk ? "bulk groups"
                                                         : "groups";
}

} // namespace

Awaited awaited(const Program &program, const Agent &agent, const Operation &op) {
  Awaited what{barrierOf(program, agent, op), "", -1};
  what.text = "wait " + what.barrier;
  if (auto *o = std::get_if<MbarrierWait>(&op)) {
    what.slot = agent.value(o->barrier.slot);
    what.text = "wait " + slotName(program.mbarriers[o->barrier.object], what.slot);
  }
  return what;
}

int64_t ringSlot(const Program &program, const Agent &agent, const View &view) {
  const Buffer *b = program.buffer(view);
  return b && b->slots > 1 ? agent.value(view.slot) : -1;
}

const View *ringOf(const Program &program, const Operation &op) {
  const OperationFacts facts = factsOf(op);
  if (facts.product) // Ascend: the slot that the copy to L0A filled
    return facts.machine == MachineKind::nvidia || program.buffer(*facts.product.a)->slots > 1
               ? facts.product.a
               : facts.product.d;
  if (!facts.move || std::holds_alternative<RemoteCopy>(op))
    return nullptr;
  const Buffer *from = program.buffer(*facts.move.source);
  const bool isRead =
      from && (from->space == Space::tmem || !program.buffer(*facts.move.destination));
  return isRead ? facts.move.source : facts.move.destination;
}

} // namespace sluice
