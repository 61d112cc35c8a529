// Mistakes do not throw: build() reports the first one, at the line where it was written.
#include "sluice/KernelBuilder.h"

#include <cstdio>

using namespace sluice::lang;

int main() {
  KernelBuilder k("broken");
  Tensor A = k.input("A", f16, 2), B = k.input("B", f16, 2);
  Tile acc = k.accumulator(f32, {128, 128}, "acc");
  k.loop(ceilDiv(A.dim(1), 64), stages(4), "k", [&](Index t) {
    Tile a = k.load(A.at({0, t * 64}), {128, 64}, "a");
    Tile b = k.load(B.at({0, t * 64}), {128, 64}, "b");
    k.mma(acc, a, b); // b lies the wrong way round
  });
  auto kernel = k.build();
  if (kernel)
    return 1;
  const sluice::Error &e = kernel.error();
  std::printf("%s: error: %s\n", e.location.str().c_str(), e.message.c_str());
  return 0;
}
