// One source for two machines: S_i = Q K_i^T on Hopper and on an Ascend core. On Ascend, slots say
// how many copies of a tile the on-chip memories hold; the clock shows what a second one is worth.
#include "Show.h"
#include "sluice/KernelBuilder.h"

using namespace sluice::lang;

static sluice::Result<sluice::Kernel> scores(const LoopOptions &copies) {
  KernelBuilder k("scores");
  Tensor Q = k.input("Q", f16, 2, {.align = 16}), K = k.input("K", f16, 2, {.align = 16});
  Tensor S = k.output("S", f16, 2, {.align = 16});
  Tile q = k.load(Q.at({0, 0}), {128, 128}, "q");
  k.loop(ceilDiv(K.dim(0), 128), copies, "i", [&](Index i) {
    Tile kTile = k.load(K.at({i * 128, 0}), {128, 128}, "k");
    Tile s = k.product(q, transpose(kTile), "s");
    k.store(k.cast(s, f16), S.at({i * 128, 0}));
  });
  return k.build();
}

static double cycles(sluice::Target target, const LoopOptions &copies) {
  auto program = show::compileFor(target, show::take(scores(copies)));
  auto tensors = show::tensorsFor(program, {{128, 128}, {14 * 128, 128}, {14 * 128, 128}});
  return show::run(program, tensors);
}

int main() {
  double hopper = cycles(sluice::Target::sm_90a, slots({{"smem", 2}}));
  double single = cycles(sluice::Target::ascend910b, slots({{"l1", 1}, {"l0b", 1}, {"l0c", 1}}));
  double pingPong = cycles(sluice::Target::ascend910b, slots({{"l1", 2}, {"l0b", 2}, {"l0c", 2}}));
  std::printf("sm_90a %.0f cycles\n", hopper);
  std::printf("ascend910b %.0f cycles with one slot each, %.0f with two\n", single, pingPong);
  return pingPong < single ? 0 : 1;
}
