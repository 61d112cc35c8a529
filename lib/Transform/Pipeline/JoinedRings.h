// Rings that take over from one another: what a loop loads goes through the slots that the loop
// before it has filled, and one cursor runs on through both. So are tiles that are loaded in front
// of a loop or behind it, and results of products. Only where the tiles find no room in shared or
// in tensor memory otherwise: each ring for itself is filled ahead of the loop before.
#pragma once

#include "Transform/Pipeline/Rings.h"

namespace sluice {

/// Links rings of tiles of the same types from the same role to the same, whose statements follow
/// one another in a block, where the kernel needs more than there is. A ring of several buffers may
/// give some of them away.
void joinRings(ir::KernelOp kernel, std::vector<Ring> &rings, const Arch &arch);

/// Whether a memory holds all tiles, those of rings in their slots.
bool haveRoom(Space space, ir::KernelOp kernel, const std::vector<Ring> &rings, const Arch &arch);

/// Each begins with the cursor with which the one before ends. All cursors are carried by then.
void chainCursors(std::vector<Ring> &rings);

/// Their tiles lie in the buffers of the first one. Behind all else that asks for their own.
void shareBuffers(std::vector<Ring> &rings);

} // namespace sluice
