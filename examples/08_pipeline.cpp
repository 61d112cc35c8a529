// C = A B with roles and a pipeline of the author's: one warp loads, two warpgroups multiply.
// Counts, bytes, phases and fences are derived, and the checker proves what comes of it.
#include "Show.h"
#include "sluice/KernelBuilder.h"

using namespace sluice::lang;

static sluice::Result<sluice::Kernel> gemm(int64_t bm, int64_t bn, int64_t bk) {
  KernelBuilder k("gemm");
  Tensor A = k.input("A", f16, 2, {.align = 16});
  Tensor B = k.input("B", f16, 2, {.align = 16});
  Tensor C = k.output("C", f16, 2, {.align = 16});
  auto [i, j] = k.grid(ceilDiv(C.dim(0), bm), ceilDiv(C.dim(1), bn));
  Index row = i * bm, col = j * bn, steps = ceilDiv(A.dim(1), bk);
  Buffer a = k.shared(f16, {bm, bk}, "a"), b = k.shared(f16, {bk, bn}, "b");
  Buffer c = k.shared(f16, {bm, bn}, "c");
  Pipeline ring = k.pipeline("ring", stages(4), {a, b});

  k.role("load", warps(1), [&] {
    Producer to = ring.producer();
    k.loop(steps, "k", [&](Index t) {
      to.acquire();
      k.load(A.at({row, t * bk}), a[to]);
      k.load(B.at({t * bk, col}), b[to]);
      to.commit();
      to.advance();
    });
    to.tail();
  });

  k.role("math", warps(8), [&] {
    Consumer from = ring.consumer();
    Tile acc = k.accumulator(f32, {bm, bn}, "acc");
    k.loop(steps, "k", [&](Index) {
      from.wait();
      k.mma(acc, a[from], b[from]);
      from.release();
      from.advance();
    });
    k.copy(k.cast(acc, f16), c);
    k.store(c, C.at({row, col}));
  });
  return k.build();
}

int main() {
  return show::product(show::take(gemm(128, 128, 64)));
}
