// Rings from CTA to CTA of a cluster.
#include "Embedded.h"

namespace sluice::lang {

static Element sumOf(Element x, Element y) {
  return x + y;
}

/// Partial sums go round a cluster of four: each CTA has its own rows of X and sends what it has of
/// 32 columns to the next one, which adds its part; after three steps each has 32 columns whole.
Result<Kernel> ringSum() {
  KernelBuilder k("ring_sum");
  Tensor X = k.input("X", f32, 2, {.align = 16}), Y = k.output("Y", f32, 2, {.align = 16});
  auto [i, j] = k.grid(ceilDiv(Y.dim(0), 64) * 4, 1, {.cluster = {4, 1}});
  Index rank = i % 4, row = i * 64, there = i / 4 * 64, chunks = ceilDiv(X.dim(1), 128);
  Buffer inbox = k.shared(f32, {64, 32}, "inbox");
  Pipeline sums = k.pipeline("sums", stages(2), {inbox}, {.peer = 1});
  k.role("add", warps(4), [&] {
    Producer to = sums.producer();
    Consumer from = sums.consumer();
    k.loop(chunks, "t", [&](Index t) {
      Tile acc = k.load(X.at({row, t * 128 + rank * 32}), {64, 32}, "acc");
      k.loop(3, "s", [&](Index s) {
        to.acquire();
        k.copy(acc, inbox[to]);
        to.commit();
        to.advance();
        Index block = (rank - s + 3) % 4;
        Tile part = k.load(X.at({row, t * 128 + block * 32}), {64, 32}, "part");
        from.wait();
        k.copy(inbox[from], acc);
        from.release();
        from.advance();
        k.update(acc, {acc, part}, sumOf);
      });
      k.store(acc, Y.at({there, t * 128 + (rank + 1) % 4 * 32}));
    });
    to.tail();
  });
  return k.build();
}

/// All four of a cluster of 2 x 2 get the sum of their rows of X: each adds what its partner along
/// x has, then what the one along y has.
Result<Kernel> butterflySum() {
  KernelBuilder k("butterfly_sum");
  Tensor X = k.input("X", f32, 2, {.align = 16}), Y = k.output("Y", f32, 2, {.align = 16});
  auto [i, j] = k.grid(ceilDiv(X.dim(0), 256) * 2, 2, {.cluster = {2, 2}});
  Index row = (i / 2 * 4 + j * 2 + i % 2) * 64;
  Buffer beside = k.shared(f32, {64, 32}, "beside"), below = k.shared(f32, {64, 32}, "below");
  Pipeline x = k.pipeline("x", stages(2), {beside}, {.partner = 1, .along = 0});
  Pipeline y = k.pipeline("y", stages(2), {below}, {.partner = 1, .along = 1});
  k.role("add", warps(4), [&] {
    Producer toX = x.producer(), toY = y.producer();
    Consumer fromX = x.consumer(), fromY = y.consumer();
    k.loop(ceilDiv(X.dim(1), 32), "t", [&](Index t) {
      Tile acc = k.load(X.at({row, t * 32}), {64, 32}, "acc"), part = k.tile(f32, {64, 32}, "part");
      const auto add = [&](Producer &to, Consumer &from, const Buffer &inbox) {
        to.acquire();
        k.copy(acc, inbox[to]);
        to.commit();
        to.advance();
        from.wait();
        k.copy(inbox[from], part);
        from.release();
        from.advance();
        k.update(acc, {acc, part}, sumOf);
      };
      add(toX, fromX, beside);
      add(toY, fromY, below);
      k.store(acc, Y.at({row, t * 32}));
    });
    toX.tail();
    toY.tail();
  });
  return k.build();
}

} // namespace sluice::lang
