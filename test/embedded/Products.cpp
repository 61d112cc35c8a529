// Products whose loads, conversions and sums are roles of their own.
#include "Embedded.h"

namespace sluice::lang {

/// One role loads, one multiplies.
Result<Kernel> gemm() {
  Gemm g("gemm", {128, 128}, 64);
  auto &k = g.k;
  g.grid();
  Buffer a = k.shared(f16, {128, 64}, "a"), b = k.shared(f16, {64, 128}, "b");
  PipelineTmaAsync ring(k, "ring", stages(4), {a, b});
  k.role("load", warps(1).registers(40), [&] {
    Producer to = ring.producer();
    k.loop(g.steps, "k", [&](Index t) {
      to.acquire();
      k.load(g.A.at({g.row, t * 64}), a[to]);
      k.load(g.B.at({t * 64, g.col}), b[to]);
      to.commit();
      to.advance();
    });
    to.tail();
  });
  k.role("math", warps(8).registers(232), [&] {
    Consumer from = ring.consumer();
    Tile acc = k.accumulator(f32, {128, 128});
    k.loop(g.steps, "k", [&](Index) {
      from.wait();
      k.mma(acc, a[from], b[from]);
      from.release();
      from.advance();
    });
    k.store(acc, g.C.at({g.row, g.col}));
  });
  return k.build();
}

/// Two roles multiply, each half of the rows; one role loads A, another B, into the same slots.
Result<Kernel> twoHalves() {
  Gemm g("halves", {128, 128}, 64, f16, f16);
  auto &k = g.k;
  g.grid();
  const std::string names[] = {"top", "bottom"};
  Buffer a[] = {k.shared(f16, {64, 64}, "a0"), k.shared(f16, {64, 64}, "a1")};
  Buffer b = k.shared(f16, {64, 128}, "b");
  Buffer c[] = {k.shared(f16, {64, 128}, "c_top"), k.shared(f16, {64, 128}, "c_bottom")};
  Pipeline ring = k.pipeline("ring", stages(3), {a[0], a[1], b});
  for (int half : {0, 1})
    k.role(names[half], warps(4), [&] {
      Tile acc = k.accumulator(f32, {64, 128});
      Consumer from = ring.consumer();
      k.loop(g.steps, "k", [&](Index) {
        from.wait();
        k.mma(acc, a[half][from], b[from]);
        from.release();
        from.advance();
      });
      k.copy(k.cast(acc, f16), c[half]);
      k.store(c[half], g.C.at({g.row + 64 * half, g.col}));
    });
  k.role("rows", warps(1), [&] {
    Producer to = ring.producer();
    k.loop(g.steps, "k", [&](Index t) {
      to.acquire();
      k.load(g.A.at({g.row, t * 64}), a[0][to]);
      k.load(g.A.at({g.row + 64, t * 64}), a[1][to]);
      to.commit();
      to.advance();
    });
  });
  k.role("columns", warps(1), [&] {
    Producer to = ring.producer();
    k.loop(g.steps, "k", [&](Index t) {
      to.acquire();
      k.load(g.B.at({t * 64, g.col}), b[to]);
      to.commit();
      to.advance();
    });
  });
  return k.build();
}

/// Weights of 8 bits: one role loads, one converts a tile of them to 16 bits, one multiplies.
Result<Kernel> convertedWeights() {
  Gemm g("converted", {64, 128}, 64, s8);
  auto &k = g.k;
  g.grid();
  Buffer a = k.shared(f16, {64, 64}, "a"), w = k.shared(s8, {64, 128}, "w");
  Buffer b = k.shared(f16, {64, 128}, "b");
  PipelineTmaAsync tiles(k, "tiles", stages(4), {a}), weights(k, "weights", stages(4), {w});
  PipelineAsync ready(k, "ready", stages(2), {b});
  k.role("mma", warps(4), [&] {
    Consumer tile = tiles.consumer(), weight = ready.consumer();
    Tile acc = k.accumulator(f32, {64, 128});
    k.loop(g.steps, "k", [&](Index) {
      tile.wait();
      weight.wait();
      k.mma(acc, a[tile], b[weight]);
      tile.release();
      weight.release();
      tile.advance();
      weight.advance();
    });
    k.store(acc, g.C.at({g.row, g.col}));
  });
  k.role("convert", warps(4), [&] {
    Consumer from = weights.consumer();
    Producer to = ready.producer();
    k.loop(g.steps, "k", [&](Index) {
      from.wait();
      Tile h = k.read(w[from], f16, "h");
      from.release();
      from.advance();
      to.acquire();
      k.copy(h, b[to]);
      to.commit();
      to.advance();
    });
  });
  k.role("load", warps(1), [&] {
    Producer tile = tiles.producer(), weight = weights.producer();
    k.loop(g.steps, "k", [&](Index t) {
      weight.acquire();
      k.load(g.B.at({t * 64, g.col}), w[weight]);
      weight.commit();
      weight.advance();
      tile.acquire();
      k.load(g.A.at({g.row, t * 64}), a[tile]);
      tile.commit();
      tile.advance();
    });
  });
  return k.build();
}

/// The rows of A are summed from the tiles that are multiplied: consumers that are not alike. The
/// one that multiplies releases a step late, from a copy of its end that stays behind. `byHand`: it
/// says where the product of the step before has ended; else that follows from the release.
static Result<Kernel> gemmRowSums(bool byHand) {
  Gemm g("gemm_row_sums", {128, 128}, 64);
  auto &k = g.k;
  Tensor S = k.output("S", f32, 2);
  auto [i, j] = k.grid(g.rows, g.cols);
  Index row = i * 128, col = j * 128;
  Buffer a = k.shared(f16, {128, 64}, "a"), b = k.shared(f16, {64, 128}, "b");
  PipelineTmaMultiConsumersAsync ring(k, "ring", stages(4), {a, b});
  k.role("load", warps(1).registers(40), [&] {
    Producer to = ring.producer();
    k.loop(g.steps, "k", [&](Index t) {
      to.acquire();
      k.load(g.A.at({row, t * 64}), a[to]);
      k.load(g.B.at({t * 64, col}), b[to]);
      to.commit();
      to.advance();
    });
    to.tail();
  });
  k.role("mma", warps(8).registers(168), [&] {
    Tile acc = k.accumulator(f32, {128, 128});
    Consumer from = ring.consumer(), late = from;
    k.loop(g.steps, "k", [&](Index t) {
      from.wait();
      if (byHand) {
        k.beginMma(acc, a[from], b[from]);
        k.waitMma(1);
      } else {
        k.mma(acc, a[from], b[from]);
      }
      k.when(t != 0, [&] { late.release(); });
      late = from;
      from.advance();
    });
    if (byHand)
      k.waitMma();
    k.when(g.steps > 0, [&] { late.release(); });
    k.store(acc, g.C.at({row, col}));
  });
  k.role("sums", warps(4).registers(96), [&] {
    Tile sum = k.tile(f32, {128, 1}, "sum");
    k.fill(sum, 0);
    Consumer from = ring.consumer();
    k.loop(g.steps, "k", [&](Index) {
      from.wait();
      Tile x = k.read(a[from], f32, "x");
      from.release();
      from.advance();
      Tile part = k.rowSum(x, "part");
      k.update(sum, {sum, part}, [](Element s, Element v) { return s + v; });
    });
    k.when(j == 0, [&] { k.store(sum, S.at({row, 0})); });
  });
  return k.build();
}

Result<Kernel> twoConsumers() {
  return gemmRowSums(true);
}

Result<Kernel> lateRelease() {
  return gemmRowSums(false);
}

} // namespace sluice::lang
