// Kernels that compute along rows alone: their tiles wait in registers by whole rows
// (Layout::blocked), which adds a row up within a warp and reaches memory 16 bytes at a time. Where
// a product is, tiles have wgmma's layouts.
#pragma once

#include "Transform/Tiles.h"

namespace sluice {

/// How many warps compute where tiles wait by whole rows; nothing: they do not. The same at every
/// level.
std::optional<int> warpsOfWholeRows(ir::KernelOp kernel);

/// Of a tile of that shape.
Layout layoutOfWholeRows(ir::BufferType type);

} // namespace sluice
