// What cannot be printed is refused with the reason and the place of the statement.
#include "Emit/Emit.h"
#include "Emit/Kernels.h"
#include "Emit/ProgramBuilder.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

void refuses(const Program &program, const std::string &reason) {
  auto source = emitCuda(program);
  ASSERT_FALSE(source) << source->text;
  EXPECT_EQ(source.error().kind, Error::unsupported);
  EXPECT_NE(source.error().message.find(reason), std::string::npos) << source.error().message;
}

/// A role "r" of four warps with one statement in it.
template <typename Build> Program withStatement(Build build) {
  ProgramBuilder k("k", 4);
  Operation op = build(k);
  k.role("r", 0, 4, 0, [&] { k.add(std::move(op)); });
  auto &role = std::get<Role>(k.program.body.stmts.back().op);
  role.body.stmts.back().loc = {"kernel.mlir", 7, 3};
  return std::move(k.program);
}

TEST(UnsupportedCuda, OtherTargets) {
  Program p = gemm({});
  p.target = Target::ascend910b;
  refuses(p, "target ascend910b has no CUDA printer");
}

TEST(UnsupportedCuda, PlaceOfTheStatementIsTold) {
  Program p = withStatement([](ProgramBuilder &k) {
    int s = k.registers("s", DType::f32, 64, 64, Layout::acc, "r");
    int v = k.registers("v", DType::f32, 1, 64, Layout::colVector, "r");
    return Reduce{k.tile(v), k.tile(s), 0, 0, binary(ElementOp::add)};
  });
  refuses(p, "a fold over rows crosses warps");
  EXPECT_EQ(emitCuda(p).error().location.str(), "kernel.mlir:7:3");
}

TEST(UnsupportedCuda, RegistersWithARunTimeSlot) {
  refuses(withStatement([](ProgramBuilder &k) {
            int s = k.registers("s", DType::f32, 64, 64, Layout::acc, "r", 2);
            View v = k.tile(s);
            v.slot = {k.scalar(ScalarOp::warpInRole, {})};
            return Fill{v, 0};
          }),
          "registers have no run-time index");
}

TEST(UnsupportedCuda, RowsThatDoNotFillTheWarpgroups) {
  refuses(withStatement([](ProgramBuilder &k) {
            return Fill{k.tile(k.registers("s", DType::f32, 96, 64, Layout::acc, "r")), 0};
          }),
          "rows must be a multiple of 64 per warpgroup");
}

TEST(UnsupportedCuda, WgmmaOperandWithoutSwizzle) {
  refuses(withStatement([](ProgramBuilder &k) {
            int a = k.shared("a", DType::f16, 64, 64, Layout::row, 1, 1);
            int d = k.registers("d", DType::f32, 64, 64, Layout::acc, "r");
            return Wgmma{k.tile(d), k.tile(a), k.tile(a), {kNone, 0}};
          }),
          "swizzled by 32, 64 or 128 bytes, not row");
}

TEST(UnsupportedCuda, CopyEngineOnAnUnalignedTensor) {
  refuses(gemm({.align = 8}), "copy by threads instead");
}

TEST(UnsupportedCuda, TransposingTensorCopy) {
  Program p = gemm({});
  p.tensors[0].minor = 0;
  refuses(p, "the copy engine does not transpose");
}

// R15 decides where boxes end; the printer does not cut a taller one in two.
TEST(UnsupportedCuda, BoxesOfMoreThan256Rows) {
  auto load = [](int64_t rows) {
    return withStatement([rows](ProgramBuilder &k) {
      int t = k.tensor("A", DType::f16, 2, 1, false);
      int a = k.shared("a", DType::f16, rows, 64, Layout::sw128, 1, 1);
      int full = k.barriers("full", 1);
      return TmaLoad{k.tile(a), k.box(t, {Index{}, Index{}}, {rows, 64}), {full, {}, {}}};
    });
  };
  EXPECT_TRUE(emitCuda(load(256)));
  refuses(load(264), "at most 256 elements along each side");
}

TEST(UnsupportedCuda, TypesWithoutArithmetic) {
  refuses(withStatement([](ProgramBuilder &k) {
            return Fill{k.tile(k.registers("s", DType::e4m3, 64, 64, Layout::acc, "r")), 0};
          }),
          "elements of type e4m3 have no form here");
}

TEST(UnsupportedCuda, SetmaxnregOnPartOfAWarpgroup) {
  Program p = gemm({.reallocate = true});
  for (Stmt &s : p.body.stmts)
    if (auto *r = std::get_if<Role>(&s.op); r && r->name == "load")
      r->warps = 1;
  refuses(p, "not made of whole warpgroups");
}

} // namespace
} // namespace sluice::test
