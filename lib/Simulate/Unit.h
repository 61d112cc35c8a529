// What synchronises together: the CTAs of a cluster, or an Ascend AI core with its vector cores.
// Their agents, memories and barriers.
#pragma once

#include "Program/Agent.h"
#include "Program/BarrierState.h"
#include "Simulate/Counters.h"
#include "Simulate/Engines.h"
#include "Simulate/EventNames.h"
#include "Simulate/EventQueue.h"
#include "Simulate/Groups.h"
#include "Simulate/Recorder.h"
#include "Simulate/Replay.h"
#include "Simulate/Storage.h"
#include "Simulate/Tile.h"

#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace sluice {

class Unit {
public:
  using Coordinates = std::array<int64_t, 3>;

  /// `first`: the cluster's first CTA, or the core. `recorder` (may be null) sees CTA `traced` of
  /// it. `engines`: one per CTA of the cluster; other units may share them.
  Unit(const World &world, EventQueue &events, Counters &counters, std::vector<SmEngines> &engines,
       Coordinates first, Recorder *recorder, int traced);
  Unit(const Unit &) = delete;

  void start(double time);
  /// Takes the steps of a schedule from now on.
  void follow(Replay &replay) { replay_ = &replay; }
  /// Nothing is left to happen: the next step of the schedule, or what it held back. False:
  /// neither.
  bool followOn();
  /// An agent goes on, or an asynchronous operation ends.
  void handle(const Event &event);
  int live() const { return live_; } // agents that have not ended
  bool finished() const { return live_ == 0 && inFlight_ == 0 && !violation_; }
  /// The first rule that was broken.
  const std::optional<Violation> &violation() const { return violation_; }
  /// Flags that are left set.
  std::optional<Violation> exitChecks();
  /// Why no agent of this unit can go on.
  Violation hang();

  bool recorded() const { return recorder_ != nullptr; }
  double end() const { return end_; } // when the last agent or operation ended
  /// When what its warps have stored from registers is in memory too.
  double drained() const { return std::max(end_, drained_); }
  int64_t events() const { return events_; }
  int64_t iterations() const; // of pipelined loops, the most of any agent of the traced CTA
  /// Cycles since the start that the port of the traced CTA's shared memory was busy, for all CTAs
  /// of the SM.
  double sharedMemoryBusy() const { return engines_[traced_].sharedMemory.busy - busyAtStart_; }
  /// Bytes that moved to or from every tensor.
  const std::vector<double> &traffic() const { return traffic_; }

private:
  enum class Step { done, finishing, blocked };

  /// A copy to these registers (a buffer) whose values have not come.
  struct LateRead {
    int registers;
    bool ofTensor;
    TileCopy copy;
  };
  struct Actor {
    Actor(Agent walker, int number, int ctaInUnit)
        : agent(std::move(walker)), index(number), cta(ctaInUnit) {}
    Agent agent;
    int index, cta;
    double time = 0;
    enum State : uint8_t { running, finishing, blocked, done } state = running;
    double blockedAt = 0;
    bool released = false; // what it was blocked on has happened
    Groups wgmmas, bulk, copies;
    Groups products, tensorLoads; // tcgen05.mma, tcgen05.ld
    double lastCopyEnd = 0, lastWgmmaEnd = 0, lastProductEnd = 0;
    std::map<std::pair<int, int64_t>, double> sumEnds; // of the last product of (buffer, slot)
    double arrivalsLand = 0;   // all of its arrivals at barriers of other CTAs, at the latest
    int64_t clusterPhase = -1; // phase of the cluster barrier that it arrived in
    double waitForSlot = 0;    // time blocked since the last data operation, for the recorder
    std::vector<LateRead> lateReads;
  };
  struct MbarrierSlot {
    MbarrierState state;
    double completedAt = 0;
    std::vector<int> waiters;
  };
  struct Rendezvous {
    int64_t threads = 0, arrived = 0;
    std::vector<int> waiters;
  };
  struct FlagSlot {
    FlagState state;
    double setAt = 0;
    int waiter = -1;
  };
  struct CrossSlot {
    CrossFlagState state[2]; // one per AIV
    double setAt = 0;
    std::vector<int> waiters;
  };
  using NumberKey = std::array<int64_t, 4>; // buffer, slot, row, column
  using FlagKey = std::tuple<Pipe, Pipe, int64_t>;
  struct Cta {
    explicit Cta(const World &world) : memory(world) {}
    Coordinates at{0, 0, 0};
    std::string core;
    Storage memory;
    std::vector<std::vector<MbarrierSlot>> mbarriers;
    std::map<int64_t, Rendezvous> named;
    Rendezvous pipes;
    std::map<FlagKey, FlagSlot> flags;
    std::map<NumberKey, int64_t> numbers; // that scalar writes have left, in a run without values
    struct {
      int64_t columns = 0, address = 0; // 0 columns: not allocated yet
      bool freed = false;
    } tensorMemory;
    int live = 0, inFlight = 0;
  };
  struct BarrierPlace {
    MbarrierSlot *slot = nullptr;
    int cta = 0, object = 0;
    int64_t index = 0;
  };

  // Unit.cpp: agents and events
  void createWarps(Coordinates first);
  void createPipes(Coordinates first);
  void addActor(AgentId id, int cta);
  void push(double time, int actor);
  static constexpr int noCta = -1; // touches nothing of a CTA, which may end before
  void schedule(double time, int cta, std::function<void()> action);
  double delay(); // SimulateOptions::chaos
  void resume(Actor &a);
  // UnitReplay.cpp
  bool follows() const { return replay_ && replay_->follows(); }
  void takeStep(const ScheduleStep &step);
  void takeOperation(Actor &a, const ScheduleStep &step);
  void letGo();
  Step execute(Actor &a, const Stmt &s);
  void release(Actor &a, double time);
  Step block(Actor &a);
  void showSlots(Actor &a, const Stmt &s);
  void leave(Actor &a);
  void failOutside(const Actor &a, const Scalar &load);
  void fail(std::string rule, std::string message, const Location &loc, std::string barrier = {});

  // UnitBarriers.cpp: NVIDIA synchronisation
  BarrierPlace place(Actor &a, const Stmt &s, const MbarrierRef &ref);
  BarrierPlace placeAt(int cta, const BarrierPlace &like);
  std::string nameOf(const BarrierPlace &p) const;
  void settle(const BarrierPlace &p, MbarrierState::Outcome outcome, const Stmt &s);
  Step wait(Actor &a, const Stmt &s, const MbarrierWait &op);
  Step test(Actor &a, const Stmt &s, const MbarrierTest &op);
  Step initialise(Actor &a, const Stmt &s, const MbarrierInit &op);
  Step invalidate(Actor &a, const Stmt &s, const MbarrierInval &op);
  Step arriveAfterCopies(Actor &a, const Stmt &s, const CpAsyncArrive &op);
  Step namedBarrier(Actor &a, const Stmt &s, const NamedBarrier &op);
  Step clusterBarrier(Actor &a, const ClusterBarrier &op);
  void tryCluster();
  Step waitGroups(Actor &a, Groups &groups, int64_t pending, bool read);
  void checkGroups(Actor &a);
  Step epoch(Actor &a);
  void tryEpoch();

  // UnitCounters.cpp
  std::optional<Counters::Key> counterKey(const Actor &a, const Stmt &s, const View &counter);
  Step counterAdd(Actor &a, const Stmt &s, const CounterAdd &op);
  Step counterWait(Actor &a, const Stmt &s, const CounterWait &op);

  Step draw(Actor &a, const Stmt &s, const CounterAdd &op);

  // UnitNumbers.cpp
  NumberKey numberKey(const Actor &a, const View &view) const;
  Step scalarRead(Actor &a, const Stmt &s, const ScalarRead &op);
  Step scalarWrite(Actor &a, const Stmt &s, const ScalarWrite &op);

  // UnitFlags.cpp: Ascend synchronisation
  Step setFlag(Actor &a, const Stmt &s, const SetFlag &op);
  Step waitFlag(Actor &a, const WaitFlag &op);
  Step pipeBarrier(Actor &a, const PipeBarrier &op);
  void tryPipes(Cta &cta);
  Step crossSet(Actor &a, const Stmt &s, const CrossSet &op);
  Step crossWait(Actor &a, const CrossWait &op);
  bool crossPasses(const Actor &a, const CrossSlot &slot) const;
  void crossTake(const Actor &a, CrossSlot &slot);

  // UnitAsync.cpp: asynchronous data operations
  Step tmaLoad(Actor &a, const Stmt &s, const TmaLoad &op);
  Step tmaStore(Actor &a, const Stmt &s, const TmaStore &op);
  Step wgmma(Actor &a, const Stmt &s, const Wgmma &op);
  Step remoteCopy(Actor &a, const Stmt &s, const RemoteCopy &op);
  Step storeToPeer(Actor &a, const Stmt &s, const RemoteCopy &op, const BarrierPlace &barrier);
  Step cpAsync(Actor &a, const Stmt &s, const Copy &op);

  // UnitTensorMemory.cpp: Blackwell
  Step allocate(Actor &a, const Stmt &s, const TmemAlloc &op);
  Step free(Actor &a, const Stmt &s, const TmemDealloc &op);
  Step readAddress(Actor &a, const Stmt &s, const TmemAddress &op);
  Step multiply(Actor &a, const Stmt &s, const Tcgen05Mma &op);
  Step commitProducts(Actor &a, const Stmt &s, const Tcgen05Commit &op);
  Step loadLanes(Actor &a, const Stmt &s, const TmemLoad &op);
  Step waitForLanes(Actor &a);
  std::optional<Step> executeTensorMemory(Actor &a, const Stmt &s);
  bool isAllocated(const Actor &a, const Stmt &s);
  void writeNumber(Actor &a, const View &to, int64_t number);
  int64_t readNumber(Actor &a, const View &from);

  // UnitData.cpp: synchronous data operations
  Step begin(Actor &a, const Stmt &s);
  void finish(Actor &a, const Stmt &s);
  double copiedPieces(Actor &a, double bytes);
  double copyEnd(Actor &a, const Stmt &s, const Copy &op);
  double computeEnd(Actor &a, const Stmt &s);
  void finishCopy(Actor &a, const Stmt &s, const Copy &op);
  void nameRows(Actor &a, const RowNumbers &rows, Tile &tile);
  void finishMmad(Actor &a, const Stmt &s, const Mmad &op);
  void finishPrint(Actor &a, const Stmt &s, const Print &op);
  void finishMap(Actor &a, const Stmt &s, const Map &op);
  void finishRaw(Actor &a, const Stmt &s, const Raw &op);
  void finishReduce(Actor &a, const Stmt &s, const Reduce &op);

  // UnitReads.cpp: copies whose values come late (SimulateOptions::lateReads)
  bool comesLate(const Copy &op) const;
  void takeReads(Actor &a, const std::function<bool(const LateRead &)> &which);
  void takeReadsBefore(Actor &a, const Stmt &s);

  // UnitViews.cpp
  bool inBounds(Actor &a, const Stmt &s, const View &view);
  /// Views inside their buffers, shapes that belong together; a violation otherwise.
  bool wellFormed(Actor &a, const Stmt &s);
  /// Of a view of a tensor, with its clips.
  std::vector<int64_t> extentsOf(const Actor &a, const View &view) const;
  Tile resolve(Actor &a, const View &view, int cta);
  /// Rows of the operation that this agent does: by the first register tile among `views`.
  std::vector<RowRange> share(Actor &a, const Stmt &s,
                              const std::vector<const View *> &views) const;
  /// Elements of a view inside its tensor; all of them for a buffer.
  double elementsInside(Actor &a, const View &view) const;
  /// Boxes of a tensor copy: one instruction each.
  int64_t boxesOf(const View &shared) const;
  /// Time at which `bytes` have passed the port of a CTA's shared memory, asked for at `now`: what
  /// TMA writes and reads, what wgmma reads, and what warps move.
  double throughSharedMemory(int cta, double now, double bytes);
  /// Time at which `bytes` have passed between a CTA and global memory; `begin` of the service.
  double moveGlobal(Actor &a, int tensor, double bytes, bool write, double &begin);
  /// Reports what a tensor copy between the two would break.
  bool tmaCanMove(Actor &a, const Stmt &s, const View &global, const View &shared);
  std::string brokenTmaLimit(const View &global, const View &shared) const;
  std::string brokenTmaAddress(Actor &a, const View &shared) const;

  // UnitReport.cpp
  Blocked blockedState(Actor &a);
  std::string agentName(const Actor &a) const;
  void recordEngine(const Actor &a, const Stmt &s, const std::string &engine, double begin,
                    double end, const View &ring);
  void recordWork(const Actor &a, const Stmt &s, double begin, double end,
                  const std::string &how = {});
  Step issued(Actor &a, const Stmt &s, double cycles);
  void recordWait(Actor &a, double end);
  void recordUse(Actor &a, const View &view, double begin, double end, bool refill);
  int rowOf(const Actor &a) const;
  bool traced(const Actor &a) const { return recorder_ && a.cta == traced_; }

  const World &world_;
  const Program &program_;
  EventQueue &queue_;
  Counters &counters_;
  std::vector<SmEngines> &engines_;
  Recorder *recorder_;
  int traced_;
  std::vector<Cta> ctas_;
  std::vector<Actor> actors_;
  std::vector<std::function<void()>> completions_;
  std::vector<int> freeCompletions_;
  std::map<std::pair<int, int64_t>, CrossSlot> cross_; // (0: to AIV, 1: to AIC; id)
  Rendezvous cluster_, epoch_;
  int64_t clusterPhase_ = 0;
  double clusterShows_ = 0; // when the arrivals that the cluster barrier orders have landed
  double now_ = 0, end_ = 0, drained_ = 0, busyAtStart_ = 0;
  int64_t events_ = 0;
  int live_ = 0, inFlight_ = 0;
  std::vector<double> traffic_;
  uint64_t random_;
  Replay *replay_ = nullptr;
  std::optional<Violation> violation_;
};

/// Results first: the first register tile among them says which rows a warp has.
std::vector<const View *> operandsOf(const Map &op);

} // namespace sluice
