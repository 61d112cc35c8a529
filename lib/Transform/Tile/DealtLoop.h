// Tile level: a loop of products whose steps several CTAs take (DealSteps, StreamSteps).
#pragma once

#include "Transform/Tiles.h"

namespace sluice {

/// An extent of a tensor in steps of so many elements.
struct Steps {
  mlir::Value tensor;
  int64_t dimension = 0, size = 0;
};

/// What the loop counts; nothing where that is something else.
std::optional<Steps> stepsOf(mlir::scf::ForOp loop);

/// Tiles that products of the loop add to.
std::vector<ir::AllocOp> accumulatorsOf(mlir::scf::ForOp loop);

/// Roles that multiply in it, each once.
std::vector<std::string> rolesOfProducts(mlir::scf::ForOp loop);

/// Loads and products alone, of which steps beyond the last add zeros, and sums that begin with
/// zero and that nothing else touches up to the loop's end. `how` it is dealt out, for a
/// diagnostic; `ctas` of them each finish equally many columns of the sums.
mlir::LogicalResult verifyDealtLoop(mlir::scf::ForOp loop, const std::string &how, int64_t ctas);

} // namespace sluice
