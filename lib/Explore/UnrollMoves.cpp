#include "Explore/Unroller.h"

#include <algorithm>

namespace sluice::explorer {

std::vector<Touch> Unroller::touches(const Uses &uses, const Share &share, int cta) {
  std::vector<Touch> found;
  for (const auto &[view, write] : uses) {
    mayTouch(*view);
    if (auto t = toucher_.touch(*at_, *view, write, share, cta, number_))
      found.push_back(std::move(*t));
  }
  return found;
}

Share Unroller::share(const std::vector<const View *> &views) const {
  return shareOf(*at_, *action_->stmt, views);
}

void Unroller::synchronous(const Uses &uses) {
  std::vector<const View *> views;
  for (const auto &use : uses)
    views.push_back(use.first);
  action_->act = Act::data;
  action_->touches = touches(uses, share(views), script_->cta);
  for (Touch &t : action_->touches)
    t.lanes = t.shared || t.tensor ? lanesOf(*action_->stmt, t.footprint, t.tensor) : 0;
}

uint64_t Unroller::lanesOf(const Stmt &s, int32_t footprint, bool tensor) const {
  uint64_t kind = reinterpret_cast<uintptr_t>(&s) << 1, matrices = 0;
  if (const auto *copy = std::get_if<Copy>(&s.op)) {
    const Buffer *from = program_.buffer(copy->source), *to = program_.buffer(copy->destination);
    const bool stores = from && from->space == Space::reg;
    const Buffer *fragment = stores ? from : to && to->space == Space::reg ? to : nullptr;
    const int64_t size = byteSize(program_.type(stores ? copy->destination : copy->source));
    const bool halves = size == 2;
    const bool blocked = fragment && fragment->layout == Layout::blocked;
    const bool held =
        blocked ||
        (fragment && (fragment->layout == Layout::acc || fragment->layout == Layout::fragA));
    const bool handedOn = tensor && (halves || (stores && blocked && size == 4));
    if (held && !handedOn)
      kind = static_cast<uint64_t>(fragment->layout) * 16 + byteSize(fragment->type) +
             (blocked ? fragment->shape[1] * 256 : 0);
    matrices = held && !blocked && stores && halves && !tensor;
  }
  return ((kind << 24) + static_cast<uint64_t>(footprint)) << 2 | 2 | matrices;
}

void Unroller::operator()(const TmaLoad &op) {
  action_->act = Act::load;
  const int64_t mask = op.multicast ? op.multicast : int64_t{1} << script_->cta;
  int64_t bytes = bitsInTensors(program_.type(op.destination)); // padding does not count
  for (int64_t extent : op.destination.shape)
    bytes *= extent;
  bytes /= 8;
  for (int cta = 0; cta < out_.ctas; ++cta) {
    if (!(mask >> cta & 1))
      continue;
    Load load{number_, position(), cta, mbarrier(op.barrier), bytes};
    if (op.multicast)
      load.barrier = sameIn(cta, load.barrier);
    load.touches =
        touches({{&op.source, false}, {&op.destination, true}}, share({&op.destination}), cta);
    action_->objects.push_back(static_cast<int32_t>(out_.loads.size()));
    out_.loads.push_back(std::move(load));
  }
}

void Unroller::operator()(const TmaStore &op) {
  action_->act = Act::store;
  action_->touches = touches({{&op.source, false}}, share({&op.source}), script_->cta);
  std::vector<Touch> to =
      touches({{&op.destination, true}}, share({&op.destination}), script_->cta);
  for (Touch &t : to) {
    t.adds = op.add;
    action_->touches.push_back(std::move(t));
  }
}

/// From L0C to UB a copy writes half of its rows to each AIV's; from UB to L1, to that of the AIC.
bool Unroller::goesToOtherCores(const Copy &op) {
  const Buffer *from = program_.buffer(op.source), *to = program_.buffer(op.destination);
  const bool down = from && to && from->space == Space::l0c && to->space == Space::ub;
  const bool up = from && to && from->space == Space::ub && to->space == Space::l1;
  if (!down && !up)
    return false;
  action_->act = Act::data;
  action_->touches = touches({{&op.source, false}}, Share::whole(rowsOf(op.source)), script_->cta);
  const int cube = script_->cta / 3 * 3;
  for (const int core : down ? std::vector{cube + 1, cube + 2} : std::vector{cube})
    for (Touch &t : touches({{&op.destination, true}}, Share::whole(rowsOf(op.destination)), core))
      action_->touches.push_back(std::move(t));
  return true;
}

void Unroller::operator()(const Copy &op) {
  if (goesToOtherCores(op))
    return;
  synchronous({{&op.destination, true}, {&op.source, false}});
  if (op.async)
    action_->act = Act::copyAsync;
  const Buffer *from = program_.buffer(op.source);
  if (!from || from->space != Space::l0c)
    return;
  takeUnits(op.source, {-1, op.byUnits, true, op.byUnits, false});
  for (Touch &t : action_->touches)
    t.units = op.byUnits && !t.write;
  if (op.byUnits && !endsInside(op.destination))
    out_.unitsLeft = describe(*action_->stmt) + " leaves units of its tile to FIX";
}

void Unroller::operator()(const Wgmma &op) {
  action_->act = Act::wgmma;
  action_->joint = true;
  const Share rows = share({&op.d});
  if (rows.count() == 0)
    return;
  Share left = rows;
  if (program_.buffer(op.a)->space == Space::smem)
    for (size_t row = 0; row < left.mine.size(); ++row) {
      const auto block = rows.mine.begin() + static_cast<int64_t>(row / 64 * 64);
      const int64_t size = std::min<int64_t>(64, rows.mine.end() - block);
      left.mine[row] = std::find(block, block + size, true) != block + size;
    }
  action_->touches = touches({{&op.a, false}}, left, script_->cta);
  const Share whole = Share::whole(rowsOf(op.b));
  Uses own{{&op.d, true}};
  if (value(op.accumulate))
    own.push_back({&op.d, false});
  for (std::vector<Touch> list :
       {touches({{&op.b, false}}, whole, script_->cta), touches(own, rows, script_->cta)})
    std::move(list.begin(), list.end(), std::back_inserter(action_->touches));
}

void Unroller::operator()(const Mmad &op) {
  Uses uses{{&op.d, true}, {&op.a, false}, {&op.b, false}};
  if (value(op.accumulate))
    uses.push_back({&op.d, false});
  // The operands differ in rows; each is met whole.
  action_->act = Act::data;
  const bool takes = op.units != UnitUse::none;
  takeUnits(op.d, {-1, takes, false, op.units == UnitUse::handsOver, value(op.accumulate) != 0});
  for (const auto &use : uses)
    for (Touch &t : touches({use}, Share::whole(rowsOf(*use.first)), script_->cta)) {
      t.units = takes && use.first == &op.d;
      action_->touches.push_back(std::move(t));
    }
}

void Unroller::operator()(const Map &op) {
  Uses uses;
  for (const View &v : op.outs)
    uses.emplace_back(&v, true);
  for (const View &v : op.ins)
    uses.emplace_back(&v, false);
  synchronous(uses);
}

void Unroller::operator()(const Raw &op) {
  if (op.async)
    return unknown();
  action_->act = Act::data;
  for (const bool write : {false, true})
    for (const View &v : write ? op.writes : op.reads) {
      const auto dividing = dividedBy(program_, op, v);
      const Share part = dividing.empty() ? Share::whole(rowsOf(v)) : share(dividing);
      for (Touch &t : touches({{&v, write}}, part, script_->cta))
        action_->touches.push_back(std::move(t));
    }
}

void Unroller::operator()(const RemoteCopy &op) {
  action_->act = Act::load;
  const auto peer = static_cast<int>(value(*op.barrier.remote));
  if (program_.storesRegisters(op))
    return storeRegisters(op, peer);
  int64_t bytes = byteSize(program_.type(op.destination));
  for (int64_t extent : op.destination.shape)
    bytes *= extent;
  Load load{number_, position(), peer, mbarrier(op.barrier), bytes};
  const Share whole = Share::whole(rowsOf(op.source));
  load.touches = touches({{&op.source, false}}, whole, script_->cta);
  for (Touch &t : touches({{&op.destination, true}}, whole, peer))
    load.touches.push_back(std::move(t));
  action_->objects.push_back(static_cast<int32_t>(out_.loads.size()));
  out_.loads.push_back(std::move(load));
}

void Unroller::storeRegisters(const RemoteCopy &op, int peer) {
  const Share rows = share({&op.source});
  const int64_t bytes = rows.count() * columnsOf(op.source) * byteSize(program_.type(op.source));
  if (bytes == 0) {
    action_->act = Act::nothing;
    return;
  }
  action_->touches = touches({{&op.source, false}}, rows, script_->cta);
  for (const bool lanes : {false, true}) {
    Load load{number_, position(), peer, mbarrier(op.barrier),
              lanes ? bytes - bytes / 2 : bytes / 2};
    load.stored = true;
    load.byLanes = lanes;
    load.touches = touches({{&op.destination, true}}, rows, peer);
    action_->objects.push_back(static_cast<int32_t>(out_.loads.size()));
    out_.loads.push_back(std::move(load));
  }
}

void Unroller::issue(Load load) {
  action_->objects.push_back(static_cast<int32_t>(out_.loads.size()));
  out_.loads.push_back(std::move(load));
}

void Unroller::mayTouch(const View &v) {
  if (v.kind == View::tensor && program_.tensors[v.object].previous && !previousEnded_)
    out_.tooEarly = script_->name + " touches " + program_.tensors[v.object].name +
                    " before the kernel in front has ended";
}

} // namespace sluice::explorer
