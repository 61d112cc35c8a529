#include "Explore/Cells.h"

#include <algorithm>
#include <random>
#include <unordered_map>

namespace sluice::explorer {

int32_t CellMap::footprint(MemoryId memory, const std::vector<ByteRange> &bytes) {
  std::vector<Footprint> &known = memories_[memory];
  for (const Footprint &f : known)
    if (f.bytes == bytes)
      return f.number;
  known.push_back({footprints_, bytes});
  return footprints_++;
}

void CellMap::settle() {
  cellsOf_.resize(footprints_);
  for (const auto &[memory, footprints] : memories_)
    settle(memory, footprints);
}

/// A sweep over the borders; the set of footprints over a byte is known by the XOR of a random
/// number for each of them.
void CellMap::settle(MemoryId memory, const std::vector<Footprint> &footprints) {
  std::mt19937_64 random(7);
  std::vector<uint64_t> key(footprints.size());
  std::vector<std::pair<int64_t, uint64_t>> borders;
  for (size_t f = 0; f < footprints.size(); ++f) {
    key[f] = random();
    for (const ByteRange &i : footprints[f].bytes) {
      borders.emplace_back(i.begin, key[f]);
      borders.emplace_back(i.end, key[f]);
    }
  }
  std::sort(borders.begin(), borders.end());
  std::unordered_map<uint64_t, int32_t> cellOfSet;
  std::vector<std::pair<int64_t, int32_t>> segments; // start -> cell; -1: touched by nobody
  uint64_t now = 0;
  for (size_t i = 0; i < borders.size();) {
    const int64_t at = borders[i].first;
    for (; i < borders.size() && borders[i].first == at; ++i)
      now ^= borders[i].second;
    int32_t cell = -1;
    if (now) {
      const auto [found, isNew] = cellOfSet.try_emplace(now, count_);
      if (isNew) {
        memoryOfCell_.push_back(memory);
        ++count_;
      }
      cell = found->second;
    }
    segments.emplace_back(at, cell);
  }
  for (const Footprint &f : footprints) {
    std::vector<int32_t> &cells = cellsOf_[f.number];
    for (const ByteRange &i : f.bytes)
      for (auto s = std::lower_bound(segments.begin(), segments.end(),
                                     std::make_pair(i.begin, INT32_MIN));
           s != segments.end() && s->first < i.end; ++s)
        cells.push_back(s->second);
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  }
}

} // namespace sluice::explorer
