// The kernel that 10_residual_norm.py becomes for short rows, in C++: two results; what all rows
// share is loaded once.
#include "Show.h"
#include "sluice/KernelBuilder.h"

#include <cmath>

using namespace sluice::lang;

static sluice::Result<sluice::Kernel> residualNorm() {
  constexpr int64_t rows = 8, columns = 512, most = 132; // of a tile; CTAs
  KernelBuilder k("residual_norm");
  Tensor X = k.input("x", f32, 2, {.align = 16}), R = k.input("residual", f32, 2, {.align = 16});
  Tensor W = k.input("w", f32, 2, {.align = 16, .extents = {1, anyExtent}});
  Tensor Y = k.output("y0", f32, 2, {.align = 16}), T = k.output("y1", f32, 2, {.align = 16});
  Index blocks = ceilDiv(X.dim(0), rows), ctas = min(blocks, most), all = X.dim(1);
  auto [cta] = k.grid(ctas);
  const Index first = cta;
  Tile w = k.load(W.at({0, 0}), {1, columns}, "w");
  k.loop(ceilDiv(blocks - first, ctas), stages(4), "t", [&](Index t) {
    Index row = (first + t * ctas) * rows;
    Tile x = k.load(X.at({row, 0}), {rows, columns}, "x");
    Tile r = k.load(R.at({row, 0}), {rows, columns}, "r");
    Tile total = k.map({x, r}, f32, std::plus<Element>(), "total");
    Tile sum = k.reduce(
        total, 1, 0, f32, [](auto x) { return x * x; }, std::plus<Element>(), "sum");
    Tile scale = k.map(
        {sum}, f32, [&](auto sum) { return rsqrt(sum / cast(Element(all), f32) + 1e-6); }, "scale");
    Tile y = k.map(
        {total, scale, w}, f32, [](auto t, auto scale, auto w) { return t * scale * w; }, "y");
    k.store(y, Y.at({row, 0}));
    k.store(total, T.at({row, 0}));
  });
  return k.build();
}

int main() {
  const int64_t rows = 5, columns = 300;
  auto program = show::compileFor(sluice::Target::sm_90a, show::take(residualNorm()));
  auto tensors = show::tensorsFor(
      program, {{rows, columns}, {rows, columns}, {1, columns}, {rows, columns}, {rows, columns}});
  const bool proven = show::proven(program, tensors);
  show::run(program, tensors);
  const sluice::Matrix total = toMatrix(tensors[0]) + toMatrix(tensors[1]);
  sluice::Matrix expected = total;
  expected.array().colwise() *= (total.array().square().rowwise().mean() + 1e-6).rsqrt().eval();
  expected.array().rowwise() *= toMatrix(tensors[2]).row(0).array();
  const double error = std::max(sluice::relativeError(toMatrix(tensors[3]), expected),
                                sluice::relativeError(toMatrix(tensors[4]), total));
  std::printf("%s, error %.2g\n", proven ? "proven" : "not proven", error);
  return proven && error <= sluice::defaultTolerance(sluice::DType::f32) ? 0 : 1;
}
