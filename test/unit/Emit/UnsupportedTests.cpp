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
    return Reduce{k.tile(v), k.tile(s), 0, 0, ElementOp::add};
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

// A row for each warp, as registers hold it, can be read where it lies.
TEST(UnsupportedCuda, MapOfOtherTilesInSharedMemory) {
  const auto doubled = [](int64_t rows, Layout layout) {
    return withStatement([=](ProgramBuilder &k) {
      const View in = k.tile(k.shared("w", DType::f32, rows, 256, layout, 1, 1));
      const View out = k.tile(k.registers("y", DType::f32, rows, 256, Layout::blocked, "r"));
      const ElementFn twice{
          1,
          false,
          {{ElementOp::argument, DType::f32, {}, 0, 0}, {ElementOp::add, DType::f32, {0, 0}, 0, 0}},
          {1}};
      return Map{{out}, {in}, twice};
    });
  };
  EXPECT_TRUE(emitCuda(doubled(4, Layout::panels)));
  for (const auto &[rows, layout] : {std::pair(4, Layout::row), {8, Layout::panels}})
    refuses(doubled(rows, layout),
            "map reads w in shared memory, where it has panels of 256 columns "
            "and a row for each warp; copy it into registers first");
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

Wgmma product(ProgramBuilder &k, DType left, DType right, DType sums, int bMinor) {
  int a = k.shared("a", left, 64, 64, Layout::sw64, 1, 1);
  int b = k.shared("b", right, 64, 64, Layout::sw64, bMinor, 1);
  int d = k.registers("d", sums, 64, 64, Layout::acc, "r");
  return {k.tile(d), k.tile(a), k.tile(b), {kNone, 0}};
}
Wgmma product(ProgramBuilder &k, DType type, DType sums, int bMinor) {
  return product(k, type, type, sums, bMinor);
}

TEST(UnsupportedCuda, ProductsThatNoInstructionHas) {
  for (DType type : {DType::e4m3, DType::e5m2, DType::tf32, DType::s8}) {
    const DType sums = type == DType::s8 ? DType::i32 : DType::f32;
    auto of = [&](DType sums, int bMinor) {
      return withStatement([=](ProgramBuilder &k) { return product(k, type, sums, bMinor); });
    };
    EXPECT_TRUE(emitCuda(of(sums, 0)));
    refuses(of(sums, 1), "must be contiguous along K; only 16-bit types are transposed");
    refuses(of(DType::f16, 0), "f16, bf16, tf32, e4m3 or e5m2 into f32 and s8 into i32");
  }
  refuses(withStatement([](ProgramBuilder &k) { return product(k, DType::s8, DType::f32, 0); }),
          "wgmma of s8 x s8 into f32");
  auto mixed = [](DType a, DType b) {
    return withStatement([=](ProgramBuilder &k) { return product(k, a, b, DType::f32, 0); });
  };
  EXPECT_TRUE(emitCuda(mixed(DType::e4m3, DType::e5m2)));
  EXPECT_TRUE(emitCuda(mixed(DType::e5m2, DType::e4m3)));
  refuses(mixed(DType::s8, DType::e4m3), "wgmma of s8 x e4m3 into f32");
  refuses(mixed(DType::f16, DType::bf16), "wgmma of f16 x bf16 into f32");
}

TEST(UnsupportedCuda, IntegersThatAreNoSums) {
  refuses(withStatement([](ProgramBuilder &k) {
            int t = k.shared("t", DType::i32, 64, 64, Layout::row, 0, 1);
            int d = k.registers("d", DType::i32, 64, 64, Layout::acc, "r");
            return Copy{k.tile(d), k.tile(t)};
          }),
          "values of i32 come into registers from shared memory by rows, not by a copy to d");
  refuses(withStatement([](ProgramBuilder &k) {
            int t = k.tensor("T", DType::f16, 2, 1, true);
            int d = k.registers("d", DType::i32, 64, 64, Layout::acc, "r");
            return Copy{k.box(t, {Index{}, Index{}}, {64, 64}), k.tile(d)};
          }),
          "a copy of i32 to f16 would convert; use map");
  refuses(withStatement([](ProgramBuilder &k) {
            int d = k.registers("d", DType::i32, 64, 64, Layout::acc, "r");
            int v = k.registers("v", DType::f32, 64, 1, Layout::rowVector, "r");
            return Reduce{k.tile(v), k.tile(d), 1, 0, ElementOp::add};
          }),
          "reduce folds floats; convert d of i32 to f32 first");
  refuses(withStatement([](ProgramBuilder &k) {
            return Fill{k.tile(k.registers("v", DType::i32, 64, 1, Layout::rowVector, "r")), 0};
          }),
          "elements of type i32 have no form here; f32, f16 and bf16 have");
}

TEST(UnsupportedCuda, SetmaxnregOnPartOfAWarpgroup) {
  Program p = gemm({.reallocate = true});
  for (Stmt &s : p.body.stmts)
    if (auto *r = std::get_if<Role>(&s.op); r && r->name == "load")
      r->warps = 1, p.warps = r->firstWarp + 1;
  refuses(p, "not made of whole warpgroups");
}

} // namespace
} // namespace sluice::test
