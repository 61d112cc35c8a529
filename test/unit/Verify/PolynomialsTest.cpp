// Scalars that are equal in every launch, and others that are not, as sums of products.
#include "Verify/Polynomials.h"

#include "Builder.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

TEST(Polynomials, AreEqualHoweverASumOfProductsIsComputed) {
  Builder b;
  const int t = b.tensor("t", DType::f32, {8, 8});
  const ValueId m = b.scalar(ScalarOp::dim, {}, 0, t), n = b.scalar(ScalarOp::dim, {}, 1, t);
  const ValueId again = b.scalar(ScalarOp::dim, {}, 1, t);
  const ValueId one = b.number(1);
  // (m + 1) * (n - 1) and n * m - m + n - 1
  const ValueId product = b.scalar(
      ScalarOp::mul, {b.scalar(ScalarOp::add, {m, one}), b.scalar(ScalarOp::sub, {n, one})});
  const ValueId sum = b.scalar(ScalarOp::sub, {b.scalar(ScalarOp::mul, {again, m}), m});
  const ValueId written = b.scalar(ScalarOp::add, {sum, n});
  const Polynomials of(b.program);
  EXPECT_EQ(of.of(product), of.of(Index{written, -1}));
  EXPECT_NE(of.of(product), of.of(written));
  EXPECT_NE(of.of(m), of.of(n));
}

TEST(Polynomials, TakeWhatIsNoSumOrProductForAFactor) {
  Builder b;
  const int t = b.tensor("t", DType::f32, {8, 8});
  const ValueId m = b.scalar(ScalarOp::dim, {}, 0, t), n = b.scalar(ScalarOp::dim, {}, 1, t);
  const auto tiles = [&](ValueId of, int64_t size) {
    return b.scalar(ScalarOp::ceilDiv, {of, b.number(size)});
  };
  const ValueId first = b.scalar(ScalarOp::mul, {tiles(m, 64), tiles(n, 32)});
  const ValueId second = b.scalar(ScalarOp::mul, {tiles(n, 32), tiles(m, 64)});
  const ValueId other = b.scalar(ScalarOp::mul, {tiles(n, 64), tiles(m, 64)});
  const Polynomials of(b.program);
  EXPECT_EQ(of.of(first), of.of(second));
  EXPECT_NE(of.of(first), of.of(other));
}

} // namespace
} // namespace sluice::test
