#include "Explore/Agents.h"
#include "Explore/Analysis.h"
#include "Explore/Places.h"
#include "Explore/Touches.h"

#include <algorithm>
#include <map>
#include <set>

namespace sluice::explorer {
namespace {

class Unroller {
public:
  Unroller(const Program &program, const Launch &launch, const ExploreOptions &options)
      : program_(program), launch_(launch), warpsConverge_(options.warpsConverge),
        toucher_(program, launch, out_.memory) {
    out_.tensorInOrder = options.tensorInOrder;
    createAgents(program, launch, options.first, out_);
  }

  Unrolled run() {
    firstSlot_ = nameMbarriers(program_, out_);
    out_.tooLong |= readsNumbers(program_);
    for (size_t i = 0; i < out_.scripts.size() && !out_.tooLong; ++i)
      unrollAgent(static_cast<int>(i));
    resolveCrossWaits();
    out_.outOfBounds = toucher_.outOfBounds ? toucher_.outOfBounds : out_.outOfBounds;
    return std::move(out_);
  }

private:
  struct CrossWaitPlace {
    int script;
    size_t action;
    int64_t id;
  };
  using FlagKey = std::tuple<std::string, std::string, int64_t>; // from, to, id

  void unrollAgent(int number) {
    number_ = number;
    script_ = &out_.scripts[number];
    initialised_.clear();
    previousEnded_ = hasAddress_ = false;
    lastOfSum_.clear();
    const bool ends =
        followCourse(program_, launch_, script_->id, [this](const Stmt &s, const Standpoint &at) {
          if (++actions_ > maxActions)
            return false;
          Action action;
          action.stmt = &s;
          action.lanes = !isAscend(program_.target) && s.exec == Exec::threads;
          at_ = &at;
          action_ = &action;
          std::visit(*this, s.op);
          script_->actions.push_back(std::move(action));
          return true;
        });
    out_.tooLong |= !ends || actions_ > maxActions;
  }

  int64_t value(const Index &i) const { return at_->value(i); }
  int position() const { return static_cast<int>(script_->actions.size()); }

  int32_t mbarrier(const MbarrierRef &ref, int64_t slot) {
    const int64_t rank = ref.remote ? value(*ref.remote) : script_->cta;
    const Mbarrier &b = program_.mbarriers[ref.object];
    if (slot < 0 || slot >= b.slots || rank < 0 || rank >= out_.ctas) {
      out_.outOfBounds = b.name + "[" + std::to_string(slot) + "] of CTA rank " +
                         std::to_string(rank) + " does not exist";
      return 0;
    }
    return static_cast<int32_t>(firstSlot_[rank * program_.mbarriers.size() + ref.object] + slot);
  }
  int32_t mbarrier(const MbarrierRef &ref) { return mbarrier(ref, value(ref.slot)); }
  void onMbarrier(Act act, const MbarrierRef &ref, int64_t count, int64_t bytes = 0) {
    action_->act = act;
    action_->objects = {mbarrier(ref)};
    action_->count = count;
    action_->bytes = bytes;
  }
  void onArray(Act act, const MbarrierRef &ref, bool whole, int64_t count) {
    onMbarrier(act, ref, count);
    if (!whole)
      return;
    action_->objects.clear();
    for (int64_t slot = 0; slot < program_.mbarriers[ref.object].slots; ++slot)
      action_->objects.push_back(mbarrier(ref, slot));
  }

  int32_t flag(const FlagKey &key, const std::string &text, int32_t limit) {
    const auto [at, isNew] = flags_.try_emplace(key, static_cast<int32_t>(out_.flags.size()));
    if (isNew) {
      out_.flags.push_back(text);
      out_.flagLimit.push_back(limit);
    }
    return at->second;
  }
  int32_t pipeFlag(Pipe source, Pipe destination, int64_t id) {
    const std::string from = std::string(name(source)), to = std::string(name(destination));
    if (id < 0 || id > 7)
      out_.outOfBounds = "flag id " + std::to_string(id);
    return flag({script_->id.core + " " + from, to, id},
                "flag " + from + "->" + to + " id " + std::to_string(id), 1);
  }
  int32_t crossFlag(const std::string &from, const std::string &to, int64_t id) {
    if (id < 0 || id > 10)
      out_.outOfBounds = "cross-core flag id " + std::to_string(id);
    return flag({from, to, id}, "cross-core flag " + from + "->" + to + " id " + std::to_string(id),
                15);
  }

  using Uses = std::vector<std::pair<const View *, bool>>; // view, is it written
  std::vector<Touch> touches(const Uses &uses, const Share &share, int cta) {
    std::vector<Touch> found;
    for (const auto &[view, write] : uses) {
      mayTouch(*view);
      if (auto t = toucher_.touch(*at_, *view, write, share, cta, number_))
        found.push_back(std::move(*t));
    }
    return found;
  }
  Share share(const std::vector<const View *> &views) const {
    return shareOf(*at_, *action_->stmt, views);
  }
  void synchronous(const Uses &uses) {
    std::vector<const View *> views;
    for (const auto &use : uses)
      views.push_back(use.first);
    action_->act = Act::data;
    action_->touches = touches(uses, share(views), script_->cta);
    for (Touch &t : action_->touches)
      t.lanes = isOfRegisters(t) ? 0 : lanesOf(*action_->stmt, t.footprint, t.tensor);
  }

  bool isOfRegisters(const Touch &t) const { return !t.shared && !t.tensor; }

  /// Fragments give every lane the same elements on the way there and back, unless 16-bit ones are
  /// put together on the way to a tensor; whatever else is dealt out anew by each statement.
  uint64_t lanesOf(const Stmt &s, int32_t footprint, bool tensor) const {
    uint64_t kind = reinterpret_cast<uintptr_t>(&s) << 1, matrices = 0;
    if (const auto *copy = std::get_if<Copy>(&s.op)) {
      const Buffer *from = program_.buffer(copy->source), *to = program_.buffer(copy->destination);
      const bool stores = from && from->space == Space::reg;
      const Buffer *fragment = stores ? from : to && to->space == Space::reg ? to : nullptr;
      const bool halves = byteSize(program_.type(stores ? copy->destination : copy->source)) == 2;
      const bool blocked = fragment && fragment->layout == Layout::blocked;
      const bool held =
          blocked ||
          (fragment && (fragment->layout == Layout::acc || fragment->layout == Layout::fragA));
      if (held && !(tensor && halves))
        kind = static_cast<uint64_t>(fragment->layout) * 16 + byteSize(fragment->type) +
               (blocked ? fragment->shape[1] * 256 : 0);
      matrices = held && !blocked && stores && halves && !tensor;
    }
    return ((kind << 24) + static_cast<uint64_t>(footprint)) << 2 | 2 | matrices;
  }

public:
  void operator()(const MbarrierInit &op) {
    onArray(Act::initialise, op.barrier, op.wholeArray, op.count);
    initialised_.insert(initialised_.end(), action_->objects.begin(), action_->objects.end());
  }
  void operator()(const MbarrierInval &op) {
    onArray(Act::invalidate, op.barrier, op.wholeArray, 0);
  }
  void operator()(const MbarrierArrive &op) {
    onMbarrier(Act::arrive, op.barrier, op.count);
    action_->scope = op.scope;
  }
  void operator()(const MbarrierArriveExpectTx &op) {
    onMbarrier(Act::arrive, op.barrier, 1, value(op.bytes));
    action_->scope = op.scope;
  }
  void operator()(const MbarrierExpectTx &op) {
    onMbarrier(Act::arrive, op.barrier, 0, value(op.bytes));
    action_->relaxed = true;
  }
  void operator()(const MbarrierWait &op) {
    onMbarrier(Act::wait, op.barrier, value(op.parity) & 1);
    action_->joint = action_->lanes && warpsConverge_;
    action_->scope = op.scope;
    if (op.barrier.remote && value(*op.barrier.remote) != script_->cta)
      out_.outOfBounds = "a wait names a barrier of another CTA";
    if (op.token == kNone || at_->numbers[op.token] == 0)
      return;
    action_->token = static_cast<int32_t>(at_->numbers[op.token]) - 1;
    out_.tooLong |= script_->tests - action_->token > keptTokens;
  }
  /// All lanes agree on what they were told.
  void operator()(const MbarrierTest &op) {
    onMbarrier(Act::test, op.barrier, value(op.parity) & 1);
    action_->joint = action_->lanes;
    action_->scope = op.scope;
    action_->token = script_->tests++;
  }
  void operator()(const NamedBarrier &op) {
    const int64_t id = value(op.id);
    if (!NamedBarrier::isId(id))
      out_.outOfBounds = "named barrier " + std::to_string(id);
    const auto at = named_.try_emplace({script_->cta, id}, static_cast<int32_t>(named_.size()));
    action_->act = Act::named;
    action_->joint = true;
    action_->objects = {at.first->second};
    action_->count = op.threads ? op.threads : program_.warps * int64_t{32};
    action_->bytes = op.arriveOnly;
    out_.namedThreads.resize(named_.size());
  }
  void operator()(const WarpSync &) { action_->joint = true; }
  void operator()(const ClusterBarrier &op) {
    action_->joint = true;
    action_->act = op.kind == ClusterBarrier::wait   ? Act::clusterWait
                   : op.kind == ClusterBarrier::sync ? Act::clusterSync
                                                     : Act::clusterArrive;
    action_->relaxed = op.kind == ClusterBarrier::arriveRelaxed;
  }
  void operator()(const Fence &op) {
    action_->act = op.kind == Fence::mbarrierInit    ? Act::initFence
                   : op.kind == Fence::proxyAsync    ? Act::proxyFence
                   : op.kind == Fence::tcgen05Before ? Act::fenceBefore
                   : op.kind == Fence::tcgen05After  ? Act::fenceAfter
                                                     : Act::globalFence;
    if (op.kind == Fence::mbarrierInit)
      action_->objects = initialised_;
  }
  void operator()(const BulkCommit &) { action_->lanes = false; }
  void operator()(const BulkWait &) {
    action_->act = Act::bulkWait;
    action_->lanes = false;
  }
  void operator()(const CpAsyncCommit &) {}
  void operator()(const CpAsyncWait &) { action_->act = Act::copyWait; }
  void operator()(const CpAsyncArrive &op) {
    onMbarrier(Act::copyArrive, op.barrier, op.noinc ? 0 : 1);
  }
  void operator()(const WgmmaFence &) { action_->joint = true; }
  void operator()(const WgmmaCommit &) { action_->joint = true; }
  void operator()(const WgmmaWait &) { action_->joint = true; }
  void operator()(const SetFlag &op) {
    action_->act = Act::setFlag;
    action_->objects = {pipeFlag(op.source, op.destination, value(op.id))};
  }
  void operator()(const WaitFlag &op) {
    action_->act = Act::waitFlag;
    action_->objects = {pipeFlag(op.source, op.destination, value(op.id))};
  }
  void operator()(const PipeBarrier &op) {
    action_->act = op.pipe == Pipe::all ? Act::allPipes : Act::pipeBarrier;
  }
  /// Mode 2 joins the AIC with its two AIVs, mode 1 the two AIVs.
  void operator()(const CrossSet &op) {
    action_->act = Act::setFlag;
    const std::string &from = script_->id.core;
    const int64_t id = value(op.id);
    std::vector<std::string> receivers{"aic"};
    if (from == "aic")
      receivers = {"aiv0", "aiv1"};
    else if (op.mode == 1)
      receivers = {from == "aiv0" ? "aiv1" : "aiv0"};
    for (const std::string &to : receivers)
      action_->objects.push_back(crossFlag(from, to, id));
  }
  void operator()(const CrossWait &op) {
    action_->act = Act::waitFlag;
    crossWaits_.push_back({number_, script_->actions.size(), value(op.id)});
  }
  void operator()(const TmaLoad &op) {
    action_->act = Act::load;
    const int64_t mask = op.multicast ? op.multicast : int64_t{1} << script_->cta;
    int64_t bytes = byteSize(program_.type(op.destination));
    for (int64_t extent : op.destination.shape)
      bytes *= extent;
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
  void operator()(const TmaStore &op) {
    action_->act = Act::store;
    action_->touches = touches({{&op.source, false}}, share({&op.source}), script_->cta);
    std::vector<Touch> to =
        touches({{&op.destination, true}}, share({&op.destination}), script_->cta);
    for (Touch &t : to) {
      t.adds = op.add;
      action_->touches.push_back(std::move(t));
    }
  }
  void operator()(const Copy &op) {
    synchronous({{&op.destination, true}, {&op.source, false}});
    if (op.async)
      action_->act = Act::copyAsync;
  }
  void operator()(const Fill &op) { synchronous({{&op.destination, true}}); }
  /// From shared memory the unit reads A for all four warps, and B whole.
  void operator()(const Wgmma &op) {
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
  void operator()(const Mmad &op) {
    Uses uses{{&op.d, true}, {&op.a, false}, {&op.b, false}};
    if (value(op.accumulate))
      uses.push_back({&op.d, false});
    // The operands differ in rows; each is met whole.
    action_->act = Act::data;
    for (const auto &use : uses)
      for (Touch &t : touches({use}, Share::whole(rowsOf(*use.first)), script_->cta))
        action_->touches.push_back(std::move(t));
  }
  void operator()(const Map &op) {
    Uses uses;
    for (const View &v : op.outs)
      uses.emplace_back(&v, true);
    for (const View &v : op.ins)
      uses.emplace_back(&v, false);
    synchronous(uses);
  }
  void operator()(const Raw &op) {
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
  void operator()(const Print &op) { synchronous({{&op.source, false}}); }
  void operator()(const Reduce &op) { synchronous({{&op.in, false}, {&op.out, true}}); }
  void operator()(const CounterAdd &op) {
    if (op.old != kNone)
      unknown();
    onCounter(Act::counterAdd, op.counter, value(op.value), op.scope);
    action_->relaxed = op.relaxed;
  }
  void operator()(const CounterWait &op) {
    onCounter(Act::counterWait, op.counter, value(op.value), op.scope);
    action_->joint = action_->lanes && warpsConverge_;
    action_->coResident = op.coResident;
  }
  void operator()(const GridDependency &op) { previousEnded_ |= !op.launch; }
  // Tensor memory. All lanes of a warp allocate, free, load and wait together.
  void operator()(const TmemAlloc &op) {
    synchronous({{&op.address, true}});
    byWarp(ColumnsUse::allocates, op.pair);
    action_->count = op.columns;
    out_.columns = true;
  }
  void operator()(const TmemRelinquish &op) { byWarp(ColumnsUse::relinquishes, op.pair); }
  void operator()(const TmemAddress &op) {
    synchronous({{&op.source, false}});
    action_->columnsUse = ColumnsUse::readsAddress;
    hasAddress_ = true;
  }
  /// As if it wrote all columns of all lanes.
  void operator()(const TmemDealloc &op) {
    byWarp(ColumnsUse::frees, op.pair);
    action_->act = Act::data;
    action_->count = op.columns;
    for (const int cta : ctasOf(op.pair))
      action_->touches.push_back(toucher_.allColumns(cta));
    needsAddress();
  }
  void operator()(const TmemLoad &op) {
    byWarp(ColumnsUse::uses);
    action_->act = Act::lanesMove;
    action_->count = columnsEnd(op.source);
    const Share rows = share({&op.destination, &op.source});
    action_->touches = touches({{&op.destination, true}, {&op.source, false}}, rows, script_->cta);
    needsOwnLanes(op.source, rows);
    needsAddress();
  }
  /// First every lane reads its registers.
  void operator()(const TmemStore &op) {
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
  void operator()(const TmemWait &op) {
    byWarp(ColumnsUse::none);
    action_->act = Act::lanesWait;
    action_->count = op.stores;
  }
  /// One thread issues it; A and B are read whole.
  void operator()(const Tcgen05Mma &op) {
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
  void operator()(const Tcgen05Commit &op) {
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
  void operator()(const ScalarRead &) { unknown(); }
  void operator()(const ScalarWrite &) { unknown(); }
  void operator()(const RemoteCopy &op) {
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
  void operator()(const Epoch &) {}
  void operator()(const Scalar &) {}
  void operator()(const Grid &) {}
  void operator()(const For &) {}
  void operator()(const If &) {}
  void operator()(const Role &) {}

private:
  /// Each strand stores its part when it comes by. Which bytes are whose does not matter to others,
  /// nor how many, but that neither part is empty.
  void storeRegisters(const RemoteCopy &op, int peer) {
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
  /// The barrier at the same offset in another CTA.
  int32_t sameIn(int cta, int32_t barrier) const {
    const auto ofCta = static_cast<int32_t>(out_.mbarriers.size()) / out_.ctas;
    return barrier + (cta - script_->cta) * ofCta;
  }
  void issue(Load load) {
    action_->objects.push_back(static_cast<int32_t>(out_.loads.size()));
    out_.loads.push_back(std::move(load));
  }
  std::vector<int> ctasOf(bool pair) const {
    const int own = script_->cta;
    return pair ? std::vector{own, own ^ 1} : std::vector{own};
  }
  void byWarp(ColumnsUse use, bool pair = false) {
    action_->columnsUse = use;
    action_->pair = pair;
    action_->joint = true;
    if (!action_->lanes)
      unknown();
  }
  int64_t columnsEnd(const View &v) const {
    const Buffer &b = *program_.buffer(v);
    const int64_t tile = (value(v.offset.back()) + v.shape.back()) * byteSize(b.type);
    return (b.offset + value(v.slot) * b.slotBytes + tile + 3) / 4;
  }
  void needsOwnLanes(const View &lanes, const Share &rows) {
    const int64_t first = value(lanes.offset[0]), all = program_.buffer(lanes)->shape[0];
    for (size_t row = 0; row < rows.mine.size(); ++row)
      if (rows.mine[row] &&
          laneOfRow(all, first + static_cast<int64_t>(row)) / 32 != script_->id.warp % 4)
        out_.outOfBounds = script_->name + " touches lanes of tensor memory that are not its own";
  }
  void needsAddress() {
    if (!hasAddress_)
      out_.unaddressed = script_->name + " uses tensor memory without its address";
  }
  int32_t sumOf(const Tcgen05Mma &op) {
    std::vector<int64_t> key = sumKey(program_, op, [this](const Index &i) { return value(i); });
    key.push_back(number_);
    return sums_.try_emplace(std::move(key), static_cast<int32_t>(sums_.size())).first->second;
  }
  void onCounter(Act act, const View &view, int64_t number, Scope scope) {
    std::string name = program_.tensors[view.object].name;
    for (size_t d = 0; d < view.offset.size(); ++d) {
      const int64_t at = value(view.offset[d]);
      if (at < 0 || at >= launch_.tensors[view.object].extents[d])
        out_.outOfBounds = "a counter of " + name + " that does not exist";
      name += "," + std::to_string(at);
    }
    mayTouch(view);
    action_->act = act;
    action_->count = number;
    action_->scope = scope;
    const auto at = counters_.try_emplace(name, static_cast<int32_t>(counters_.size())).first;
    action_->objects = {at->second};
    out_.counters.resize(counters_.size());
    out_.counters[at->second] = name;
  }
  /// The kernel before has ended for this agent, or does not write the tensor.
  void mayTouch(const View &v) {
    if (v.kind == View::tensor && program_.tensors[v.object].previous && !previousEnded_)
      out_.tooEarly = script_->name + " touches " + program_.tensors[v.object].name +
                      " before the kernel in front has ended";
  }
  void unknown() { out_.tooLong = true; }
  /// The AIC waits for both AIVs; an AIV for the other one where that ever signals it, else for the
  /// AIC.
  void resolveCrossWaits() {
    for (const CrossWaitPlace &w : crossWaits_) {
      script_ = &out_.scripts[w.script];
      const std::string &to = script_->id.core;
      std::vector<int32_t> &flags = script_->actions[w.action].objects;
      const std::string peer = to == "aiv0" ? "aiv1" : "aiv0";
      if (to == "aic")
        flags = {crossFlag("aiv0", to, w.id), crossFlag("aiv1", to, w.id)};
      else
        flags = {crossFlag(flags_.count({peer, to, w.id}) ? peer : "aic", to, w.id)};
    }
  }

  const Program &program_;
  const Launch &launch_;
  const bool warpsConverge_;
  Unrolled out_;
  Toucher toucher_;
  std::vector<int32_t> firstSlot_; // by CTA and array
  std::map<std::pair<int, int64_t>, int32_t> named_;
  std::map<FlagKey, int32_t> flags_;
  std::vector<CrossWaitPlace> crossWaits_;
  std::vector<int32_t> initialised_; // by this agent so far
  std::map<std::string, int32_t> counters_;
  bool previousEnded_ = false, hasAddress_ = false; // of this agent
  std::map<int32_t, int32_t> lastOfSum_;            // its loads
  std::map<std::vector<int64_t>, int32_t> sums_;
  int64_t actions_ = 0;
  int number_ = 0;
  Script *script_ = nullptr;
  const Standpoint *at_ = nullptr;
  Action *action_ = nullptr;
};

} // namespace

Unrolled unroll(const Program &program, const Launch &launch, const ExploreOptions &options) {
  Unrolled out = Unroller(program, launch, options).run();
  if (!out.tooLong && !out.outOfBounds)
    analyse(program, out);
  return out;
}

} // namespace sluice::explorer
