// Layouts of the machines' memories and instructions in shape:stride, for whole tiles; elements are
// counted, not bytes. That they are what lib/Program lays out is tested (test/unit/Layout).
#pragma once

#include "Layout/Swizzle.h"
#include "Support/ElementType.h"
#include "Support/Result.h"

#include <optional>
#include <string_view>

namespace sluice {

struct TileShape {
  int64_t rows, columns;
};

/// A layout, and, where its two modes are threads and their values, the tile that it deals to
/// them: an offset r + rows c is element (r, c).
struct TileLayout {
  Swizzled layout;
  std::optional<TileShape> dealt = std::nullopt;
  std::optional<DType> type = std::nullopt; // of elements in shared memory, which has banks
};

/// What a call of that name takes, "zN(rows,columns,type)"; one a name.
const std::vector<std::string> &namedLayouts();
bool isNamedLayout(std::string_view name);
/// nD, zN, zZ, nZ, nN (Ascend), sw32, sw64, sw128 (shared memory): coordinates (row, column). acc,
/// fragA (wgmma, registers): (thread, value).
Result<TileLayout> namedLayout(std::string_view name, TileShape tile, DType type);

} // namespace sluice
