// The bytes of a program's memories, put together into cells: bytes that every access of the
// program touches together or not at all.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace sluice::explorer {

/// Half-open.
struct ByteRange {
  int64_t begin, end;
  auto operator<=>(const ByteRange &) const = default;
};

/// Names a memory: of a CTA, of a warp's registers, or of a tensor.
struct MemoryId {
  enum Kind : uint8_t { onChip, registers, tensor } kind;
  int owner;  // CTA, agent; 0 for tensors
  int object; // Space, buffer, tensor
  auto operator<=>(const MemoryId &) const = default;
};

class CellMap {
public:
  /// Number of the footprint `bytes` (sorted, disjoint) in a memory. Before settle().
  int32_t footprint(MemoryId memory, const std::vector<ByteRange> &bytes);
  /// Cuts the memories into cells.
  void settle();
  /// Cells of a footprint, ascending.
  const std::vector<int32_t> &cells(int32_t footprint) const { return cellsOf_[footprint]; }
  int32_t count() const { return count_; }
  MemoryId memoryOf(int32_t cell) const { return memoryOfCell_[cell]; }

private:
  struct Footprint {
    int32_t number;
    std::vector<ByteRange> bytes;
  };
  void settle(MemoryId memory, const std::vector<Footprint> &footprints);

  std::map<MemoryId, std::vector<Footprint>> memories_;
  std::vector<std::vector<int32_t>> cellsOf_;
  std::vector<MemoryId> memoryOfCell_;
  int32_t footprints_ = 0, count_ = 0;
};

} // namespace sluice::explorer
