#include "Verify/GlobalMemory.h"

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

void TensorHistory::record(const Box &box, const Access &access, bool write, bool reducing) {
  for (BoxHistory &h : boxes_) {
    if (!(h.box == box))
      continue;
    if (!write) {
      addRead(h.reads, access);
      return;
    }
    // Two unordered reducing stores both stay visible to a later reader.
    if (reducing && h.reducing && h.write.stmt && h.write.actor != access.actor)
      continue;
    h.write = access;
    h.reducing = reducing;
    h.reads.clear();
    return;
  }
  BoxHistory h{box, {}, reducing && write, {}};
  if (write)
    h.write = access;
  else
    h.reads.push_back(access);
  boxes_.push_back(std::move(h));
}

} // namespace sluice
