#include "Explore/Unroller.h"

namespace sluice::explorer {

Unrolled Unroller::run() {
  firstSlot_ = nameMbarriers(program_, out_);
  out_.tooLong |= readsNumbers(program_);
  for (size_t i = 0; i < out_.scripts.size() && !out_.tooLong; ++i)
    unrollAgent(static_cast<int>(i));
  resolveCrossWaits();
  out_.outOfBounds = toucher_.outOfBounds ? toucher_.outOfBounds : out_.outOfBounds;
  return std::move(out_);
}

void Unroller::unrollAgent(int number) {
  number_ = number;
  script_ = &out_.scripts[number];
  initialised_.clear();
  unlocks_.clear();
  waitsOfCore_ = 0;
  previousEnded_ = hasAddress_ = false;
  lastOfSum_.clear();
  const bool ends =
      followCourse(program_, launch_, script_->id, [this](const Stmt &s, const Standpoint &at) {
        if (passesBy(s))
          return true;
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
  for (const auto &[id, unlocks] : unlocks_)
    if (unlocks.holder != Pipe::none)
      out_.mispaired = "mutex " + std::to_string(id) + " is left locked";
}

int32_t Unroller::mbarrier(const MbarrierRef &ref, int64_t slot) {
  const int64_t rank = ref.remote ? value(*ref.remote) : script_->cta;
  const Mbarrier &b = program_.mbarriers[ref.object];
  if (slot < 0 || slot >= b.slots || rank < 0 || rank >= out_.ctas) {
    out_.outOfBounds = b.name + "[" + std::to_string(slot) + "] of CTA rank " +
                       std::to_string(rank) + " does not exist";
    return 0;
  }
  return static_cast<int32_t>(firstSlot_[rank * program_.mbarriers.size() + ref.object] + slot);
}

void Unroller::onMbarrier(Act act, const MbarrierRef &ref, int64_t count, int64_t bytes) {
  action_->act = act;
  action_->objects = {mbarrier(ref)};
  action_->count = count;
  action_->bytes = bytes;
}

void Unroller::onArray(Act act, const MbarrierRef &ref, bool whole, int64_t count) {
  onMbarrier(act, ref, count);
  if (!whole)
    return;
  action_->objects.clear();
  for (int64_t slot = 0; slot < program_.mbarriers[ref.object].slots; ++slot)
    action_->objects.push_back(mbarrier(ref, slot));
}

void Unroller::operator()(const MbarrierInit &op) {
  onArray(Act::initialise, op.barrier, op.wholeArray, op.count);
  initialised_.insert(initialised_.end(), action_->objects.begin(), action_->objects.end());
}

void Unroller::operator()(const MbarrierInval &op) {
  onArray(Act::invalidate, op.barrier, op.wholeArray, 0);
}

void Unroller::operator()(const MbarrierArrive &op) {
  onMbarrier(Act::arrive, op.barrier, op.count);
  action_->scope = op.scope;
}

void Unroller::operator()(const MbarrierArriveExpectTx &op) {
  onMbarrier(Act::arrive, op.barrier, 1, value(op.bytes));
  action_->scope = op.scope;
}

void Unroller::operator()(const MbarrierExpectTx &op) {
  onMbarrier(Act::arrive, op.barrier, 0, value(op.bytes));
  action_->relaxed = true;
}

void Unroller::operator()(const MbarrierWait &op) {
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

void Unroller::operator()(const MbarrierTest &op) {
  onMbarrier(Act::test, op.barrier, value(op.parity) & 1);
  action_->joint = action_->lanes;
  action_->scope = op.scope;
  action_->token = script_->tests++;
}

void Unroller::operator()(const NamedBarrier &op) {
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

void Unroller::operator()(const ClusterBarrier &op) {
  action_->joint = true;
  action_->act = op.kind == ClusterBarrier::wait   ? Act::clusterWait
                 : op.kind == ClusterBarrier::sync ? Act::clusterSync
                                                   : Act::clusterArrive;
  action_->relaxed = op.kind == ClusterBarrier::arriveRelaxed;
}

void Unroller::operator()(const Fence &op) {
  action_->act = op.kind == Fence::mbarrierInit    ? Act::initFence
                 : op.kind == Fence::proxyAsync    ? Act::proxyFence
                 : op.kind == Fence::tcgen05Before ? Act::fenceBefore
                 : op.kind == Fence::tcgen05After  ? Act::fenceAfter
                                                   : Act::globalFence;
  if (op.kind == Fence::mbarrierInit)
    action_->objects = initialised_;
}

void Unroller::operator()(const BulkWait &) {
  action_->act = Act::bulkWait;
  action_->lanes = false;
}

void Unroller::operator()(const CpAsyncArrive &op) {
  onMbarrier(Act::copyArrive, op.barrier, op.noinc ? 0 : 1);
}

void Unroller::operator()(const CounterAdd &op) {
  if (op.old != kNone)
    unknown();
  onCounter(Act::counterAdd, op.counter, value(op.value), op.scope);
  action_->relaxed = op.relaxed;
}

void Unroller::operator()(const CounterWait &op) {
  onCounter(Act::counterWait, op.counter, value(op.value), op.scope);
  action_->joint = action_->lanes && warpsConverge_;
  action_->coResident = op.coResident;
}

void Unroller::onCounter(Act act, const View &view, int64_t number, Scope scope) {
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

Unrolled unroll(const Program &program, const Launch &launch, const ExploreOptions &options) {
  Unrolled out = Unroller(program, launch, options).run();
  if (!out.tooLong && !out.outOfBounds)
    analyse(program, out);
  return out;
}

} // namespace sluice::explorer
