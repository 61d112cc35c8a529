// Rows and columns exchanged, by way of shared memory.
#include "kernels/Alignment.h"
#include "kernels/Rows.h"

namespace sluice {

using namespace lang;

namespace {

/// Y = X^T, tile by tile.
Result<Kernel> buildTranspose(const RowsConfig &c, int64_t rows) {
  constexpr int64_t size = 64;
  KernelBuilder k("transpose");
  const lang::Tensor X = k.input("X", c.type, 2, {.align = alignmentOf(c.columns, c.type)});
  const lang::Tensor Y = k.output("Y", c.type, 2, {.align = alignmentOf(rows, c.type)});
  const auto [i, j] = k.grid(ceilDiv(X.dim(0), size), ceilDiv(X.dim(1), size));
  const lang::Index row = k.name(i * size, "row"), column = k.name(j * size, "column");
  Tile x = k.load(X.at({row, column}), {size, size}, "x");
  Tile y = k.map(
      {x}, c.type, [](auto x) { return x; }, "y");
  k.store(transpose(y), Y.at({column, row}));
  return k.build();
}

} // namespace

KernelEntry transposeEntry() {
  KernelEntry entry = rows::entryWith("transpose", "Y = X^T",
                                      {
                                          {"rows", "300", "rows of X", {}, 0, 1 << 24},
                                          {"cols", "4096", "columns of X", {}, 1, 1 << 24},
                                          rows::typeParameter(),
                                      });
  entry.shapes = [](const Parameters &) -> std::vector<TensorShape> {
    return {{"X", {"rows", "cols"}}, {"Y", {"cols", "rows"}}};
  };
  entry.build = [](const Parameters &p, const Arch &) {
    return buildTranspose({p.dtype("dtype"), p.number("cols")}, p.number("rows"));
  };
  rows::setReference(
      entry, "Y", [](const Matrices &in) -> Matrix { return in.at("X").transpose(); },
      "return X(j, i);\n", "1");
  return entry;
}

} // namespace sluice
