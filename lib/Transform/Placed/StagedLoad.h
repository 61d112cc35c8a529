// A tile that is loaded for nothing but the map that makes a result, such as the residual of a
// product: it waits in the staging buffer of the result, where the result replaces it.
#pragma once

#include "Transform/Tiles.h"

namespace sluice {

/// If the stored tile comes from such a map: TMA brings the loaded tile to `staging`, and the map
/// is computed part by part, each taken from there and put back. So is a map of several tiles
/// beside the product: whole, they leave no registers. False, and nothing changed, for others.
bool replaceInStaging(ir::StoreOp store, ir::AllocOp staging);

/// Whether the role that stores fills this pipeline, and the author asks it to take its time:
/// other loads shall not wait behind this one.
bool isLoadedBoxByBox(ir::PipelineOp pipeline);
/// Such a load, box by box: each is asked for when the one before has come, as `barriers` says.
void createPacedLoad(mlir::OpBuilder &b, ir::LoadOp load, mlir::Value barriers);

} // namespace sluice
