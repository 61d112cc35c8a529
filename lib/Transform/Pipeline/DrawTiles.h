// Pipeline level, NVIDIA: tiles that CTAs draw while the kernel runs. A role draws the next one
// from a counter in global memory, or, on Blackwell, takes that of a cluster which has not been
// launched, and hands it to the others through a ring.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// The loops over tiles with `sluice.dynamic`, one in every role, go on with the tile that is drawn
/// for all of them; the scheduling role, empty so far, draws. The first tile of a CTA is that of
/// its own number. Nothing where no loop asks for it.
void drawTiles(ir::KernelOp kernel);

} // namespace sluice
