// Ascend, placed level: a map becomes instructions of the vector cores (MapInstructions.cpp), a
// fold too (ElementInstructions.cpp).
#pragma once

#include "Transform/Placed/VectorInstructions.h"

namespace sluice {

bool isInUbOfF32(mlir::Value tile);

/// Replaces the map by instructions. False: it computes what none of them does, and stays.
bool splitMap(ir::MapOp map, Scratch &scratch);

} // namespace sluice
