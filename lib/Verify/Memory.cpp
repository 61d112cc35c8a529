#include "Verify/Memory.h"

#include <algorithm>
#include <iterator>

namespace sluice {

size_t Memory::firstEndingAfter(int64_t byte, size_t from) const {
  if (from < cells_.size() && cells_[from].end > byte)
    return from; // the usual case of intervals in order
  return std::partition_point(cells_.begin() + static_cast<ptrdiff_t>(from), cells_.end(),
                              [&](const Cell &c) { return c.end <= byte; }) -
         cells_.begin();
}

const Cell *Memory::at(int64_t byte) const {
  const size_t i = firstEndingAfter(byte);
  return i < cells_.size() && cells_[i].begin <= byte ? &cells_[i] : nullptr;
}

/// Whether cells from number `first` on make up exactly the bytes `where`.
bool Memory::isCut(Interval where, size_t first) const {
  int64_t at = where.begin;
  for (size_t i = first; at < where.end; at = cells_[i++].end)
    if (i == cells_.size() || cells_[i].begin != at || cells_[i].end > where.end)
      return false;
  return true;
}

void Memory::cut(const std::vector<Interval> &where) {
  size_t first = 0;
  const auto isWrong = [&](const Interval &w) {
    first = firstEndingAfter(w.begin, first);
    return !isCut(w, first);
  };
  const auto wrong = std::find_if(where.begin(), where.end(), isWrong);
  if (wrong == where.end())
    return;
  // From the first that is not there on, all in one pass: a scattered tile has thousands of them.
  const size_t last = std::min(cells_.size(), firstEndingAfter(where.back().end, first) + 1);
  std::vector<Cell> made;
  size_t next = first;
  const auto take = [&](int64_t end) { // the part of cell `next` before `end`
    made.push_back(cells_[next]);
    made.back().end = std::min(end, cells_[next].end);
    if (cells_[next].end <= end)
      ++next;
    else
      cells_[next].begin = end;
  };
  for (auto w = wrong; w != where.end(); ++w) {
    while (next < last && cells_[next].begin < w->begin)
      take(w->begin);
    for (int64_t at = made.empty() ? w->begin : std::max(w->begin, made.back().end); at < w->end;) {
      const bool gap = next == last || cells_[next].begin > at; // bytes never touched
      if (gap)
        made.push_back(
            Cell{at, next == last ? w->end : std::min(w->end, cells_[next].begin), {}, {}, {}});
      else
        take(w->end);
      at = made.back().end;
    }
  }
  while (next < last)
    take(INT64_MAX);
  cells_.erase(cells_.begin() + static_cast<ptrdiff_t>(first),
               cells_.begin() + static_cast<ptrdiff_t>(last));
  cells_.insert(cells_.begin() + static_cast<ptrdiff_t>(first),
                std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
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
