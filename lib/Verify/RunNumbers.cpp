// Numbers that agents hand on while they run: a slot of shared memory holds one; a counter that
// nobody waits for gives a new one to each who adds.
#include "Program/IntegerRange.h"
#include "Verify/Names.h"
#include "Verify/Run.h"

namespace sluice {

RunData::Step RunData::scalarWrite(Actor &a, const Stmt &s, const ScalarWrite &op) {
  const Strands who = strands(a, s);
  Access access{event(a, s).stamp, &s, a.index};
  access.isNumber = true;
  access.number = op.value.isConstant() ? Affine{} : a.agent.frame()[op.value.value];
  access.number.constant += op.value.constant;
  return this->access(a, s, {&op.destination, true}, access, a.cta, who, {{{0, 1}}, 1})
             ? Step::done
             : Step::stop;
}

/// Whether these bytes of a buffer are a number that the write has brought: of a slot that was
/// copied the first. What normal forms have of it (Relevance::number) is what readers of the same
/// buffer need.
bool RunData::isNumberOf(const Access &write, int object, Interval bytes) const {
  if (!write.isNumber || write.object != object)
    return false;
  if (std::holds_alternative<ScalarWrite>(write.stmt->op) ||
      std::holds_alternative<ClcTryCancel>(write.stmt->op))
    return true;
  const Buffer &slots = program_.buffers[object];
  return (bytes.begin - slots.offset) % slots.slotBytes == 0;
}

/// Reads see the same write in every schedule (docs/proof.md), so the value is the one written.
RunData::Step RunData::scalarRead(Actor &a, const Stmt &s, const ScalarRead &op) {
  const Strands who = strands(a, s);
  const Access access{event(a, s).stamp, &s, a.index};
  const Rows row{{{0, 1}}, 1};
  if (!this->access(a, s, {&op.source, false}, access, a.cta, who, row))
    return Step::stop;
  const std::vector<Interval> *bytes = parts_.memory.intervals(a, s, op.source, row);
  Memory &m = parts_.memory.of(a, op.source, a.cta);
  const Cell *cell = bytes && !bytes->empty() ? m.at(bytes->front().begin) : nullptr;
  const bool whole = cell && m.isOne(*bytes);
  const bool responded =
      whole && cell->write.stmt && std::holds_alternative<ClcTryCancel>(cell->write.stmt->op);
  if (whole && responded != op.response)
    return mixes(a, s, op, *cell);
  if (!whole || !isNumberOf(cell->write, op.source.object, bytes->front())) {
    error_ = unsupportedError(what(a, s) + " takes a number that " +
                                  (cell && cell->write.stmt ? what(cell->write) : "nobody") +
                                  " has brought; the proof follows numbers that "
                                  "sluice.scalar_write has written to the same buffer",
                              s.loc);
    return Step::stop;
  }
  a.agent.set(op.result, cell->write.number);
  if (op.response)
    parts_.launches.query(a, s, cell->write.number);
  return Step::done;
}

/// A response is 16 bytes of which nothing is known but what its query says.
RunData::Step RunData::mixes(const Actor &a, const Stmt &s, const ScalarRead &op,
                             const Cell &cell) {
  const std::string by = cell.write.stmt ? what(cell.write) : "nobody";
  error_ = unsupportedError(op.response ? what(a, s) + " takes what " + by +
                                              " has brought for a response; a response "
                                              "comes from sluice.clc.try_cancel"
                                        : what(a, s) + " takes a number out of the response to " +
                                              by + "; sluice.clc.query tells what it says",
                            s.loc);
  return Step::stop;
}

/// In the run of one launch CTAs arrive in the order of their numbers.
RunCounters::Step RunCounters::placeAmongOthers(Actor &a, const CounterAdd &op,
                                                const CounterProtocol &protocol) {
  context_.assumptions.insert("draws-in-turn: CTAs arrive at " +
                              program_.tensors[op.counter.object].name +
                              " in the order of their numbers; other orders are not followed");
  const std::vector<int64_t> grid = gridExtents(program_, *context_.launch);
  const Coordinates cta = ctas_[a.cta];
  int64_t place = 0;
  for (size_t d = grid.size(); d-- > 0;)
    place = protocol.among[d] ? place * grid[d] + cta[d] : place;
  context_.counters.arrived[{op.counter.object, cta}] = counterKey(a.agent, op.counter).second;
  a.agent.set(op.old, {-1, place});
  return Step::done;
}

/// Which number an add draws depends on all CTAs of the grid: for every launch it is an unknown of
/// its own. In the run of one launch the clusters take turns, which is one of the orders that there
/// are; the verdict says so.
RunCounters::Step RunCounters::draw(Actor &a, const Stmt &s, const CounterAdd &op) {
  const int tensor = op.counter.object;
  if (!mayTouch(a, s, tensor))
    return Step::stop;
  context_.assumptions.insert(zeroAtLaunch(program_.tensors[tensor]));
  if (!context_.launch)
    context_.assumptions.insert("in-range: adds to " + program_.tensors[tensor].name +
                                " name counters that it has");
  else if (!counterAt(a, s, op.counter))
    return Step::stop;
  const auto protocol = context_.counters.protocols.find(tensor);
  const bool arrives = protocol != context_.counters.protocols.end() && acquires(op);
  if (arrives)
    parts_.brackets.arrive(a, s, tensor);
  else
    event(a, s);
  if (op.old == kNone)
    return Step::done;
  if (arrives && context_.launch)
    return placeAmongOthers(a, op, protocol->second);
  if (!arrives)
    context_.assumptions.insert("draws-end: loops that go on while a number drawn from " +
                                program_.tensors[tensor].name + " allows it come to an end");
  if (!context_.launch) {
    const int32_t path = a.agent.scalars().levels().back().path;
    a.agent.set(op.old, context_.terms.drawn(tensor, path, draws_[{0, tensor}]++));
    return Step::done;
  }
  context_.assumptions.insert(
      "draws-in-turn: " + std::string(ctas_.size() > 1 ? "clusters" : "CTAs") +
      " draw numbers from " + program_.tensors[tensor].name +
      " in turn, again and again; other orders are not followed");
  const std::vector<int64_t> grid = gridExtents(program_, *context_.launch);
  int64_t cluster = 0, clusters = 1;
  for (size_t d = grid.size(); d-- > 0;) {
    const int64_t size = program_.cluster[d], extent = (grid[d] + size - 1) / size;
    cluster = cluster * extent + ctas_[a.cta][d] / size;
    clusters *= extent;
  }
  const int64_t before = draws_[{static_cast<int>(cluster), tensor}]++;
  const int64_t step = a.agent.value(op.value), drawn = (cluster + before * clusters) * step;
  if (!IntegerRange{std::min(drawn, drawn + step), std::max(drawn, drawn + step)}.fits32())
    return leaves32Bits(a, s, program_.tensors[tensor].name, drawn + step);
  a.agent.set(op.old, {-1, drawn});
  return Step::done;
}

/// The engine copies all rows, threads store those that they hold.
RunData::Rows RunData::remoteRows(const Actor &a, const Stmt &s, const RemoteCopy &op) const {
  return program_.storesRegisters(op) ? rowsFor(a, s, {&op.source})
                                      : Rows{{{0, op.source.rows()}}, op.source.rows()};
}

int64_t RunData::remoteBytes(const Rows &rows, const RemoteCopy &op) const {
  int64_t count = 0;
  for (const RowRange &r : rows.ranges)
    count += r.end - r.begin;
  return count * op.source.cols() * byteSize(program_.type(op.source));
}

/// A number at the beginning of what goes from a slot to a slot of the same buffer of a peer is one
/// there. Registers have none.
void RunData::copyNumber(Actor &a, const Stmt &s, const RemoteCopy &op, Access &written) {
  if (program_.storesRegisters(op) || op.source.object != op.destination.object)
    return;
  const std::vector<Interval> *bytes = parts_.memory.intervals(a, s, op.source, {{{0, 1}}, 1});
  const Cell *cell = bytes && !bytes->empty()
                         ? parts_.memory.of(a, op.source, a.cta).at(bytes->front().begin)
                         : nullptr;
  if (!cell || !isNumberOf(cell->write, op.source.object, bytes->front()))
    return;
  written.isNumber = true;
  written.number = cell->write.number;
}

/// A copy into the shared memory of a peer: its end is known to those who wait for that CTA's
/// barrier, and to nobody else. Registers are read when st.async is issued.
RunData::Step RunData::remoteCopy(Actor &a, const Stmt &s, const RemoteCopy &op) {
  const Strands who = strands(a, s);
  const BarrierEvent issue = event(a, s);
  const Rows rows = remoteRows(a, s, op);
  if (rows.ranges.empty())
    return Step::done;
  const auto place = parts_.barriers.resolve(a, s, op.barrier);
  if (!place || !parts_.barriers.usable(a, s, *place, true))
    return Step::stop;
  const int64_t tag = parts_.origin.tagAfterCopy(a, op.destination, op.source, a.cta);
  if (violation_)
    return Step::stop;
  const bool stores = program_.storesRegisters(op);
  Access written{nextLoad(a, s, *place), &s, a.index, !stores, false, -1, tag};
  written.remoteStore = stores;
  copyNumber(a, s, op, written);
  const Access read = stores ? Access{issue.stamp, &s, a.index} : written;
  if (!access(a, s, {&op.source, false}, read, a.cta, who, rows) ||
      !access(a, s, {&op.destination, true}, written, place->cta, who, rows))
    return Step::stop;
  parts_.exit.owe(place->cta, {written.stamp, a.index, &s});
  if (place->cta != a.cta)
    parts_.exit.owe(a.cta, {written.stamp, a.index, &s});
  return parts_.barriers.completeBytes(a, s, *place, remoteBytes(rows, op), written.stamp);
}

} // namespace sluice
