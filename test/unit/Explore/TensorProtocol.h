// A small protocol in tensor memory, correct unless asked otherwise: a warp loads and multiplies,
// four take the sums out, tile after tile.
#pragma once

#include "RandomProtocol.h"

namespace sluice::test {

struct TensorProtocol {
  int64_t sums = 1;     // slots in tensor memory
  int64_t tiles = 2;    // one after the other
  int64_t steps = 1;    // products of one
  bool byMany = false;  // every warp that takes out releases for itself, else one for all of them
  bool copied = false;  // A goes to tensor memory (tcgen05.cp), the same tile in each step
  bool shifted = false; // and its rows move (tcgen05.shift) in front of a second product with them
  bool fresh = false;   // and four of B (tcgen05.cp) come in front of a third

  Builder build() const {
    Builder b;
    b.program.target = Target::sm_100a;
    const int A = b.tensor("A", DType::bf16, {128, 16 * steps});
    const int B = b.tensor("B", DType::bf16, {16 * steps, 16});
    const int C = b.tensor("C", DType::f32, {128 * tiles, 16}, true);
    const int a = b.buffer("a", Space::smem, DType::bf16, {128, 16}, Layout::sw32, steps);
    const int w = b.buffer("b", Space::smem, DType::bf16, {16, 16}, Layout::sw32, steps);
    const int address = b.buffer("address", Space::smem, DType::i32, {1, 1}, Layout::row, 1);
    const int d = b.buffer("d", Space::tmem, DType::f32, {128, 16}, Layout::row, sums);
    b.program.buffers[d].slotBytes = 16 * 4;
    const int rows =
        copied ? b.buffer("rows", Space::tmem, DType::bf16, {128, 16}, Layout::row, 1) : a;
    if (copied)
      b.program.buffers[rows].slotBytes = 16 * 2, b.program.buffers[rows].offset = 128;
    const int x = b.buffer("x", Space::reg, DType::f32, {128, 16}, Layout::row, 1, "take");
    const int full = b.barriers("full", 1), done = b.barriers("done", sums),
              taken = b.barriers("taken", sums);
    b.grid(1);
    b.program.warps = 5;
    b.role("start", 4, 1, [&] {
      b.init(full, 1), b.init(done, 1), b.init(taken, byMany ? 4 : 1);
      b.emit(Fence{Fence::mbarrierInit}, Exec::one);
      b.emit(TmemAlloc{columns(), b.tile(address)});
      b.emit(TmemRelinquish{});
    });
    b.sync(0, 5);
    b.emit(TmemAddress{b.tile(address)});
    b.role("multiply", 4, 1, [&] {
      b.expect(full, constant(0), steps * (128 + 16) * 16 * 2);
      for (int64_t k = 0; k < steps; ++k) {
        b.load(b.tile(a, constant(k)), b.box(A, {constant(0), constant(16 * k)}, {128, 16}), full,
               constant(0));
        b.load(b.tile(w, constant(k)), b.box(B, {constant(16 * k), constant(0)}, {16, 16}), full,
               constant(0));
      }
      b.wait(full, constant(0), constant(0));
      for (int64_t tile = 0; tile < tiles; ++tile) {
        const Index slot = constant(tile % sums), phase = constant(tile / sums % 2);
        b.wait(taken, slot, constant(1 - phase.constant));
        b.emit(Fence{Fence::tcgen05After});
        for (int64_t k = 0; k < steps; ++k) {
          const View left = copied ? b.tile(rows) : b.tile(a, constant(k));
          const View right = b.tile(w, constant(k));
          if (copied)
            b.emit(TmemCopy{left, b.tile(a, constant(k))}, Exec::one);
          b.emit(Tcgen05Mma{b.tile(d, slot), left, right, constant(k > 0), shifted || fresh},
                 Exec::one);
          if (shifted) {
            View part = left;
            part.offset[0] = constant(32), part.shape[0] = 32;
            b.emit(TmemShift{part}, Exec::one);
            b.emit(Tcgen05Mma{b.tile(d, slot), left, right, constant(1), true}, Exec::one);
          }
          if (fresh) {
            View four = right;
            four.shape[0] = 4;
            b.emit(TmemCopy{left, four, false, false, 31}, Exec::one);
            b.emit(Tcgen05Mma{b.tile(d, slot), left, right, constant(1), true}, Exec::one);
          }
        }
        b.emit(Tcgen05Commit{Builder::at(done, slot)}, Exec::one);
      }
    });
    b.role("take", 0, 4, [&] {
      for (int64_t tile = 0; tile < tiles; ++tile) {
        const Index slot = constant(tile % sums);
        b.wait(done, slot, constant(tile / sums % 2));
        b.emit(Fence{Fence::tcgen05After});
        b.emit(TmemLoad{b.tile(x), b.tile(d, slot)});
        b.emit(TmemWait{});
        b.emit(Fence{Fence::tcgen05Before});
        if (byMany)
          b.emit(WarpSync{});
        else
          b.sync(1, 4);
        release(b, taken, slot);
        b.emit(Copy{b.box(C, {constant(128 * tile), constant(0)}, {128, 16}), b.tile(x)});
      }
    });
    b.sync(0, 5);
    b.emit(Fence{Fence::tcgen05After});
    b.role("end", 4, 1, [&] { b.emit(TmemDealloc{columns()}); });
    return b;
  }

private:
  int64_t columns() const { return copied ? 64 : 32; }

  void release(Builder &b, int taken, Index slot) const {
    if (byMany)
      return b.arrive(taken, slot);
    const ValueId first = b.scalar(ScalarOp::eq, {b.scalar(ScalarOp::warpInRole, {}), b.number(0)});
    b.when(first, [&] { b.arrive(taken, slot); });
  }
};

/// One of them with up to three random faults.
inline RandomProtocol randomTensorProtocol(uint64_t seed) {
  std::mt19937_64 random(seed);
  TensorProtocol o;
  o.sums = 1 + static_cast<int64_t>(random() % 2);
  o.tiles = 1 + static_cast<int64_t>(random() % 3);
  o.steps = 1 + static_cast<int64_t>(random() % 2);
  o.byMany = random() % 2;
  o.copied = random() % 3 == 0;
  o.shifted = o.copied && random() % 2;
  o.fresh = o.copied && random() % 2;
  return withFaults(o.build(), seed, random);
}

} // namespace sluice::test
