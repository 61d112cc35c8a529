// Operations on data: which bytes they touch, and whether they may.
#include "Verify/Names.h"
#include "Verify/Run.h"

namespace sluice {
namespace {

View restricted(const View &v, RowRange rows) {
  View part = v;
  const size_t d = v.transposed ? 1 : 0;
  part.offset[d].constant += rows.begin;
  part.shape[d] = rows.end - rows.begin;
  return part;
}

bool isWholeView(const View &v, const std::vector<RowRange> &rows) {
  return rows.size() == 1 && rows[0] == RowRange{0, v.rows()};
}

} // namespace

/// Rows of one warp, as a part of the key of cached footprints.
int64_t CanonicalRun::keyOf(const std::vector<RowRange> &rows) {
  int64_t key = -1;
  for (const RowRange &r : rows)
    key = key * 1000003 + r.begin * 4099 + r.end;
  return key;
}

Memory &CanonicalRun::memory(const Actor &a, const View &view, int cta) {
  const Buffer &b = program_.buffers[view.object];
  const int64_t key = b.space == Space::reg
                          ? (int64_t{1} << 40) + int64_t{a.index} * 4096 + view.object
                          : int64_t{cta} * 16 + static_cast<int64_t>(b.space);
  return memories_[key];
}

bool CanonicalRun::inBounds(Actor &a, const Stmt &s, const View &view) {
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

const std::vector<Interval> *CanonicalRun::intervals(Actor &a, const Stmt &s, const View &view,
                                                     const std::vector<RowRange> &rows,
                                                     int64_t rowsKey) {
  const std::array<int64_t, 5> key{
      reinterpret_cast<int64_t>(&view), a.agent.value(view.slot), a.agent.value(view.offset[0]),
      view.offset.size() > 1 ? a.agent.value(view.offset[1]) : 0, rowsKey};
  uint64_t hash = 1469598103934665603u;
  for (int64_t k : key)
    hash = (hash ^ static_cast<uint64_t>(k)) * 1099511628211u;
  auto &bucket = footprints_[hash];
  for (const auto &entry : bucket)
    if (entry.first == key)
      return &entry.second;
  if (!inBounds(a, s, view))
    return nullptr;
  std::vector<Interval> bytes;
  for (const RowRange &r : rows) {
    const View part = isWholeView(view, rows) ? view : restricted(view, r);
    std::vector<int64_t> offsets;
    for (const Index &i : part.offset)
      offsets.push_back(a.agent.value(i));
    for (const Interval &i : footprint(program_, part, key[1], offsets))
      bytes.push_back(i);
  }
  std::sort(bytes.begin(), bytes.end(), [](auto &x, auto &y) { return x.begin < y.begin; });
  return &bucket.emplace_back(key, std::move(bytes)).second;
}

bool CanonicalRun::ordered(const Actor &a, const Access &prior, const Access &now,
                           const Strands &who) const {
  if (who.know(prior.stamp))
    return true;
  if (prior.stamp.component != now.stamp.component)
    return false;
  // The same lanes go on after their own access; an accumulator is handed on from wgmma to wgmma.
  return prior.stamp.component == a.lanesComponent || prior.stamp.component == a.electedComponent ||
         (prior.queued && now.queued);
}

bool CanonicalRun::accessCell(Actor &a, const Stmt &s, const Buffer &buffer, Cell &cell,
                              const Access &access, bool write, const Strands &who) {
  if (cell.write.stmt && !ordered(a, cell.write, access, who))
    return race(a, s, buffer, cell, cell.write, true, write), false;
  if (!cell.write.stmt && !write) {
    refuse("R21",
           what(a, s) + " reads " + slotsOf(buffer, {cell.begin, cell.end}) +
               ", which nothing has written. Fill or load it first; check that producer and "
               "consumer count the same slots",
           s, buffer.name);
    return false;
  }
  if (access.async && cell.write.stmt && !cell.write.async && buffer.space == Space::smem &&
      !who.see(cell.write.stamp)) {
    refuse("R23",
           what(a, s) + (write ? " overwrites " : " reads ") +
               slotsOf(buffer, {cell.begin, cell.end}) + " that " + what(cell.write) +
               " wrote through the generic proxy, and no fence.proxy.async lies between. Put the "
               "fence after the write, before the barrier that publishes it",
           s, buffer.name);
    return false;
  }
  if (buffer.space == Space::reg && access.queued && a.wgmmaFence < a.steps) {
    const auto unfenced = [&](const Access &p) {
      return p.stmt && p.stamp.component == a.lanesComponent && p.stamp.count > a.wgmmaFence;
    };
    const Access *prior = unfenced(cell.write) ? &cell.write : nullptr;
    for (const Access &read : cell.reads)
      if (write && unfenced(read))
        prior = &read;
    if (prior) {
      refuse("R25",
             what(a, s) + " uses registers of " + buffer.name + " that " + what(*prior) +
                 " touched, without wgmma.fence between. Put wgmma.fence before the wgmma",
             s, buffer.name);
      return false;
    }
  }
  if (isAscend(program_.target) && pipeHazard(a, s, cell, access, write, buffer))
    return false;
  if (!write) {
    addRead(cell.reads, access);
    cell.wasRead = true;
    return true;
  }
  for (const Access &read : cell.reads)
    if (!ordered(a, read, access, who))
      return race(a, s, buffer, cell, read, false, true), false;
  if (cell.write.stmt && cell.write.async && !cell.write.queued && !cell.wasRead)
    notes_.insert(buffer.name + " is loaded again before anything has read it (" +
                  operationName(cell.write.stmt->op) + place(cell.write.stmt->loc) + ")");
  cell.write = access;
  cell.reads.clear();
  cell.wasRead = false;
  return true;
}

bool CanonicalRun::accessBuffer(Actor &a, const Stmt &s, const View &view, const Access &access,
                                bool write, int cta, const Strands &who,
                                const std::vector<RowRange> &rows) {
  const std::vector<Interval> *bytes = intervals(a, s, view, rows, keyOf(rows));
  if (!bytes)
    return false;
  const Buffer &buffer = program_.buffers[view.object];
  Memory &m = memory(a, view, cta);
  bool fine = true;
  for (const Interval &i : *bytes) {
    m.each(i,
           [&](Cell &cell) { return fine = accessCell(a, s, buffer, cell, access, write, who); });
    if (!fine)
      return false;
  }
  return true;
}

bool CanonicalRun::accessTensor(Actor &a, const Stmt &s, const View &view, const Access &access,
                                bool write, bool reducing, const Strands &who,
                                const std::vector<RowRange> &rows) {
  if (!trackedTensor_[view.object])
    return true;
  const std::vector<int64_t> &extents = launch_.tensors[view.object].extents;
  for (const RowRange &r : rows) {
    const View part = isWholeView(view, rows) ? view : restricted(view, r);
    Box box;
    for (size_t d = 0; d < part.offset.size() && d < Box::maxRank; ++d) {
      const int64_t begin = a.agent.value(part.offset[d]);
      box.lo[d] = std::max<int64_t>(begin, 0);
      box.hi[d] = std::min(begin + part.shape[d], extents[d]);
    }
    if (box.empty())
      continue;
    const Access *prior = nullptr;
    bool priorWrites = false;
    tensors_[view.object].access(box, access, write, reducing,
                                 [&](const Access &earlier, bool writes) {
                                   if (ordered(a, earlier, access, who))
                                     return true;
                                   prior = &earlier;
                                   priorWrites = writes;
                                   return false;
                                 });
    if (!prior)
      continue;
    const std::string tensor = program_.tensors[view.object].name;
    refuse("R26",
           what(a, s) + (write ? " writes " : " reads ") + "elements of " + tensor + " that " +
               what(*prior) + (priorWrites ? " writes" : " reads") +
               ", and nothing orders the two. Order them with a barrier, or give every warp its "
               "own part of the tensor",
           s, tensor);
    return false;
  }
  return true;
}

bool CanonicalRun::access(Actor &a, const Stmt &s, const Use &use, const Access &access, int cta,
                          const Strands &who, Layout partition) {
  const View &v = *use.view;
  const Agent &agent = a.agent;
  std::vector<RowRange> rows;
  if (use.part == Use::warpRows && v.rows() > 1)
    rows = rowsOfWarp(partition, v.rows(), agent.warpInRole(), agent.warpsInRole());
  else if (use.part == Use::warpgroupRows)
    for (int64_t b = agent.warpInRole() / 4; b * 64 < v.rows();
         b += std::max(1, agent.warpsInRole() / 4))
      rows.push_back({b * 64, std::min(b * 64 + 64, v.rows())});
  else
    rows.push_back({0, v.rows()});
  if (rows.empty())
    return true;
  return v.kind == View::tensor ? accessTensor(a, s, v, access, use.write, false, who, rows)
                                : accessBuffer(a, s, v, access, use.write, cta, who, rows);
}

CanonicalRun::Step CanonicalRun::synchronous(Actor &a, const Stmt &s, const std::vector<Use> &uses,
                                             int64_t tag) {
  const Strands who = strands(a, s);
  const BarrierEvent e = event(a, s);
  // Warps share a tile by the layout of its registers, else in equal parts.
  const bool shared = !isAscend(program_.target) && s.exec == Exec::threads;
  Layout partition = Layout::row;
  for (const Use &use : uses)
    if (const Buffer *b = program_.buffer(*use.view);
        b && b->space == Space::reg && use.view->rows() > 1 && partition == Layout::row)
      partition = b->layout;
  for (Use use : uses) {
    if (!shared)
      use.part = Use::whole;
    const Access acc{e.stamp, &s, a.index, false, false, use.write ? tag : -1};
    if (!access(a, s, use, acc, a.cta, who, partition))
      return Step::stop;
  }
  return Step::done;
}

CanonicalRun::Step CanonicalRun::copy(Actor &a, const Stmt &s, const Copy &op) {
  const int64_t tag =
      op.destination.kind == View::buffer ? tagAfterCopy(a, op.destination, op.source, a.cta) : -1;
  if (violation_)
    return Step::stop;
  if (!op.async)
    return synchronous(
        a, s, {{&op.source, false, Use::warpRows}, {&op.destination, true, Use::warpRows}}, tag);
  const Strands who = strands(a, s);
  event(a, s);
  const Use::Part part = s.exec == Exec::threads ? Use::warpRows : Use::whole;
  const Access acc{a.copies.issue(), &s, a.index, false, false, tag};
  owe(a.cta, {acc.stamp, a.index, &s}, "");
  if (!access(a, s, {&op.source, false, part}, acc, a.cta, who, Layout::row) ||
      !access(a, s, {&op.destination, true, part}, acc, a.cta, who, Layout::row))
    return Step::stop;
  return Step::done;
}

CanonicalRun::Step CanonicalRun::tmaLoad(Actor &a, const Stmt &s, const TmaLoad &op) {
  const Strands who = strands(a, s);
  event(a, s);
  const auto own = resolve(a, s, op.barrier);
  if (!own)
    return Step::stop;
  int64_t bytes = byteSize(program_.type(op.destination));
  for (int64_t extent : op.destination.shape)
    bytes *= extent;
  const int64_t mask = op.multicast ? op.multicast : int64_t{1} << a.cta;
  for (int cta = 0; cta < static_cast<int>(ctas_.size()); ++cta) {
    if (!(mask >> cta & 1))
      continue;
    BarrierPlace place = *own;
    if (op.multicast) { // the barrier at the same offset in every destination CTA
      place.cta = cta;
      place.barrier = &mbarriers_[cta * program_.mbarriers.size() + place.object][place.slot];
    }
    if (!usable(a, s, place, true))
      return Step::stop;
    Queue &chain = loads_[{a.index, &s, place.barrier}];
    if (chain.component < 0)
      chain.component = newComponent();
    const Access acc{chain.issue(), &s,    a.index,
                     true,          false, tagAfterCopy(a, op.destination, op.source, cta)};
    if (!access(a, s, {&op.source, false}, acc, cta, who, Layout::row) ||
        !access(a, s, {&op.destination, true}, acc, cta, who, Layout::row))
      return Step::stop;
    owe(cta, {acc.stamp, a.index, &s}, "");
    if (cta != a.cta)
      owe(a.cta, {acc.stamp, a.index, &s}, "");
    if (completeBytes(a, s, place, bytes, acc.stamp) == Step::stop)
      return Step::stop;
  }
  return Step::done;
}

CanonicalRun::Step CanonicalRun::tmaStore(Actor &a, const Stmt &s, const TmaStore &op) {
  const Strands who = strands(a, s);
  event(a, s);
  const Access read{a.bulkReads.issue(), &s, a.index, true, false};
  const Access written{{a.bulkWrites, read.stamp.count}, &s, a.index, true, false};
  owe(a.cta, {read.stamp, a.index, &s}, "");
  const std::vector<RowRange> all{{0, op.destination.rows()}};
  if (!access(a, s, {&op.source, false}, read, a.cta, who, Layout::row) ||
      !accessTensor(a, s, op.destination, written, true, op.add, who, all))
    return Step::stop;
  return Step::done;
}

CanonicalRun::Step CanonicalRun::wgmma(Actor &a, const Stmt &s, const Wgmma &op) {
  converge(a);
  const Strands who = strands(a, s);
  event(a, s);
  if (!a.wgmmaFenced)
    return refuse("R25",
                  what(a, s) +
                      " has no wgmma.fence before it: the first wgmma of a warpgroup needs "
                      "one. Put wgmma.fence before the wgmma",
                  s);
  const Access acc{a.wgmmas.issue(), &s, a.index, true, true};
  owe(a.cta, {acc.stamp, a.index, &s}, "");
  const Layout rows = Layout::acc;
  const bool fromRegisters = program_.buffer(op.a)->space == Space::reg;
  if (!access(a, s, {&op.a, false, fromRegisters ? Use::warpRows : Use::warpgroupRows}, acc, a.cta,
              who, rows) ||
      !access(a, s, {&op.b, false}, acc, a.cta, who, rows))
    return Step::stop;
  const bool adds = a.agent.value(op.accumulate) != 0;
  if (!belongTogether(a, s, op.d, op.a, op.b, adds) ||
      (adds && !access(a, s, {&op.d, false, Use::warpRows}, acc, a.cta, who, rows)))
    return Step::stop;
  return access(a, s, {&op.d, true, Use::warpRows}, acc, a.cta, who, rows) ? Step::done
                                                                           : Step::stop;
}

} // namespace sluice
