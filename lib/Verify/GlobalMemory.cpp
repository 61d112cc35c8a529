#include "Verify/GlobalMemory.h"

#include <algorithm>

namespace sluice {

bool Box::empty() const {
  for (int d = 0; d < maxRank; ++d)
    if (lo[d] >= hi[d])
      return true;
  return false;
}

bool Box::overlaps(const Box &other) const {
  for (int d = 0; d < maxRank; ++d)
    if (term[d] != other.term[d] || lo[d] >= other.hi[d] || other.lo[d] >= hi[d])
      return false;
  return true;
}

/// A write comes after all that it conflicts with, and stands for it. A reducing store does not
/// come after those of others, so that what came before it is kept for them.
void TensorHistory::record(const Box &box, const Access &access, bool write, bool reducing) {
  const auto same = [&](const BoxHistory &h) { return h.box == box; };
  auto at = std::find_if(boxes_.begin(), boxes_.end(), same);
  if (!write) {
    if (at == boxes_.end())
      at = boxes_.insert(at, {box, {}, false, {}});
    return addRead(at->reads, access);
  }
  if (reducing) {
    for (; at != boxes_.end(); ++at)
      if (same(*at) && at->reducing && at->write.actor == access.actor) {
        at->write = access;
        return;
      }
  } else {
    boxes_.erase(std::remove_if(at, boxes_.end(), same), boxes_.end());
  }
  boxes_.push_back({box, access, reducing, {}});
}

} // namespace sluice
