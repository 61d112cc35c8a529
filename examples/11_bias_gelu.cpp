// The kernel that 11_bias_gelu.py becomes, in C++: a tile is a piece of 8 rows.
#include "Show.h"
#include "sluice/KernelBuilder.h"

#include <cmath>
#include <numbers>

using namespace sluice::lang;

static sluice::Result<sluice::Kernel> biasGelu() {
  constexpr int64_t rows = 8, columns = 256, most = 132; // of a tile; CTAs
  KernelBuilder k("bias_gelu");
  Tensor X = k.input("x", f32, 2, {.align = 16});
  Tensor B = k.input("b", f32, 2, {.align = 16, .extents = {1, anyExtent}});
  Tensor R = k.input("residual", f32, 2, {.align = 16}), Y = k.output("y", f32, 2, {.align = 16});
  Index across = ceilDiv(X.dim(1), columns), pieces = ceilDiv(X.dim(0), rows) * across;
  Index ctas = min(pieces, most);
  auto [cta] = k.grid(ctas);
  const Index first = cta;
  k.loop(ceilDiv(pieces - first, ctas), stages(4), "t", [&](Index t) {
    Index piece = first + t * ctas, row = piece / across * rows, column = piece % across * columns;
    Tile b = k.load(B.at({0, column}), {1, columns}, "b");
    Tile x = k.load(X.at({row, column}), {rows, columns}, "x");
    Tile r = k.load(R.at({row, column}), {rows, columns}, "r");
    Tile y = k.map(
        {x, b, r}, f32,
        [](auto x, auto b, auto r) {
          Element sum = x + b;
          return 0.5 * sum * (1 + erf(sum * (1 / std::numbers::sqrt2))) + r;
        },
        "y");
    k.store(y, Y.at({row, column}));
  });
  return k.build();
}

int main() {
  const int64_t rows = 9, columns = 300;
  auto program = show::compileFor(sluice::Target::sm_90a, show::take(biasGelu()));
  auto tensors =
      show::tensorsFor(program, {{rows, columns}, {1, columns}, {rows, columns}, {rows, columns}});
  const bool proven = show::proven(program, tensors);
  show::run(program, tensors);
  sluice::Matrix expected = toMatrix(tensors[0]).rowwise() + toMatrix(tensors[1]).row(0);
  expected = expected.unaryExpr(
      [](double x) { return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2)); });
  expected += toMatrix(tensors[2]);
  const double error = sluice::relativeError(toMatrix(tensors[3]), expected);
  std::printf("%s, error %.2g\n", proven ? "proven" : "not proven", error);
  return proven && error <= sluice::defaultTolerance(sluice::DType::f32) ? 0 : 1;
}
