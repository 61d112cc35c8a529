// Operands of Ascend's cube unit whose rows and columns change places between L1 and L0.
#pragma once

#include "Transform/Tiles.h"

namespace sluice {

/// How a tile that a load fills lies in L1, its contiguous dimension being `minor`. On 910B numbers
/// of 32 bits that a product takes turned lie by strips of 16 lines: the two fractals of a square
/// are neighbours there.
Layout layoutInL1(ir::AllocOp tile, int minor, Target target);

/// Numbers of 8 bits are turned by squares of 32: so many rows of A and columns of B. Those along K
/// are whole squares anyway.
mlir::LogicalResult verifySquares(ir::MmaOp mma);

} // namespace sluice
