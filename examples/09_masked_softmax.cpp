// The kernel that 09_masked_softmax.py becomes, in C++: a tile holds 8 whole rows, a warp each.
#include "Show.h"
#include "sluice/KernelBuilder.h"

#include <cmath>
#include <limits>

using namespace sluice::lang;

static sluice::Result<sluice::Kernel> maskedSoftmax() {
  constexpr int64_t rows = 8, columns = 256, most = 132; // of a tile; CTAs
  constexpr double infinity = std::numeric_limits<double>::infinity();
  KernelBuilder k("masked_softmax");
  Tensor X = k.input("x", f32, 2, {.align = 16}), mask = k.input("mask", f32, 2, {.align = 16});
  Tensor Y = k.output("y", f32, 2, {.align = 16});
  Index blocks = ceilDiv(X.dim(0), rows), ctas = min(blocks, most), all = X.dim(1);
  auto [cta] = k.grid(ctas);
  const Index first = cta;
  k.loop(ceilDiv(blocks - first, ctas), stages(4), "t", [&](Index t) {
    Index row = (first + t * ctas) * rows;
    Tile x = k.load(X.at({row, 0}), {rows, columns}, "x");
    Tile m = k.load(mask.at({row, 0}), {rows, columns}, "m");
    Tile scores = k.mapWithCoordinates(
        {x, m}, f32,
        [&](auto x, auto m, auto, auto column) {
          return select(column < Element(all), x * 0.125 + m, -infinity);
        },
        "scores");
    Tile largest = k.rowMax(scores, "largest");
    Tile e = k.map(
        {scores, largest}, f32, [](auto s, auto largest) { return exp(s - largest); }, "e");
    Tile sum = k.rowSum(e, "sum");
    Tile y = k.map(
        {e, sum}, f32, [](auto e, auto sum) { return e / sum; }, "y");
    k.store(y, Y.at({row, 0}));
  });
  return k.build();
}

int main() {
  const int64_t rows = 9, columns = 200;
  auto program = show::compileFor(sluice::Target::sm_90a, show::take(maskedSoftmax()));
  auto tensors = show::tensorsFor(program, {{rows, columns}, {rows, columns}, {rows, columns}});
  const bool proven = show::proven(program, tensors);
  show::run(program, tensors);
  sluice::Matrix expected = toMatrix(tensors[0]) * 0.125 + toMatrix(tensors[1]);
  expected = (expected.colwise() - expected.rowwise().maxCoeff().eval()).array().exp().matrix();
  expected.array().colwise() /= expected.rowwise().sum().array().eval();
  const double error = sluice::relativeError(toMatrix(tensors[2]), expected);
  std::printf("%s, error %.2g\n", proven ? "proven" : "not proven", error);
  return proven && error <= sluice::defaultTolerance(sluice::DType::f32) ? 0 : 1;
}
