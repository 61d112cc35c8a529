#include "Explore/MutationPlaces.h"

#include <bit>
#include <set>

namespace sluice::mutation {
namespace {

/// Scalars are free: an operation moves past its neighbours among the others.
bool isScalar(const Stmt &s) {
  return isOneOf<Scalar, Grid>(s.op);
}

} // namespace

bool hasResults(const Stmt &s) {
  if (auto *loop = std::get_if<For>(&s.op))
    return !loop->results.empty();
  if (auto *branch = std::get_if<If>(&s.op))
    return !branch->results.empty();
  auto *add = std::get_if<CounterAdd>(&s.op);
  return isOneOf<ScalarRead, MbarrierTest>(s.op) || (add && add->old != kNone);
}

namespace {

class Finder {
public:
  void visit(Block &block, const Visit &visit) {
    for (size_t i = 0; i < block.stmts.size() && !stopped_; ++i) {
      if (!visit({&block, i, role_}, number_++)) {
        stopped_ = true;
        return;
      }
      Operation &op = block.stmts[i].op;
      if (auto *loop = std::get_if<For>(&op)) {
        this->visit(loop->body, visit);
      } else if (auto *branch = std::get_if<If>(&op)) {
        this->visit(branch->thenBlock, visit);
        this->visit(branch->elseBlock, visit);
      } else if (auto *role = std::get_if<Role>(&op)) {
        role_ = role;
        this->visit(role->body, visit);
        role_ = nullptr;
      }
    }
  }

private:
  Role *role_ = nullptr;
  int number_ = 0;
  bool stopped_ = false;
};

} // namespace

std::optional<Purpose> purposeOf(const Operation &op) {
  if (isOneOf<MbarrierInit, MbarrierInval>(op))
    return Purpose::initialisation;
  if (isOneOf<MbarrierArrive, MbarrierArriveExpectTx, MbarrierExpectTx>(op))
    return Purpose::arrival;
  if (isOneOf<MbarrierWait>(op))
    return Purpose::phaseWait;
  if (isOneOf<MbarrierTest>(op))
    return Purpose::test;
  if (isOneOf<TmaLoad, RemoteCopy, ClcTryCancel>(op))
    return Purpose::transfer;
  if (isOneOf<NamedBarrier, WarpSync, ClusterBarrier>(op))
    return Purpose::meeting;
  if (auto *fence = std::get_if<Fence>(&op))
    return fence->kind == Fence::mbarrierInit ? Purpose::initFence
           : fence->kind == Fence::tcgen05Before || fence->kind == Fence::tcgen05After
               ? Purpose::columnFence
               : Purpose::proxyFence;
  if (isOneOf<BulkCommit, BulkWait, TmaStore>(op))
    return Purpose::bulkGroup;
  if (isOneOf<CpAsyncCommit, CpAsyncWait, CpAsyncArrive>(op))
    return Purpose::copyGroup;
  if (isOneOf<WgmmaFence, WgmmaCommit, WgmmaWait>(op))
    return Purpose::wgmmaGroup;
  const auto *mmad = std::get_if<Mmad>(&op);
  const auto *copy = std::get_if<Copy>(&op);
  if ((mmad && mmad->units != UnitUse::none) || (copy && copy->byUnits))
    return Purpose::units;
  if (isOneOf<Wgmma, Mmad, Tcgen05Mma, TmemCopy, TmemShift>(op))
    return Purpose::product;
  if (isOneOf<TmemAlloc, TmemRelinquish, TmemAddress, TmemDealloc>(op))
    return Purpose::columns;
  if (isOneOf<Tcgen05Commit>(op))
    return Purpose::productEnd;
  if (isOneOf<TmemLoad, TmemStore, TmemWait>(op))
    return Purpose::lanes;
  if (isOneOf<SetFlag, WaitFlag, Mutex, CrossSet, CrossWait>(op))
    return Purpose::flag;
  if (isOneOf<CounterAdd, CounterWait>(op))
    return Purpose::counter;
  if (isOneOf<GridDependency>(op))
    return Purpose::kernelBefore;
  if (isOneOf<PipeBarrier>(op))
    return Purpose::pipeBarrier;
  if (isOneOf<Copy, Fill, Map, Reduce, Raw>(op))
    return Purpose::access;
  return {};
}

std::optional<size_t> before(const Block &b, size_t i) {
  while (i-- > 0)
    if (!isScalar(b.stmts[i]))
      return hasResults(b.stmts[i]) ? std::nullopt : std::optional(i);
  return {};
}
std::optional<size_t> after(const Block &b, size_t i) {
  while (++i < b.stmts.size())
    if (!isScalar(b.stmts[i]))
      return i;
  return {};
}

MbarrierRef *barrierOf(Operation &op) {
  return std::visit(
      [](auto &o) -> MbarrierRef * {
        if constexpr (requires { o.barrier.object; })
          return &o.barrier;
        else
          return nullptr;
      },
      op);
}
int64_t *countOf(Operation &op) {
  if (auto *o = std::get_if<MbarrierInit>(&op))
    return &o->count;
  if (auto *o = std::get_if<MbarrierArrive>(&op))
    return &o->count;
  if (auto *o = std::get_if<NamedBarrier>(&op))
    return &o->threads;
  if (auto *o = std::get_if<BulkWait>(&op))
    return &o->pending;
  if (auto *o = std::get_if<WgmmaWait>(&op))
    return &o->pending;
  if (auto *o = std::get_if<CpAsyncWait>(&op))
    return &o->pending;
  if (auto *o = std::get_if<CounterAdd>(&op))
    return &o->value.constant;
  if (auto *o = std::get_if<CounterWait>(&op))
    return &o->value.constant;
  return nullptr;
}

Index *parityOf(Operation &op) {
  if (auto *o = std::get_if<MbarrierWait>(&op))
    return &o->parity;
  auto *o = std::get_if<MbarrierTest>(&op);
  return o ? &o->parity : nullptr;
}

Index *bytesOf(Operation &op) {
  if (auto *o = std::get_if<MbarrierArriveExpectTx>(&op))
    return &o->bytes;
  if (auto *o = std::get_if<MbarrierExpectTx>(&op))
    return &o->bytes;
  return nullptr;
}

Index *flagOf(Operation &op) {
  if (auto *o = std::get_if<SetFlag>(&op))
    return &o->id;
  if (auto *o = std::get_if<WaitFlag>(&op))
    return &o->id;
  if (auto *o = std::get_if<Mutex>(&op))
    return &o->id;
  if (auto *o = std::get_if<CrossSet>(&op))
    return &o->id;
  if (auto *o = std::get_if<CrossWait>(&op))
    return &o->id;
  return nullptr;
}

Scope *scopeOf(Operation &op) {
  return std::visit(
      [](auto &o) -> Scope * {
        if constexpr (requires { o.scope; })
          return &o.scope;
        else
          return nullptr;
      },
      op);
}

int64_t *maskOf(Operation &op) {
  auto *load = std::get_if<TmaLoad>(&op);
  auto *commit = std::get_if<Tcgen05Commit>(&op);
  int64_t *mask = load ? &load->multicast : commit ? &commit->multicast : nullptr;
  return mask && std::popcount(uint64_t(*mask)) > 1 ? mask : nullptr;
}

std::optional<size_t> nextFlag(Block &b, size_t i) {
  const auto direction = [](const Stmt &s) {
    std::vector<int> key{static_cast<int>(s.op.index())};
    if (auto *o = std::get_if<SetFlag>(&s.op))
      key.insert(key.end(), {static_cast<int>(o->source), static_cast<int>(o->destination)});
    if (auto *o = std::get_if<WaitFlag>(&s.op))
      key.insert(key.end(), {static_cast<int>(o->source), static_cast<int>(o->destination)});
    if (auto *o = std::get_if<Mutex>(&s.op))
      key.push_back(o->kind);
    return key;
  };
  std::set<ValueId> later; // not yet known here
  const Index *mine = flagOf(b.stmts[i].op);
  for (size_t j = i + 1; mine && j < b.stmts.size(); ++j) {
    if (auto *scalar = std::get_if<Scalar>(&b.stmts[j].op))
      later.insert(scalar->result);
    if (direction(b.stmts[j]) != direction(b.stmts[i]))
      continue;
    const Index *other = flagOf(b.stmts[j].op);
    if (!later.count(other->value) &&
        (other->value != mine->value || other->constant != mine->constant))
      return j;
  }
  return {};
}

std::pair<Index *, int64_t> slotOf(Program &p, Operation &op) {
  auto ofView = [&](View &v) -> std::pair<Index *, int64_t> {
    if (v.kind != View::buffer)
      return {nullptr, 1};
    return {&v.slot, p.buffers[v.object].slots};
  };
  if (auto *o = std::get_if<TmaLoad>(&op))
    return ofView(o->destination);
  if (auto *o = std::get_if<ClcTryCancel>(&op))
    return ofView(o->response);
  if (auto *o = std::get_if<TmaStore>(&op))
    return ofView(o->source);
  if (auto *o = std::get_if<Wgmma>(&op))
    return ofView(o->b);
  if (auto *o = std::get_if<Mmad>(&op))
    return ofView(o->b);
  if (auto *o = std::get_if<TmemCopy>(&op))
    return ofView(o->source);
  if (auto *o = std::get_if<Tcgen05Mma>(&op)) {
    auto of = ofView(o->d);
    return of.second > 1 ? of : ofView(o->b);
  }
  if (auto *o = std::get_if<TmemLoad>(&op))
    return ofView(o->source);
  if (auto *o = std::get_if<TmemStore>(&op))
    return ofView(o->destination);
  if (auto *o = std::get_if<Copy>(&op)) {
    auto to = ofView(o->destination);
    return to.first && to.second > 1 ? to : ofView(o->source);
  }
  if (MbarrierRef *ref = barrierOf(op); ref && !isOneOf<MbarrierInit, MbarrierInval>(op))
    return {&ref->slot, p.mbarriers[ref->object].slots};
  return {nullptr, 1};
}

void visit(Program &p, const Visit &visit) {
  Finder().visit(p.body, visit);
}

Place find(Program &p, int target) {
  Place found;
  visit(p, [&](const Place &at, int number) {
    if (number == target)
      found = at;
    return number != target;
  });
  return found;
}

} // namespace sluice::mutation
