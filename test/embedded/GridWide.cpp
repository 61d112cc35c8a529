// Products whose CTAs agree by counters in global memory.
#include "Embedded.h"

namespace sluice::lang {

/// CTAs of one tile add in the order of their split; a counter per tile passes the turn, and the
/// last one sets it back.
Result<Kernel> splitK() {
  KernelBuilder k("gemm_split_k");
  Tensor A = k.input("A", f16, 2, {.align = 16}), B = k.input("B", f16, 2, {.align = 16});
  Tensor part = k.inout("part", f32, 2), turn = k.inout("turn", i32, 2), C = k.output("C", f16, 2);
  Index splits = k.argument("splits"), steps = ceilDiv(A.dim(1), 64);
  auto [i, j, split] = k.grid(ceilDiv(A.dim(0), 128), ceilDiv(B.dim(1), 128), splits);
  Index row = i * 128, col = j * 128, share = ceilDiv(steps, splits), from = split * share;
  Range own(from, min(from + share, steps));
  Buffer a = k.shared(f16, {128, 64}, "a"), b = k.shared(f16, {64, 128}, "b");
  PipelineTmaAsync ring(k, "ring", stages(4), {a, b});
  k.role("load", warps(1).registers(40), [&] {
    Producer to = ring.producer();
    k.loop(own, "k", [&](Index t) {
      to.acquire();
      k.load(A.at({row, t * 64}), a[to]);
      k.load(B.at({t * 64, col}), b[to]);
      to.commit();
      to.advance();
    });
    to.tail();
  });
  k.role("math", warps(8).registers(232), [&] {
    Tile acc = k.accumulator(f32, {128, 128});
    Consumer at = ring.consumer();
    k.loop(own, "k", [&](Index) {
      at.wait();
      k.mma(acc, a[at], b[at]);
      at.release();
      at.advance();
    });
    k.waitForCounter(turn.at({i, j}), split);
    k.when(split != 0, [&] {
      Tile before = k.load(part.at({row, col}), {128, 128}, "before");
      k.update(acc, {acc, before}, [](Element x, Element y) { return y + x; });
    });
    k.when(
        split == splits - 1,
        [&] {
          k.store(k.cast(acc, f16), C.at({row, col}));
        },
        [&] {
          k.store(acc, part.at({row, col}));
        });
    k.meet(); // all have stored before one gives the turn away
    k.addToCounter(turn.at({i, j}), select(split == splits - 1, 1 - splits, 1));
  });
  return k.build();
}

/// A scheduler draws numbers of tiles and hands them on, also the one past the end: the stop sign.
Result<Kernel> dynamicTiles() {
  KernelBuilder k("dynamic");
  Tensor A = k.input("A", f16, 2, {.align = 16}), B = k.input("B", f16, 2, {.align = 16});
  Tensor next = k.inout("next", i32, 1, {.extents = {1}}), C = k.output("C", f32, 2);
  Index ctas = k.argument("ctas"), steps = ceilDiv(A.dim(1), 64), cols = ceilDiv(B.dim(1), 128);
  Index total = ceilDiv(A.dim(0), 128) * cols;
  k.grid(ctas);
  Buffer number = k.shared(i32, {1, 4}, "number");
  Buffer a = k.shared(f16, {128, 64}, "a"), b = k.shared(f16, {64, 128}, "b");
  PipelineAsync tiles(k, "tiles", stages(2), {number});
  PipelineTmaAsync ring(k, "ring", stages(4), {a, b});
  k.role("scheduler", warps(1).registers(40), [&] {
    Producer to = tiles.producer();
    k.repeat(
        [&] {
          Index drawn = k.addToCounter(next.at({0}), 1);
          to.acquire();
          k.setScalar(number[to], 0, 0, drawn);
          to.commit();
          to.advance();
          Index tile = k.uniform(drawn);
          return Next{tile < total, tile};
        },
        [](Index) {});
    to.tail();
  });
  const auto take = [&](Consumer &from) {
    from.wait();
    Index read = k.scalar(number[from], 0, 0);
    from.release();
    from.advance();
    Index tile = k.uniform(read);
    return Next{tile < total, tile};
  };
  k.role("load", warps(1).registers(40), [&] {
    Consumer at = tiles.consumer();
    Producer to = ring.producer();
    k.repeat([&] { return take(at); },
             [&](Index tile) {
               Index row = tile / cols * 128, col = tile % cols * 128;
               k.loop(steps, "k", [&](Index t) {
                 to.acquire();
                 k.load(A.at({row, t * 64}), a[to]);
                 k.load(B.at({t * 64, col}), b[to]);
                 to.commit();
                 to.advance();
               });
             });
    to.tail();
  });
  k.role("math", warps(8).registers(232), [&] {
    Tile acc = k.tile(f32, {128, 128}, "acc");
    Consumer at = tiles.consumer(), from = ring.consumer();
    k.repeat([&] { return take(at); },
             [&](Index tile) {
               Index row = tile / cols * 128, col = tile % cols * 128;
               k.fill(acc, 0);
               k.loop(steps, "k", [&](Index) {
                 from.wait();
                 k.mma(acc, a[from], b[from]);
                 from.release();
                 from.advance();
               });
               k.store(acc, C.at({row, col}));
             });
  });
  return k.build();
}

} // namespace sluice::lang
