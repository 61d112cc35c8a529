// Tiles that threads hand on: to TMA that stores them, to products, to the role whose turn comes.
#include "Embedded.h"

namespace sluice::lang {

/// Y = 2 X, a block of rows a CTA: one role loads, one computes and has TMA store.
Result<Kernel> copied() {
  KernelBuilder k("doubled");
  Tensor X = k.input("X", f16, 2, {.align = 16}), Y = k.output("Y", f16, 2, {.align = 16});
  auto [i] = k.grid(ceilDiv(X.dim(0), 64));
  Index row = i * 64, steps = ceilDiv(X.dim(1), 64);
  Buffer x = k.shared(f16, {64, 64}, "x"), y = k.shared(f16, {64, 64}, "y");
  PipelineTmaAsync in(k, "in", stages(3), {x});
  PipelineTmaStore out(k, "out", stages(2), y);
  k.role("load", warps(1), [&] {
    Producer to = in.producer();
    k.loop(steps, "t", [&](Index t) {
      to.acquire();
      k.load(X.at({row, t * 64}), x[to]);
      to.commit();
      to.advance();
    });
  });
  k.role("double", warps(4), [&] {
    Consumer from = in.consumer();
    StoreProducer to = out.producer();
    k.loop(steps, "t", [&](Index t) {
      from.wait();
      Tile h = k.read(x[from], f32, "h");
      from.release();
      from.advance();
      Tile twice = k.map(
          {h}, f16, [](Element v) { return v * 2; }, "twice");
      to.acquire();
      k.copy(twice, y[to]);
      to.commit(y[to], Y.at({row, t * 64}));
      to.advance();
    });
    to.tail();
  });
  return k.build();
}

/// Operands that TMA cannot load; four warps copy them.
template <typename Ring> static Result<Kernel> copiedOperands(const char *name, int64_t align) {
  KernelBuilder k(name);
  Tensor A = k.input("A", f16, 2, {.align = align}), B = k.input("B", f16, 2, {.align = align});
  Tensor C = k.output("C", f32, 2);
  auto [i, j] = k.grid(ceilDiv(A.dim(0), 64), ceilDiv(B.dim(1), 64));
  Index row = i * 64, col = j * 64, steps = ceilDiv(A.dim(1), 64);
  Buffer a = k.shared(f16, {64, 64}, "a"), b = k.shared(f16, {64, 64}, "b");
  Ring ring(k, "ring", stages(3), {a, b});
  k.role("load", warps(4), [&] {
    Producer to = ring.producer();
    k.loop(steps, "k", [&](Index t) {
      to.acquire();
      k.load(A.at({row, t * 64}), a[to]);
      k.load(B.at({t * 64, col}), b[to]);
      to.commit();
      to.advance();
    });
  });
  k.role("math", warps(4), [&] {
    Consumer from = ring.consumer();
    Tile acc = k.accumulator(f32, {64, 64});
    k.loop(steps, "k", [&](Index) {
      from.wait();
      k.mma(acc, a[from], b[from]);
      from.release();
      from.advance();
    });
    k.store(acc, C.at({row, col}));
  });
  return k.build();
}

/// Rows start anywhere.
Result<Kernel> byThreads() {
  return copiedOperands<PipelineAsync>("unaligned", 2);
}
/// Rows start at multiples of 8 bytes, which cp.async can copy.
Result<Kernel> byCpAsync() {
  return copiedOperands<PipelineCpAsync>("by_cp_async", 8);
}

/// Two roles take every second step; the second adds what the first left, when its turn comes.
Result<Kernel> inOrder() {
  Gemm g("in_order", {64, 64}, 64);
  auto &k = g.k;
  g.grid();
  const std::string names[] = {"even", "odd"};
  Buffer part = k.shared(f32, {64, 64}, "part");
  std::vector<Buffer> a, b;
  std::vector<Pipeline> rings;
  for (const std::string &name : names) {
    a.push_back(k.shared(f16, {64, 64}, "a_" + name));
    b.push_back(k.shared(f16, {64, 64}, "b_" + name));
    rings.push_back(PipelineTmaAsync(k, "ring_" + name, stages(2), {a.back(), b.back()}));
  }
  PipelineOrder order(k, "order", {"even", "odd"});
  for (int which : {0, 1})
    k.role(names[which], warps(4), [&] {
      Turn turn = order.turn();
      Consumer from = rings[which].consumer();
      Tile acc = k.accumulator(f32, {64, 64});
      k.loop((g.steps + 1 - which) / 2, "k", [&](Index) {
        from.wait();
        k.mma(acc, a[which][from], b[which][from]);
        from.release();
        from.advance();
      });
      turn.wait();
      if (which == 0)
        k.copy(acc, part);
      else
        k.update(acc, {acc, k.read(part, f32, "before")},
                 [](Element x, Element y) { return x + y; });
      turn.arrive();
      if (which == 1)
        k.store(acc, g.C.at({g.row, g.col}));
    });
  k.role("load", warps(1), [&] {
    Producer to[] = {rings[0].producer(), rings[1].producer()};
    k.loop((g.steps + 1) / 2, "k", [&](Index t) {
      for (int which : {0, 1})
        k.when(2 * t + which < g.steps, [&] {
          to[which].acquire();
          k.load(g.A.at({g.row, (2 * t + which) * 64}), a[which][to[which]]);
          k.load(g.B.at({(2 * t + which) * 64, g.col}), b[which][to[which]]);
          to[which].commit();
          to[which].advance();
        });
    });
  });
  return k.build();
}

/// The sum of all tiles of 64 columns: three roles add to it by turns, round after round.
Result<Kernel> byTurns() {
  KernelBuilder k("by_turns");
  Tensor X = k.input("X", f16, 2), Y = k.output("Y", f32, 2);
  auto [i] = k.grid(ceilDiv(X.dim(0), 64));
  Index row = i * 64, rounds = ceilDiv(X.dim(1), 3 * 64);
  Buffer sum = k.shared(f32, {64, 64}, "sum");
  const std::vector<std::string> names = {"first", "second", "third"};
  PipelineOrder order(k, "order", names);
  for (int self : {0, 1, 2})
    k.role(names[self], warps(4), [&] {
      Turn turn = order.turn();
      k.loop(rounds, "round", [&](Index round) {
        Tile x = k.load(X.at({row, (3 * round + self) * 64}), {64, 64}, "x");
        turn.wait();
        if (self == 0)
          k.when(round == 0, [&] {
            k.fill(sum, 0);
            k.meet();
          });
        Tile before = k.read(sum, f32, "before");
        k.copy(k.map(
                   {before, x}, f32, [](Element a, Element b) { return a + b; }, "after"),
               sum);
        turn.arrive();
      });
      if (self == 2)
        k.when(rounds > 0, [&] { k.store(k.read(sum, f32, "total"), Y.at({row, 0})); });
    });
  return k.build();
}

} // namespace sluice::lang
