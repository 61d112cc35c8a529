#include "Verify/Conditions.h"
#include "Verify/Names.h"
#include "Verify/Run.h"

#include <algorithm>

namespace sluice {

namespace {

constexpr int64_t smallMmad = 10; // fractals of 16 x 16; CATLASS, threshold for PipeBarrier<PIPE_M>

} // namespace

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
  const int64_t slot = a.agent.value(view.slot);
  FootprintCache::Key &key = key_;
  key.assign({view.object * 4 + view.transposed * 2 + rows.columns, slot, rows.all});
  for (size_t d = 0; d < view.shape.size(); ++d)
    key.insert(key.end(), {a.agent.value(view.offset[d]), view.shape[d]});
  for (const RowRange &r : rows.ranges)
    key.insert(key.end(), {r.begin, r.end});
  if (const std::vector<Interval> *known = context_.footprints.find(key))
    return known;
  if (!inBounds(a, s, view))
    return nullptr;
  std::vector<Interval> bytes;
  for (const RowRange &r : rows.ranges)
    for (const View &part : restrictedTo(rows.counted(view), r, rows.all)) {
      const std::vector<int64_t> offsets{a.agent.value(part.offset[0]),
                                         a.agent.value(part.offset[1])};
      for (const Interval &i : footprint(program_, part, slot, offsets))
        bytes.push_back(i);
    }
  std::sort(bytes.begin(), bytes.end(), [](auto &x, auto &y) { return x.begin < y.begin; });
  return context_.footprints.add(key, std::move(bytes));
}

bool RunMemory::accessCell(Actor &a, const Stmt &s, const Buffer &buffer, Cell &cell,
                           const Access &access, bool write, const Strands &who) {
  const bool byProduct = write && handedOn(cell, access);
  if (cell.write.stmt && !byProduct && !ordered(a, cell.write, access, who)) {
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
  if (cell.write.stmt && !byProduct &&
      isUnfenced(a, s, buffer, cell, cell.write, true, access, write, who))
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

bool RunMemory::pipeHazard(Actor &a, const Stmt &s, const Cell &cell, const Access &access,
                           bool write, const Buffer &buffer) {
  const Access &prior = cell.write;
  if (!conditions().ownFence || !prior.stmt || prior.stamp.component != access.stamp.component ||
      prior.stamp.count <= a.drained || prior.stamp.count == access.stamp.count)
    return false;
  const Pipe pipe = a.agent.id().pipe;
  std::string why;
  if (pipe == Pipe::m && std::holds_alternative<Mmad>(s.op) && !write) {
    const View &d = std::get<Mmad>(s.op).d;
    const int64_t fractals = (d.shape[0] + 15) / 16 * ((d.shape[1] + 15) / 16);
    if (fractals < smallMmad && buffer.space == Space::l0c)
      why = "back-to-back mmads on one accumulator of " + std::to_string(fractals) +
            " fractals (fewer than 10) overlap";
  } else if (pipe == Pipe::mte2 && write && std::holds_alternative<Fill>(prior.stmt->op) &&
             std::holds_alternative<Copy>(s.op)) {
    why = "a copy may overtake the fill before it";
  } else if (pipe == Pipe::v && program_.target == Target::ascend910b) {
    why = "vector operations overlap";
  }
  if (why.empty())
    return false;
  about(prior, "writes " + buffer.name);
  refuse("R33",
         what(a, s) + (write ? " writes " : " reads ") + buffer.name + " that " + what(prior) +
             " wrote on the same pipe: " + why + ". Put a pipe barrier of " +
             std::string(sluice::name(pipe)) + " between",
         s, buffer.name);
  return true;
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

} // namespace sluice
