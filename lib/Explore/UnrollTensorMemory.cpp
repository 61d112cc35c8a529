#include "Explore/Unroller.h"

#include <algorithm>

namespace sluice::explorer {

void Unroller::operator()(const TmemAlloc &op) {
  synchronous({{&op.address, true}});
  byWarp(ColumnsUse::allocates, op.pair);
  action_->count = op.columns;
  out_.columns = true;
}

void Unroller::operator()(const TmemAddress &op) {
  synchronous({{&op.source, false}});
  action_->columnsUse = ColumnsUse::readsAddress;
  hasAddress_ = true;
}

void Unroller::operator()(const TmemDealloc &op) {
  byWarp(ColumnsUse::frees, op.pair);
  action_->act = Act::data;
  action_->count = op.columns;
  for (const int cta : ctasOf(op.pair))
    action_->touches.push_back(toucher_.allColumns(cta));
  needsAddress();
}

void Unroller::operator()(const TmemLoad &op) {
  byWarp(ColumnsUse::uses);
  action_->act = Act::lanesMove;
  action_->count = columnsEnd(op.source);
  const Share rows = share({&op.destination, &op.source});
  action_->touches = touches({{&op.destination, true}, {&op.source, false}}, rows, script_->cta);
  needsOwnLanes(op.source, rows);
  needsAddress();
}

void Unroller::operator()(const TmemStore &op) {
  const Share rows = share({&op.source, &op.destination});
  Action reads = *action_;
  reads.act = Act::data;
  reads.touches = touches({{&op.source, false}}, rows, script_->cta);
  script_->actions.push_back(std::move(reads));
  byWarp(ColumnsUse::uses);
  action_->act = Act::lanesMove;
  action_->count = columnsEnd(op.destination);
  action_->touches = touches({{&op.destination, true}}, rows, script_->cta);
  needsOwnLanes(op.destination, rows);
  needsAddress();
}

void Unroller::operator()(const TmemWait &op) {
  byWarp(ColumnsUse::none);
  action_->act = Act::lanesWait;
  action_->count = op.stores;
}

void Unroller::operator()(const Tcgen05Mma &op) {
  action_->act = Act::load;
  action_->lanes = false;
  action_->columnsUse = ColumnsUse::uses;
  action_->pair = op.pair;
  action_->sum = sumOf(op);
  const bool columnsOfA = program_.buffer(op.a)->space == Space::tmem;
  action_->count = std::max(columnsEnd(op.d), columnsOfA ? columnsEnd(op.a) : 0);
  Load product{number_, position(), op.pair ? script_->cta ^ 1 : script_->cta};
  Uses uses{{&op.a, false}, {&op.b, false}, {&op.d, true}};
  if (value(op.accumulate))
    uses.push_back({&op.d, false});
  if (op.scales)
    uses.insert(uses.end(), {{&op.scales->a, false}, {&op.scales->b, false}});
  for (const int cta : ctasOf(op.pair))
    for (const auto &use : uses)
      for (Touch &t : touches({use}, Share::whole(rowsOf(*use.first)), cta)) {
        t.adds = use.first == &op.d && !use.second;
        product.touches.push_back(std::move(t));
      }
  lastOfSum_[action_->sum] = static_cast<int32_t>(out_.loads.size());
  issue(std::move(product));
  needsAddress();
}

/// Four rows go to one lane of each 32, as is assumed, or to any.
void Unroller::operator()(const TmemCopy &op) {
  Share reached = Share::whole(rowsOf(op.destination));
  Uses uses{{&op.source, false}, {&op.destination, true}};
  if (rowsOf(op.source) == 4 && !out_.tensorInOrder)
    uses.push_back({&op.destination, false}); // those that it leaves alone
  else if (rowsOf(op.source) == 4)
    for (size_t lane = 0; lane < reached.mine.size(); ++lane)
      reached.mine[lane] = static_cast<int64_t>(lane) % 32 == op.lane;
  askOfColumns(uses, op.destination, op.pair, reached);
}

/// Which way rows go does not matter: all are read, and all overwritten; of 32 lanes, as is
/// assumed, or of any.
void Unroller::operator()(const TmemShift &op) {
  View columns = op.columns;
  if (!out_.tensorInOrder)
    columns.offset[0] = {}, columns.shape[0] = 128;
  askOfColumns({{&columns, false}, {&columns, true}}, columns, op.pair,
               Share::whole(rowsOf(columns)));
}

/// By one thread; it lands as a product does, of a pair in both CTAs. `reached`: of the columns.
void Unroller::askOfColumns(const Uses &uses, const View &columns, bool pair,
                            const Share &reached) {
  action_->act = Act::load;
  action_->lanes = false;
  action_->columnsUse = ColumnsUse::uses;
  action_->sum = sumNumber({-1, position(), number_});
  action_->pair = pair;
  action_->count = columnsEnd(columns);
  Load moved{number_, position(), pair ? script_->cta ^ 1 : script_->cta};
  for (const int cta : ctasOf(pair))
    for (const auto &use : uses) {
      const bool ofColumns = use.first == &columns;
      for (Touch &t : touches({use}, ofColumns ? reached : Share::whole(rowsOf(*use.first)), cta))
        moved.touches.push_back(std::move(t));
    }
  lastOfSum_[action_->sum] = static_cast<int32_t>(out_.loads.size());
  issue(std::move(moved));
  needsAddress();
}

void Unroller::operator()(const Tcgen05Commit &op) {
  action_->act = Act::load;
  action_->lanes = false;
  const int64_t mask = op.multicast ? op.multicast : int64_t{1} << script_->cta;
  for (int cta = 0; cta < out_.ctas; ++cta) {
    if (!(mask >> cta & 1))
      continue;
    Load commit{number_, position(), cta, sameIn(cta, mbarrier(op.barrier))};
    commit.arrivals = 1;
    for (const auto &[sum, last] : lastOfSum_)
      commit.after.push_back(last);
    issue(std::move(commit));
  }
}

int32_t Unroller::sameIn(int cta, int32_t barrier) const {
  const auto ofCta = static_cast<int32_t>(out_.mbarriers.size()) / out_.ctas;
  return barrier + (cta - script_->cta) * ofCta;
}

std::vector<int> Unroller::ctasOf(bool pair) const {
  const int own = script_->cta;
  return pair ? std::vector{own, own ^ 1} : std::vector{own};
}

void Unroller::byWarp(ColumnsUse use, bool pair) {
  action_->columnsUse = use;
  action_->pair = pair;
  action_->joint = true;
  if (!action_->lanes)
    unknown();
}

int64_t Unroller::columnsEnd(const View &v) const {
  const Buffer &b = *program_.buffer(v);
  const int64_t tile = (value(v.offset.back()) + v.shape.back()) * byteSize(b.type);
  return (b.offset + value(v.slot) * b.slotBytes + tile + 3) / 4;
}

void Unroller::needsOwnLanes(const View &lanes, const Share &rows) {
  const int64_t first = value(lanes.offset[0]), all = program_.buffer(lanes)->shape[0];
  for (size_t row = 0; row < rows.mine.size(); ++row)
    if (rows.mine[row] &&
        laneOfRow(all, first + static_cast<int64_t>(row)) / 32 != script_->id.warp % 4)
      out_.outOfBounds = script_->name + " touches lanes of tensor memory that are not its own";
}

void Unroller::needsAddress() {
  if (!hasAddress_)
    out_.unaddressed = script_->name + " uses tensor memory without its address";
}

int32_t Unroller::sumOf(const Tcgen05Mma &op) {
  std::vector<int64_t> key = sumKey(program_, op, [this](const Index &i) { return value(i); });
  key.push_back(number_);
  return sumNumber(std::move(key));
}

int32_t Unroller::sumNumber(std::vector<int64_t> key) {
  return sums_.try_emplace(std::move(key), static_cast<int32_t>(sums_.size())).first->second;
}

} // namespace sluice::explorer
