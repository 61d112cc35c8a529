#include "Program/AscendCores.h"
#include "Verify/Conditions.h"
#include "Verify/Names.h"
#include "Verify/Run.h"

#include <algorithm>

namespace sluice {

bool RunData::access(Actor &a, const Stmt &s, const Use &use, const Access &access, int cta,
                     const Strands &who, const Rows &rows) {
  const View &v = *use.view;
  if (rows.ranges.empty()) // also a part that lies behind the rows of all warps
    return v.kind == View::tensor || parts_.memory.inBounds(a, s, v);
  words_.starts(access.stamp);
  return v.kind == View::tensor
             ? parts_.tensors.accessTensor(a, s, v, access, use.write, false, who, rows)
             : parts_.memory.accessBuffer(a, s, v, access, use.write, cta, who, rows);
}

RunPart::Rows RunPart::rowsFor(const Actor &a, const Stmt &s,
                               const std::vector<const View *> &views) const {
  const bool columns = copiesColumns(program_, s);
  const View first = columns ? turned(*views[0]) : *views[0];
  std::vector<const View *> counted = columns ? std::vector{&first} : views;
  return {sharedRows(program_, a.agent, s.exec, counted,
                     [&](const Index &i) { return a.agent.value(i); }),
          rowCount(first), columns};
}

RunData::Step RunData::synchronous(Actor &a, const Stmt &s, const std::vector<Use> &uses,
                                   int64_t tag) {
  const Strands who = strands(a, s);
  const BarrierEvent e = event(a, s);
  const UnitsDeed units = unitsDeed(s.op);
  Knowledge ofTile = units ? parts_.units.ofTile(a, units) : Knowledge{};
  std::vector<const View *> views;
  for (const Use &use : uses)
    views.push_back(use.view);
  const Rows rows = rowsFor(a, s, views);
  for (const bool write : {false, true}) // reads first: an operation may work in place
    for (const Use &use : uses)
      if (use.write == write) {
        const Access acc{e.stamp, &s, a.index, false, false, -1, write ? tag : -1};
        const bool byUnits = use.view == units.tile;
        if (!access(a, s, use, acc, a.cta, byUnits ? Strands{&ofTile, nullptr} : who, rows))
          return Step::stop;
      }
  if (units)
    parts_.units.leave(a, s);
  return Step::done;
}

RunData::Step RunData::mmad(Actor &a, const Stmt &s, const Mmad &op) {
  if (const Step entered = parts_.units.enter(a, s); entered != Step::done)
    return entered;
  std::vector<Use> uses{{&op.d, true}, {&op.a, false}, {&op.b, false}};
  const bool adds = a.agent.value(op.accumulate) != 0;
  if (!parts_.origin.belongTogether(a, s, op, adds))
    return Step::stop;
  if (adds)
    uses.push_back({&op.d, false});
  if (synchronous(a, s, uses) == Step::stop)
    return Step::stop;
  parts_.products.markProduct(a, s, op);
  return Step::done;
}

RunData::Step RunData::map(Actor &a, const Stmt &s, const Map &op) {
  std::vector<Use> uses;
  for (const View &v : op.outs)
    uses.push_back({&v, true});
  for (const View &v : op.ins)
    uses.push_back({&v, false});
  return synchronous(a, s, uses);
}

RunData::Step RunData::raw(Actor &a, const Stmt &s, const Raw &op) {
  context_.assumptions.insert("declared: raw text touches what it declares, and nothing else");
  const Strands who = strands(a, s);
  const BarrierEvent e = event(a, s);
  for (const bool write : {false, true})
    for (const View &v : write ? op.writes : op.reads) {
      const bool async = op.async && program_.buffers[v.object].space != Space::reg;
      const Access acc{e.stamp, &s, a.index, async, false};
      const std::vector<const View *> sharers = sharersOf(program_, op, v);
      const Rows rows =
          sharers.empty() ? Rows{{{0, rowCount(v)}}, rowCount(v)} : rowsFor(a, s, sharers);
      if (!access(a, s, {&v, write}, acc, a.cta, who, rows))
        return Step::stop;
    }
  return Step::done;
}

RunData::Step RunData::copy(Actor &a, const Stmt &s, const Copy &op) {
  if (const Step entered = parts_.units.enter(a, s); entered != Step::done)
    return entered;
  const int64_t tag = op.destination.kind == View::buffer
                          ? parts_.origin.tagAfterCopy(a, op.destination, op.source, a.cta)
                          : -1;
  if (violation_)
    return Step::stop;
  if (isAscend(program_.target) && op.source.kind == View::buffer &&
      op.destination.kind == View::tensor && parts_.products.storeProduct(a, s, op) == Step::stop)
    return Step::stop;
  if (crossingOf(program_, op) != Crossing::none)
    return crossing(a, s, op, tag);
  std::vector<Use> uses = {{&op.destination, true}, {&op.source, false}};
  if (op.rows)
    uses.push_back({&op.rows->numbers, false});
  if (!op.async)
    return synchronous(a, s, uses, tag);
  const Strands who = strands(a, s);
  event(a, s);
  const Rows rows = rowsFor(a, s, {&op.destination});
  const bool ofAll = s.exec == Exec::threads;
  const Strand strand = ofAll ? Strand::copies : Strand::electedCopies;
  Access acc{issue(a, copiesOf(a, s), strand), &s, a.index, false, false, -1, tag};
  parts_.exit.owe(a.cta, {acc.stamp, a.index, &s});
  if (ofAll) {
    acc.electedEnd = issue(a, a.electedCopies, Strand::electedCopies);
    parts_.exit.owe(a.cta, {acc.electedEnd, a.index, &s});
  }
  for (const bool write : {false, true})
    for (const Use &use : uses)
      if (use.write == write && !access(a, s, use, acc, a.cta, who, rows))
        return Step::stop;
  return Step::done;
}

/// Reads memory of the own core and writes that of others: of both AIVs, or of the AIC.
RunData::Step RunData::crossing(Actor &a, const Stmt &s, const Copy &op, int64_t tag) {
  const Strands who = strands(a, s);
  const Stamp stamp = event(a, s).stamp;
  const auto all = [](const View &v) { return Rows{{{0, rowCount(v)}}, rowCount(v)}; };
  if (!access(a, s, {&op.source, false}, {stamp, &s, a.index, false, false}, a.cta, who,
              all(op.source)))
    return Step::stop;
  const std::vector<int> receivers =
      crossingOf(program_, op) == Crossing::toVectors ? std::vector{1, 2} : std::vector{0};
  for (const int core : receivers)
    if (!access(a, s, {&op.destination, true}, {stamp, &s, a.index, false, false, -1, tag}, core,
                who, all(op.destination)))
      return Step::stop;
  return Step::done;
}

Stamp RunData::nextLoad(const Actor &a, const Stmt &s, const BarrierPlace &b) {
  const int64_t barrier = Context::barrierNumber(b.cta, b.object, b.slot);
  const int32_t chain = context_.component(Context::Component::loads, a.index, &s, barrier);
  return {chain, ++loads_[chain]};
}

RunData::Step RunData::tmaLoad(Actor &a, const Stmt &s, const TmaLoad &op) {
  const Strands who = strands(a, s);
  event(a, s);
  const auto own = parts_.barriers.resolve(a, s, op.barrier);
  if (!own)
    return Step::stop;
  const int64_t bytes = program_.bytesOfCopy(op.destination);
  const bool ofPeer = program_.target == Target::sm_100a && own->cta == (a.cta ^ 1);
  if (own->cta != a.cta && (!ofPeer || op.multicast))
    return refuse("R15",
                  what(a, s) + " completes its bytes on " + nameOf(*own) +
                      ": TMA signals a barrier of the CTA that it writes to. Load on a barrier of "
                      "the own CTA, and tell the peer by an arrive",
                  s, nameOf(*own));
  if (ofPeer && !parts_.barriers.usable(a, s, *own, true))
    return Step::stop;
  const Rows rows = rowsFor(a, s, {&op.destination});
  if (parts_.barriers.namesOthers(a, s, op.multicast, "receives the tile",
                                  program_.buffers[op.destination.object].name))
    return Step::stop;
  for (int cta = 0; cta < static_cast<int>(ctas_.size()); ++cta) {
    if (op.multicast ? !(op.multicast >> cta & 1) : cta != a.cta)
      continue;
    const BarrierPlace place = op.multicast ? parts_.barriers.sameIn(cta, *own) : *own;
    if (!parts_.barriers.usable(a, s, place, true))
      return Step::stop;
    const Access acc{nextLoad(a, s, place),
                     &s,
                     a.index,
                     true,
                     false,
                     -1,
                     parts_.origin.tagAfterCopy(a, op.destination, op.source, cta)};
    if (!access(a, s, {&op.source, false}, acc, cta, who, rows) ||
        !access(a, s, {&op.destination, true}, acc, cta, who, rows))
      return Step::stop;
    parts_.exit.owe(cta, {acc.stamp, a.index, &s});
    if (cta != a.cta)
      parts_.exit.owe(a.cta, {acc.stamp, a.index, &s});
    if (ofPeer)
      parts_.exit.owe(own->cta, {acc.stamp, a.index, &s}, own->object, own->slot);
    if (parts_.barriers.completeBytes(a, s, place, bytes, acc.stamp) == Step::stop)
      return Step::stop;
  }
  return Step::done;
}

RunData::Step RunData::tmaStore(Actor &a, const Stmt &s, const TmaStore &op) {
  const Strands who = strands(a, s);
  event(a, s);
  const Access read{issue(a, a.bulkReads, Strand::bulkReads), &s, a.index, true, false};
  if (a.bulkWrites < 0)
    a.bulkWrites = component(a, Strand::bulkWrites);
  const Access written{{a.bulkWrites, read.stamp.count}, &s, a.index, true, false};
  parts_.exit.owe(a.cta, {read.stamp, a.index, &s});
  words_.starts(written.stamp);
  const Rows rows = rowsFor(a, s, {&op.source}), all = rowsFor(a, s, {&op.destination});
  if (!access(a, s, {&op.source, false}, read, a.cta, who, rows) ||
      !parts_.tensors.accessTensor(a, s, op.destination, written, true, op.add, who, all))
    return Step::stop;
  return Step::done;
}

RunData::Step RunData::wgmma(Actor &a, const Stmt &s, const Wgmma &op) {
  converge(a);
  const Strands who = strands(a, s);
  event(a, s);
  if (conditions().ownFence && !a.wgmmaFenced)
    return refuse("R25",
                  what(a, s) +
                      " has no wgmma.fence before it: the first wgmma of a warpgroup needs "
                      "one. Put wgmma.fence before the wgmma",
                  s);
  if (!parts_.warpgroups.comesWithItsGroup(a, s, op))
    return Step::stop;
  const Access acc{issue(a, a.wgmmas, Strand::wgmmas), &s, a.index, true, true};
  parts_.exit.owe(a.cta, {acc.stamp, a.index, &s});
  const Rows rows = rowsFor(a, s, {&op.d});
  if (rows.ranges.empty())
    return Step::done;
  Rows left = rows; // from shared memory the unit reads for the whole warpgroup
  if (program_.buffer(op.a)->space == Space::smem)
    for (RowRange &r : left.ranges)
      r = {r.begin / 64 * 64, std::min(r.begin / 64 * 64 + 64, rows.all)};
  const Rows whole{{{0, op.b.rows()}}, op.b.rows()};
  if (!access(a, s, {&op.a, false}, acc, a.cta, who, left) ||
      !access(a, s, {&op.b, false}, acc, a.cta, who, whole))
    return Step::stop;
  const bool adds = a.agent.value(op.accumulate) != 0;
  if (!parts_.origin.belongTogether(a, s, op, adds) ||
      (adds && !access(a, s, {&op.d, false}, acc, a.cta, who, rows)))
    return Step::stop;
  return access(a, s, {&op.d, true}, acc, a.cta, who, rows) ? Step::done : Step::stop;
}

/// In the shared memory of which CTA the generic writes of a component lie: st.async writes where
/// its barrier is, all else in the own.
int RunData::ctaOfBytes(int32_t component) const {
  const Context::Component &c = context_.componentAt(component);
  if (c.kind == Context::Component::loads)
    if (const auto *copy = std::get_if<RemoteCopy>(&c.stmt->op);
        copy && program_.storesRegisters(*copy))
      return static_cast<int>(std::get<0>(Context::barrierAt(c.barrier)));
  return actors_[c.actor].cta;
}

const std::vector<int32_t> &RunData::writersOf(int cta) {
  writers_.resize(ctas_.size());
  for (; listed_ < context_.components(); ++listed_)
    writers_[ctaOfBytes(listed_)].push_back(listed_);
  return writers_[cta];
}

/// Printed as fence.proxy.async.shared::cta: it speaks for the own CTA's bytes, which warps of that
/// CTA write by ordinary stores, and those of its peers by st.async.
void RunData::fenceProxy(const Actor &a, Knowledge &k) {
  if (ctas_.size() == 1) {
    k.proxy.join(k.order);
    k.sight.shared.join(k.sight.memory);
    return;
  }
  for (const int32_t c : writersOf(a.cta)) {
    k.proxy.learn({c, k.order[c]});
    k.sight.shared.learn({c, k.sight.memory[c]});
  }
}

RunData::Step RunData::fence(Actor &a, const Stmt &s, const Fence &op) {
  const Strands who = strands(a, s);
  if (op.kind == Fence::proxyAsync) {
    observeFence(a, s, who);
    who.each([&](Knowledge &k) { fenceProxy(a, k); });
    return Step::done;
  }
  if (op.kind == Fence::proxyAsyncGlobal) {
    observeFence(a, s, who);
    who.each([](Knowledge &k) { k.sight.global.join(k.sight.memory); });
    return Step::done;
  }
  if (op.kind == Fence::tcgen05Before || op.kind == Fence::tcgen05After) {
    parts_.tensorMemory.fenceTensorMemory(a, s, op);
    return Step::done;
  }
  return parts_.barriers.fenceInitialisations(a, s);
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

} // namespace sluice
