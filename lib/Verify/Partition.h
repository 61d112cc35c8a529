// Which bytes of a memory all accesses of a proof touch together. A tile that threads copy lies in
// thousands of intervals, but its warps have one part of it each.
#pragma once

#include "Program/LayoutMap.h"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace sluice {

/// The bytes touched so far, divided into parts, by number. It only grows: an access that touches
/// some bytes of a part alone splits it.
class Partition {
public:
  /// Parts that make up `where`, those with the lowest bytes first. `where` is sorted and outlives
  /// the partition.
  const std::vector<int32_t> &of(const std::vector<Interval> &where);
  int32_t count() const { return static_cast<int32_t>(origins_.size()); }
  /// The part that a part was split from; -1: its bytes were not in any.
  int32_t origin(int32_t part) const { return origins_[part]; }
  /// The lowest bytes of a part that all accesses touch together.
  Interval lowest(int32_t part) const { return lowest_[part]; }
  /// The part of a byte, -1: none.
  int32_t at(int64_t byte) const;
  /// A number of the form of a part: those of one form are the same bytes, but for where they
  /// begin.
  int32_t form(int32_t part);

private:
  struct Piece {
    Interval bytes;
    int32_t part;
  };
  /// Calls visit(bytes, part or -1, whether they are in `where`) for all bytes of pieces and of
  /// `where`, upwards, cut at the borders of both.
  template <typename Visit> void walk(const std::vector<Interval> &where, Visit visit) const;
  void add(const std::vector<Interval> &where);
  int32_t create(int32_t origin);
  void sort(std::vector<int32_t> &parts) const;
  void findForms();

  std::vector<Piece> pieces_; // sorted, disjoint
  std::vector<int32_t> origins_;
  std::vector<Interval> lowest_;
  std::vector<int32_t> forms_; // of parts; empty: not known since a part was split
  std::map<std::vector<int64_t>, int32_t> formNumbers_; // by borders, counted from the first byte
  std::unordered_map<const std::vector<Interval> *, std::vector<int32_t>> known_;
};

} // namespace sluice
