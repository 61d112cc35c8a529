#include "Verify/Memory.h"

namespace sluice {

void Memory::grow() {
  for (auto part = static_cast<int32_t>(cells_.size()); part < parts_->count(); ++part) {
    const int32_t origin = parts_->origin(part);
    cells_.push_back(origin < 0 ? Cell{} : Cell(cells_[origin]));
  }
}

const Cell *Memory::at(int64_t byte) {
  grow();
  const int32_t part = parts_->at(byte);
  return part < 0 ? nullptr : &cells_[part];
}

void addRead(std::vector<Access> &reads, const Access &read) {
  for (Access &r : reads)
    if (r.stamp.component == read.stamp.component && r.way == read.way) {
      r = read;
      return;
    }
  reads.push_back(read);
}

} // namespace sluice
