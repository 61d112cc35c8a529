#include "Verify/Memory.h"

#include <algorithm>

namespace sluice {

size_t Memory::firstEndingAfter(int64_t byte) const {
  return std::partition_point(cells_.begin(), cells_.end(),
                              [&](const Cell &c) { return c.end <= byte; }) -
         cells_.begin();
}

const Cell *Memory::at(int64_t byte) const {
  const size_t i = firstEndingAfter(byte);
  return i < cells_.size() && cells_[i].begin <= byte ? &cells_[i] : nullptr;
}

size_t Memory::cut(Interval where) {
  size_t first = firstEndingAfter(where.begin);
  if (first < cells_.size() && cells_[first].begin < where.begin) {
    Cell right = cells_[first];
    cells_[first].end = right.begin = where.begin;
    cells_.insert(cells_.begin() + ++first, std::move(right));
  }
  int64_t at = where.begin;
  for (size_t i = first; at < where.end; ++i) {
    if (i == cells_.size() || cells_[i].begin > at) { // a gap: bytes never touched
      const int64_t end = i == cells_.size() ? where.end : std::min(where.end, cells_[i].begin);
      cells_.insert(cells_.begin() + i, Cell{at, end, {}, {}, {}});
    } else if (cells_[i].end > where.end) {
      Cell right = cells_[i];
      cells_[i].end = right.begin = where.end;
      cells_.insert(cells_.begin() + i + 1, std::move(right));
    }
    at = cells_[i].end;
  }
  return first;
}

void addRead(std::vector<Access> &reads, const Access &read) {
  for (Access &r : reads)
    if (r.stamp.component == read.stamp.component) {
      r = read;
      return;
    }
  reads.push_back(read);
}

} // namespace sluice
