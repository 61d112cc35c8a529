// The tensor memory of a canonical run: who may use it and when, products of one thread, loads of
// lanes (R42, R44); pairs of CTAs (R45).
#pragma once

#include "Verify/RunOrder.h"

#include <map>

namespace sluice {

class RunTensorMemory : public RunOrder {
public:
  using RunOrder::RunOrder;

  Step allocate(Actor &a, const Stmt &s, const TmemAlloc &op);
  Step relinquish(Actor &a, const Stmt &s, const TmemRelinquish &op);
  Step letNextStart(Actor &a, const Stmt &s);
  Step free(Actor &a, const Stmt &s, const TmemDealloc &op);
  Step readAddress(Actor &a, const Stmt &s, const TmemAddress &op);
  Step copyColumns(Actor &a, const Stmt &s, const TmemCopy &op);
  Step shiftColumns(Actor &a, const Stmt &s, const TmemShift &op);
  Step multiply(Actor &a, const Stmt &s, const Tcgen05Mma &op);
  Step commit(Actor &a, const Stmt &s, const Tcgen05Commit &op);
  Step loadLanes(Actor &a, const Stmt &s, const TmemLoad &op);
  Step storeLanes(Actor &a, const Stmt &s, const TmemStore &op);
  Step waitForLanes(Actor &a, const Stmt &s, const TmemWait &op);
  void fenceTensorMemory(Actor &a, const Stmt &s, const Fence &op);
  /// At exit.
  bool leftAllocated();

private:
  friend class NormalForm;

  struct TensorMemoryState {
    std::optional<BarrierEvent> allocated, freed;
    int64_t columns = 0;
    bool relinquished = false;
  };

  bool mayUseTensorMemory(Actor &a, const Stmt &s);
  /// What goes on beside the thread that asks for it, and ends before the CTA does. Nothing: it may
  /// not be asked for.
  std::optional<Access> begin(Actor &a, const Stmt &s, Queue &of, Strand kind, bool queued);
  bool mayReadColumns(Actor &a, const Stmt &s, const View &columns, const Access &now,
                      const Strands &who, int cta);
  Rows reachOf(const Stmt &s, const TmemCopy &op);
  bool takesReading(const Stmt &s);
  bool isUsed(Actor &a, const Stmt &s, const BarrierEvent &frees, int cta);
  Step commitTo(Actor &a, const Stmt &s, const BarrierPlace &place, bool pair);

  // RunPairs.cpp
  static std::vector<int> ctasOf(const Actor &a, bool pair); // of the own one, or of its pair
  Step meetPeer(Actor &a);
  bool mayUsePeers(Actor &a, const Stmt &s);

  std::map<int, TensorMemoryState> tensorMemory_; // by CTA, once it has done something with it
  std::map<int, int32_t> waiting_;                // by CTA: the actor that waits for its peer's
};

} // namespace sluice
