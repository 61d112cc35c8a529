#include "Verify/Run.h"

#include "Program/AscendCores.h"
#include "Verify/Conditions.h"
#include "Verify/CountedWhiles.h"
#include "Verify/Names.h"

#include <algorithm>

namespace sluice {
RunParts::RunParts(const RunLinks &links)
    : barriers(links), meetings(links), flags(links), mutexes(links), units(links), memory(links),
      tensors(links), tensorMemory(links), counters(links), brackets(links), launches(links),
      data(links), warpgroups(links), origin(links), products(links), exit(links) {}

CanonicalRun::CanonicalRun(Context &context, Coordinates first, const Relevance *relevance)
    : RunState(context, first, relevance), RunPart({*this, *this, owned_}),
      owned_({*this, *this, owned_}) {
  createActors();
}

CanonicalRun::CanonicalRun(const CanonicalRun &other)
    : RunState(other), RunWords(), RunPart({*this, *this, owned_}), owned_({*this, *this, owned_}),
      events_(other.events_), answered_(other.answered_) {
  owned_ = other.owned_;
  for (Actor &a : actors_)
    a.agent.scalars().bind(facts_);
}

std::unique_ptr<CanonicalRun> CanonicalRun::fork() const {
  return std::unique_ptr<CanonicalRun>(new CanonicalRun(*this));
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

namespace {

/// Loops that go on while a value holds, at one launch.
class Rounds {
public:
  explicit Rounds(const Program &program) : program_(program) {
    walk(program.body, [this](const Stmt &s) { any_ |= isWhile(s); });
  }

  /// The loop that the agent has begun a round of in which all that decides is as it was in a round
  /// before: then all rounds between come again. Or it has gone round more often than is followed.
  const Stmt *endless(const Actor &a) {
    if (!any_)
      return nullptr;
    const Stmt *inner = nullptr;
    std::vector<int64_t> around, rounds; // of the loops, from the outside
    for (const auto &frame : a.agent.stack()) {
      rounds.push_back(frame.iteration);
      if (frame.owner && isWhile(*frame.owner))
        inner = frame.owner, around = rounds;
    }
    if (!inner)
      return nullptr;
    Seen &seen = seen_[{a.index, inner}];
    if (around == seen.around)
      return nullptr;
    const int64_t round = around.back();
    if (seen.around.size() != around.size() ||
        !std::equal(around.begin(), around.end() - 1, seen.around.begin())) // entered anew
      seen.values.reset();
    seen.around = around;
    if (round >= most)
      return inner;
    const std::optional<std::vector<Affine>> now = deciding(*inner, a);
    if (now && seen.values && *now == *seen.values)
      return inner;
    if ((round & (round - 1)) == 0)
      seen.values = now;
    return nullptr;
  }

private:
  static constexpr int64_t most = 1 << 15;

  struct Seen {
    std::vector<int64_t> around;
    std::optional<std::vector<Affine>> values; // of an earlier round
  };

  static bool isWhile(const Stmt &s) {
    auto *loop = std::get_if<For>(&s.op);
    return loop && loop->isWhile();
  }

  /// Nothing: other things decide, too.
  std::optional<std::vector<Affine>> deciding(const Stmt &loop, const Actor &a) {
    const auto [at, isNew] = decisions_.try_emplace(&loop);
    if (isNew)
      at->second = decisionOf(program_, std::get<For>(loop.op));
    if (!at->second)
      return std::nullopt;
    std::vector<Affine> values;
    for (const ValueId v : at->second->carried)
      values.push_back(a.agent.frame()[v]);
    return values;
  }

  const Program &program_;
  bool any_ = false;
  std::map<std::pair<int32_t, const Stmt *>, Seen> seen_;
  std::map<const Stmt *, std::optional<Decision>> decisions_;
};

} // namespace

Result<std::optional<Violation>> CanonicalRun::run() {
  Rounds rounds(program_);
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
        return unsupportedError(
            "limit: a run takes longer than it may; `check --limit SECONDS` gives it more");
      last = step(a);
      if (const Stmt *loop = context_.launch ? rounds.endless(a) : nullptr) {
        events_ = context_.maxEvents + 1; // at least
        return unsupportedError(
            "at this launch " + nameOf(a.index) +
                " goes round, for ever or more often than is followed, the loop",
            loop->loc);
      }
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
      parts_.meetings.completeCluster(); // exited threads no longer count
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
  return parts_.exit.exitChecks();
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

RunPart::Step CanonicalRun::step(Actor &a) {
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

RunPart::Step CanonicalRun::execute(Actor &a, const Stmt &s) {
  struct Dispatch {
    CanonicalRun &run;
    RunParts &parts;
    Actor &a;
    const Stmt &s;

    Step operator()(const MbarrierInit &op) { return parts.barriers.initialise(a, s, op); }
    Step operator()(const MbarrierInval &op) { return parts.barriers.invalidate(a, s, op); }
    Step operator()(const MbarrierArrive &op) {
      return parts.barriers.arrive(a, s, op.barrier, {op.count, 0, true, op.scope});
    }
    Step operator()(const MbarrierArriveExpectTx &op) {
      return parts.barriers.arrive(a, s, op.barrier, {1, a.agent.value(op.bytes), true, op.scope});
    }
    Step operator()(const MbarrierExpectTx &op) {
      return parts.barriers.arrive(a, s, op.barrier,
                                   {0, a.agent.value(op.bytes), false, Scope::cta});
    }
    Step operator()(const MbarrierWait &op) { return parts.barriers.wait(a, s, op); }
    Step operator()(const MbarrierTest &op) { return parts.barriers.test(a, s, op); }
    Step operator()(const CpAsyncArrive &op) { return parts.barriers.cpAsyncArrive(a, s, op); }
    Step operator()(const NamedBarrier &op) { return parts.meetings.namedBarrier(a, s, op); }
    Step operator()(const ClusterBarrier &op) { return parts.meetings.clusterBarrier(a, s, op); }
    Step operator()(const Fence &op) { return parts.data.fence(a, s, op); }
    Step operator()(const CounterAdd &op) { return parts.counters.counterAdd(a, s, op); }
    Step operator()(const CounterWait &op) { return parts.counters.counterWait(a, s, op); }
    Step operator()(const GridDependency &op) {
      if (op.launch)
        return parts.tensorMemory.letNextStart(a, s);
      a.previousEnded = true;
      return Step::done;
    }
    Step operator()(const WarpSync &) {
      converge(a);
      tellLanes(a, a.lanes);
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
      copiesOf(a, s).commit();
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
      converge(a);
      a.wgmmaFence = a.steps;
      a.wgmmaFenced = true;
      return Step::done;
    }
    Step operator()(const WgmmaCommit &) {
      converge(a);
      a.wgmmas.commit();
      return Step::done;
    }
    Step operator()(const WgmmaWait &op) {
      converge(a);
      run.strands(a, s).learn(a.wgmmas.wait(op.pending));
      return Step::done;
    }
    Step operator()(const SetFlag &op) { return parts.flags.setFlag(a, s, op); }
    Step operator()(const WaitFlag &op) { return parts.flags.waitFlag(a, s, op); }
    Step operator()(const PipeBarrier &op) { return parts.meetings.pipeBarrier(a, s, op); }
    Step operator()(const Mutex &op) { return parts.mutexes.take(a, s, op); }
    Step operator()(const CrossSet &op) { return parts.flags.crossSet(a, s, op); }
    Step operator()(const CrossWait &op) { return parts.flags.crossWait(a, s, op); }
    Step operator()(const TmaLoad &op) { return parts.data.tmaLoad(a, s, op); }
    Step operator()(const TmaStore &op) { return parts.data.tmaStore(a, s, op); }
    Step operator()(const Wgmma &op) { return parts.data.wgmma(a, s, op); }
    Step operator()(const Copy &op) { return parts.data.copy(a, s, op); }
    Step operator()(const Fill &op) {
      return parts.data.synchronous(a, s, {{&op.destination, true}});
    }
    Step operator()(const ScalarRead &op) { return parts.data.scalarRead(a, s, op); }
    Step operator()(const ClcTryCancel &op) { return parts.launches.tryCancel(a, s, op); }
    Step operator()(const ScalarWrite &op) { return parts.data.scalarWrite(a, s, op); }
    Step operator()(const RemoteCopy &op) { return parts.data.remoteCopy(a, s, op); }
    Step operator()(const TmemAlloc &op) { return parts.tensorMemory.allocate(a, s, op); }
    Step operator()(const TmemRelinquish &op) { return parts.tensorMemory.relinquish(a, s, op); }
    Step operator()(const TmemDealloc &op) { return parts.tensorMemory.free(a, s, op); }
    Step operator()(const TmemAddress &op) { return parts.tensorMemory.readAddress(a, s, op); }
    Step operator()(const Tcgen05Mma &op) { return parts.tensorMemory.multiply(a, s, op); }
    Step operator()(const TmemCopy &op) { return parts.tensorMemory.copyColumns(a, s, op); }
    Step operator()(const TmemShift &op) { return parts.tensorMemory.shiftColumns(a, s, op); }
    Step operator()(const Tcgen05Commit &op) { return parts.tensorMemory.commit(a, s, op); }
    Step operator()(const TmemLoad &op) { return parts.tensorMemory.loadLanes(a, s, op); }
    Step operator()(const TmemStore &op) { return parts.tensorMemory.storeLanes(a, s, op); }
    Step operator()(const TmemWait &op) { return parts.tensorMemory.waitForLanes(a, s, op); }
    Step operator()(const Mmad &op) { return parts.data.mmad(a, s, op); }
    Step operator()(const Map &op) { return parts.data.map(a, s, op); }
    Step operator()(const Raw &op) { return parts.data.raw(a, s, op); }
    Step operator()(const Print &op) { return parts.data.synchronous(a, s, {{&op.source, false}}); }
    Step operator()(const Reduce &op) {
      return parts.data.synchronous(a, s, {{&op.in, false}, {&op.out, true}});
    }
    Step operator()(const Prefetch &) { return Step::done; }
    Step operator()(const Epoch &) { return Step::done; }
    Step operator()(const Scalar &) { return Step::done; }
    Step operator()(const Grid &) { return Step::done; }
    Step operator()(const For &) { return Step::done; }
    Step operator()(const If &) { return Step::done; }
    Step operator()(const Role &) { return Step::done; }
  };
  return std::visit(Dispatch{*this, parts_, a, s}, s.op);
}

} // namespace sluice
