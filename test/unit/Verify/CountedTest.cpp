// Comparisons of unknowns with what loops count up: what is proven for every trip count holds at
// launches, whatever iterations, counters and bounds are compared.
#include "Builder.h"

#include <gtest/gtest.h>

#include <random>

namespace sluice::test {
namespace {

/// One warp goes round random loops over two extents, and breaks a rule where random comparisons
/// hold.
class RandomProgram {
public:
  explicit RandomProgram(uint64_t seed) : random_(seed) {
    const int a = b_.tensor("A", DType::f16, {1, 1});
    b_.grid(1);
    barrier_ = b_.barriers("b", 1);
    b_.initAll({{barrier_, 1}}, 1);
    for (const int64_t dimension : {0, 1})
      extents_.push_back(b_.scalar(ScalarOp::dim, {}, dimension, a));
    block(0);
    b_.place();
  }

  Verdict prove(int64_t extent) {
    return sluice::prove(b_.program, defaultArch(Target::sm_90a), launch(extent, extent));
  }
  Verdict check(int64_t rows, int64_t columns) {
    return sluice::check(b_.program, defaultArch(Target::sm_90a), launch(rows, columns));
  }

private:
  int64_t upTo(int64_t n) { return std::uniform_int_distribution<int64_t>(0, n)(random_); }
  ValueId any(const std::vector<ValueId> &of) {
    return of[upTo(static_cast<int64_t>(of.size()) - 1)];
  }
  ValueId with(ScalarOp op, ValueId v, int64_t constant) {
    return b_.scalar(op, {v, b_.number(constant)});
  }

  Launch launch(int64_t rows, int64_t columns) {
    Launch l = b_.launch;
    l.tensors[0].extents = {rows, columns};
    l.tensors[0].strides = {std::max<int64_t>((columns + 7) / 8 * 8, 8), 1};
    return l;
  }

  ValueId unknown() {
    const ValueId extent = any(extents_);
    switch (upTo(9)) {
    case 0:
      return with(ScalarOp::add, extent, 1 + upTo(30));
    case 1:
      return with(ScalarOp::ceilDiv, with(ScalarOp::add, extent, upTo(40)), 2 + upTo(3));
    case 2:
      return with(ScalarOp::minS, extent, 1 + upTo(20));
    case 3:
      return with(ScalarOp::maxS, extent, 1 + upTo(20));
    case 4:
      return with(ScalarOp::sub, extent, 1 + upTo(5));
    case 5:
      return with(ScalarOp::remS, extent, 2 + upTo(5));
    case 6:
      return b_.scalar(ScalarOp::minS, {extents_[0], extents_[1]});
    case 7:
      return with(ScalarOp::ceilDiv, with(ScalarOp::minS, extent, 1 + upTo(20)), 2 + upTo(2));
    default:
      return extent;
    }
  }

  ValueId count() {
    const ValueId v = any(counts_);
    switch (upTo(6)) {
    case 0:
      return with(ScalarOp::add, v, 1 + upTo(5));
    case 1:
      return with(ScalarOp::mul, v, 2 + upTo(3));
    case 2:
      return b_.scalar(ScalarOp::add, {v, any(counts_)});
    case 3:
      return with(ScalarOp::divS, v, 2);
    default:
      return v;
    }
  }

  /// Of a loop; some become shorter with a loop around.
  ValueId bound() {
    if (counts_.empty() || upTo(4))
      return unknown();
    const ValueId rest = b_.scalar(ScalarOp::sub, {any(extents_), any(counts_)});
    switch (upTo(4)) {
    case 0:
      return with(ScalarOp::ceilDiv, rest, 2 + upTo(3));
    case 3:
      return with(ScalarOp::divS, rest, 2 + upTo(3));
    case 1:
      return with(ScalarOp::minS, rest, 1 + upTo(20));
    case 2:
      return b_.scalar(ScalarOp::minS, {any(extents_), count()});
    default:
      return rest;
    }
  }

  ValueId comparison() {
    const ScalarOp op = std::array{ScalarOp::lt, ScalarOp::gt, ScalarOp::ge, ScalarOp::eq}[upTo(3)];
    const ValueId left = counts_.empty() || upTo(3) == 0 ? any(extents_) : count();
    return b_.scalar(op, {left, upTo(2) ? unknown() : b_.number(upTo(40))});
  }

  void slip(int64_t conditions) {
    b_.when(comparison(), [&] {
      if (conditions > 1)
        slip(conditions - 1);
      else
        b_.expect(barrier_, constant(0), 64);
    });
  }

  void block(int depth) {
    for (int64_t statements = 1 + upTo(1 + (depth == 0)); statements > 0; --statements) {
      const int64_t kind = upTo(9);
      if (kind < 5 && depth < 3)
        b_.count(bound(), b_.number(upTo(3)), [&](ValueId i, ValueId number) {
          counts_.push_back(i);
          counts_.push_back(number);
          if (upTo(1))
            b_.sync(0, 1);
          block(depth + 1);
          counts_.resize(counts_.size() - 2);
        });
      else if (kind < 8)
        slip(1 + upTo(2));
      else
        b_.sync(0, 1);
    }
  }

  std::mt19937_64 random_;
  Builder b_;
  int barrier_;
  std::vector<ValueId> extents_, counts_;
};

void expectProvenHolds(uint64_t firstSeed, int count) {
  int proven = 0, violated = 0;
  for (uint64_t seed = firstSeed; seed < firstSeed + count; ++seed) {
    RandomProgram program(seed);
    const Verdict verdict = program.prove(2);
    violated += verdict.kind == Verdict::violated;
    if (!verdict.provenForEveryLaunch())
      continue;
    ++proven;
    for (const int64_t rows : {0, 1, 2, 7, 22, 43})
      for (const int64_t columns : {0, 1, 3, 11, 37})
        ASSERT_EQ(text(program.check(rows, columns)), "proven")
            << "seed " << seed << " at " << rows << "x" << columns;
  }
  EXPECT_GE(proven, count / 10);
  EXPECT_GE(violated, count / 4);
  testing::Test::RecordProperty("proven", proven);
  testing::Test::RecordProperty("violated", violated);
}

TEST(Counted, WhatIsProvenHolds) {
  expectProvenHolds(1, 150);
}

TEST(Counted, WhatIsProvenHoldsSlow) {
  expectProvenHolds(100'000, 4000);
}

} // namespace
} // namespace sluice::test
