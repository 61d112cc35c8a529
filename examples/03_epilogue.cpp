// Element functions: C = gelu(A B + bias). The function is ordinary C++ on symbolic elements; the
// bias of one row is repeated for every row of the tile.
#include "Show.h"
#include "sluice/KernelBuilder.h"

#include <numbers>

using namespace sluice::lang;

static Element gelu(Element x) {
  return 0.5 * x * (1 + erf(x * (1 / std::numbers::sqrt2)));
}

static sluice::Result<sluice::Kernel> dense() {
  KernelBuilder k("dense_gelu");
  Tensor A = k.input("A", bf16, 2, {.align = 16}), B = k.input("B", bf16, 2, {.align = 16});
  Tensor bias = k.input("bias", f32, 2, {.align = 16});
  Tensor C = k.output("C", bf16, 2, {.align = 16});
  Index rows = ceilDiv(C.dim(0), 64), cols = ceilDiv(C.dim(1), 128);
  auto [i, j] = k.grid(rows, cols);
  Index row = i * 64, col = j * 128;
  Tile acc = k.accumulator(f32, {64, 128}, "acc");
  k.loop(ceilDiv(A.dim(1), 64), stages(3), "k", [&](Index t) {
    Tile a = k.load(A.at({row, t * 64}), {64, 64}, "a");
    Tile b = k.load(B.at({t * 64, col}), {64, 128}, "b");
    k.mma(acc, a, b);
  });
  Tile shift = k.load(bias.at({0, col}), {1, 128}, "shift");
  Tile c = k.map(
      {acc, shift}, bf16, [](auto x, auto s) { return gelu(x + s); }, "c");
  k.store(c, C.at({row, col}));
  return k.build();
}

int main() {
  const int64_t M = 100, N = 200, K = 128;
  auto program = show::compileFor(sluice::Target::sm_90a, show::take(dense()));
  auto tensors = show::tensorsFor(program, {{M, K}, {K, N}, {1, N}, {M, N}});
  bool proven = show::proven(program, tensors);
  show::run(program, tensors);
  sluice::GemmReference how;
  how.bias = toMatrix(tensors[2]);
  how.activation = sluice::Activation::geluErf;
  auto expected =
      show::take(sluice::referenceGemm(toMatrix(tensors[0]), toMatrix(tensors[1]), how));
  double error = sluice::relativeError(toMatrix(tensors[3]), expected);
  std::printf("%s, error %.2g\n", proven ? "proven" : "not proven", error);
  return proven && error <= sluice::defaultTolerance(sluice::DType::bf16) ? 0 : 1;
}
