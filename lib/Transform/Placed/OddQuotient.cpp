// Factors are least in their largest relative error (least squares, weighted anew until it is
// even); computed in f32 the error stays below 2^-21, and beyond the reach the result is 1
// (test/unit/Transform/OddQuotientTest.cpp).
#include "Transform/Placed/OddQuotient.h"

#include "mlir/Dialect/Math/IR/Math.h"

namespace sluice {

const OddQuotient *oddQuotientOf(mlir::Operation *function) {
  static const OddQuotient tanh{
      9,
      {0.999999979, 0.133810136, 0.00349557379, 2.06088485e-05, 1.33543468e-08},
      {1, 0.467143292, 0.0258769277, 0.000328561142, 7.77642728e-07}};
  static const OddQuotient erf{
      4,
      {1.12837914, 0.193545009, 0.0531016866, 0.00388332523, 0.000284562938, 1.98675199e-06},
      {1, 0.504857354, 0.115349931, 0.0152072181, 0.00118556165, 3.74196989e-05}};
  return mlir::isa<mlir::math::TanhOp>(function)  ? &tanh
         : mlir::isa<mlir::math::ErfOp>(function) ? &erf
                                                  : nullptr;
}

} // namespace sluice
