// Rows and columns exchanged, by way of shared memory.
#include "Arch/RowsCosts.h"
#include "kernels/Alignment.h"
#include "kernels/Rows.h"

namespace sluice {

using namespace lang;

namespace {

constexpr int64_t size = 64; // of a tile, both ways

/// Y = X^T; a CTA takes `share` tiles, from one row of tiles to the next or, `across`, from one
/// column to the next.
Result<Kernel> buildTranspose(const RowsConfig &c, int64_t rows, bool across) {
  KernelBuilder k("transpose");
  const lang::Tensor X = k.input("X", c.type, 2, {.align = alignmentOf(c.columns, c.type)});
  const lang::Tensor Y = k.output("Y", c.type, 2, {.align = alignmentOf(rows, c.type)});
  const int64_t span = size * c.share;
  const auto [i, j] =
      k.grid(ceilDiv(X.dim(0), across ? size : span), ceilDiv(X.dim(1), across ? span : size));
  const lang::Index from = (across ? j : i) * span;
  const lang::Index left = ceilDiv(X.dim(across ? 1 : 0) - from, size);
  k.loop(k.name(min(left, c.share), "mine"), stages(c.stages), "t", [&](lang::Index t) {
    const lang::Index row = k.name(across ? i * size : from + t * size, "row");
    const lang::Index column = k.name(across ? from + t * size : j * size, "column");
    Tile x = k.load(X.at({row, column}), {size, size}, "x");
    Tile y = k.map(
        {x}, c.type, [](auto x) { return x; }, "y");
    k.store(transpose(y), Y.at({column, row}));
  });
  return k.build();
}

/// H200: 22904 x 1848 by one tile 49.4 us, by two 56.6; stored by threads, 1017 x 93872, 228, 209.
int64_t shareOf(const Parameters &p, const Arch &arch) {
  if (!p.isAuto("share"))
    return p.number("share");
  const bool byTma = alignmentOf(p.number("rows"), p.dtype("dtype")) >= 16;
  return byTma ? rowsCostsOf(arch).tilesOfTranspose : 2;
}

} // namespace

KernelEntry transposeEntry() {
  KernelEntry entry =
      rows::entryWith("transpose", "Y = X^T",
                      {
                          {"rows", "300", "rows of X", {}, 0, 1 << 24},
                          {"cols", "4096", "columns of X", {}, 1, 1 << 24},
                          {"stages", "2", "tiles in flight", {}, 1, 16},
                          {"share",
                           "auto",
                           "tiles that a CTA takes; auto: 2, on an H200 one where TMA stores them",
                           {},
                           1,
                           1024},
                          {"along", "cols", "where they lie, side by side", {"rows", "cols"}},
                          rows::typeParameter(),
                      });
  entry.shapes = [](const Parameters &) -> std::vector<TensorShape> {
    return {{"X", {"rows", "cols"}}, {"Y", {"cols", "rows"}}};
  };
  entry.settle = [](const Parameters &p, const Arch &arch) -> Result<Parameters> {
    return p.with("share", std::to_string(shareOf(p, arch)));
  };
  entry.build = [](const Parameters &p, const Arch &arch) {
    const RowsConfig c{.type = p.dtype("dtype"),
                       .columns = p.number("cols"),
                       .stages = p.number("stages"),
                       .share = shareOf(p, arch)};
    return buildTranspose(c, p.number("rows"), p.text("along") == "cols");
  };
  rows::setReference(
      entry, "Y", [](const Matrices &in) -> Matrix { return in.at("X").transpose(); },
      "return X(j, i);\n", "1");
  return entry;
}

} // namespace sluice
