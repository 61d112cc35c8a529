// A warp-specialised GEMM by hand: 128 x 128 tiles, K steps of 64, two consumer warpgroups.
#pragma once

#include "Verify/Builder.h"

namespace sluice::test {

inline Builder gemm(int64_t m, int64_t n, int64_t k, int64_t stages, bool tmaStore) {
  Builder b;
  const int A = b.tensor("A", DType::f16, {m, k}), B = b.tensor("B", DType::f16, {k, n});
  const int C = b.tensor("C", DType::f16, {m, n}, true);
  const int a = b.buffer("a", Space::smem, DType::f16, {128, 64}, Layout::sw128, stages);
  const int w = b.buffer("b", Space::smem, DType::f16, {64, 128}, Layout::sw128, stages);
  const int c = b.buffer("c", Space::smem, DType::f16, {128, 128}, Layout::sw128);
  const int acc = b.buffer("acc", Space::reg, DType::f32, {128, 128}, Layout::acc, 1, "mma");
  const int full = b.barriers("full", stages), empty = b.barriers("empty", stages);
  const int64_t across = (n + 127) / 128;
  const ValueId tile = b.grid((m + 127) / 128 * across);
  const ValueId columns = b.number(across), edge = b.number(128);
  const Index row{b.scalar(ScalarOp::mul, {b.scalar(ScalarOp::divS, {tile, columns}), edge}), 0};
  const Index col{b.scalar(ScalarOp::mul, {b.scalar(ScalarOp::remS, {tile, columns}), edge}), 0};
  b.initAll({{full, 1}, {empty, 8}}, 9);
  b.role("load", 8, 1, [&] {
    b.loop((k + 63) / 64, stages, 1, [&](Index i, Index slot, Index parity) {
      const Index at{b.scalar(ScalarOp::mul, {i.value, b.number(64)}), 0};
      b.wait(empty, slot, parity, Exec::one);
      b.expect(full, slot, 2 * 128 * 64 * 2);
      b.load(b.tile(a, slot), b.box(A, {row, at}, {128, 64}), full, slot);
      b.load(b.tile(w, slot), b.box(B, {at, col}, {64, 128}), full, slot);
    });
  });
  b.role("mma", 0, 8, [&] {
    b.emit(Fill{b.tile(acc), 0});
    b.loop((k + 63) / 64, stages, 0, [&](Index, Index slot, Index parity) {
      b.wait(full, slot, parity);
      b.emit(WgmmaFence{});
      b.emit(Wgmma{b.tile(acc), b.tile(a, slot), b.tile(w, slot), constant(1)});
      b.emit(WgmmaCommit{});
      b.emit(WgmmaWait{0});
      b.arrive(empty, slot);
    });
    if (!tmaStore) {
      b.emit(Copy{b.box(C, {row, col}, {128, 128}), b.tile(acc)});
      return;
    }
    b.emit(Copy{b.tile(c), b.tile(acc)});
    b.emit(Fence{Fence::proxyAsync});
    b.sync(1, 8);
    b.emit(TmaStore{b.box(C, {row, col}, {128, 128}), b.tile(c)}, Exec::one);
    b.emit(BulkCommit{}, Exec::one);
    b.emit(BulkWait{0, true}, Exec::one);
  });
  b.place();
  return b;
}

} // namespace sluice::test
