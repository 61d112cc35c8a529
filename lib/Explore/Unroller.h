// Follows every agent through the program and writes down what it does: the script that the
// explorer then interleaves.
#pragma once

#include "Explore/Agents.h"
#include "Explore/Analysis.h"
#include "Explore/Places.h"
#include "Explore/Touches.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace sluice::explorer {

/// Called with each statement that an agent comes to. Signals are in Unroll.cpp, flags of Ascend in
/// UnrollFlags.cpp, what touches memory in UnrollMoves.cpp, tensor memory in
/// UnrollTensorMemory.cpp.
class Unroller {
public:
  Unroller(const Program &program, const Launch &launch, const ExploreOptions &options)
      : program_(program), launch_(launch), warpsConverge_(options.warpsConverge),
        waitsHoldOnePipe_(options.waitsHoldOnePipe), toucher_(program, launch, out_.memory) {
    out_.tensorInOrder = options.tensorInOrder;
    createAgents(program, launch, options.first, out_);
  }

  Unrolled run();

private:
  struct CrossWaitPlace {
    int script;
    size_t action;
    int64_t id;
  };
  using FlagKey = std::tuple<std::string, std::string, int64_t>; // from, to, id
  /// What an agent has gone past of one mutex.
  struct Unlocks {
    int32_t all = 0, untilOthers = 0; // unlocks; up to the last one of another pipe
    Pipe holder = Pipe::none;
  };

  void unrollAgent(int number);

  int64_t value(const Index &i) const { return at_->value(i); }
  int position() const { return static_cast<int>(script_->actions.size()); }

  int32_t mbarrier(const MbarrierRef &ref, int64_t slot);
  int32_t mbarrier(const MbarrierRef &ref) { return mbarrier(ref, value(ref.slot)); }
  void onMbarrier(Act act, const MbarrierRef &ref, int64_t count, int64_t bytes = 0);
  void onArray(Act act, const MbarrierRef &ref, bool whole, int64_t count);

  int32_t flag(const FlagKey &key, const std::string &text, int32_t limit);
  int32_t pipeFlag(Pipe source, Pipe destination, int64_t id);
  std::string coreName(const std::string &core = {}) const;
  std::vector<std::string> coresOfKind() const;
  void setForAll(int64_t id);
  bool passesBy(const Stmt &s) const;
  int32_t scalarUnit();
  int32_t crossFlag(const std::string &from, const std::string &to, int64_t id);

  using Uses = std::vector<std::pair<const View *, bool>>; // view, is it written
  std::vector<Touch> touches(const Uses &uses, const Share &share, int cta);
  Share share(const std::vector<const View *> &views) const;
  void synchronous(const Uses &uses);
  void takeUnits(const View &tile, UnitsUse use);
  bool endsInside(const View &box) const;
  bool goesToOtherCores(const Copy &op);

  /// Fragments give every lane the same elements on the way there and back, unless 16-bit ones are
  /// put together on the way to a tensor, or whole rows of 32 bits go to one; whatever else is
  /// dealt out anew by each statement.
  uint64_t lanesOf(const Stmt &s, int32_t footprint, bool tensor) const;

public:
  void operator()(const MbarrierInit &op);
  void operator()(const MbarrierInval &op);
  void operator()(const MbarrierArrive &op);
  void operator()(const MbarrierArriveExpectTx &op);
  void operator()(const MbarrierExpectTx &op);
  void operator()(const MbarrierWait &op);
  /// All lanes agree on what they were told.
  void operator()(const MbarrierTest &op);
  void operator()(const NamedBarrier &op);
  void operator()(const WarpSync &) { action_->joint = true; }
  void operator()(const ClusterBarrier &op);
  void operator()(const Fence &op);
  void operator()(const BulkCommit &) { action_->lanes = false; }
  void operator()(const BulkWait &);
  void operator()(const CpAsyncCommit &) {}
  void operator()(const CpAsyncWait &) { action_->act = Act::copyWait; }
  void operator()(const CpAsyncArrive &op);
  void operator()(const WgmmaFence &) { action_->joint = true; }
  void operator()(const WgmmaCommit &) { action_->joint = true; }
  void operator()(const WgmmaWait &) { action_->joint = true; }
  void operator()(const SetFlag &op);
  void operator()(const WaitFlag &op);
  void operator()(const PipeBarrier &op);
  void operator()(const Mutex &op);
  /// Mode 2 joins the AIC with its two AIVs, mode 1 the two AIVs, mode 0 all cores of a kind.
  void operator()(const CrossSet &op);
  void operator()(const CrossWait &op);
  void operator()(const TmaLoad &op);
  void operator()(const TmaStore &op);
  void operator()(const Copy &op);
  void operator()(const Fill &op) { synchronous({{&op.destination, true}}); }
  /// From shared memory the unit reads A for all four warps, and B whole.
  void operator()(const Wgmma &op);
  void operator()(const Mmad &op);
  void operator()(const Map &op);
  void operator()(const Raw &op);
  void operator()(const Print &op) { synchronous({{&op.source, false}}); }
  void operator()(const Reduce &op) { synchronous({{&op.in, false}, {&op.out, true}}); }
  void operator()(const CounterAdd &op);
  void operator()(const CounterWait &op);
  void operator()(const GridDependency &op) { previousEnded_ |= !op.launch; }
  // Tensor memory. All lanes of a warp allocate, free, load and wait together.
  void operator()(const TmemAlloc &op);
  void operator()(const TmemRelinquish &op) { byWarp(ColumnsUse::relinquishes, op.pair); }
  void operator()(const TmemAddress &op);
  /// As if it wrote all columns of all lanes.
  void operator()(const TmemDealloc &op);
  void operator()(const TmemLoad &op);
  /// First every lane reads its registers.
  void operator()(const TmemStore &op);
  void operator()(const TmemWait &op);
  /// One thread issues it; A and B are read whole.
  void operator()(const Tcgen05Mma &op);
  void operator()(const TmemCopy &op);
  void operator()(const TmemShift &op);
  void operator()(const Tcgen05Commit &op);
  void operator()(const ScalarRead &) { unknown(); }
  void operator()(const ScalarWrite &) { unknown(); }
  void operator()(const ClcTryCancel &) { unknown(); } // its response decides what comes next
  void operator()(const RemoteCopy &op);
  void operator()(const Epoch &) {}
  void operator()(const Prefetch &) {}
  void operator()(const Scalar &) {}
  void operator()(const Grid &) {}
  void operator()(const For &) {}
  void operator()(const If &) {}
  void operator()(const Role &) {}

private:
  /// Each strand stores its part when it comes by. Which bytes are whose does not matter to others,
  /// nor how many, but that neither part is empty.
  void storeRegisters(const RemoteCopy &op, int peer);
  /// The barrier at the same offset in another CTA.
  int32_t sameIn(int cta, int32_t barrier) const;
  void issue(Load load);
  std::vector<int> ctasOf(bool pair) const;
  void byWarp(ColumnsUse use, bool pair = false);
  int64_t columnsEnd(const View &v) const;
  void needsOwnLanes(const View &lanes, const Share &rows);
  void needsAddress();
  int32_t sumOf(const Tcgen05Mma &op);
  int32_t sumNumber(std::vector<int64_t> key);
  void askOfColumns(const Uses &uses, const View &columns, bool pair, const Share &reached);
  void onCounter(Act act, const View &view, int64_t number, Scope scope);
  /// The kernel before has ended for this agent, or does not write the tensor.
  void mayTouch(const View &v);
  void unknown() { out_.tooLong = true; }
  /// The AIC waits for both AIVs; an AIV for the other one where that ever signals it, else for the
  /// AIC.
  void resolveCrossWaits();

  const Program &program_;
  const Launch &launch_;
  const bool warpsConverge_, waitsHoldOnePipe_;
  Unrolled out_;
  Toucher toucher_;
  std::vector<int32_t> firstSlot_; // by CTA and array
  std::map<std::pair<int, int64_t>, int32_t> named_;
  std::map<FlagKey, int32_t> flags_;
  std::map<std::pair<int, int64_t>, int32_t> tiles_; // of L0C, by buffer and slot
  std::vector<CrossWaitPlace> crossWaits_;
  std::vector<int32_t> initialised_; // by this agent so far
  std::map<std::string, int32_t> counters_;
  std::map<int64_t, Unlocks> unlocks_;              // by this agent so far
  int64_t waitsOfCore_ = 0;                         // for other cores, that it has gone past
  bool previousEnded_ = false, hasAddress_ = false; // of this agent
  std::map<int32_t, int32_t> lastOfSum_;            // its loads
  std::map<std::vector<int64_t>, int32_t> sums_;
  int64_t actions_ = 0;
  int number_ = 0;
  Script *script_ = nullptr;
  const Standpoint *at_ = nullptr;
  Action *action_ = nullptr;
};

} // namespace sluice::explorer
