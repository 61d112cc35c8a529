// The Q K^T loop of a flash attention on an Ascend cube core: K tiles from GM, L0 ping-pong, store.
#pragma once

#include "Verify/Builder.h"

namespace sluice::test {

struct QkSlots {
  int64_t l1, l0ab, l0c;
  bool units = false; // M hands sums over to FIX unit by unit
};

/// Ids of the flags of a ring: `first` + slot.
inline Index flag(Index slot, int64_t first) {
  return {slot.value, first + slot.constant};
}

/// S[128 x 128 n] = Q K^T in tiles of 128; K is [128, 128 n] here. Q is loaded before the epoch.
inline Builder qkLoop(int64_t trips, QkSlots slots) {
  Builder b(Target::ascend910b);
  const int Q = b.tensor("Q", DType::f16, {128, 128});
  const int K = b.tensor("K", DType::f16, {128, 128 * trips});
  const int S = b.tensor("S", DType::f16, {128, 128 * trips}, true);
  const int q1 = b.buffer("q_l1", Space::l1, DType::f16, {128, 128}, Layout::zN);
  const int k1 = b.buffer("k_l1", Space::l1, DType::f16, {128, 128}, Layout::zN, slots.l1);
  const int q0 = b.buffer("q_l0a", Space::l0a, DType::f16, {128, 128}, Layout::zZ);
  const int k0 = b.buffer("k_l0b", Space::l0b, DType::f16, {128, 128}, Layout::nZ, slots.l0ab);
  const int acc = b.buffer("acc", Space::l0c, DType::f32, {128, 128}, Layout::zN, slots.l0c);
  b.grid(1);
  b.core("aic", [&] {
    b.copy(Pipe::mte2, b.tile(q1), b.box(Q, {constant(0), constant(0)}, {128, 128}));
    b.set(Pipe::mte2, Pipe::mte1, constant(7));
    b.waitFor(Pipe::mte2, Pipe::mte1, constant(7));
    b.copy(Pipe::mte1, b.tile(q0), b.tile(q1));
    b.set(Pipe::mte1, Pipe::m, constant(7));
    b.waitFor(Pipe::mte1, Pipe::m, constant(7));
    b.emit(Epoch{});
    auto credits = [&](auto signal) {
      for (int64_t i = 0; i < slots.l1; ++i)
        signal(Pipe::mte1, Pipe::mte2, constant(i));
      for (int64_t i = 0; i < slots.l0ab; ++i)
        signal(Pipe::m, Pipe::mte1, constant(i));
      for (int64_t i = 0; i < slots.l0c && !slots.units; ++i)
        signal(Pipe::fix, Pipe::m, constant(i));
    };
    credits([&](Pipe from, Pipe to, Index id) { b.set(from, to, id); });
    b.loop(trips, 1, 0, [&](Index i, Index, Index) {
      auto slotOf = [&](int64_t n) {
        return Index{b.scalar(ScalarOp::remS, {i.value, b.number(n)}), 0};
      };
      const Index l1 = slotOf(slots.l1), l0 = slotOf(slots.l0ab), c = slotOf(slots.l0c);
      const Index column{b.scalar(ScalarOp::mul, {i.value, b.number(128)}), 0};
      b.waitFor(Pipe::mte1, Pipe::mte2, flag(l1, 0));
      b.copy(Pipe::mte2, b.tile(k1, l1), b.box(K, {constant(0), column}, {128, 128}));
      b.set(Pipe::mte2, Pipe::mte1, flag(l1, 0));

      b.waitFor(Pipe::mte2, Pipe::mte1, flag(l1, 0));
      b.waitFor(Pipe::m, Pipe::mte1, flag(l0, 0));
      b.copy(Pipe::mte1, b.tile(k0, l0), b.tile(k1, l1));
      b.set(Pipe::mte1, Pipe::mte2, flag(l1, 0));
      b.set(Pipe::mte1, Pipe::m, flag(l0, 0));

      b.waitFor(Pipe::mte1, Pipe::m, flag(l0, 0));
      if (!slots.units)
        b.waitFor(Pipe::fix, Pipe::m, flag(c, 0));
      b.emit(Mmad{b.tile(acc, c), b.tile(q0), b.tile(k0, l0), constant(0), false,
                  slots.units ? UnitUse::handsOver : UnitUse::none},
             Exec::threads, Pipe::m);
      b.set(Pipe::m, Pipe::mte1, flag(l0, 0));
      if (!slots.units) {
        b.set(Pipe::m, Pipe::fix, flag(c, 0));
        b.waitFor(Pipe::m, Pipe::fix, flag(c, 0));
      }
      b.emit(
          Copy{b.box(S, {constant(0), column}, {128, 128}), b.tile(acc, c), false, {}, slots.units},
          Exec::threads, Pipe::fix);
      if (!slots.units)
        b.set(Pipe::fix, Pipe::m, flag(c, 0));
    });
    credits([&](Pipe from, Pipe to, Index id) { b.waitFor(from, to, id); });
  });
  return b;
}

} // namespace sluice::test
