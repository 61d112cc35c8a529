// Tensor memory of a CTA: who may use it and when, products of one thread, loads of lanes, and the
// fences between them (R42, R44). PTX ISA 9.7.16.6, memory consistency of tcgen05: products and
// loads are asynchronous; those of one sum are pipelined, nothing else is in order by itself.
#include "Program/TensorMemory.h"
#include "Verify/Conditions.h"
#include "Verify/Names.h"
#include "Verify/Run.h"

namespace sluice {

namespace {

Access asyncAccess(Stamp end, const Stmt &s, const Actor &a, bool queued) {
  return {end, &s, a.index, true, queued};
}

} // namespace

RunTensorMemory::Step RunTensorMemory::allocate(Actor &a, const Stmt &s, const TmemAlloc &op) {
  if (const Step met = op.pair ? meetPeer(a) : Step::done; met != Step::done)
    return met;
  TensorMemoryState &m = tensorMemory_[a.cta];
  if (m.allocated)
    return refuse("R42",
                  what(a, s) + " allocates tensor memory that " + what(*m.allocated) +
                      " has allocated. Allocate once",
                  s);
  if (m.relinquished)
    return refuse("R42", what(a, s) + " allocates after the CTA has given up its right to", s);
  if (parts_.data.synchronous(a, s, {{&op.address, true}}) == Step::stop)
    return Step::stop;
  if (op.pair)
    context_.assumptions.insert(
        "same-columns: tcgen05.alloc of a pair gives both CTAs the same columns");
  m.allocated = BarrierEvent{{a.lanesComponent, a.steps}, a.index, &s};
  m.columns = op.columns;
  return Step::done;
}

RunTensorMemory::Step RunTensorMemory::relinquish(Actor &a, const Stmt &s,
                                                  const TmemRelinquish &op) {
  if (const Step met = op.pair ? meetPeer(a) : Step::done; met != Step::done)
    return met;
  TensorMemoryState &m = tensorMemory_[a.cta];
  event(a, s);
  m.relinquished = true;
  if (m.allocated && (m.allocated->actor == a.index || strands(a, s).know(m.allocated->stamp)))
    return Step::done;
  return refuse("R42",
                what(a, s) + " gives up the right to allocate, and nothing orders it after an "
                             "allocation. Put it behind tcgen05.alloc, in the same role",
                s);
}

/// griddepcontrol.launch_dependents. CTAs of the next kernel may take tensor memory and wait for
/// the end of this one; who has none yet would wait for theirs.
RunTensorMemory::Step RunTensorMemory::letNextStart(Actor &a, const Stmt &s) {
  if (!context_.allocatesTensorMemory)
    return Step::done;
  const TensorMemoryState &m = tensorMemory_[a.cta];
  if (m.allocated && strands(a, s).know(m.allocated->stamp))
    return Step::done;
  return refuse("R42",
                what(a, s) + " lets the next kernel start, which may take tensor memory and wait "
                             "for this one to end, before the CTA has allocated its own. Put it "
                             "behind tcgen05.alloc, and what joins the two",
                s);
}

/// All lanes read the number that the allocation has written; as other memory of the CTA it has to
/// be visible.
RunTensorMemory::Step RunTensorMemory::readAddress(Actor &a, const Stmt &s, const TmemAddress &op) {
  const Strands who = strands(a, s);
  const Rows row{{{0, 1}}, 1};
  if (!parts_.data.access(a, s, {&op.source, false}, {event(a, s).stamp, &s, a.index}, a.cta, who,
                          row))
    return Step::stop;
  const std::vector<Interval> *bytes = parts_.memory.intervals(a, s, op.source, row);
  Memory &m = parts_.memory.of(a, op.source, a.cta);
  const Cell *cell = bytes && !bytes->empty() ? m.at(bytes->front().begin) : nullptr;
  const Stmt *by = cell && m.isOne(*bytes) ? cell->write.stmt : nullptr;
  if (!by || !std::holds_alternative<TmemAlloc>(by->op))
    return refuse("R42", what(a, s) + " reads an address that no tcgen05.alloc has written", s);
  a.hasAddress = true;
  return Step::done;
}

bool RunTensorMemory::mayUseTensorMemory(Actor &a, const Stmt &s) {
  const TensorMemoryState &m = tensorMemory_[a.cta];
  if (!conditions().columns)
    return true;
  if (m.freed)
    about({m.freed->stamp, m.freed->stmt, m.freed->actor}, "frees tensor memory");
  if (m.freed)
    refuse("R42",
           what(a, s) + " uses tensor memory that " + what(*m.freed) +
               " may have freed. Free it when all have done with it",
           s);
  else if (!m.allocated || !a.hasAddress || !strands(a, s).know(m.allocated->stamp))
    refuse("R42",
           what(a, s) + " uses tensor memory and has not read its address. Let its warp read it "
                        "(tmem.address) once a barrier has joined it with the one that allocates",
           s);
  return !violation_;
}

RunTensorMemory::Step RunTensorMemory::free(Actor &a, const Stmt &s, const TmemDealloc &op) {
  if (const Step met = op.pair ? meetPeer(a) : Step::done; met != Step::done)
    return met;
  const BarrierEvent e = event(a, s);
  if (!mayUseTensorMemory(a, s))
    return Step::stop;
  TensorMemoryState &m = tensorMemory_[a.cta];
  if (conditions().columns && (m.columns != op.columns || m.allocated->actor != a.index))
    return refuse("R42",
                  what(a, s) + " frees " + std::to_string(op.columns) + " columns; " +
                      what(*m.allocated) + " has allocated " + std::to_string(m.columns) +
                      ". The warp that allocates frees the same columns",
                  s);
  for (const int cta : ctasOf(a, op.pair))
    if (isUsed(a, s, e, cta))
      return Step::stop;
  m.freed = e;
  return Step::done;
}

/// Somebody may still use the tensor memory of a CTA that is freed: R42. True: refused.
bool RunTensorMemory::isUsed(Actor &a, const Stmt &s, const BarrierEvent &frees, int cta) {
  const Strands who = strands(a, s);
  const Access now{frees.stamp, &s, a.index};
  const auto mayStill = [&](const Access &prior) {
    return prior.stmt && conditions().columns &&
           !(ordered(a, prior, now, who) && behindFences(a, prior, now, who));
  };
  Memory *touched = parts_.memory.touched(cta, Space::tmem);
  for (size_t i = 0; touched && i < touched->cells().size(); ++i) {
    const Cell &c = touched->cells()[i];
    const Access *prior = mayStill(c.write) ? &c.write : nullptr;
    for (const Access &read : c.reads)
      prior = mayStill(read) ? &read : prior;
    if (!prior)
      continue;
    about(*prior, "uses tensor memory");
    refuse("R42",
           what(a, s) + " frees tensor memory that " + what(*prior) +
               " may still use. Wait for it, and put the fences of tensor memory on both sides of "
               "what joins the two",
           s, program_.buffers[prior->object].name);
    return true;
  }
  return false;
}

std::optional<Access> RunTensorMemory::begin(Actor &a, const Stmt &s, Queue &of, Strand kind,
                                             bool queued) {
  event(a, s);
  if (!mayUseTensorMemory(a, s))
    return std::nullopt;
  const Access access = asyncAccess(issue(a, of, kind), s, a, queued);
  parts_.exit.owe(a.cta, {access.stamp, a.index, &s});
  return access;
}

/// One thread issues it, as a product: commits tell of it. Of a pair each CTA has what its own
/// shared memory held.
RunTensorMemory::Step RunTensorMemory::copyColumns(Actor &a, const Stmt &s, const TmemCopy &op) {
  const Strands who = strands(a, s);
  event(a, s);
  if (!mayUseTensorMemory(a, s) || (op.pair && !mayUsePeers(a, s)))
    return Step::stop;
  Access acc = asyncAccess(issue(a, a.products, Strand::products), s, a, true);
  const bool four = op.source.rows() == fourRows;
  const Rows lanes = reachOf(s, op);
  for (const int cta : ctasOf(a, op.pair)) {
    parts_.exit.owe(cta, {acc.stamp, a.index, &s});
    if (!four)
      acc.tag = parts_.origin.tagAfterCopy(a, op.destination, op.source, cta);
    if (!parts_.data.access(a, s, {&op.source, false}, acc, cta, who,
                            {{{0, op.source.rows()}}, op.source.rows()}) ||
        (four && context_.strict && !mayReadColumns(a, s, op.destination, acc, who, cta)) ||
        !parts_.data.access(a, s, {&op.destination, true}, acc, cta, who, lanes))
      return Step::stop;
  }
  return Step::done;
}

/// Lanes of its columns that a copy writes. Four rows go where the literal reading says, which the
/// verdict names; strictly any lane may get one, and those that get none have to be there.
RunTensorMemory::Rows RunTensorMemory::reachOf(const Stmt &s, const TmemCopy &op) {
  Rows all{{{0, op.destination.rows()}}, op.destination.rows()};
  if (op.source.rows() != fourRows || !takesReading(s))
    return all;
  Rows some{{}, all.all};
  for (int64_t lane = 0; lane < all.all; ++lane)
    if (rowOfLane(op, lane) >= 0)
      some.ranges.push_back({lane, lane + 1});
  return some;
}

/// Whether the literal reading of what an operation reaches is taken; then it is named.
bool RunTensorMemory::takesReading(const Stmt &s) {
  if (!context_.strict)
    for (const std::string &reading : readingsOfLanes(s.op))
      context_.assumptions.insert(reading + " (--strict takes any lanes)");
  return !context_.strict;
}

/// What a shift reads it overwrites, and the write is asked for its order.
bool RunTensorMemory::mayReadColumns(Actor &a, const Stmt &s, const View &columns,
                                     const Access &now, const Strands &who, int cta) {
  const Buffer &buffer = program_.buffers[columns.object];
  const std::vector<Interval> *bytes =
      parts_.memory.intervals(a, s, columns, {{{0, columns.rows()}}, columns.rows()});
  if (!bytes)
    return false;
  parts_.memory.of(a, columns, cta).each(*bytes, [&](Cell &c) {
    const std::string where = slotsOf(buffer, c.bytes);
    if (!c.write.stmt)
      refuse("R21", what(a, s) + " reads " + where + ", which nothing has written. Fill it first",
             s, buffer.name);
    else if (!handedOn(c, now) && ordered(a, c.write, now, who) && !visible(a, c.write, now, who))
      invisible(a, s, where, c.write, buffer.name);
    return !violation_;
  });
  return !violation_;
}

/// One thread issues it, as a product; what it moves is of no origin any more. Strictly it may move
/// rows of all lanes of its columns.
RunTensorMemory::Step RunTensorMemory::shiftColumns(Actor &a, const Stmt &s, const TmemShift &op) {
  const Strands who = strands(a, s);
  event(a, s);
  if (!mayUseTensorMemory(a, s) || (op.pair && !mayUsePeers(a, s)))
    return Step::stop;
  const Access acc = asyncAccess(issue(a, a.products, Strand::products), s, a, true);
  View columns = op.columns;
  if (!takesReading(s))
    columns.offset[0] = {}, columns.shape[0] = TensorMemory::lanes;
  const Rows lanes{{{0, columns.rows()}}, columns.rows()};
  for (const int cta : ctasOf(a, op.pair)) {
    parts_.exit.owe(cta, {acc.stamp, a.index, &s});
    if (!mayReadColumns(a, s, columns, acc, who, cta) ||
        !parts_.data.access(a, s, {&columns, true}, acc, cta, who, lanes))
      return Step::stop;
  }
  return Step::done;
}

/// One thread issues it; it reads both operands whole, of a pair those of both CTAs. A may lie in
/// tensor memory, as D does.
RunTensorMemory::Step RunTensorMemory::multiply(Actor &a, const Stmt &s, const Tcgen05Mma &op) {
  const Strands who = strands(a, s);
  event(a, s);
  if (!mayUseTensorMemory(a, s) || (op.pair && !mayUsePeers(a, s)))
    return Step::stop;
  const Access acc = asyncAccess(issue(a, a.products, Strand::products), s, a, true);
  const auto touches = [&](const View &v, bool write, int cta) {
    return parts_.data.access(a, s, {&v, write}, acc, cta, who, {{{0, v.rows()}}, v.rows()});
  };
  for (const int cta : ctasOf(a, op.pair)) {
    parts_.exit.owe(cta, {acc.stamp, a.index, &s});
    if (!touches(op.a, false, cta) || !touches(op.b, false, cta))
      return Step::stop;
    if (op.scales && (!touches(op.scales->a, false, cta) || !touches(op.scales->b, false, cta)))
      return Step::stop;
  }
  if (!context_.strict)
    for (const std::string &reading : readingsOfLanes(s.op))
      context_.assumptions.insert(reading + " (--strict goes without)");
  const bool adds = a.agent.value(op.accumulate) != 0;
  if (!parts_.origin.belongTogether(a, s, op, adds) ||
      (op.pair && !parts_.origin.inStepWithPeer(a, s, op)) ||
      (op.scales && !parts_.origin.factorsInStep(a, s, op, adds)))
    return Step::stop;
  for (const int cta : ctasOf(a, op.pair))
    if ((adds && !touches(op.d, false, cta)) || !touches(op.d, true, cta))
      return Step::stop;
  return Step::done;
}

/// To each CTA of the mask.
RunTensorMemory::Step RunTensorMemory::commit(Actor &a, const Stmt &s, const Tcgen05Commit &op) {
  const auto own = parts_.barriers.resolve(a, s, op.barrier);
  if (!own || parts_.barriers.namesOthers(a, s, op.multicast, "is told of the end of the products",
                                          program_.mbarriers[op.barrier.object].name))
    return Step::stop;
  event(a, s);
  if (op.multicast == 0)
    return commitTo(a, s, *own, op.pair);
  for (int cta = 0; cta < static_cast<int>(ctas_.size()); ++cta)
    if (op.multicast >> cta & 1 &&
        commitTo(a, s, parts_.barriers.sameIn(cta, *own), op.pair) == Step::stop)
      return Step::stop;
  return Step::done;
}

/// The arrival comes when the products have ended, and tells of them alone; those to different
/// barriers come in no order. PTX ISA 9.7.16.12.1, tcgen05.commit: with an implicit
/// tcgen05.fence::before_thread_sync.
RunTensorMemory::Step RunTensorMemory::commitTo(Actor &a, const Stmt &s, const BarrierPlace &place,
                                                bool pair) {
  if (!parts_.barriers.usable(a, s, place, true))
    return Step::stop;
  TrackedMbarrier &b = *place.barrier;
  const Strands who = strands(a, s);
  if (const auto f = b.mayContribute(who))
    return parts_.barriers.fault(*f, a, s, place);
  const int64_t number = Context::barrierNumber(place.cta, place.object, place.slot);
  const int32_t chain = context_.component(Context::Component::commits, a.index, nullptr, number);
  const BarrierEvent arrival{{chain, ++a.steps}, a.index, &s};
  const Stamp products{a.products.component, a.products.issued};
  b.contribute(arrival, who, {true, false, Release::nobody, arrival.stamp, false});
  if (products.count > 0)
    b.contribute(arrival, who, {true, false, Release::nobody, products, true});
  parts_.exit.owe(place.cta, arrival, place.object, place.slot);
  for (const int cta : ctasOf(a, pair)) // while it is under way, the peer is there
    if (cta != place.cta)
      parts_.exit.owe(cta, arrival);
  return parts_.barriers.contributed(a, s, place, b.state.arrive(1));
}

/// The values come behind the wait; so does the end of what was read.
RunTensorMemory::Step RunTensorMemory::loadLanes(Actor &a, const Stmt &s, const TmemLoad &op) {
  const Strands who = strands(a, s);
  const auto acc = begin(a, s, a.tensorLoads, Strand::tensorLoads, false);
  const Rows rows = rowsFor(a, s, {&op.destination, &op.source});
  return acc && parts_.data.access(a, s, {&op.source, false}, *acc, a.cta, who, rows) &&
                 parts_.data.access(a, s, {&op.destination, true}, *acc, a.cta, who, rows)
             ? Step::done
             : Step::stop;
}

/// The registers are read at once, by each lane its own.
RunTensorMemory::Step RunTensorMemory::storeLanes(Actor &a, const Stmt &s, const TmemStore &op) {
  const Strands who = strands(a, s);
  const Access reads{event(a, s).stamp, &s, a.index};
  if (!mayUseTensorMemory(a, s))
    return Step::stop;
  const Access writes = asyncAccess(issue(a, a.tensorStores, Strand::tensorStores), s, a, false);
  parts_.exit.owe(a.cta, {writes.stamp, a.index, &s});
  const Rows rows = rowsFor(a, s, {&op.source, &op.destination});
  return parts_.data.access(a, s, {&op.source, false}, reads, a.cta, who, rows) &&
                 parts_.data.access(a, s, {&op.destination, true}, writes, a.cta, who, rows)
             ? Step::done
             : Step::stop;
}

RunTensorMemory::Step RunTensorMemory::waitForLanes(Actor &a, const Stmt &s, const TmemWait &op) {
  const Queue &ended = op.stores ? a.tensorStores : a.tensorLoads;
  strands(a, s).learn({ended.component, ended.issued});
  return Step::done;
}

/// PTX ISA 9.7.16.6.3: a thread's own operations are put in front of what it does next. Of loads
/// and stores each lane has a part, so that the lanes have to meet before one of them tells of all.
void RunTensorMemory::fenceTensorMemory(Actor &a, const Stmt &s, const Fence &op) {
  const Strands who = strands(a, s);
  if (op.kind == Fence::tcgen05After)
    return who.each([](Knowledge &k) { k.after.join(k.sight.columns); });
  const auto tell = [](Knowledge &k, const Queue &own) {
    if (own.component >= 0)
      k.sight.columns.learn({own.component, k.order[own.component]});
  };
  if (s.exec == Exec::threads)
    tell(a.lanes, a.tensorLoads), tell(a.lanes, a.tensorStores);
  tell(a.elected, a.products);
}

bool RunMemory::isUnfenced(Actor &a, const Stmt &s, const Buffer &buffer, const Cell &cell,
                           const Access &prior, bool priorWrites, const Access &now, bool writes,
                           const Strands &who) {
  if (buffer.space != Space::tmem || !conditions().columnFences || behindFences(a, prior, now, who))
    return false;
  const std::string bytes = slotsOf(buffer, cell.bytes);
  const bool byCommit = std::holds_alternative<Tcgen05Mma>(prior.stmt->op) ||
                        std::holds_alternative<TmemCopy>(prior.stmt->op) ||
                        std::holds_alternative<TmemShift>(prior.stmt->op);
  const char *fix = byCommit ? "tcgen05.fence::after_thread_sync behind the wait"
                    : priorWrites
                        ? "tcgen05.fence::before_thread_sync behind tcgen05.wait::st, and "
                          "tcgen05.fence::after_thread_sync behind the wait of the other side"
                        : "tcgen05.fence::before_thread_sync behind tcgen05.wait::ld, and "
                          "tcgen05.fence::after_thread_sync behind the wait of the other side";
  about(prior, (priorWrites ? "writes " : "reads ") + bytes);
  refuse("R44",
         what(a, s) + (writes ? " overwrites " : " reads ") + bytes + " that " + what(prior) +
             (priorWrites ? " has written" : " has read") +
             ", and no fences of tensor memory lie between. Put " + fix,
         s, buffer.name);
  return true;
}

bool RunTensorMemory::leftAllocated() {
  for (const auto &[cta, m] : tensorMemory_)
    if (m.allocated && !m.freed && conditions().columns) {
      offence_ = {Offence::atExit, *m.allocated, "allocates tensor memory", "", {}};
      refuse("R42",
             "CTA " + coordinates(program_, ctas_[cta]) + " exits with the tensor memory that " +
                 what(*m.allocated) + " has allocated. Free it (tcgen05.dealloc)",
             *m.allocated->stmt);
      return true;
    }
  return false;
}

} // namespace sluice
