// Tiles that go from hand to hand in their slot of a ring: one role loads, one puts a result of the
// same type in the tile's place, one stores it from there, and the slot is free for the next load.
#pragma once

#include "Transform/Tiles.h"

namespace sluice {

bool isReplaced(ir::AllocOp tile);

/// Puts the stored result in the place of a tile that its loop streams, of type `staged`, which has
/// been read when the result comes. False, and nothing changed, where there is none.
bool replaceStreamed(ir::StoreOp store, ir::BufferType staged);

} // namespace sluice
