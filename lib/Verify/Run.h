// The canonical run of one cluster or core: every agent runs until it blocks, asynchronous copies
// end at once, and every step checks the rules of docs/semantics.md. The first violation ends it.
#pragma once

#include "Arch/Arch.h"
#include "Program/Sharing.h"
#include "Simulate/Simulate.h"
#include "Verify/Actor.h"
#include "Verify/Context.h"
#include "Verify/Counters.h"
#include "Verify/GlobalMemory.h"
#include "Verify/Offence.h"

#include <array>
#include <compare>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>

namespace sluice {

using Coordinates = std::array<int64_t, 3>;

class CanonicalRun {
public:
  /// `first`: coordinates of the cluster's first CTA, or of the core; of unknown launches 0.
  /// `relevance`: for unknown launches.
  CanonicalRun(Context &context, Coordinates first, const Relevance *relevance = nullptr);
  virtual ~CanonicalRun() = default;
  /// A run that goes on from the same state on its own.
  std::unique_ptr<CanonicalRun> fork() const;

  /// Runs to the end, to the first violation, or until every agent is blocked or undecided. An
  /// Error when the program cannot be judged.
  Result<std::optional<Violation>> run();
  /// Of the violation that run() gave.
  const Offence &offence() const { return offence_; }

  /// What the first undecided agent asks; nothing: the run has ended.
  std::optional<Query> question() const;
  /// What has been answered since an agent last did something: its answer got lost.
  bool asksAgain() const;
  /// Answers it; run() goes on.
  void decide(const Query &query, bool greater);
  const Facts &facts() const { return facts_; }

  int64_t events() const { return events_; }
  /// Iterations of pipelined loops, the most of any agent.
  int64_t iterations() const;
  const std::vector<TensorHistory> &tensors() const { return tensors_; }
  /// Agent and operation of an access: "mma warp 4 of CTA (0,0)".
  std::string nameOf(int32_t actor) const;
  std::string nameOf(int32_t actor, const Stmt &doing) const;

protected:                                           // for who tells of a run: lib/Diagnose
  CanonicalRun(const CanonicalRun &other) = default; // fork() binds the copy to its own facts

  enum class Step { done, blocked, stop };

  /// Named barrier (id) of a CTA; also the rendezvous of all pipes of a core.
  struct HardwareBarrier {
    int64_t threads = 0, arrived = 0; // of the current phase
    std::vector<BarrierEvent> current, previous;
    Knowledge joined;
    Clock prior; // known before their arrival to those who have arrived; for notes alone
    std::vector<int32_t> blocked;
  };
  /// What the arrivals at a cluster barrier hand on.
  struct Meeting {
    Knowledge knowledge;
    Clock ends; // known to relaxed arrivals: an end that has been seen is past for everybody
  };
  struct ClusterState {
    int64_t phase = 0;
    size_t arrived = 0;
    Meeting joined;
    std::map<int64_t, Meeting> completed;
    std::vector<int32_t> blocked;
  };
  struct Flag {
    FlagState state;
    Pipe source = Pipe::none, destination = Pipe::none;
    int64_t id = 0;
    Knowledge carried;
    std::optional<BarrierEvent> lastSet, lastWait;
    std::vector<int32_t> blocked;
  };
  struct CrossFlag {
    CrossFlagState state;
    std::deque<Knowledge> carried;
    std::deque<Stamp> waits; // of the last CrossFlagState::maxCount waits
    int64_t sets = 0, waited = 0;
    std::optional<BarrierEvent> lastSet;
  };
  /// Something that a CTA must have seen end before it exits.
  struct Debt {
    BarrierEvent event;
    int object = -1; // mbarrier that it signals, and its slot; -1: an asynchronous operation
    int64_t slot = 0;
  };
  struct Use {
    const View *view;
    bool write;
  };
  /// Rows of an operation that one agent does; `all`: how many the operation has.
  struct Rows {
    std::vector<RowRange> ranges;
    int64_t all;
    bool columns = false; // rows of the views turned

    View counted(const View &view) const { return columns ? turned(view) : view; }
  };

  // Run.cpp: schedule and strands
  void createActors();
  Actor &addActor(AgentId id, int cta);
  void wake(std::vector<int32_t> &blocked);
  Step step(Actor &a);
  virtual Step execute(Actor &a, const Stmt &s);
  Strands strands(Actor &a, const Stmt &s);
  int32_t component(const Actor &a, Strand strand);
  /// The next operation of a queue.
  Stamp issue(const Actor &a, Queue &queue, Strand strand);
  static Queue &copiesOf(Actor &a, const Stmt &s);
  BarrierEvent event(Actor &a, const Stmt &s);
  void converge(Actor &a);

  // RunLanes.cpp
  void tellLanes(Actor &a, const Knowledge &from);
  uint64_t wayOf(const Actor &a, const Stmt &s, const View &view) const;
  uint64_t lanesOf(const Actor &a, const Stmt &s, const View &view, const Access &access) const;
  bool lanesKnow(const Actor &a, const Access &prior, const Access &now) const;

  Step refuse(std::string rule, std::string message, const Stmt &at, std::string barrier = {});

  // RunObserve.cpp
  void observeWait(const Stmt &s, const TrackedMbarrier &b, const Strands &who);
  void observeArrival(const Actor &a, const Stmt &s, HardwareBarrier &b);
  void observeCompletion(const Actor &a, const Stmt &s, HardwareBarrier &b);
  void observeFence(const Actor &a, const Stmt &s, const Strands &who);
  void observeFill(const Actor &a, const View &view, Memory &m, int64_t byte, const Strands &who);
  // RunWarpgroups.cpp
  /// A product that the other warps of the warpgroup come to as well.
  bool comesWithItsGroup(const Actor &a, const Stmt &s, const Wgmma &op);
  std::optional<Violation> leftByItsGroup();

  /// Registers of A under a product: R25. True: refused.
  bool readsWithProduct(Actor &a, const Stmt &s, const Buffer &buffer, const Cell &cell,
                        const Strands &who);
  /// An async write over bytes that were read through the generic proxy: R39. True: refused.
  bool overtakesRead(Actor &a, const Stmt &s, const Buffer &buffer, const Cell &cell,
                     const Strands &who);
  static bool mayOvertake(const Access &prior, bool priorWrites, const Access &now, bool writes,
                          const Strands &who);
  bool overtakes(const Actor &a, const Stmt &s, const Access &read, const std::string &bytes,
                 const std::string &object, const char *fence);

  // RunBarriers.cpp
  struct BarrierPlace {
    TrackedMbarrier *barrier;
    int cta, object;
    int64_t slot;
  };
  std::optional<BarrierPlace> resolve(Actor &a, const Stmt &s, const MbarrierRef &ref);
  std::string nameOf(const BarrierPlace &b) const;
  bool usable(Actor &a, const Stmt &s, const BarrierPlace &b, bool async);
  Step contributed(Actor &a, const Stmt &s, const BarrierPlace &b, MbarrierState::Outcome outcome);
  Stamp initialisation(Actor &a, const Stmt &s);
  void releaseInitialisations(const Actor &a);
  Step initialise(Actor &a, const Stmt &s, const MbarrierInit &op);
  Step invalidate(Actor &a, const Stmt &s, const MbarrierInval &op);
  /// mbarrier.arrive, .expect_tx or both, of one executing thread.
  struct Arrival {
    int64_t count, bytes;
    bool arrives;
    Scope scope;
  };
  Step arrive(Actor &a, const Stmt &s, const MbarrierRef &ref, const Arrival &what);
  Step completeBytes(Actor &a, const Stmt &s, const BarrierPlace &b, int64_t bytes, Stamp end);
  Step wait(Actor &a, const Stmt &s, const MbarrierWait &op);
  /// The barrier that a wait or a test looks at, if it may.
  std::optional<BarrierPlace> lookedAt(Actor &a, const Stmt &s, const MbarrierRef &ref);
  Step cpAsyncArrive(Actor &a, const Stmt &s, const CpAsyncArrive &op);
  Step namedBarrier(Actor &a, const Stmt &s, const NamedBarrier &op);
  Step clusterBarrier(Actor &a, const Stmt &s, const ClusterBarrier &op);
  void fenceProxy(const Actor &a, Knowledge &k);
  Step fence(Actor &a, const Stmt &s, const Fence &op);
  Step fault(const BarrierFault &f, Actor &a, const Stmt &s, const BarrierPlace &b);
  void completeCluster();

  // RunTokens.cpp
  /// Which phase of which barrier of the own CTA a test has asked for.
  struct Token {
    int object = -1;
    int64_t slot = 0, phase = -1;
    bool operator==(const Token &) const = default;

    /// As a scalar; 0 is the token of no test.
    int64_t number() const { return ((phase + 1) << 32) + (slot << 16) + object + 1; }
    static std::optional<Token> of(int64_t number);
  };
  /// The phase of that parity that is in progress, or has just completed; -1 of a fresh barrier.
  static int64_t phaseOf(const TrackedMbarrier &b, int64_t parity);
  Step test(Actor &a, const Stmt &s, const MbarrierTest &op);
  /// R41: the token is of the phase that the wait is for. True: refused.
  bool isOfOther(Actor &a, const Stmt &s, const MbarrierWait &op, const BarrierPlace &at);

  // RunAscend.cpp
  Step setFlag(Actor &a, const Stmt &s, const SetFlag &op);
  Step waitFlag(Actor &a, const Stmt &s, const WaitFlag &op);
  Step pipeBarrier(Actor &a, const Stmt &s, const PipeBarrier &op);
  Step crossSet(Actor &a, const Stmt &s, const CrossSet &op);
  Step crossWait(Actor &a, const Stmt &s, const CrossWait &op);
  bool pipeHazard(Actor &a, const Stmt &s, const Cell &cell, const Access &access, bool write,
                  const Buffer &buffer);
  Flag &flag(const Actor &a, Pipe source, Pipe destination, int64_t id);

  // RunData.cpp
  Stamp nextLoad(const Actor &a, const Stmt &s, const BarrierPlace &b);
  /// Elements of the tensor that a view touches; nothing: none.
  std::optional<Box> boxOf(const Actor &a, const Stmt &s, const View &part);
  Step tmaLoad(Actor &a, const Stmt &s, const TmaLoad &op);
  Step tmaStore(Actor &a, const Stmt &s, const TmaStore &op);
  Step wgmma(Actor &a, const Stmt &s, const Wgmma &op);
  Step copy(Actor &a, const Stmt &s, const Copy &op);
  Step synchronous(Actor &a, const Stmt &s, const std::vector<Use> &uses, int64_t tag = -1);
  Step raw(Actor &a, const Stmt &s, const Raw &op);
  Rows rowsFor(const Actor &a, const Stmt &s, const std::vector<const View *> &views) const;
  bool access(Actor &a, const Stmt &s, const Use &use, const Access &access, int cta,
              const Strands &who, const Rows &rows);
  bool accessBuffer(Actor &a, const Stmt &s, const View &view, const Access &access, bool write,
                    int cta, const Strands &who, const Rows &rows);
  bool accessTensor(Actor &a, const Stmt &s, const View &view, const Access &access, bool write,
                    bool reducing, const Strands &who, const Rows &rows);
  bool accessCell(Actor &a, const Stmt &s, const Buffer &buffer, Cell &cell, const Access &access,
                  bool write, const Strands &who);
  bool ordered(const Actor &a, const Access &prior, const Access &now, const Strands &who) const;

  // RunTensorMemory.cpp
  struct TensorMemoryState {
    std::optional<BarrierEvent> allocated, freed;
    int64_t columns = 0;
    bool relinquished = false;
  };
  Step allocate(Actor &a, const Stmt &s, const TmemAlloc &op);
  Step relinquish(Actor &a, const Stmt &s);
  Step letNextStart(Actor &a, const Stmt &s);
  Step free(Actor &a, const Stmt &s, const TmemDealloc &op);
  Step readAddress(Actor &a, const Stmt &s, const TmemAddress &op);
  Step multiply(Actor &a, const Stmt &s, const Tcgen05Mma &op);
  Step commit(Actor &a, const Stmt &s, const Tcgen05Commit &op);
  Step loadLanes(Actor &a, const Stmt &s, const TmemLoad &op);
  Step waitForLanes(Actor &a, const Stmt &s);
  void fenceTensorMemory(Actor &a, const Stmt &s, const Fence &op);
  bool mayUseTensorMemory(Actor &a, const Stmt &s);
  bool behindFences(const Actor &a, const Access &prior, const Access &now,
                    const Strands &who) const;
  /// R44. True: refused.
  bool isUnfenced(Actor &a, const Stmt &s, const Buffer &buffer, const Cell &cell,
                  const Access &prior, bool priorWrites, const Access &now, bool writes,
                  const Strands &who);
  std::optional<Violation> exitWithTensorMemory();

  // RunNumbers.cpp
  Step scalarWrite(Actor &a, const Stmt &s, const ScalarWrite &op);
  bool isNumberOf(const Access &write, int object, Interval bytes) const;
  Step scalarRead(Actor &a, const Stmt &s, const ScalarRead &op);
  Step draw(Actor &a, const Stmt &s, const CounterAdd &op);
  Rows remoteRows(const Actor &a, const Stmt &s, const RemoteCopy &op) const;
  int64_t remoteBytes(const Rows &rows, const RemoteCopy &op) const;
  void copyNumber(Actor &a, const Stmt &s, const RemoteCopy &op, Access &written);
  Step remoteCopy(Actor &a, const Stmt &s, const RemoteCopy &op);

  // RunCounters.cpp
  using CounterKey = std::pair<int, std::vector<int64_t>>; // tensor, indices
  /// R37: the kernel before has ended, or does not write the tensor.
  const Actor *asking() const;
  bool mayTouch(const Actor &a, const Stmt &s, int tensor);
  std::string counterName(const CounterKey &key) const;
  static CounterKey counterKey(const ProofAgent &agent, const View &counter);
  std::optional<CounterKey> counterAt(Actor &a, const Stmt &s, const View &counter);
  Step counterAdd(Actor &a, const Stmt &s, const CounterAdd &op);
  Step counterWait(Actor &a, const Stmt &s, const CounterWait &op);
  /// R38: the own CTA's adds do not suffice.
  Step waitsForOthers(Actor &a, const Stmt &s, const CounterKey &key,
                      const TrackedCounter &counter);
  Step notFollowed(Actor &a, const Stmt &s, const CounterKey &key, const BarrierEvent &other);

  // RunBrackets.cpp: counters of unknown launches
  /// What the CTA of a run for every launch has done in a visit to a counter that it shares with
  /// the others.
  struct Visit {
    std::vector<BarrierEvent> waits; // passed
    bool added = false;
    /// The last accesses of each statement, by whether it writes and by strand: all earlier ones
    /// end before.
    std::map<std::tuple<const Stmt *, bool, int32_t, int32_t>, Access> open; // no add so far
  };
  const CounterProtocol *protocolAt(const Actor &a, const Stmt &s, const View &counter);
  Step awaitOthers(Actor &a, const Stmt &s, const CounterWait &op);
  Step addForOthers(Actor &a, const Stmt &s, const CounterAdd &op);
  Step inACircle(const Actor &a, const Stmt &s, int waited);
  void bracket(const Actor &a, const Stmt &s, const Access &now, bool writes, const Strands &who);
  std::optional<int32_t> visitOf(const Actor &a, const CounterProtocol &protocol) const;
  Visit *visitTo(const Actor &a, const Stmt &s, int counter, const CounterProtocol &protocol);
  void closeBrackets(int counter, Visit &visit, const Strands &who);
  /// The run has the CTAs of the whole grid, which are no cluster.
  bool joinedGrid() const {
    const int64_t *c = program_.cluster;
    return !isAscend(program_.target) && static_cast<int64_t>(ctas_.size()) > c[0] * c[1] * c[2];
  }

  // RunVisibility.cpp
  bool visible(const Actor &a, const Access &prior, const Access &now, const Strands &who) const;
  /// A read meets `write`, which has happened but need not be visible.
  Step invisible(const Actor &a, const Stmt &s, const std::string &bytes, const Access &write,
                 const std::string &object);
  /// An asynchronous access meets generic write `write` without a fence between.
  Step unfenced(const Actor &a, const Stmt &s, const std::string &bytes, const Access &write,
                bool writes, const std::string &object, const char *fence);
  /// What `now` does wrong with an earlier access of a tensor; true: nothing.
  bool fits(const Actor &a, const Stmt &s, int tensor, const Access &prior, bool priorWrites,
            const Access &now, bool writes, const Strands &who);
  bool isFit(const Actor &a, const Access &prior, bool priorWrites, const Access &now, bool writes,
             const Strands &who) const;
  /// An input in whose place an output may be written: all reads come before the writes.
  bool isReadBefore(int tensor) const { return context_.memory[tensor] != tensor; }
  void readTooLate(const Actor &a, const Stmt &s, const Access &prior, int tensor);
  /// Looks up whether an access of a tensor comes after all earlier ones of those it is asked
  /// about.
  void follow(const Actor &a, const Stmt &s, const View &view, const Box &box, const Access &now,
              bool writes, const Strands &who);
  bool isStill(const View &view) const;
  // Numbers of memories: those of CTAs by rank and space, then the registers of the agents.
  static constexpr int64_t spacesOfCta = 16, registerMemories = int64_t{1} << 40;
  Memory &memory(const Actor &a, const View &view, int cta);
  const std::vector<Interval> *intervals(Actor &a, const Stmt &s, const View &view,
                                         const Rows &rows);
  bool inBounds(Actor &a, const Stmt &s, const View &view);

  // RunOrigin.cpp: provenance of tiles
  int64_t tagAfterCopy(Actor &a, const View &to, const View &from, int cta);
  int64_t tagIn(Actor &a, const View &view, int cta);
  void beginSum(const Actor &a, const View &d);
  bool continuesSum(Actor &a, const View &d);
  int64_t tagOfParts(const Actor &a, int64_t front, int64_t back);
  void assumeInStep(const Actor &a, const Stmt &s);
  template <typename Product> // Wgmma, Mmad, Tcgen05Mma
  bool belongTogether(Actor &a, const Stmt &s, const Product &op, bool accumulates);
  bool belongTogether(Actor &a, const Stmt &s, const View &d, const View &left, const View &right,
                      bool accumulates);

  // RunWords.cpp: what went wrong, as far as a verdict needs words; who tells of the run has more
  /// Something asynchronous that ends with this stamp has been started.
  virtual void starts(Stamp) {}
  /// `first` should have ended before `second`, and nothing makes it.
  virtual Step race(const Buffer &buffer, const Cell &cell, const Access &first, bool firstWrites,
                    const Access &second, bool secondWrites);
  virtual Violation deadlock();
  /// A violation has been met.
  virtual void complete(Violation &, int32_t /*actor*/, const Stmt &) {}
  /// A sentence that names what to change.
  virtual std::string fixInTensor(const Actor &, const Stmt &, const Access & /*prior*/,
                                  bool /*priorWrites*/, const std::string & /*tensor*/) const {
    return "Order them";
  }
  static BarrierEvent eventOf(const Access &access) {
    return {access.stamp, access.actor, access.stmt};
  }
  /// The violation to come is about an earlier event too.
  void about(const Access &earlier, std::string does) {
    offence_ = {Offence::plain, eventOf(earlier), std::move(does), "", {}};
  }
  static std::string slotName(const Buffer &buffer, Interval bytes); // "a[2]"
  /// `peer`: the rank of the CTA whose bytes they are, where that is to be told.
  std::string slotsOf(const Buffer &buffer, Interval bytes, int peer = -1) const;
  std::string what(const Access &access) const;
  std::string what(const BarrierEvent &event) const;
  std::string what(const Actor &a, const Stmt &s) const;

  // RunProducts.cpp
  /// What a store has written last: distances of D's rows from A's and of its columns from B's, and
  /// of A from B along K.
  struct Stored {
    Product product;
    std::array<int64_t, 2> distance;
    int64_t alongK;
    std::array<std::optional<int64_t>, 2> told; // the distances, where normal forms tell them
    std::array<bool, 2> again;                  // the operand's tile has been loaded again since
    bool roams; // the distances have changed: nothing follows from them
  };
  int64_t productOf(Actor &a, const Mmad &op);
  void markProduct(Actor &a, const Stmt &s, const Mmad &op);
  int64_t productIn(Actor &a, const Stmt &s, const View &view);
  std::optional<Stored> storedFrom(const Actor &a, const Stmt &s, const Copy &op, const Product &p);
  static bool isToldInStep(const Stored &before, const Stored &now, int side);
  Step storeProduct(Actor &a, const Stmt &s, const Copy &op);
  void broughtIn(int tensor, const Affine (&at)[2], const int64_t (&extents)[2]);

  // RunExit.cpp
  void owe(int cta, const BarrierEvent &event, int object = -1, int64_t slot = 0);
  /// What the warps of each CTA know to have ended; `shown`: of copies, by relaxed barriers.
  struct Ends {
    Clock known, shown;
    bool meets(const Debt &debt) const {
      return known.knows(debt.event.stamp) || (debt.object < 0 && shown.knows(debt.event.stamp));
    }
  };
  std::vector<Ends> endsByCta() const;
  std::optional<Violation> exitChecks();

  // RunNormalForm.cpp
  friend class NormalForm;

  Context &context_;
  const Program &program_;
  Facts facts_;
  std::vector<Coordinates> ctas_; // of the group, by cluster rank
  std::vector<Actor> actors_;
  std::vector<int32_t> ready_;
  int64_t events_ = 0;
  std::vector<std::vector<TrackedMbarrier>> mbarriers_;   // [cta * objects + object][slot]
  std::map<CounterKey, TrackedCounter> counters_;         // empty in runs for every launch
  std::map<std::tuple<int, int, int32_t>, Visit> visits_; // by CTA, tensor and Terms::path
  std::set<int> left_; // counters that visits forgotten by normal forms have waited for
  std::map<std::pair<int, int>, int64_t> draws_; // so far: (cluster, tensor); every launch: 0
  std::map<std::pair<int, int64_t>, HardwareBarrier> named_; // (cta, id)
  std::map<std::string, HardwareBarrier> pipes_;             // core -> rendezvous of its pipes
  /// Products of numbers that some warps of a warpgroup have come to and others have not yet.
  struct Together {
    struct Product {
      const Stmt *stmt;
      std::vector<int64_t> tiles; // where numbers choose them
      bool operator==(const Product &) const = default;
    };
    std::deque<Product> open;
    std::array<size_t, 4> done{}; // of them, by warp
  };
  std::map<std::pair<int, int>, Together> together_; // (cta, warpgroup)
  bool previousEnded_ = false;                       // some agent knows it
  ClusterState cluster_;
  std::map<std::tuple<std::string, Pipe, Pipe, int64_t>, Flag> flags_;
  std::map<std::tuple<std::string, std::string, int64_t>, CrossFlag> crossFlags_;
  std::map<std::string, std::vector<int32_t>> crossBlocked_; // receiving core -> actors
  std::map<int32_t, uint32_t> loads_;             // component of a chain of loads -> loads so far
  std::map<int32_t, int> receivers_;              // component of a chain of st.async -> whose bytes
  std::map<std::pair<int, int32_t>, Debt> debts_; // (cta, component)
  std::map<int64_t, Memory> memories_;
  std::map<int, TensorMemoryState> tensorMemory_; // by CTA, once it has done something with it
  std::vector<TensorHistory> tensors_;
  /// The last accesses of statements of Context::asked: all earlier ones of their strands end
  /// before.
  struct Last {
    Access access;
    Box box;
    bool writes;
    int tensor;
    const View *view;
    int32_t path; // of the iteration that it was in
  };
  std::map<std::tuple<const Stmt *, bool, int32_t, int32_t>, Last> last_;
  struct Distance {
    int64_t value;
    int tensorA, dimensionA, tensorB, dimensionB; // along K
    Affine at;                                    // where A was last
    int32_t place = TilePlaces::none;             // the same
    bool alike = true;                            // A and B are counted from one place
    bool told = true;                             // normal forms tell the value
    int direction = 0;                            // in which the sum goes along K; 0: unknown
  };
  std::map<std::tuple<int32_t, const Stmt *, int64_t, int, int>, Distance> distances_;
  std::map<std::tuple<int32_t, const Stmt *, int>, Stored> stored_; // (actor, store, tensor)
  std::optional<Violation> violation_;
  std::optional<Error> error_;
  Offence offence_;
  std::vector<Query> answered_; // since an agent last did something
  int32_t acting_ = -1;         // who executes
};

} // namespace sluice
