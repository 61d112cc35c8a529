// Slots that are asked for before they are waited for.
#include "Embedded.h"

namespace sluice::lang {

/// Each CTA takes all tiles of one column of C.
Result<Kernel> askedAhead() {
  Gemm g("asked_ahead", {64, 64}, 64);
  auto &k = g.k;
  auto [j] = k.grid(g.cols);
  const Index col = j * 64;
  Buffer a = k.shared(f16, {64, 64}, "a"), b = k.shared(f16, {64, 64}, "b");
  PipelineTmaAsync ring(k, "ring", stages(4), {a, b});
  k.role("load", warps(1), [&] {
    Producer to = ring.producer();
    k.loop(g.rows, "i", [&](Index i) {
      k.loop(g.steps, "t", [&](Index t) {
        const Token ready = to.tryAcquire();
        const Index row = i * 64, depth = t * 64;
        to.acquire(ready);
        k.load(g.A.at({row, depth}), a[to]);
        k.load(g.B.at({depth, col}), b[to]);
        to.commit();
        to.advance();
      });
    });
  });
  k.role("math", warps(4), [&] {
    Consumer from = ring.consumer();
    Token ready = from.tryWait();
    k.loop(g.rows, "i", [&](Index i) {
      Tile acc = k.accumulator(f32, {64, 64});
      k.loop(g.steps, "t", [&](Index) {
        from.wait(ready);
        k.mma(acc, a[from], b[from]);
        from.release();
        from.advance();
        ready = from.tryWait();
      });
      k.store(acc, g.C.at({i * 64, col}));
    });
  });
  return k.build();
}

} // namespace sluice::lang
