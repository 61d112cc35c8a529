// The tensor memory of the CTAs of a unit (Blackwell), and what works on it.
#pragma once

#include "Simulate/UnitViews.h"

namespace sluice {

class UnitTensorMemory : public UnitViews {
public:
  using UnitViews::UnitViews;

  /// Nothing: no operation of tensor memory.
  std::optional<Step> executeTensorMemory(Actor &a, const Stmt &s);
  bool leftAllocated(int cta);

private:
  Step allocate(Actor &a, const Stmt &s, const TmemAlloc &op);
  Step free(Actor &a, const Stmt &s, const TmemDealloc &op);
  Step readAddress(Actor &a, const Stmt &s, const TmemAddress &op);
  Step copyColumns(Actor &a, const Stmt &s, const TmemCopy &op);
  Step shiftColumns(Actor &a, const Stmt &s, const TmemShift &op);
  Step multiply(Actor &a, const Stmt &s, const Tcgen05Mma &op);
  Step commitProducts(Actor &a, const Stmt &s, const Tcgen05Commit &op);
  Step loadLanes(Actor &a, const Stmt &s, const TmemLoad &op);
  Step storeLanes(Actor &a, const Stmt &s, const TmemStore &op);
  Step waitForLanes(Actor &a, const TmemWait &op);
  std::vector<RowRange> ownLanes(Actor &a, const Stmt &s, const View &registers, const View &lanes);
  double timeOfLanes(const std::vector<RowRange> &rows, const View &lanes) const;
  TileCopy copyOf(Actor &a, const View &to, const View &from, const std::vector<RowRange> &rows);
  struct LanesMove {
    double end; // cycles
    TileCopy copy;
  };
  std::optional<LanesMove> beginMove(Actor &a, const Stmt &s, const View &registers,
                                     const View &lanes, bool stores);
  void moveLanes(Actor &a, double end, const TileCopy &copy, bool stores,
                 std::function<void()> land);
  bool isAllocated(const Actor &a, const Stmt &s, int cta);
  /// Who comes first waits for the warp of the other CTA of its pair.
  Step meetPeer(Actor &a);
  double occupy(Actor &a, const Stmt &s, const Tcgen05Mma &op, int cta);
  /// A product runs from `begin` to `end` or a part of that.
  struct Span {
    double begin, end;
  };
  void copyIn(Actor &a, const TmemCopy &op, int cta, Span span, std::function<void()> then);
  void shiftIn(Actor &a, const TmemShift &op, int cta, Span span, std::function<void()> then);
  void multiplyIn(Actor &a, const Tcgen05Mma &op, int cta, Span span, std::function<void()> then);
  using Bytes = std::pair<int64_t, int64_t>; // from and to
  Bytes columnsOf(const Actor &a, const View &tile) const;
  double endInColumns(const Actor &a, const View &tile) const;

  struct Columns {
    int64_t columns = 0, address = 0; // 0 columns: not allocated yet
    bool freed = false;
  };
  std::map<int, Columns> tensorMemory_; // by CTA
  std::map<int, int> waiting_;          // by CTA: the actor that waits for its peer
};

} // namespace sluice
