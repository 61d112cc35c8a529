// The on-chip bytes of a canonical run: which an access touches, and who touched them before.
#pragma once

#include "Verify/RunOrder.h"

#include <map>

namespace sluice {

class RunMemory : public RunOrder {
public:
  using RunOrder::RunOrder;

  bool accessBuffer(Actor &a, const Stmt &s, const View &view, const Access &access, bool write,
                    int cta, const Strands &who, const Rows &rows);
  bool inBounds(Actor &a, const Stmt &s, const View &view);
  const std::vector<Interval> *intervals(Actor &a, const Stmt &s, const View &view,
                                         const Rows &rows);
  Memory &of(const Actor &a, const View &view, int cta);
  /// Of a CTA; null: nobody has touched it.
  Memory *touched(int cta, Space space);
  /// Whose memory a cell is a part of; -1: registers.
  int ctaOf(const Cell &cell) const;

private:
  friend class NormalForm;

  bool accessCell(Actor &a, const Stmt &s, const Buffer &buffer, Cell &cell, const Access &access,
                  bool write, const Strands &who);
  bool pipeHazard(Actor &a, const Stmt &s, const Cell &cell, const Access &access, bool write,
                  const Buffer &buffer);
  /// Registers of A under a product: R25. True: refused.
  bool readsWithProduct(Actor &a, const Stmt &s, const Buffer &buffer, const Cell &cell,
                        const Strands &who);
  /// An async write over bytes that were read through the generic proxy: R39. True: refused.
  bool overtakesRead(Actor &a, const Stmt &s, const Buffer &buffer, const Cell &cell,
                     const Strands &who);
  /// R44. True: refused.
  bool isUnfenced(Actor &a, const Stmt &s, const Buffer &buffer, const Cell &cell,
                  const Access &prior, bool priorWrites, const Access &now, bool writes,
                  const Strands &who);
  void observeFill(const Actor &a, const View &view, Memory &m, int64_t byte, const Strands &who);

  // Numbers of memories: those of CTAs by rank and space, then the registers of the agents.
  static constexpr int64_t spacesOfCta = 16, registerMemories = int64_t{1} << 40;

  std::map<int64_t, Memory> memories_;
  FootprintCache::Key key_; // that is looked for, so that its memory is used again
};

} // namespace sluice
