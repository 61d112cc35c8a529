// The operations of the layout algebra, after NVIDIA's "CuTe Layout Algebra" (the CUTLASS
// documentation): composition, complement, division, product, inverses. What has no layout as its
// result, or none that is the same function, is an Error that says why.
#pragma once

#include "Layout/ShapeStride.h"
#include "Support/Result.h"

namespace sluice {

/// R(c) = outer(inner(c)), of inner's shape or one that refines it.
Result<ShapeStride> composition(const ShapeStride &outer, const ShapeStride &inner);

/// What reaches the offsets between those of `layout`: with it, each offset below
/// `total` once, and what lies beyond only as far as the last repetition does.
Result<ShapeStride> complement(const ShapeStride &layout, int64_t total);

/// (tile, rest): the elements of `layout` that `tiler` picks, and how they repeat.
Result<ShapeStride> logicalDivide(const ShapeStride &layout, const ShapeStride &tiler);
/// Mode by mode; modes beyond the tilers stay.
Result<ShapeStride> logicalDivide(const ShapeStride &layout,
                                  const std::vector<ShapeStride> &tilers);
/// The same as ((tiles), (rests and what stays)).
Result<ShapeStride> zippedDivide(const ShapeStride &layout, const std::vector<ShapeStride> &tilers);

/// (block, grid): `block` at each place of `grid`, counted in blocks.
Result<ShapeStride> logicalProduct(const ShapeStride &block, const ShapeStride &grid);
Result<ShapeStride> logicalProduct(const ShapeStride &block, const std::vector<ShapeStride> &grids);
Result<ShapeStride> zippedProduct(const ShapeStride &block, const std::vector<ShapeStride> &grids);

/// The largest R from 0 on with layout(R(i)) = i.
ShapeStride rightInverse(const ShapeStride &layout);
/// R with R(layout(i)) = i; of layouts that reach no offset twice.
Result<ShapeStride> leftInverse(const ShapeStride &layout);

} // namespace sluice
