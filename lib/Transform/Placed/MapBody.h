// Ascend, placed level: what the lowering asks of the body of a map: which values are numbers that
// are known before it, and which elements a condition names.
#pragma once

#include "Transform/Placed/VectorInstructions.h"

#include <optional>

namespace sluice {

/// Which elements a condition names: those whose column, or row, is below a limit; with `slopes`
/// the limit of row r is r more.
struct Below {
  int axis = 1;
  bool slopes = false;
  mlir::Value limit; // in front of the map
};

class MapBody {
public:
  explicit MapBody(ir::MapOp map) : map_(map), block_(map.getBody().front()), b_(map) {}

  /// Known before the map is: built from constants and what comes from outside.
  bool isUniform(mlir::Value v) const;
  bool isUniformFloat(mlir::Value v) const;
  /// The same value in another body.
  mlir::Value copied(mlir::OpBuilder &b, mlir::Value v) const;
  /// The condition, or its opposite; none: it is another kind of condition.
  std::optional<Below> below(mlir::Value condition, bool opposite);
  /// What an index is behind the element's column: a value in front of the map, null for 0; none:
  /// it is another kind of index.
  std::optional<mlir::Value> behindColumn(mlir::Value index);

private:
  /// An index as a column + b row + rest, of one map.
  struct Affine {
    int64_t column = 0, row = 0;
    mlir::Value rest; // in front of the map; null: 0
  };
  template <typename Op> mlir::Value combined(mlir::Value x, mlir::Value y);
  std::optional<Affine> affine(mlir::Value v);

  ir::MapOp map_;
  mlir::Block &block_;
  mlir::OpBuilder b_;
};

/// None: it is no constant of a float type.
std::optional<double> constantFloat(mlir::Value v);

} // namespace sluice
