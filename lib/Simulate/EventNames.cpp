#include "Simulate/EventNames.h"

#include "Program/OperationText.h"

namespace sluice {
namespace {

std::string nameOfView(const Program &p, const View &v) {
  return v.kind == View::tensor ? p.tensors[v.object].name : p.buffers[v.object].name;
}

} // namespace

std::string label(const Program &p, const Operation &op) {
  if (auto *o = std::get_if<TmaLoad>(&op))
    return "load " + nameOfView(p, o->destination);
  if (auto *o = std::get_if<TmaStore>(&op))
    return "store " + nameOfView(p, o->destination);
  if (auto *o = std::get_if<Copy>(&op))
    return o->source.kind == View::tensor ? "load " + nameOfView(p, o->destination)
           : o->destination.kind == View::tensor
               ? "store " + nameOfView(p, o->destination)
               : "copy " + nameOfView(p, o->source) + " -> " + nameOfView(p, o->destination);
  if (auto *o = std::get_if<Prefetch>(&op))
    return "prefetch " + nameOfView(p, o->source);
  if (auto *o = std::get_if<Print>(&op))
    return "print " + nameOfView(p, o->source);
  if (auto *o = std::get_if<Fill>(&op))
    return "fill " + nameOfView(p, o->destination);
  if (auto *o = std::get_if<Map>(&op))
    return "map -> " + nameOfView(p, o->outs[0]);
  if (auto *o = std::get_if<Reduce>(&op))
    return "reduce -> " + nameOfView(p, o->out);
  if (std::holds_alternative<Raw>(op))
    return "raw text";
  if (auto *o = std::get_if<Wgmma>(&op))
    return "wgmma -> " + nameOfView(p, o->d);
  if (auto *o = std::get_if<Tcgen05Mma>(&op))
    return "mma -> " + nameOfView(p, o->d);
  if (auto *o = std::get_if<TmemLoad>(&op))
    return "load " + nameOfView(p, o->source);
  if (auto *o = std::get_if<TmemStore>(&op))
    return "store " + nameOfView(p, o->destination);
  if (auto *o = std::get_if<Mmad>(&op))
    return "mma -> " + nameOfView(p, o->d);
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
  if (auto *o = std::get_if<CounterWait>(&op))
    return "counter " + program.tensors[o->counter.object].name;
  return std::holds_alternative<ClusterBarrier>(op) ? "cluster barrier"
         : std::holds_alternative<PipeBarrier>(op)  ? "pipe barrier ALL"
         : std::holds_alternative<CrossWait>(op)    ? "cross-core flag"
         : std::holds_alternative<WgmmaWait>(op)    ? "wgmma groups"
         : std::holds_alternative<BulkWait>(op)     ? "bulk groups"
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
  if (auto *load = std::get_if<TmaLoad>(&op))
    return &load->destination;
  if (auto *store = std::get_if<TmaStore>(&op))
    return &store->source;
  if (auto *product = std::get_if<Wgmma>(&op))
    return &product->a;
  if (auto *product = std::get_if<Tcgen05Mma>(&op))
    return &product->a;
  if (auto *load = std::get_if<TmemLoad>(&op))
    return &load->source;
  if (auto *store = std::get_if<TmemStore>(&op))
    return &store->destination;
  if (auto *copy = std::get_if<Copy>(&op))
    return copy->destination.kind == View::buffer ? &copy->destination : &copy->source;
  if (auto *mmad = std::get_if<Mmad>(&op)) // the slot that the copy to L0A filled
    return program.buffer(mmad->a)->slots > 1 ? &mmad->a : &mmad->d;
  return nullptr;
}

} // namespace sluice
