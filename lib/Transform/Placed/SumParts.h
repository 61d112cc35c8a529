// Tile level, sm_100a: element functions of sums go 32 columns at a time, so that few registers
// wait beside the sum; what they read with it is loaded by the threads that have its rows.
#pragma once

#include "Dialect/Dialect.h"

namespace sluice {

/// Whether the map reads the sum as it is, and its columns come in parts.
bool hasSumParts(ir::MapOp map, ir::AllocOp sum);
/// The map part by part, each from a part of the sum that is taken out for it, and stored back
/// where the map writes the sum.
void mapSumParts(ir::MapOp map, ir::AllocOp sum);
/// The fill of a sum as one of a part, which is stored to all of them in front of it.
void storeFilledParts(ir::FillOp fill, ir::AllocOp sum);

} // namespace sluice
