// What a run finds out about operations that never matter, and about reads that a refill overtakes
// without a proxy fence.
#include "Verify/Names.h"
#include "Verify/Run.h"

#include <algorithm>

namespace sluice {

void RunBarriers::observeWait(const Stmt &s, const TrackedMbarrier &b, const Strands &who) {
  if (!context_.observed.open(s) || b.state.phase() == 0)
    return;
  for (const BarrierEvent &e : b.previous())
    if (!who.know(e.stamp))
      return context_.observed.matters(s);
}

void RunMeetings::observeArrival(const Actor &a, const Stmt &s, HardwareBarrier &b) {
  context_.observed.open(s);
  b.prior.join(a.lanes.order);
  b.prior.join(a.elected.order);
}

/// A barrier matters to whoever learns something that was known to another before they met; one who
/// only arrives matters when somebody learns.
void RunMeetings::observeCompletion(const Actor &a, const Stmt &s, HardwareBarrier &b) {
  bool open = context_.observed.open(s);
  for (const BarrierEvent &e : b.current)
    open |= context_.observed.open(*e.stmt);
  const auto learns = [&](const Actor &x) {
    return !x.lanes.order.covers(b.prior) || !x.elected.order.covers(b.prior);
  };
  bool anybody = open && !std::get<NamedBarrier>(s.op).arriveOnly && learns(a);
  for (size_t i = 0; i < b.blocked.size() && open && !anybody; ++i)
    anybody = learns(actors_[b.blocked[i]]);
  if (anybody)
    for (const BarrierEvent &e : b.current)
      context_.observed.matters(*e.stmt);
  b.prior.clear();
}

void RunData::observeFence(const Actor &a, const Stmt &s, const Strands &who) {
  if (!context_.observed.open(s))
    return;
  const bool global = std::get<Fence>(s.op).kind == Fence::proxyAsyncGlobal;
  if (global && parts_.brackets.hasWaited()) // what other CTAs have written is in no run
    return context_.observed.matters(s);
  const auto news = [&](const Knowledge *k, Stamp stamp) { // of one strand
    if (!k)
      return false;
    const bool fenced = (global ? k->sight.global : k->sight.shared).knows(stamp);
    return (k->sight.memory.knows(stamp) && !fenced) ||
           (!global && k->order.knows(stamp) && !k->proxy.knows(stamp));
  };
  const auto shows = [&](const Access &x) {
    return x.stmt && !x.async &&
           !x.all([&](Stamp s) { return !news(who.first, s) && !news(who.second, s); });
  };
  if (Memory *m = global ? nullptr : parts_.memory.touched(a.cta, Space::smem))
    for (const Cell &c : m->cells())
      if (shows(c.write) || std::any_of(c.reads.begin(), c.reads.end(), shows))
        return context_.observed.matters(s);
  for (const TensorHistory &t : parts_.tensors.histories())
    for (const BoxHistory &h : t.boxes())
      if (global && (shows(h.write) || std::any_of(h.reads.begin(), h.reads.end(), shows)))
        return context_.observed.matters(s);
}

void RunMemory::observeFill(const Actor &a, const View &view, Memory &m, int64_t byte,
                            const Strands &who) {
  const Buffer &buffer = program_.buffers[view.object];
  const int64_t own = a.agent.value(view.slot), first = byte - own * buffer.slotBytes;
  int64_t inUse = 1;
  for (int64_t slot = 0; slot < buffer.slots; ++slot) {
    const Cell *cell = slot == own ? nullptr : m.at(first + slot * buffer.slotBytes);
    if (!cell || !cell->write.stmt || cell->write.object != view.object)
      continue;
    const bool free = cell->wasRead && std::all_of(cell->reads.begin(), cell->reads.end(),
                                                   [&](const Access &r) { return who.know(r); });
    inUse += !free;
  }
  context_.observed.slotsInUse(view.object, inUse);
}

bool RunMemory::overtakesRead(Actor &a, const Stmt &s, const Buffer &buffer, const Cell &cell,
                              const Strands &who) {
  for (const Access &read : cell.reads)
    if (!read.async && !who.fenced(read))
      return overtakes(a, s, read, slotsOf(buffer, cell.bytes), buffer.name, "fence.proxy.async");
  return false;
}

/// Of a tensor.
bool RunOrder::mayOvertake(const Access &prior, bool priorWrites, const Access &now, bool writes,
                           const Strands &who) {
  return !priorWrites && writes && now.async && !prior.async && !who.see(prior, &Sight::global);
}

bool RunOrder::overtakes(const Actor &a, const Stmt &s, const Access &read,
                         const std::string &bytes, const std::string &object, const char *fence) {
  if (!context_.strict) {
    context_.assumptions.insert(
        "reads-in-time: what " + operationName(read.stmt->op) + place(read.stmt->loc) +
        " reads of " + object + " has come before " + operationName(s.op) + place(s.loc) +
        " overwrites it, without " + fence +
        " between (R39; an H100 has overtaken such reads of shared memory, --strict refuses it)");
    return false;
  }
  about(read, "reads " + bytes);
  refuse("R39",
         what(a, s) + " overwrites " + bytes + " that " + what(read) +
             " has read through the generic proxy, and no " + fence +
             " lies between. Put the fence after the read, before the arrive that releases the "
             "bytes",
         s, object);
  return true;
}

} // namespace sluice
