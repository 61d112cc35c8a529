#include "Verify/Run.h"

#include "Program/AscendCores.h"
#include "Verify/Conditions.h"
#include "Verify/Names.h"

#include <algorithm>

namespace sluice {
CanonicalRun::CanonicalRun(Context &context, Coordinates first, const Relevance *relevance)
    : context_(context), program_(context.program), facts_(relevance),
      tensors_(program_.tensors.size()) {
  const Program &program = program_;
  if (isAscend(program.target)) {
    ctas_.assign(3, first); // AIC, AIV0, AIV1
  } else {
    for (int64_t z = 0; z < context.group[2]; ++z)
      for (int64_t y = 0; y < context.group[1]; ++y)
        for (int64_t x = 0; x < context.group[0]; ++x)
          ctas_.push_back({first[0] + x, first[1] + y, first[2] + z});
  }
  mbarriers_.resize(ctas_.size() * program.mbarriers.size());
  for (size_t i = 0; i < mbarriers_.size(); ++i)
    mbarriers_[i].resize(program.mbarriers[i % program.mbarriers.size()].slots);
  createActors();
}

std::unique_ptr<CanonicalRun> CanonicalRun::fork() const {
  std::unique_ptr<CanonicalRun> copy(new CanonicalRun(*this));
  for (Actor &a : copy->actors_)
    a.agent.scalars().bind(copy->facts_);
  return copy;
}

Actor &CanonicalRun::addActor(AgentId id, int cta) {
  const auto index = static_cast<int32_t>(actors_.size());
  ProofScalars scalars(program_, context_.launch, context_.terms, facts_);
  Actor &a =
      actors_.emplace_back(ProofAgent(program_, std::move(id), std::move(scalars)), index, cta);
  a.lanesComponent = component(a, Strand::lanes);
  a.electedComponent = component(a, Strand::elected);
  return a;
}

void CanonicalRun::createActors() {
  if (!isAscend(program_.target)) {
    for (size_t cta = 0; cta < ctas_.size(); ++cta)
      for (int warp = 0; warp < program_.warps; ++warp) {
        AgentId id;
        id.cta = ctas_[cta];
        id.warp = warp;
        addActor(id, static_cast<int>(cta));
      }
  } else {
    for (const AgentId &core : ascendPipes(program_)) {
      AgentId id = core;
      id.cta = ctas_[0];
      addActor(id, id.core == "aic" ? 0 : id.core == "aiv1" ? 2 : 1);
    }
  }
  for (size_t i = actors_.size(); i > 0; --i)
    ready_.push_back(static_cast<int32_t>(i - 1));
}

int64_t CanonicalRun::iterations() const {
  int64_t most = 0;
  for (const Actor &a : actors_)
    most = std::max(most, a.agent.pipelinedIterations());
  return most;
}

std::string CanonicalRun::nameOf(int32_t actor) const {
  const Actor &a = actors_[actor];
  return agentName(program_, a.agent.id(), a.agent.role() ? a.agent.role()->name : "");
}

std::string CanonicalRun::nameOf(int32_t actor, const Stmt &doing) const {
  std::string role; // the one that the operation stands in: the agent may have gone on to another
  walk(program_.body, [&](const Stmt &s) {
    if (auto *r = std::get_if<Role>(&s.op))
      walk(r->body, [&](const Stmt &inner) {
        if (&inner == &doing)
          role = r->name;
      });
  });
  return agentName(program_, actors_[actor].agent.id(), role);
}

void CanonicalRun::wake(std::vector<int32_t> &blocked) {
  ready_.insert(ready_.end(), blocked.rbegin(), blocked.rend());
  blocked.clear();
}

Strands CanonicalRun::strands(Actor &a, const Stmt &s) {
  if (isAscend(program_.target))
    return {&a.lanes, nullptr};
  return s.exec == Exec::threads ? Strands{&a.lanes, &a.elected} : Strands{&a.elected, nullptr};
}

int32_t CanonicalRun::component(const Actor &a, Strand strand) {
  return context_.component(static_cast<int32_t>(strand), a.index, nullptr, 0);
}

Stamp CanonicalRun::issue(const Actor &a, Queue &queue, Strand strand) {
  if (queue.component < 0)
    queue.component = component(a, strand);
  return {queue.component, ++queue.issued};
}

Queue &CanonicalRun::copiesOf(Actor &a, const Stmt &s) {
  return s.exec == Exec::threads ? a.copies : a.electedCopies;
}

BarrierEvent CanonicalRun::event(Actor &a, const Stmt &s) {
  const bool all = s.exec == Exec::threads || isAscend(program_.target);
  const Stamp stamp{all ? a.lanesComponent : a.electedComponent, ++a.steps};
  (all ? a.lanes : a.elected).learn(stamp);
  return {stamp, a.index, &s};
}

void CanonicalRun::converge(Actor &a) {
  a.lanes.join(a.elected);
  a.elected.join(a.lanes);
}

CanonicalRun::Step CanonicalRun::refuse(std::string rule, std::string message, const Stmt &at,
                                        std::string barrier) {
  violation_ = Violation{std::move(rule), std::move(message), at.loc, std::move(barrier), {}};
  complete(*violation_, acting_, at);
  return Step::stop;
}

Result<std::optional<Violation>> CanonicalRun::run() {
  while (!ready_.empty()) {
    Actor &a = actors_[ready_.back()];
    ready_.pop_back();
    Step last = Step::done;
    while (last == Step::done && a.agent.current()) {
      if (++events_ > context_.maxEvents)
        return unsupportedError("the run has more than " +
                                std::to_string(context_.maxEvents / 1'000'000) +
                                " million events; check smaller extents");
      if ((events_ % 256 == 0 || a.agent.idleRounds() > 256) &&
          Context::Clock::now() > context_.deadline)
        return unsupportedError("the run takes too long");
      last = step(a);
    }
    if (const Stmt *loop = a.agent.endless())
      error_ = unsupportedError(nameOf(a.index, *loop) + " goes round a loop" + place(loop->loc) +
                                    " for ever, or too often to be followed, with no operation of "
                                    "its own in it. Let what ends the loop change in it",
                                loop->loc);
    if (error_)
      return *error_;
    if (violation_)
      return std::move(violation_);
    if (!a.agent.current() && !a.done && !a.agent.undecided()) {
      a.done = true;
      completeCluster(); // exited threads no longer count
    }
  }
  if (question())
    return std::optional<Violation>();
  acting_ = -1;
  for (const Actor &a : actors_)
    if (!a.done) {
      if (!conditions().progress)
        return std::optional<Violation>();
      return std::optional<Violation>(deadlock());
    }
  return exitChecks();
}

/// Of undecided agents the first; or who has fallen far behind it, so that facts about iterations
/// that only the first has reached do not pile up.
const Actor *CanonicalRun::asking() const {
  constexpr int64_t farAhead = 16; // rounds of the outermost loop
  const auto round = [](const Actor &a) {
    const std::vector<LoopLevel> &levels = a.agent.scalars().levels();
    return levels.size() > 1 ? levels[1].iteration : 0;
  };
  const Actor *first = nullptr, *last = nullptr;
  for (const Actor &a : actors_) {
    if (!a.agent.undecided())
      continue;
    first = first ? first : &a;
    last = last && round(*last) <= round(a) ? last : &a;
  }
  return first && round(*first) > round(*last) + farAhead ? last : first;
}

std::optional<Query> CanonicalRun::question() const {
  const Actor *a = asking();
  return a ? std::optional(a->agent.scalars().query()) : std::nullopt;
}

bool CanonicalRun::asksAgain() const {
  const std::optional<Query> query = question();
  return query && std::find(answered_.begin(), answered_.end(), *query) != answered_.end();
}

void CanonicalRun::decide(const Query &query, bool greater) {
  answered_.push_back(query);
  facts_.decide(context_.terms, query, greater);
  for (size_t i = actors_.size(); i-- > 0;)
    if (actors_[i].agent.undecided()) {
      actors_[i].agent.decide();
      ready_.push_back(static_cast<int32_t>(i));
    }
}

CanonicalRun::Step CanonicalRun::step(Actor &a) {
  const Stmt &s = *a.agent.current();
  acting_ = a.index;
  answered_.clear();
  const Step result = execute(a, s);
  if (const auto unknown = a.agent.unresolved(); unknown && result != Step::stop) {
    error_ = unsupportedError(what(a, s) + " depends on " + context_.terms.text(*unknown) +
                                  ", which the proof for every trip count does not follow",
                              s.loc);
    return Step::stop;
  }
  if (result == Step::done)
    a.agent.advance();
  return result;
}

CanonicalRun::Step CanonicalRun::execute(Actor &a, const Stmt &s) {
  struct Dispatch {
    CanonicalRun &run;
    Actor &a;
    const Stmt &s;

    Step operator()(const MbarrierInit &op) { return run.initialise(a, s, op); }
    Step operator()(const MbarrierInval &op) { return run.invalidate(a, s, op); }
    Step operator()(const MbarrierArrive &op) {
      return run.arrive(a, s, op.barrier, {op.count, 0, true, op.scope});
    }
    Step operator()(const MbarrierArriveExpectTx &op) {
      return run.arrive(a, s, op.barrier, {1, a.agent.value(op.bytes), true, op.scope});
    }
    Step operator()(const MbarrierExpectTx &op) {
      return run.arrive(a, s, op.barrier, {0, a.agent.value(op.bytes), false, Scope::cta});
    }
    Step operator()(const MbarrierWait &op) { return run.wait(a, s, op); }
    Step operator()(const MbarrierTest &op) { return run.test(a, s, op); }
    Step operator()(const CpAsyncArrive &op) { return run.cpAsyncArrive(a, s, op); }
    Step operator()(const NamedBarrier &op) { return run.namedBarrier(a, s, op); }
    Step operator()(const ClusterBarrier &op) { return run.clusterBarrier(a, s, op); }
    Step operator()(const Fence &op) { return run.fence(a, s, op); }
    Step operator()(const CounterAdd &op) { return run.counterAdd(a, s, op); }
    Step operator()(const CounterWait &op) { return run.counterWait(a, s, op); }
    Step operator()(const GridDependency &op) {
      if (op.launch)
        return run.letNextStart(a, s);
      a.previousEnded = run.previousEnded_ = true;
      return Step::done;
    }
    Step operator()(const WarpSync &) {
      run.converge(a);
      run.tellLanes(a, a.lanes);
      return Step::done;
    }
    Step operator()(const BulkCommit &) {
      a.bulkReads.commit();
      return Step::done;
    }
    Step operator()(const BulkWait &op) {
      const Stamp end = a.bulkReads.wait(op.pending);
      a.elected.learn(end); // groups belong to the thread that committed them
      if (!op.read)
        a.elected.learn({a.bulkWrites, end.count});
      return Step::done;
    }
    Step operator()(const CpAsyncCommit &) {
      run.copiesOf(a, s).commit();
      if (s.exec == Exec::threads) // the elected lane is one of them
        a.electedCopies.commit();
      return Step::done;
    }
    Step operator()(const CpAsyncWait &op) {
      if (s.exec == Exec::threads)
        a.lanes.learn(a.copies.wait(op.pending));
      a.elected.learn(a.electedCopies.wait(op.pending));
      return Step::done;
    }
    Step operator()(const WgmmaFence &) {
      run.converge(a);
      a.wgmmaFence = a.steps;
      a.wgmmaFenced = true;
      return Step::done;
    }
    Step operator()(const WgmmaCommit &) {
      run.converge(a);
      a.wgmmas.commit();
      return Step::done;
    }
    Step operator()(const WgmmaWait &op) {
      run.converge(a);
      run.strands(a, s).learn(a.wgmmas.wait(op.pending));
      return Step::done;
    }
    Step operator()(const SetFlag &op) { return run.setFlag(a, s, op); }
    Step operator()(const WaitFlag &op) { return run.waitFlag(a, s, op); }
    Step operator()(const PipeBarrier &op) { return run.pipeBarrier(a, s, op); }
    Step operator()(const CrossSet &op) { return run.crossSet(a, s, op); }
    Step operator()(const CrossWait &op) { return run.crossWait(a, s, op); }
    Step operator()(const TmaLoad &op) { return run.tmaLoad(a, s, op); }
    Step operator()(const TmaStore &op) { return run.tmaStore(a, s, op); }
    Step operator()(const Wgmma &op) { return run.wgmma(a, s, op); }
    Step operator()(const Copy &op) { return run.copy(a, s, op); }
    Step operator()(const Fill &op) { return run.synchronous(a, s, {{&op.destination, true}}); }
    Step operator()(const ScalarRead &op) { return run.scalarRead(a, s, op); }
    Step operator()(const ScalarWrite &op) { return run.scalarWrite(a, s, op); }
    Step operator()(const RemoteCopy &op) { return run.remoteCopy(a, s, op); }
    Step operator()(const TmemAlloc &op) { return run.allocate(a, s, op); }
    Step operator()(const TmemRelinquish &) { return run.relinquish(a, s); }
    Step operator()(const TmemDealloc &op) { return run.free(a, s, op); }
    Step operator()(const TmemAddress &op) { return run.readAddress(a, s, op); }
    Step operator()(const Tcgen05Mma &op) { return run.multiply(a, s, op); }
    Step operator()(const Tcgen05Commit &op) { return run.commit(a, s, op); }
    Step operator()(const TmemLoad &op) { return run.loadLanes(a, s, op); }
    Step operator()(const TmemWait &) { return run.waitForLanes(a, s); }
    Step operator()(const Mmad &op) {
      std::vector<Use> uses{{&op.d, true}, {&op.a, false}, {&op.b, false}};
      const bool adds = a.agent.value(op.accumulate) != 0;
      if (!run.belongTogether(a, s, op, adds))
        return Step::stop;
      if (adds)
        uses.push_back({&op.d, false});
      if (run.synchronous(a, s, uses) == Step::stop)
        return Step::stop;
      run.markProduct(a, s, op);
      return Step::done;
    }
    Step operator()(const Map &op) {
      std::vector<Use> uses;
      for (const View &v : op.outs)
        uses.push_back({&v, true});
      for (const View &v : op.ins)
        uses.push_back({&v, false});
      return run.synchronous(a, s, uses);
    }
    Step operator()(const Raw &op) { return run.raw(a, s, op); }
    Step operator()(const Print &op) { return run.synchronous(a, s, {{&op.source, false}}); }
    Step operator()(const Reduce &op) {
      return run.synchronous(a, s, {{&op.in, false}, {&op.out, true}});
    }
    Step operator()(const Epoch &) { return Step::done; }
    Step operator()(const Scalar &) { return Step::done; }
    Step operator()(const Grid &) { return Step::done; }
    Step operator()(const For &) { return Step::done; }
    Step operator()(const If &) { return Step::done; }
    Step operator()(const Role &) { return Step::done; }
  };
  return std::visit(Dispatch{*this, a, s}, s.op);
}

} // namespace sluice
