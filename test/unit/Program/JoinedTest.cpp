// Two dimensions of a kernel's tensor that a launch passes as one.
#include "Program/Joined.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

/// Rows of 4096 columns, in eight parts.
Tensor rowsInParts() {
  Tensor tensor{"X", DType::bf16, 3, 2, 16, true, false, {}, {-1, 8, 512}};
  tensor.joined = 1;
  return tensor;
}

TEST(Joined, IsPassedAsOneDimension) {
  const Tensor whole = passed(rowsInParts());
  EXPECT_EQ(whole.rank, 2);
  EXPECT_EQ(whole.minor, 1);
  EXPECT_EQ(whole.extents, (std::vector<int64_t>{-1, 4096}));
  EXPECT_EQ(whole.joined, -1);
}

TEST(Joined, StridesFollowFromThatOfTheWhole) {
  const Launch::Shape whole{{5, 4096}, {4104, 1}};
  const Launch::Shape inParts = seen(rowsInParts(), whole);
  EXPECT_EQ(inParts.extents, (std::vector<int64_t>{5, 8, 512}));
  EXPECT_EQ(inParts.strides, (std::vector<int64_t>{4104, 512, 1}));
  EXPECT_EQ(passed(rowsInParts(), inParts).extents, whole.extents);
  EXPECT_EQ(passed(rowsInParts(), inParts).strides, whole.strides);
  const Launch::Shape other{{5, 4000}, {4000, 1}}; // stays as it is: who checks says why
  EXPECT_EQ(seen(rowsInParts(), other).extents, other.extents);
}

TEST(Joined, LastPartsMayBeShort) {
  Tensor tensor = rowsInParts();
  tensor.joinedExtent = 3500; // six parts of 512, and one of 428
  EXPECT_EQ(passed(tensor).extents, (std::vector<int64_t>{-1, 3500}));
  EXPECT_EQ(passed(tensor).joinedExtent, 0);
  const Launch::Shape whole{{5, 3500}, {3501, 1}};
  const Launch::Shape inParts = seen(tensor, whole);
  EXPECT_EQ(inParts.extents, (std::vector<int64_t>{5, 8, 512}));
  EXPECT_EQ(inParts.strides, (std::vector<int64_t>{3501, 512, 1}));
  EXPECT_EQ(passed(tensor, inParts).extents, whole.extents);
  EXPECT_EQ(elementsTogether(tensor, inParts), 3500);
  EXPECT_EQ(elementsOfPart(3500, 512, 5), 512);
  EXPECT_EQ(elementsOfPart(3500, 512, 6), 428);
  EXPECT_EQ(elementsOfPart(3500, 512, 7), 0);
  const Launch::Shape other{{5, 4096}, {4096, 1}};
  EXPECT_EQ(seen(tensor, other).extents, other.extents);
}

TEST(Joined, AlongAnotherDimensionThanTheContiguousOne) {
  Tensor tensor{"X", DType::f32, 3, 2, 4, true, false, {}, {4, 3, 10}};
  tensor.joined = 0;
  EXPECT_EQ(passed(tensor).minor, 1);
  const Launch::Shape inParts = seen(tensor, {{12, 10}, {16, 1}});
  EXPECT_EQ(inParts.extents, (std::vector<int64_t>{4, 3, 10}));
  EXPECT_EQ(inParts.strides, (std::vector<int64_t>{48, 16, 1}));
}

TEST(Joined, ExtentsOfPartsAreNumbers) {
  const std::vector<Tensor> tensors = {rowsInParts()};
  const auto of = [&](int64_t d) { return passed(tensors, {ScalarOp::dim, 7, {}, d, 0}); };
  EXPECT_EQ(of(0).op, ScalarOp::dim);
  EXPECT_EQ(of(0).imm, 0);
  EXPECT_EQ(of(1).op, ScalarOp::constant);
  EXPECT_EQ(of(1).imm, 8);
  EXPECT_EQ(of(2).imm, 512);
  EXPECT_EQ(of(2).result, 7);
}

Tensor lines() {
  Tensor tensor{"X", DType::f16, 2, 1, 16, true, false, {}, {-1, 1024}};
  tensor.isLine = true;
  return tensor;
}

TEST(Lines, AreOneDimensionOfWhatIsGiven) {
  EXPECT_EQ(passed(lines()).rank, 1);
  EXPECT_EQ(passed(lines()).extents, (std::vector<int64_t>{-1}));
  EXPECT_TRUE(passed(lines()).isLine);
  const Launch::Shape rows{{5, 7, 100}, {700, 100, 1}};
  const Launch::Shape inLines = seen(lines(), rows);
  EXPECT_EQ(inLines.extents, (std::vector<int64_t>{4, 1024}));
  EXPECT_EQ(inLines.strides, (std::vector<int64_t>{1024, 1}));
  EXPECT_EQ(elementsTogether(lines(), inLines), 3500);
  EXPECT_EQ(passed(lines(), inLines).extents, (std::vector<int64_t>{3500}));
  EXPECT_EQ(passed(lines(), inLines).strides, (std::vector<int64_t>{1}));
  EXPECT_EQ(given(lines(), inLines).extents, rows.extents);
  EXPECT_EQ(given(lines(), inLines).strides, rows.strides);
}

TEST(Lines, AreOfDenseTensorsAlone) {
  EXPECT_TRUE(seen(lines(), {{5, 100}, {104, 1}}).given.empty());
  EXPECT_TRUE(seen(lines(), {{5, 100}, {1, 5}}).given.empty());
  EXPECT_EQ(seen(lines(), {{5, 1, 100}, {100, 7, 1}}).extents[0], 1); // nothing goes by the 7
  EXPECT_EQ(seen(lines(), {{0, 100}, {104, 1}}).extents[0], 0);
}

TEST(Lines, AreAsManyAsTheElementsTake) {
  const std::vector<Tensor> tensors = {lines()};
  const std::vector<Scalar> blocks = {
      {ScalarOp::constant, 0, {}, 8}, {ScalarOp::dim, 1, {}, 0, 0}, {ScalarOp::ceilDiv, 2, {1, 0}}};
  std::vector<ValueId> values;
  const std::vector<Scalar> all = passed(tensors, blocks, values);
  ASSERT_EQ(all.size(), 5u); // 8, 1024, the elements, their lines, the blocks
  EXPECT_EQ(all[2].op, ScalarOp::dim);
  EXPECT_EQ(all[3].operands, (std::vector<ValueId>{2, 1}));
  EXPECT_EQ(all[4].operands, (std::vector<ValueId>{3, 0}));
  EXPECT_EQ(values, (std::vector<ValueId>{0, 3, 4}));
  EXPECT_EQ(passed(tensors, {ScalarOp::dim, 7, {}, 1, 0}).imm, 1024);
}

} // namespace
} // namespace sluice
