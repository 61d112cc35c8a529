// Synchronous data operations: the agent is busy until they end, and then their values change.
#include "Program/AscendCores.h"
#include "Program/OperationFacts.h"
#include "Program/Sharing.h"
#include "Program/TileText.h"
#include "Simulate/Kernels.h"
#include "Simulate/Product.h"
#include "Simulate/Unit.h"

#include <algorithm>

namespace sluice {
namespace {

double bytesOf(const Program &p, const View &v, const std::vector<RowRange> &rows) {
  double count = 0;
  for (RowRange r : rows)
    count += static_cast<double>(r.end - r.begin);
  return count * static_cast<double>(v.cols() * byteSize(p.type(v)));
}

bool inSpace(const Program &p, const View &v, Space space) {
  const Buffer *b = p.buffer(v);
  return b ? b->space == space : space == Space::global;
}

/// Whether an operation begins the life of a new value in a slot of a ring.
bool startsFilling(const Agent &agent, const Stmt &s, const Program &p) {
  if (auto *mmad = std::get_if<Mmad>(&s.op))
    return agent.value(mmad->accumulate) == 0;
  return isAscend(p.target) && std::holds_alternative<Copy>(s.op);
}

/// `in` as a block of rows x cols for the rows `r` of the result; extents of 1 are repeated.
Elements broadcast(const Tile &in, RowRange r, int64_t cols) {
  int64_t rows = r.end - r.begin;
  Elements block = gather(in, in.rows == 1 ? RowRange{0, 1} : r);
  if (in.cols == cols && (in.rows != 1 || rows == 1))
    return block;
  Elements wide(in.type, 0), line(in.type, cols);
  for (int64_t i = 0; i < rows; ++i) {
    line.take(block, (in.rows == 1 ? 0 : i) * in.cols, in.cols == 1 ? 0 : 1);
    wide.append(line);
  }
  return wide;
}

Elements coordinates(RowRange r, int64_t cols, bool column) {
  Elements values(DType::index, (r.end - r.begin) * cols);
  for (int64_t i = 0; i < values.size(); ++i)
    values.integers[i] = column ? i % cols : r.begin + i / cols;
  return values;
}

Elements sameForAll(int64_t value, int64_t count) {
  Elements values(DType::index, count);
  std::ranges::fill(values.integers, value);
  return values;
}

} // namespace

std::vector<const View *> operandsOf(const Map &op) {
  std::vector<const View *> views;
  for (const View &v : op.outs)
    views.push_back(&v);
  for (const View &v : op.ins)
    views.push_back(&v);
  return views;
}

UnitData::Step UnitData::begin(Actor &a, const Stmt &s) {
  double start = a.time;
  auto *copy = std::get_if<Copy>(&s.op);
  const auto [writes, reads] = touchedBy(s.op);
  if (!wellFormed(a, s))
    return Step::done;
  const UnitsDeed units = unitsDeed(s.op);
  if (units && parts_.tiles.enter(a, units) == Step::blocked)
    return Step::blocked;
  if (isAscend(program_.target)) {
    const bool bySource = copy && (copy->source.kind == View::tensor ||
                                   crossingOf(program_, *copy) == Crossing::toVectors);
    const View &counted = bySource ? copy->source : *writes[0];
    double elements = elementsInside(a, counted);
    if (auto *reduce = std::get_if<Reduce>(&s.op))
      elements = elementsInside(a, reduce->in);
    const double cycles = pipeCycles(program_, world_.arch, s.op, elements);
    if (units)
      start = parts_.tiles.begin(a, units, cycles);
    a.time = units ? parts_.tiles.end(a, units, start, cycles) : a.time + cycles;
    if (world_.values() && copy && copy->destination.kind == View::buffer)
      for (const int core : receivers(a, *copy)) {
        Tile t = resolve(a, copy->destination, core);
        t.fill({0, t.rows}, ctas_[core].memory.poison());
      }
  } else {
    a.time = copy ? copyEnd(a, s, *copy) : computeEnd(a, s);
  }
  parts_.report.recordWork(a, s, start, a.time);
  for (const View *v : writes)
    parts_.report.recordUse(a, *v, start, a.time, startsFilling(a.agent, s, program_));
  for (const View *v : reads)
    parts_.report.recordUse(a, *v, start, a.time, false);
  return Step::finishing;
}

double UnitData::copyEnd(Actor &a, const Stmt &s, const Copy &op) {
  std::vector<RowRange> rows = share(a, s, {&op.destination, &op.source});
  const Copy lines = byLines(program_, s, op);
  const View &counted = op.destination.kind == View::buffer ? lines.destination : lines.source;
  double bytes = bytesOf(program_, counted, rows), end = a.time, begin = 0;
  auto shared = [&](const View &v) {
    if (!inSpace(program_, v, Space::smem) || bytes == 0)
      return;
    end = std::max(end, parts_.traffic.throughSharedMemory(a.cta, a.time, bytes));
    if (&v == &op.source)
      end += world_.arch.smemLatency;
  };
  if (op.source.kind == View::tensor && bytes > 0)
    end = parts_.traffic.moveGlobal(a, op.source.object, bytes, false, begin) +
          world_.arch.loadLatency + world_.missDelay(op.source.object);
  if (op.source.kind == View::tensor && program_.tensors[op.source.object].align % 16 != 0 &&
      inSpace(program_, op.destination, Space::smem))
    end = std::max(end, parts_.traffic.copiedPieces(a, bytes));
  shared(op.source);
  shared(op.destination);
  // A warp goes on when its stores are on their way, of which the rest takes place without it.
  if (op.destination.kind == View::tensor && bytes > 0) {
    parts_.traffic.storesUntil(
        parts_.traffic.moveGlobal(a, op.destination.object, bytes, true, begin));
    end = std::max(end, engines_[a.cta].tmaStore.free);
  }
  // One instruction per 16 bytes and lane, at least.
  return std::max(end, a.time + std::max(world_.arch.issueCycles, bytes / 512));
}

double UnitData::computeEnd(Actor &a, const Stmt &s) {
  const auto *raw = std::get_if<Raw>(&s.op);
  if (std::holds_alternative<Print>(s.op) || (raw && !raw->model)) // what it costs is not known
    return a.time + world_.arch.issueCycles;
  ElementCost cost{1, 0};
  std::vector<RowRange> rows;
  const View *shape = nullptr;
  std::vector<const View *> operands;
  if (auto *map = std::get_if<Map>(&s.op)) {
    cost = costOf(map->fn);
    rows = share(a, s, operandsOf(*map));
    shape = &map->outs[0];
    operands = operandsOf(*map);
  } else if (raw) {
    cost = costOf(*raw->model);
    operands = operandsOf(*raw);
    rows = share(a, s, operands);
    shape = operands[0];
  } else if (auto *reduce = std::get_if<Reduce>(&s.op)) {
    cost = costOf(*reduce);
    rows = share(a, s, {&reduce->in, &reduce->out});
    shape = &reduce->in;
    operands = {&reduce->in, &reduce->out};
  } else if (auto *fill = std::get_if<Fill>(&s.op)) {
    rows = share(a, s, {&fill->destination});
    shape = &fill->destination;
    operands = {shape};
  } else {
    fail("R20", agentName(a) + ": this operation does not run on this target", s.loc);
    return a.time;
  }
  double count = 0, bytes = 0;
  for (RowRange r : rows)
    count += static_cast<double>((r.end - r.begin) * shape->cols());
  for (const View *v : operands)
    if (inSpace(program_, *v, Space::smem))
      bytes += count * byteSize(program_.type(*v));
  SmEngines &e = engines_[a.cta];
  double duration = simtCycles(world_.arch, cost, count);
  double begin = e.simt[a.agent.id().warp % 4].serve(a.time, duration), end = begin + duration;
  if (bytes > 0)
    end = std::max(end, parts_.traffic.throughSharedMemory(a.cta, a.time, bytes)) +
          world_.arch.smemLatency;
  if (a.agent.id().warp % 4 == 0 && duration > 0)
    parts_.report.recordEngine(a, s, "SIMT", begin, begin + duration, *shape);
  return std::max(end, a.time + world_.arch.issueCycles);
}

void UnitData::finish(Actor &a, const Stmt &s) {
  if (world_.values())
    finishValues(a, s);
  if (const UnitsDeed units = unitsDeed(s.op))
    parts_.tiles.leave(a, units);
}

void UnitData::finishValues(Actor &a, const Stmt &s) {
  parts_.reads.takeReadsBefore(a, s);
  if (auto *copy = std::get_if<Copy>(&s.op)) {
    finishCopy(a, s, *copy);
  } else if (auto *fill = std::get_if<Fill>(&s.op)) {
    Tile t = resolve(a, fill->destination, a.cta);
    for (RowRange r : share(a, s, {&fill->destination}))
      scatter(t, r, Elements(t.type, (r.end - r.begin) * t.cols, fill->value));
  } else if (auto *print = std::get_if<Print>(&s.op)) {
    finishPrint(a, s, *print);
  } else if (auto *map = std::get_if<Map>(&s.op)) {
    finishMap(a, s, *map);
  } else if (auto *raw = std::get_if<Raw>(&s.op)) {
    finishRaw(a, s, *raw);
  } else if (auto *reduce = std::get_if<Reduce>(&s.op)) {
    finishReduce(a, s, *reduce);
  } else if (auto *mmad = std::get_if<Mmad>(&s.op)) {
    finishMmad(a, s, *mmad);
  }
}

/// In whose memory a copy of an Ascend core writes.
std::vector<int> UnitData::receivers(const Actor &a, const Copy &op) const {
  const Crossing crossing = crossingOf(program_, op);
  if (crossing == Crossing::none)
    return {a.cta};
  std::vector<int> cores;
  for (int core = 0; core < static_cast<int>(ctas_.size()); ++core)
    if ((ctas_[core].core == "aic") == (crossing == Crossing::toCube))
      cores.push_back(core);
  return cores;
}

/// Of a copy to both vector cores, each gets its half of the rows.
void UnitData::finishCrossing(Actor &a, const Copy &op) {
  const int64_t rows = op.destination.rows();
  for (const int core : receivers(a, op)) {
    View part = op.source;
    part.offset[0].constant += ctas_[core].core == "aiv1" ? rows : 0;
    part.shape[0] = rows;
    TileCopy{resolve(a, part, a.cta), resolve(a, op.destination, core), {{0, rows}}}.move();
  }
}

void UnitData::finishCopy(Actor &a, const Stmt &s, const Copy &op) {
  if (crossingOf(program_, op) != Crossing::none)
    return finishCrossing(a, op);
  const Copy lines = byLines(program_, s, op);
  Tile source = resolve(a, lines.source, a.cta);
  Tile destination = resolve(a, lines.destination, a.cta);
  if (op.rows)
    nameRows(a, *op.rows, source);
  if (inSpace(program_, op.destination, Space::ub)) // DataCopyPad writes what the tensor has
    source.beyond = ctas_[a.cta].memory.poison();
  Tile &fixed = source.tensor ? destination : source, &free = source.tensor ? source : destination;
  if (free.tensor) {
    free.rows = fixed.rows;
    free.cols = fixed.cols;
  }
  TileCopy copy{std::move(source), std::move(destination),
                share(a, s, {&op.destination, &op.source})};
  if (parts_.reads.comesLate(op))
    a.lateReads.push_back({op.destination.object, op.source.kind == View::tensor, std::move(copy)});
  else
    copy.move();
}

void UnitData::finishMmad(Actor &a, const Stmt &s, const Mmad &op) {
  Tile d = resolve(a, op.d, a.cta), x = resolve(a, op.a, a.cta), y = resolve(a, op.b, a.cta);
  multiplyTiles(d, {{0, d.rows}}, x, y, a.agent.value(op.accumulate) != 0);
}

void UnitData::finishPrint(Actor &a, const Stmt &s, const Print &op) {
  if (!world_.options.print)
    return;
  const Buffer &b = program_.buffers[op.source.object];
  const bool registers = b.space == Space::reg;
  if (isCopiedPerWarp(b.layout) && a.agent.warpInRole() != 0)
    return; // every warp has the same
  const Tile t = resolve(a, op.source, a.cta);
  const auto rows = registers ? share(a, s, {&op.source}) : std::vector<RowRange>{{0, t.rows}};
  if (rows.empty())
    return;
  const int64_t count = rows[0].end - rows[0].begin;
  std::vector<float> block(count * t.cols);
  t.gather(rows[0], block.data());
  world_.options.print(tileText(
      {tileHeading(b.name, t.type, t.rows, t.cols), a.agent.id().cta, rows[0].begin, count, t.cols},
      block.data()));
}

void UnitData::finishMap(Actor &a, const Stmt &s, const Map &op) {
  std::vector<Tile> ins, outs;
  for (const View &v : op.ins)
    ins.push_back(resolve(a, v, a.cta));
  for (const View &v : op.outs)
    outs.push_back(resolve(a, v, a.cta));
  int64_t cols = outs[0].cols;
  const ElementFn fn = boundTo(world_.launch.arguments, op.fn);
  for (RowRange r : share(a, s, operandsOf(op))) {
    std::vector<Elements> arguments;
    for (const Tile &t : ins)
      arguments.push_back(broadcast(t, r, cols));
    if (fn.coordinates) {
      arguments.push_back(coordinates(r, cols, false));
      arguments.push_back(coordinates(r, cols, true));
    }
    for (const Index &i : op.shared)
      arguments.push_back(sameForAll(a.agent.value(i), (r.end - r.begin) * cols));
    std::vector<const Elements *> from;
    for (const Elements &v : arguments)
      from.push_back(&v);
    std::vector<Elements> results = evaluateAll(fn, (r.end - r.begin) * cols, from);
    for (size_t i = 0; i < outs.size(); ++i)
      scatter(outs[i], r, results[i]);
  }
}

/// What it writes without a model is no number: every byte is 255, which is a NaN of every float.
void UnitData::finishRaw(Actor &a, const Stmt &s, const Raw &op) {
  if (op.model)
    return finishMap(a, s, Map{op.writes, op.reads, *op.model});
  for (const View &v : op.writes) {
    Tile t = resolve(a, v, a.cta);
    const auto sharers = sharersOf(program_, op, v);
    for (RowRange r : sharers.empty() ? std::vector<RowRange>{{0, t.rows}} : share(a, s, sharers))
      t.fill(r, std::byte{255});
  }
}

/// By PTX ISA, the fragments of wgmma, four lanes share a row of `acc`. A thread that has a whole
/// row folds four columns side by side.
static LanesOfRow lanesOfRow(const Buffer *b) {
  if (!b || b->space != Space::reg)
    return {};
  if (b->layout == Layout::acc || b->layout == Layout::fragA)
    return {4, 2};
  if (b->layout == Layout::row)
    return {4, 1};
  return b->layout == Layout::blocked ? LanesOfRow{32, std::min(blockedPiece, b->shape[1] / 32)}
                                      : LanesOfRow{};
}

void UnitData::finishReduce(Actor &a, const Stmt &s, const Reduce &op) {
  Tile in = resolve(a, op.in, a.cta), out = resolve(a, op.out, a.cta);
  std::vector<RowRange> rows = share(a, s, {&op.in, &op.out});
  Reduce how = op;
  if (how.element)
    how.element = boundTo(world_.launch.arguments, *how.element);
  if (op.axis == 1) {
    const LanesOfRow lanes = lanesOfRow(program_.buffer(op.in));
    for (RowRange r : rows)
      scatter(out, r, fold(how, r.end - r.begin, in.cols, gather(in, r), lanes));
    return;
  }
  Elements block(in.type, 0); // all rows of this warp, one below the other
  for (RowRange r : rows)
    block.append(gather(in, r));
  int64_t count = block.size() / std::max<int64_t>(in.cols, 1);
  scatter(out, {0, 1}, fold(how, count, in.cols, block, {}));
}

} // namespace sluice
