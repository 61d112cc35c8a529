// tanh and erf of the vector cores, step by step in f32, against float64.
#include "Transform/Placed/OddQuotient.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <cmath>
#include <gtest/gtest.h>

namespace sluice {
namespace {

float polynomial(llvm::ArrayRef<double> factors, float t) {
  float sum = float(factors.back()) * t;
  for (const double factor : llvm::reverse(factors.drop_front().drop_back()))
    sum = (sum + float(factor)) * t;
  return sum + float(factors.front());
}
float valueOf(const OddQuotient &f, float x) {
  const float c = std::max(std::min(x, float(f.reach)), -float(f.reach)), t = c * c;
  return polynomial(f.above, t) * c / polynomial(f.below, t);
}

template <typename Op> OddQuotient quotientOf() {
  mlir::MLIRContext context;
  context.loadDialect<mlir::arith::ArithDialect, mlir::math::MathDialect>();
  mlir::OpBuilder b(&context);
  auto loc = b.getUnknownLoc();
  mlir::OwningOpRef<mlir::arith::ConstantOp> x =
      mlir::arith::ConstantOp::create(b, loc, b.getF32FloatAttr(1));
  mlir::OwningOpRef<Op> op = Op::create(b, loc, *x);
  const OddQuotient found = *oddQuotientOf(*op);
  op = {};
  return found;
}

/// The largest relative error between -reach and reach and beyond, and near 0.
double errorOf(const OddQuotient &f, double (*exact)(double)) {
  double most = 0;
  const auto at = [&](float x) {
    const double right = exact(x);
    most = std::max(most, std::fabs((double(valueOf(f, x)) - right) / right));
  };
  for (int i = 1; i <= 1000000; ++i)
    at(float(i) * 1.5e-5F), at(-float(i) * 1.5e-5F);
  for (float x = 1e-30F; x < 1; x *= 1.01F)
    at(x);
  return most;
}

TEST(OddQuotient, TanhIsAsExactAsSaid) {
  const OddQuotient tanh = quotientOf<mlir::math::TanhOp>();
  EXPECT_LT(errorOf(tanh, std::tanh), std::ldexp(1, -21));
  EXPECT_EQ(valueOf(tanh, 1e30F), 1);
}

TEST(OddQuotient, ErfIsAsExactAsSaid) {
  const OddQuotient erf = quotientOf<mlir::math::ErfOp>();
  EXPECT_LT(errorOf(erf, std::erf), std::ldexp(1, -21));
  EXPECT_EQ(valueOf(erf, -INFINITY), -1);
}

} // namespace
} // namespace sluice
