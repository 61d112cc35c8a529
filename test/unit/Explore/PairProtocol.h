// A small protocol of a pair of CTAs, correct unless asked otherwise: each loads its tiles for the
// barrier of the first, which multiplies for both; four warps of each take the sums out.
#pragma once

#include "RandomProtocol.h"

namespace sluice::test {

struct PairProtocol {
  int64_t sums = 1;     // slots in tensor memory
  int64_t tiles = 2;    // one after the other
  bool half = false;    // 64 rows in each CTA, the halves of the columns one below the other
  bool shifted = false; // A goes to tensor memory, and its rows move in front of a second product

  Builder build() const {
    Builder b;
    b.program.target = Target::sm_100a;
    b.program.cluster[0] = 2;
    const int A = b.tensor("A", DType::bf16, {256, 16}), B = b.tensor("B", DType::bf16, {16, 32});
    const int C = b.tensor("C", DType::f32, {256 * tiles, 32}, true);
    const int64_t rows = half ? 64 : 128, columns = half ? 16 : 32; // of A; of D in a lane
    const int a = b.buffer("a", Space::smem, DType::bf16, {rows, 16}, Layout::sw32);
    const int w = b.buffer("b", Space::smem, DType::bf16, {16, 16}, Layout::sw32);
    b.buffer("room", Space::smem, DType::f32, {1024, 32}, Layout::row); // for one CTA an SM
    const int address = b.buffer("address", Space::smem, DType::i32, {1, 1}, Layout::row, 1);
    const int d = b.buffer("d", Space::tmem, DType::f32, {128, columns}, Layout::row, sums);
    b.program.buffers[d].slotBytes = columns * 4;
    const int moved =
        shifted ? b.buffer("moved", Space::tmem, DType::bf16, {128, 16}, Layout::row, 1) : a;
    if (shifted)
      b.program.buffers[moved].slotBytes = 16 * 2,
      b.program.buffers[moved].offset = sums * columns * 4;
    const int x = b.buffer("x", Space::reg, DType::f32, {128, columns}, Layout::row, 1, "take");
    const int full = b.barriers("full", 1), done = b.barriers("done", sums),
              taken = b.barriers("taken", sums);
    b.grid(2);
    const ValueId rank = b.scalar(ScalarOp::clusterRank), zero = b.number(0);
    const ValueId row = b.scalar(ScalarOp::mul, {rank, b.number(128)});
    const ValueId column = b.scalar(ScalarOp::mul, {rank, b.number(16)});
    const ValueId leads = b.scalar(ScalarOp::eq, {rank, zero});
    const MbarrierRef there = Builder::peer(full, constant(0), {zero});
    b.program.warps = 5;
    b.role("start", 4, 1, [&] {
      b.init(full, 2), b.init(done, 1), b.init(taken, 8);
      b.emit(Fence{Fence::mbarrierInit}, Exec::one);
      b.emit(TmemAlloc{allocated(), b.tile(address), true});
      b.emit(TmemRelinquish{true});
    });
    b.emit(ClusterBarrier{ClusterBarrier::sync});
    b.emit(TmemAddress{b.tile(address)});
    b.role("multiply", 4, 1, [&] {
      b.emit(MbarrierArriveExpectTx{there, constant((rows + 16) * 16 * 2)}, Exec::one);
      b.emit(TmaLoad{b.tile(a), b.box(A, {{row, 0}, constant(0)}, {rows, 16}), there}, Exec::one);
      b.emit(TmaLoad{b.tile(w), b.box(B, {constant(0), {column, 0}}, {16, 16}), there}, Exec::one);
      b.when(leads, [&] {
        b.wait(full, constant(0), constant(0));
        for (int64_t tile = 0; tile < tiles; ++tile)
          multiply(b, {tile, d, a, w, moved, done, taken});
      });
    });
    b.role("take", 0, 4, [&] {
      for (int64_t tile = 0; tile < tiles; ++tile) {
        const Index slot = constant(tile % sums);
        b.wait(done, slot, constant(tile / sums % 2));
        b.emit(Fence{Fence::tcgen05After});
        b.emit(TmemLoad{b.tile(x), b.tile(d, slot)});
        b.emit(TmemWait{});
        b.emit(Fence{Fence::tcgen05Before});
        b.emit(WarpSync{});
        b.emit(MbarrierArrive{Builder::peer(taken, slot, {zero}), 1, Scope::cluster}, Exec::warp);
        b.emit(Copy{b.box(C, {{row, 256 * tile}, constant(0)}, {128, columns}), b.tile(x)});
      }
    });
    b.emit(ClusterBarrier{ClusterBarrier::sync});
    b.emit(Fence{Fence::tcgen05After});
    b.role("end", 4, 1, [&] { b.emit(TmemDealloc{allocated(), true}); });
    return b;
  }

private:
  struct Parts {
    int64_t tile;
    int d, a, w, moved, done, taken;
  };
  int64_t allocated() const { return shifted ? 128 : 64; }
  void multiply(Builder &b, const Parts &p) const {
    const Index slot = constant(p.tile % sums), phase = constant(p.tile / sums % 2);
    b.emit(MbarrierWait{Builder::at(p.taken, slot), constant(1 - phase.constant), Scope::cluster});
    b.emit(Fence{Fence::tcgen05After});
    const View left = b.tile(p.moved), right = b.tile(p.w);
    if (shifted)
      b.emit(TmemCopy{left, b.tile(p.a), false, true}, Exec::one);
    b.emit(Tcgen05Mma{b.tile(p.d, slot), left, right, constant(0), shifted, true}, Exec::one);
    if (shifted) {
      View part = left;
      part.shape[0] = 32;
      b.emit(TmemShift{part, true}, Exec::one);
      b.emit(Tcgen05Mma{b.tile(p.d, slot), left, right, constant(1), true, true}, Exec::one);
    }
    b.emit(Tcgen05Commit{Builder::at(p.done, slot), 3, true}, Exec::one);
  }
};

/// One of them with up to three random faults.
inline RandomProtocol randomPairProtocol(uint64_t seed) {
  std::mt19937_64 random(seed);
  PairProtocol o;
  o.sums = 1 + static_cast<int64_t>(random() % 2);
  o.tiles = 1 + static_cast<int64_t>(random() % 3);
  o.half = random() % 4 == 0;
  o.shifted = !o.half && random() % 3 == 0;
  return withFaults(o.build(), seed, random);
}

} // namespace sluice::test
