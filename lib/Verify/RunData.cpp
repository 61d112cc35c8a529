// Operations on data: which bytes they touch, and whether they may.
#include "Verify/Conditions.h"
#include "Verify/Names.h"
#include "Verify/Run.h"

#include <algorithm>

namespace sluice {

Memory &RunMemory::of(const Actor &a, const View &view, int cta) {
  const Buffer &b = program_.buffers[view.object];
  const int64_t key = b.space == Space::reg
                          ? registerMemories + int64_t{a.index} * 4096 + view.object
                          : int64_t{cta} * spacesOfCta + static_cast<int64_t>(b.space);
  const int64_t alike = b.space == Space::reg ? key : static_cast<int64_t>(b.space); // of all CTAs
  return memories_.try_emplace(key, context_.partitions[alike]).first->second;
}

Memory *RunMemory::touched(int cta, Space space) {
  const auto found = memories_.find(int64_t{cta} * spacesOfCta + static_cast<int64_t>(space));
  return found == memories_.end() ? nullptr : &found->second;
}

int RunMemory::ctaOf(const Cell &cell) const {
  for (const auto &[key, memory] : memories_)
    if (memory.owns(cell))
      return key < registerMemories ? static_cast<int>(key / spacesOfCta) : -1;
  return -1;
}

bool RunMemory::inBounds(Actor &a, const Stmt &s, const View &view) {
  const Buffer &b = program_.buffers[view.object];
  const int64_t slot = a.agent.value(view.slot);
  std::string fault;
  if (slot < 0 || slot >= b.slots)
    fault = "slot " + std::to_string(slot) + " of " + std::to_string(b.slots);
  for (size_t d = 0; d < view.offset.size() && d < b.shape.size(); ++d) {
    const int64_t begin = a.agent.value(view.offset[d]), end = begin + view.shape[d];
    if (begin < 0 || end > b.shape[d])
      fault = "elements " + std::to_string(begin) + " to " + std::to_string(end) +
              " of dimension " + std::to_string(d) + ", which has " + std::to_string(b.shape[d]);
  }
  if (fault.empty())
    return true;
  refuse("R24",
         what(a, s) + " touches " + b.name + " out of its bounds: " + fault +
             ". Take the slot from a cursor of the ring and the offset from the tile",
         s, b.name);
  return false;
}

const std::vector<Interval> *RunMemory::intervals(Actor &a, const Stmt &s, const View &view,
                                                  const Rows &rows) {
  int64_t rowsKey = rows.all * 2 + rows.columns;
  for (const RowRange &r : rows.ranges)
    rowsKey = (rowsKey * 1000003 + r.begin) * 4099 + r.end;
  const FootprintCache::Key key{reinterpret_cast<int64_t>(&view), a.agent.value(view.slot),
                                a.agent.value(view.offset[0]), a.agent.value(view.offset[1]),
                                rowsKey};
  if (const std::vector<Interval> *known = context_.footprints.find(key))
    return known;
  if (!inBounds(a, s, view))
    return nullptr;
  std::vector<Interval> bytes;
  for (const RowRange &r : rows.ranges)
    for (const View &part : restrictedTo(rows.counted(view), r, rows.all)) {
      const std::vector<int64_t> offsets{a.agent.value(part.offset[0]),
                                         a.agent.value(part.offset[1])};
      for (const Interval &i : footprint(program_, part, key[1], offsets))
        bytes.push_back(i);
    }
  std::sort(bytes.begin(), bytes.end(), [](auto &x, auto &y) { return x.begin < y.begin; });
  return context_.footprints.add(key, std::move(bytes));
}

bool RunMemory::accessCell(Actor &a, const Stmt &s, const Buffer &buffer, Cell &cell,
                           const Access &access, bool write, const Strands &who) {
  if (cell.write.stmt && !ordered(a, cell.write, access, who)) {
    // A reader that knows the write before this one was overtaken by the refill.
    const bool overtaken = !write && cell.write.actor != a.index && cell.older.stmt &&
                           ordered(a, cell.older, access, who);
    return overtaken ? words_.race(buffer, cell, access, false, cell.write, true)
                     : words_.race(buffer, cell, cell.write, true, access, write),
           false;
  }
  if (!cell.write.stmt && !write) {
    refuse("R21",
           what(a, s) + " reads " + slotsOf(buffer, cell.bytes) +
               ", which nothing has written. Fill or load it first; check that producer and "
               "consumer count the same slots",
           s, buffer.name);
    return false;
  }
  if (cell.write.stmt && isUnfenced(a, s, buffer, cell, cell.write, true, access, write, who))
    return false;
  if (!write && !visible(a, cell.write, access, who))
    return invisible(a, s, slotsOf(buffer, cell.bytes), cell.write, buffer.name), false;
  const bool fenced = write ? who.fenced(cell.write) : who.see(cell.write, &Sight::shared);
  const bool async = access.async || access.remoteStore;
  if (async && cell.write.stmt && !cell.write.async && buffer.space == Space::smem &&
      conditions().proxies && !fenced && !(access.remoteStore && cell.write.remoteStore))
    return unfenced(a, s, slotsOf(buffer, cell.bytes), cell.write, write, buffer.name,
                    "fence.proxy.async"),
           false;
  if (buffer.space == Space::reg && access.queued && a.wgmmaFence < a.steps &&
      conditions().ownFence) {
    const auto unfenced = [&](const Access &p) {
      return p.stmt && p.stamp.component == a.lanesComponent && p.stamp.count > a.wgmmaFence;
    };
    const Access *prior = unfenced(cell.write) ? &cell.write : nullptr;
    for (const Access &read : cell.reads)
      if (write && unfenced(read))
        prior = &read;
    if (prior) {
      about(*prior, "touches registers of " + buffer.name);
      refuse("R25",
             what(a, s) + " uses registers of " + buffer.name + " that " + what(*prior) +
                 " touched, without wgmma.fence between. Put wgmma.fence before the wgmma",
             s, buffer.name);
      return false;
    }
  }
  if (isAscend(program_.target) && pipeHazard(a, s, cell, access, write, buffer))
    return false;
  if (!write && !access.queued && readsWithProduct(a, s, buffer, cell, who))
    return false;
  if (!write) {
    addRead(cell.reads, access);
    cell.wasRead = true;
    return true;
  }
  for (const Access &read : cell.reads)
    if (!ordered(a, read, access, who))
      return words_.race(buffer, cell, read, false, access, true), false;
    else if (isUnfenced(a, s, buffer, cell, read, false, access, true, who))
      return false;
  if (async && !access.queued && buffer.space == Space::smem &&
      overtakesRead(a, s, buffer, cell, who))
    return false;
  if (cell.write.stmt && cell.write.async && !cell.write.queued && !cell.wasRead &&
      !cell.write.isNumber) // of a slot the first counts, the others nobody reads
    context_.notes.insert(buffer.name + " is loaded again before anything has read it (" +
                          operationName(cell.write.stmt->op) + place(cell.write.stmt->loc) + ")");
  cell.older = cell.write;
  cell.write = access;
  cell.reads.clear();
  cell.wasRead = false;
  return true;
}

/// PTX ISA, wgmma.wait_group: registers of A that a product may still read are not read either.
bool RunMemory::readsWithProduct(Actor &a, const Stmt &s, const Buffer &buffer, const Cell &cell,
                                 const Strands &who) {
  if (buffer.space != Space::reg || !conditions().ownFence)
    return false;
  for (const Access &read : cell.reads)
    if (read.queued && !who.know(read)) {
      about(read, "takes registers of " + buffer.name);
      refuse("R25",
             what(a, s) + " reads registers of " + buffer.name + " that " + what(read) +
                 " may still read; until it has ended nobody else touches them. Put "
                 "wgmma.commit_group and wgmma.wait_group before",
             s, buffer.name);
      return true;
    }
  return false;
}

bool RunMemory::accessBuffer(Actor &a, const Stmt &s, const View &view, const Access &access,
                             bool write, int cta, const Strands &who, const Rows &rows) {
  const std::vector<Interval> *bytes = intervals(a, s, view, rows);
  if (!bytes)
    return false;
  const Buffer &buffer = program_.buffers[view.object];
  Memory &m = of(a, view, cta);
  Access here = access;
  here.object = view.object;
  here.way = lanesOf(a, s, view, access);
  bool fine = true;
  if (write && buffer.slots > 1 && buffer.space != Space::reg && !bytes->empty() &&
      context_.observed.openSlots(program_, view.object))
    observeFill(a, view, m, bytes->front().begin, who);
  m.each(*bytes,
         [&](Cell &cell) { return fine = accessCell(a, s, buffer, cell, here, write, who); });
  return fine;
}

RunTensors::RunTensors(const RunLinks &links)
    : RunOrder(links), tensors_(program_.tensors.size()) {}

std::optional<Box> RunTensors::boxOf(const Actor &a, const Stmt &s, const View &part) {
  Box box;
  std::vector<Affine> offsets;
  for (size_t d = 0; d < part.offset.size() && d < Box::maxRank; ++d) {
    const Index &at = part.offset[d];
    const Affine raw = at.isConstant() ? Affine{} : a.agent.frame()[at.value];
    const Affine begin = a.agent.affine(at);
    box.term[d] = begin.term;
    box.lo[d] = box.begin[d] = begin.constant;
    box.hi[d] = begin.constant + part.shape[d];
    if (context_.launch) { // the launch's tensor ends somewhere
      box.lo[d] = std::max<int64_t>(box.lo[d], 0);
      box.hi[d] = std::min(box.hi[d], context_.launch->tensors[part.object].extents[d]);
      for (const Clip &c : part.clips)
        if (c.dimension == static_cast<int>(d))
          box.hi[d] = std::min(box.hi[d], a.agent.value(c.end));
    }
    offsets.push_back(raw);
    box.at[d] = {raw.term, raw.constant + at.constant};
  }
  const For *with = nullptr;
  for (const LoopLevel &l : a.agent.scalars().levels())
    if (l.loop && std::any_of(offsets.begin(), offsets.end(), [&](Affine o) {
          return context_.terms.growsWith(o, l.trip, l.iteration);
        })) {
      box.path = l.path;
      with = l.loop;
    }
  context_.movesWith[&s].insert(with);
  const auto leaveAt = [&](const Stmt *other, int cta) {
    context_.uncompared[{other, &s}] |= isAscend(program_.target) || cta == a.cta;
  };
  const auto leave = [&](const Access &other) { leaveAt(other.stmt, actors_[other.actor].cta); };
  const int memory = context_.memory[part.object];
  if (const auto left = context_.leftBehind.find(memory);
      left != context_.leftBehind.end() && box.path == 0)
    for (const auto &[other, cta] : left->second)
      leaveAt(other, cta);
  for (const BoxHistory &h : tensors_[memory].boxes())
    if (h.box.path == box.path && h.box.term != box.term) {
      if (h.write.stmt)
        leave(h.write);
      std::for_each(h.reads.begin(), h.reads.end(), leave);
    }
  return box.empty() ? std::nullopt : std::optional(box);
}

bool RunTensors::accessTensor(Actor &a, const Stmt &s, const View &view, const Access &access,
                              bool write, bool reducing, const Strands &who, const Rows &rows) {
  if (!mayTouch(a, s, view.object))
    return false;
  if (!context_.trackedTensor[view.object])
    return true;
  std::vector<View> parts;
  for (const RowRange &r : rows.ranges)
    for (View &part : restrictedTo(rows.counted(view), r, rows.all))
      parts.push_back(std::move(part));
  Access here = access;
  here.way = lanesOf(a, s, view, access);
  const Access shifted = elsewhere(here);
  if (!parts.empty())
    parts_.brackets.bracket(a, s, here, write, who);
  for (const View &part : parts) {
    const std::optional<Box> box = boxOf(a, s, part);
    if (!box)
      continue;
    const auto conflict = [&](const Access &earlier, bool earlierWrites, const Box &where) {
      const Access &now = where == *box ? here : shifted;
      return fits(a, s, view.object, earlier, earlierWrites, now, write, who);
    };
    const int memory = context_.memory[view.object];
    if (!tensors_[memory].access(*box, here, write, reducing, conflict))
      return false;
    follow(a, s, view, *box, here, write, who);
  }
  return true;
}

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
  std::vector<const View *> views;
  for (const Use &use : uses)
    views.push_back(use.view);
  const Rows rows = rowsFor(a, s, views);
  for (const bool write : {false, true}) // reads first: an operation may work in place
    for (const Use &use : uses)
      if (use.write == write) {
        const Access acc{e.stamp, &s, a.index, false, false, -1, write ? tag : -1};
        if (!access(a, s, use, acc, a.cta, who, rows))
          return Step::stop;
      }
  return Step::done;
}

RunData::Step RunData::mmad(Actor &a, const Stmt &s, const Mmad &op) {
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
  const int64_t tag = op.destination.kind == View::buffer
                          ? parts_.origin.tagAfterCopy(a, op.destination, op.source, a.cta)
                          : -1;
  if (violation_)
    return Step::stop;
  if (isAscend(program_.target) && op.source.kind == View::buffer &&
      op.destination.kind == View::tensor && parts_.products.storeProduct(a, s, op) == Step::stop)
    return Step::stop;
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
  int64_t bytes = byteSize(program_.type(op.destination));
  for (int64_t extent : op.destination.shape)
    bytes *= extent;
  if (own->cta != a.cta)
    return refuse("R15",
                  what(a, s) + " completes its bytes on " + nameOf(*own) +
                      ": TMA signals a barrier of the CTA that it writes to. Load on a barrier of "
                      "the own CTA, and tell the peer by an arrive",
                  s, nameOf(*own));
  const Rows rows = rowsFor(a, s, {&op.destination});
  if (ctas_.size() < 63 && op.multicast >> ctas_.size())
    return refuse("R24",
                  what(a, s) + " names CTAs by the multicast mask " + std::to_string(op.multicast) +
                      " that the cluster of " + std::to_string(ctas_.size()) +
                      " has not. Give one bit for each CTA of the cluster that receives the tile",
                  s, program_.buffers[op.destination.object].name);
  for (int cta = 0; cta < static_cast<int>(ctas_.size()); ++cta) {
    if (op.multicast ? !(op.multicast >> cta & 1) : cta != a.cta)
      continue;
    BarrierPlace place = *own;
    if (op.multicast) { // the barrier at the same offset in every destination CTA
      place.cta = cta;
      place.barrier = &parts_.barriers.at(cta, place.object, place.slot);
    }
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

} // namespace sluice
