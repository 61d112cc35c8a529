// Accesses to the tensors that a program writes, as boxes of elements.
#pragma once

#include "Verify/Memory.h"

#include <array>
#include <optional>

namespace sluice {

/// Half-open box of elements, clipped to a tensor; dimensions past the rank are [0, 1).
struct Box {
  static constexpr int maxRank = 5;
  std::array<int64_t, maxRank> lo{}, hi{1, 1, 1, 1, 1};
  std::array<int32_t, maxRank> term{-1, -1, -1, -1, -1}; // that lo and hi are counted from
  int32_t path = 0; // of loops over unknown trip counts, where one moves the box; else 0
  std::array<Affine, maxRank> at{};     // how the first element has been computed
  std::array<int64_t, maxRank> begin{}; // of the whole box, counted as lo, wherever its tensor ends

  bool empty() const;
  /// Boxes that are counted from different terms are told apart by AccessPairs.h.
  bool overlaps(const Box &other) const;
  bool operator==(const Box &o) const {
    return lo == o.lo && hi == o.hi && term == o.term && begin == o.begin;
  }
};

/// A box with one history, as Cell is for on-chip bytes. Boxes of one tensor may overlap.
struct BoxHistory {
  Box box;
  Access write;
  bool reducing = false; // `write` is a reducing store: it commutes with other reducing stores
  std::vector<Access> reads;
};

/// One tensor, as one group of agents has used it.
class TensorHistory {
public:
  /// `conflict(prior, priorWrites, box)` is asked for every earlier access that the new one
  /// conflicts with; the first false stops and is returned. Otherwise the access is recorded.
  template <typename Conflict>
  bool access(const Box &box, const Access &access, bool write, bool reducing, Conflict conflict) {
    for (const BoxHistory &h : boxes_) {
      if (!h.box.overlaps(box))
        continue;
      if (h.write.stmt && !(reducing && h.reducing) && !conflict(h.write, true, h.box))
        return false;
      if (write)
        for (const Access &read : h.reads)
          if (!conflict(read, false, h.box))
            return false;
    }
    record(box, access, write, reducing);
    return true;
  }
  const std::vector<BoxHistory> &boxes() const { return boxes_; }
  std::vector<BoxHistory> &boxes() { return boxes_; }

private:
  void record(const Box &box, const Access &access, bool write, bool reducing);

  std::vector<BoxHistory> boxes_;
};

} // namespace sluice
