// Slots for factors in tensor memory: who takes them out of a ring's slot copies them to columns of
// the same slot, so that a product has done with both when it comes back.
#pragma once

#include "Transform/Pipeline/Rings.h"

namespace sluice {

/// Of a lane of tensor memory: what the factors of all slots take.
int64_t bytesOfFactors(ir::KernelOp kernel);
/// Whether factors are copied to this tile of tensor memory.
bool holdsFactors(ir::AllocOp tile);
/// The tiles in tensor memory that are filled from the ring's buffers, in the same block, become
/// buffers of it.
void takeFactorsIn(Ring &ring);

} // namespace sluice
