// A kernel is C++ that says what is moved and what is computed on tiles. What it writes down is
// text of the dialect: `sluice check`, `run`, `trace` ... take it from a file as well.
#include "sluice/KernelBuilder.h"

#include <cstdio>

using namespace sluice::lang;

int main() {
  KernelBuilder k("scale_rows"); // B = A / max(|A| of the row)
  Tensor A = k.input("A", f16, 2, {.align = 16});
  Tensor B = k.output("B", f16, 2, {.align = 16});
  auto [i] = k.grid(ceilDiv(A.dim(0), 64));
  Tile a = k.load(A.at({i * 64, 0}), {64, 128}, "a");
  Tile largest = k.reduce(
      a, 1, 0, [](auto state, auto x) { return max(state, abs(x)); }, "largest");
  Tile b = k.map(
      {a, largest}, f16, [](auto x, auto m) { return x / m; }, "b");
  k.store(b, B.at({i * 64, 0}));

  auto kernel = k.build();
  if (!kernel) {
    std::fprintf(stderr, "%s\n", kernel.error().message.c_str());
    return 1;
  }
  std::fputs(kernel->text().c_str(), stdout);
}
