// Ascend, placed level: a map becomes instructions of the vector cores (MapInstructions.cpp), a
// fold too (ElementInstructions.cpp).
#pragma once

#include "Transform/Placed/VectorInstructions.h"

namespace sluice {

bool isInUbOfF32(mlir::Value tile);

/// Replaces the map by instructions; inputs that end with it become scratch. False: it computes
/// what none of them does, and stays.
bool splitMap(ir::MapOp map, llvm::ArrayRef<mlir::Value> ending, Scratch &scratch);

} // namespace sluice
