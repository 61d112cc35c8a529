// Tile level, sm_100a: sums that element functions write between products, and that stay in tensor
// memory for all that: threads take 32 columns out, compute, and store them back.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// Whether threads and products write the sum in turns (Pipeline/SumInTurns.h), and all that
/// threads do with it can be done by parts of its columns.
bool staysInPlace(ir::AllocOp sum);

/// What fills such a sum is stored there.
void fillInPlace(ir::AllocOp sum);

} // namespace sluice
