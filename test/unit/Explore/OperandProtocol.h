// A small protocol with an operand in tensor memory, correct unless asked otherwise: four warps
// take a sum out and store it there as numbers of 16 bits, for a second product of the warp that
// multiplies, tile after tile.
#pragma once

#include "RandomProtocol.h"

#include <array>

namespace sluice::test {

struct OperandProtocol {
  int64_t tiles = 2;
  bool over = false;   // the operand lies over the sum that it comes of
  bool asked = false;  // the next sum waits until the operand has been read
  bool byMany = false; // every warp tells for itself, else one for all of them

  Builder build() const {
    Builder b;
    b.program.target = Target::sm_100a;
    const int A = b.tensor("A", DType::bf16, {128, 16}), B = b.tensor("B", DType::bf16, {16, 16});
    const int C = b.tensor("C", DType::f32, {128, 16}, true);
    const int a = b.buffer("a", Space::smem, DType::bf16, {128, 16}, Layout::sw32);
    const int w = b.buffer("b", Space::smem, DType::bf16, {16, 16}, Layout::sw32);
    const int address = b.buffer("address", Space::smem, DType::i32, {1, 1}, Layout::row, 1);
    const int s = b.buffer("s", Space::tmem, DType::f32, {128, 16}, Layout::row);
    const int p = b.buffer("p", Space::tmem, DType::bf16, {128, 16}, Layout::row);
    const int d = b.buffer("d", Space::tmem, DType::f32, {128, 16}, Layout::row);
    const int x = b.buffer("x", Space::reg, DType::f32, {128, 16}, Layout::row, 1, "take");
    const int h = b.buffer("h", Space::reg, DType::bf16, {128, 16}, Layout::row, 1, "take");
    const int full = b.barriers("full", 1), sum = b.barriers("sum", 1),
              ready = b.barriers("ready", 1), read = b.barriers("read", 1),
              done = b.barriers("done", 1);
    b.grid(1);
    b.program.warps = 5;
    b.role("start", 4, 1, [&] {
      for (const int one : {full, sum, read, done})
        b.init(one, 1);
      b.init(ready, byMany ? 4 : 1);
      b.emit(Fence{Fence::mbarrierInit}, Exec::one);
      b.emit(TmemAlloc{64, b.tile(address)});
      b.emit(TmemRelinquish{});
    });
    b.sync(0, 5);
    b.emit(TmemAddress{b.tile(address)});
    const Index zero = constant(0);
    b.role("multiply", 4, 1, [&] {
      b.expect(full, zero, (128 + 16) * 16 * 2);
      b.load(b.tile(a), b.box(A, {zero, zero}, {128, 16}), full, zero);
      b.load(b.tile(w), b.box(B, {zero, zero}, {16, 16}), full, zero);
      b.wait(full, zero, zero);
      for (int64_t tile = 0; tile < tiles; ++tile) {
        b.emit(Tcgen05Mma{b.tile(s), b.tile(a), b.tile(w), zero}, Exec::one);
        b.emit(Tcgen05Commit{Builder::at(sum, zero)}, Exec::one);
        b.wait(ready, zero, constant(tile % 2));
        b.emit(Fence{Fence::tcgen05After});
        b.emit(Tcgen05Mma{b.tile(d), b.tile(p), b.tile(w), constant(tile > 0)}, Exec::one);
        if (!asked)
          continue;
        b.emit(Tcgen05Commit{Builder::at(read, zero)}, Exec::one);
        b.wait(read, zero, constant(tile % 2));
        b.emit(Fence{Fence::tcgen05After});
      }
      b.emit(Tcgen05Commit{Builder::at(done, zero)}, Exec::one);
    });
    b.role("take", 0, 4, [&] {
      for (int64_t tile = 0; tile < tiles; ++tile) {
        take(b, sum, constant(tile % 2), x, s);
        b.emit(Copy{b.tile(h), b.tile(x)});
        b.emit(TmemStore{b.tile(p), b.tile(h)});
        b.emit(TmemWait{true});
        b.emit(Fence{Fence::tcgen05Before});
        tell(b, ready);
      }
      take(b, done, zero, x, d);
      b.emit(Fence{Fence::tcgen05Before});
      b.emit(Copy{b.box(C, {zero, zero}, {128, 16}), b.tile(x)});
    });
    b.sync(0, 5);
    b.emit(Fence{Fence::tcgen05After});
    b.role("end", 4, 1, [&] { b.emit(TmemDealloc{64}); });
    place(b, {s, p, d});
    return b;
  }

private:
  /// Columns of 4 bytes: sums have 16 each, the operand 8.
  void place(Builder &b, const std::array<int, 3> &tiles) const {
    const int64_t offsets[] = {0, over ? 0 : 128, 64}, bytes[] = {64, 32, 64};
    for (size_t i = 0; i < tiles.size(); ++i) {
      Buffer &tile = b.program.buffers[tiles[i]];
      tile.slotBytes = bytes[i], tile.offset = offsets[i];
    }
  }
  static void take(Builder &b, int barrier, Index parity, int x, int columns) {
    b.wait(barrier, constant(0), parity);
    b.emit(Fence{Fence::tcgen05After});
    b.emit(TmemLoad{b.tile(x), b.tile(columns)});
    b.emit(TmemWait{});
  }
  void tell(Builder &b, int barrier) const {
    if (byMany)
      b.emit(WarpSync{});
    else
      b.sync(1, 4);
    if (byMany)
      return b.arrive(barrier, constant(0));
    const ValueId first = b.scalar(ScalarOp::eq, {b.scalar(ScalarOp::warpInRole, {}), b.number(0)});
    b.when(first, [&] { b.arrive(barrier, constant(0)); });
  }
};

/// One of them with up to three random faults.
inline RandomProtocol randomOperandProtocol(uint64_t seed) {
  std::mt19937_64 random(seed);
  OperandProtocol o;
  o.tiles = 1 + static_cast<int64_t>(random() % 2);
  o.over = random() % 2;
  o.asked = random() % 2;
  o.byMany = random() % 2;
  return withFaults(o.build(), seed, random);
}

} // namespace sluice::test
