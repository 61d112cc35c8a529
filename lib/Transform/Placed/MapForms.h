// Ascend, placed level: for which maps the vector cores have instructions, and what is known of the
// values of their bodies before these are made.
#pragma once

#include "Transform/Placed/MapBody.h"

#include <map>
#include <vector>

namespace sluice {

using Shape = std::pair<int64_t, int64_t>; // rows and columns of a tile
Shape shapeOf(mlir::Value tile);

/// x / y and so on: an instruction of two tiles.
bool isOfTwo(mlir::Operation *op);
/// An instruction of a tile and a number.
bool takesNumber(mlir::Operation *op);
bool isOfOne(mlir::Operation *op);
bool isConversion(mlir::Operation *op);

/// select of a value or a constant by the place of the element.
struct Filling {
  mlir::Value kept;
  double value;
  std::vector<Below> where;
};

class MapForms : public MapBody {
public:
  explicit MapForms(ir::MapOp map) : MapBody(map), map_(map), block_(map.getBody().front()) {}

  /// Whether there are instructions for all of it.
  bool isPossible();

  llvm::DenseMap<mlir::Value, Shape> shapes; // of values that differ from element to element
  std::map<mlir::Operation *, Filling> fillings;
  std::map<mlir::Operation *, mlir::Value> columns; // numbers of columns, and what is added to them

private:
  bool yieldsWhatItOverwrites();
  bool isForConditions(mlir::Value v);
  bool isPossible(mlir::Operation *op);
  /// `repeated`: the most operands that have fewer rows or columns than the result.
  bool joinShapes(mlir::ValueRange operands, mlir::Value result, int repeated = 1);
  bool isTruth(mlir::Operation *op);
  bool isChoice(mlir::Operation *select);
  bool isColumnNumber(mlir::Operation *number);
  bool canSpread(mlir::Value v);
  bool isFilling(mlir::Operation *select);

  ir::MapOp map_;
  mlir::Block &block_;
};

} // namespace sluice
