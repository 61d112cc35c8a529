// C = A B on Hopper: the source says what is moved and computed, four stages deep. Barriers, roles
// and the copies in flight come from the compiler; the checker proves them, the virtual machine
// computes with them.
#include "Show.h"
#include "sluice/KernelBuilder.h"

using namespace sluice::lang;

static sluice::Result<sluice::Kernel> gemm(int64_t bm, int64_t bn, int64_t bk) {
  KernelBuilder k("gemm");
  Tensor A = k.input("A", f16, 2, {.align = 16});
  Tensor B = k.input("B", f16, 2, {.align = 16});
  Tensor C = k.output("C", f16, 2, {.align = 16});
  Index rows = ceilDiv(C.dim(0), bm), cols = ceilDiv(C.dim(1), bn);
  auto [i, j] = k.grid(rows, cols);
  Index row = i * bm, col = j * bn;
  Tile acc = k.accumulator(f32, {bm, bn}, "acc");
  k.loop(ceilDiv(A.dim(1), bk), stages(4), "k", [&](Index t) {
    Tile a = k.load(A.at({row, t * bk}), {bm, bk}, "a");
    Tile b = k.load(B.at({t * bk, col}), {bk, bn}, "b");
    k.mma(acc, a, b);
  });
  k.store(k.cast(acc, f16), C.at({row, col}));
  return k.build();
}

int main() {
  return show::product(show::take(gemm(128, 128, 64)));
}
