// R42, R43, R44: tensor memory.
#include "TensorMemory.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

std::string verdict(const TensorMemoryOptions &o) {
  return rule(tensorMemory(o).check());
}

TEST(TensorMemoryRules, R42_AcceptsAnAllocationThatAllKnow) {
  EXPECT_EQ(verdict({}), "proven");
  EXPECT_EQ(verdict({.stages = 3, .trips = 1}), "proven");
  EXPECT_EQ(verdict({.columns = 512, .freed = 512}), "proven");
}

TEST(TensorMemoryRules, R42_RefusesColumnsThatAreNoPowerOfTwo) {
  EXPECT_EQ(verdict({.columns = 192, .freed = 192}), "R42");
}

TEST(TensorMemoryRules, R42_RefusesATileBehindTheColumns) {
  EXPECT_EQ(verdict({.columns = 64, .freed = 64}), "R42");
}

TEST(TensorMemoryRules, R42_RefusesUseWithoutTheAddress) {
  EXPECT_EQ(verdict({.address = false}), "R42");
}

TEST(TensorMemoryRules, R42_RefusesAnAddressThatIsReadTooEarly) {
  EXPECT_EQ(verdict({.meet = false}), "R21"); // nobody has written it then
}

TEST(TensorMemoryRules, R42_RefusesOtherColumnsThanWereAllocated) {
  EXPECT_EQ(verdict({.freed = 256}), "R42");
}

TEST(TensorMemoryRules, R42_RefusesAnEndWithTensorMemoryAllocated) {
  EXPECT_EQ(verdict({.free = false}), "R42");
}

TEST(TensorMemoryRules, R42_RefusesToFreeWhatIsStillRead) {
  EXPECT_EQ(verdict({.freeFence = false}), "R42");
  EXPECT_EQ(verdict({.fenceBefore = false}), "R42");
}

TEST(TensorMemoryRules, R22_RefusesASumThatIsReadBeforeItsProductsHaveEnded) {
  EXPECT_EQ(verdict({.waitDone = false}), "R21"); // nobody has written it then
}

TEST(TensorMemoryRules, R22_RefusesRegistersBeforeTheirLoadsHaveEnded) {
  EXPECT_EQ(verdict({.waitLoads = false}), "R22");
}

TEST(TensorMemoryRules, R4_RefusesASlotThatProductsMayStillRead) {
  EXPECT_EQ(verdict({.commit = false, .tail = false}), "R4");
}

TEST(TensorMemoryRules, R10_RefusesCommitsThatNobodyWaitsFor) {
  EXPECT_EQ(verdict({.tail = false}), "R10");
}

TEST(TensorMemoryRules, R2_RefusesCommitsToBarriersWhoseInitialisationIsNotFenced) {
  EXPECT_EQ(verdict({.initFence = false}), "R2");
}

TEST(TensorMemoryRules, R43_AcceptsTheShapesOfTheInstructions) {
  EXPECT_EQ(text(tensorMemory({}).structure()), "none");
}

std::string allOf(Builder &b) {
  std::string said;
  for (const Violation &v : b.structure())
    said += v.rule + ": " + v.message + "\n";
  return said;
}

/// What the rules that need no run say of operands and sums of these types.
std::string ofTypes(DType a, DType b, DType d) {
  Builder x = tensorMemory({});
  x.program.tensors[0].type = a;
  x.program.tensors[1].type = b;
  for (Buffer &buffer : x.program.buffers)
    if (buffer.name == "a" || buffer.name == "b")
      buffer.type = buffer.name == "a" ? a : b;
    else if (buffer.space == Space::tmem)
      buffer.type = d;
  return allOf(x);
}

bool says(const std::string &all, const std::string &what) {
  return all.find(what) != std::string::npos;
}

TEST(TensorMemoryRules, R43_RefusesTypesThatNoInstructionMultiplies) {
  EXPECT_FALSE(says(ofTypes(DType::f16, DType::f16, DType::f32), "no product of"));
  EXPECT_FALSE(says(ofTypes(DType::e4m3, DType::e5m2, DType::f32), "no product of"));
  EXPECT_FALSE(says(ofTypes(DType::s8, DType::s8, DType::i32), "no product of"));
  for (const auto &[a, b, d] : {std::tuple(DType::bf16, DType::f16, DType::f32),
                                {DType::f16, DType::f16, DType::i32},
                                {DType::s8, DType::s8, DType::f32},
                                {DType::f32, DType::f32, DType::f32}})
    EXPECT_TRUE(says(ofTypes(a, b, d), "no product of")) << ofTypes(a, b, d);
}

TEST(TensorMemoryRules, R43_RefusesOperandsOf32BitsThatAreNotAlongK) {
  const std::string wrong = "contiguous along K; only types of 8 and 16 bits may be transposed";
  const std::string said = ofTypes(DType::tf32, DType::tf32, DType::f32);
  EXPECT_TRUE(says(said, "tf32 operands are " + wrong)) << said;
  EXPECT_FALSE(says(ofTypes(DType::e4m3, DType::e4m3, DType::f32), wrong));
}

TEST(TensorMemoryRules, R43_RefusesRowsThatNoInstructionHas) {
  Builder x = tensorMemory({});
  for (Stmt &s : x.program.body.stmts)
    if (auto *role = std::get_if<Role>(&s.op); role && role->name == "mma")
      for (Stmt &inner : role->body.stmts)
        if (auto *loop = std::get_if<For>(&inner.op))
          for (Stmt &t : loop->body.stmts)
            if (auto *product = std::get_if<Tcgen05Mma>(&t.op))
              product->d.shape[0] = product->a.shape[0] = 96;
  const std::string said = allOf(x);
  EXPECT_TRUE(says(said, "D is 96 x 128; it has 128 rows and columns in 16 up to 256, or 64 rows "
                         "and columns in 8"))
      << said;
}

TEST(TensorMemoryRules, R43_RefusesLanesOfOtherWarps) {
  EXPECT_EQ(text(tensorMemory({.epilogueWarp = 1}).structure()).substr(0, 3), "R43");
}

TEST(TensorMemoryRules, R44_AcceptsFencesOnBothSides) {
  EXPECT_EQ(verdict({.stages = 1}), "proven");
}

TEST(TensorMemoryRules, R44_RefusesALoadWithoutTheFenceBehindTheWait) {
  EXPECT_EQ(text(tensorMemory({.fenceAfter = false}).check()).substr(0, 5), "R44: ");
}

} // namespace
} // namespace sluice::test
