// Rows and columns exchanged, by way of shared memory.
#include "Arch/RowsCosts.h"
#include "kernels/Alignment.h"
#include "kernels/Rows.h"

#include <algorithm>

namespace sluice {

using namespace lang;

namespace {

/// Rows and columns of X in a tile, and how many tiles a CTA takes, with how many in flight.
struct Tiling {
  int64_t rows = 64, columns = 64;
  int64_t stages = 2, share = 2;
  int64_t perSm = 1;  // CTAs that an SM has room for at once
  bool async = false; // threads load by cp.async
};

/// Y = X^T; a CTA takes `share` tiles, from one row of tiles to the next or, `across`, from one
/// column to the next.
Result<Kernel> buildTranspose(const Parameters &p, const Tiling &c) {
  const DType type = p.dtype("dtype");
  const bool across = p.text("along") == "cols";
  KernelBuilder k("transpose");
  const lang::Tensor X = k.input("X", type, 2, {.align = alignmentOf(p.number("cols"), type)});
  const lang::Tensor Y = k.output("Y", type, 2, {.align = alignmentOf(p.number("rows"), type)});
  const int64_t size = across ? c.columns : c.rows, span = size * c.share;
  const auto [i, j] = k.grid(ceilDiv(X.dim(0), across ? c.rows : span),
                             ceilDiv(X.dim(1), across ? span : c.columns), {.ctasPerSm = c.perSm});
  const lang::Index from = (across ? j : i) * span;
  const lang::Index left = ceilDiv(X.dim(across ? 1 : 0) - from, size);
  lang::LoadOptions loaded;
  if (c.async)
    loaded.by = LoadedBy::async;
  k.loop(k.name(min(left, c.share), "mine"), stages(c.stages), "t", [&](lang::Index t) {
    const lang::Index at = from + t * size;
    const lang::Index row = k.name(across ? i * c.rows : at, "row");
    const lang::Index column = k.name(across ? at : j * c.columns, "column");
    Tile x = k.load(X.at({row, column}), {c.rows, c.columns}, "x", loaded);
    Tile y = k.map(
        {x}, type, [](auto x) { return x; }, "y");
    k.store(transpose(y), Y.at({column, row}));
  });
  return k.build();
}

/// What lines of X and of Y are multiples of decides who moves them: 16 bytes TMA, others threads.
/// Lines of Y that threads store are the faster the longer the part of a tile is, 256 bytes, where
/// that has hardly more rows than X. Measured on an H200 (bench/ROWS.md).
Tiling tilingFor(const Parameters &p, const Arch &arch) {
  const DType type = p.dtype("dtype");
  const int64_t size = byteSize(type), rows = p.number("rows"), columns = p.number("cols");
  const bool tmaLoads = alignmentOf(columns, type) >= 16, tmaStores = alignmentOf(rows, type) >= 16;
  if (isAscend(arch.target))
    return {};
  if (tmaLoads && tmaStores)
    return {.share = rowsCostsOf(arch).tilesOfTranspose};
  const auto padded = [&](int64_t of) { return (rows + of - 1) / of * of; };
  const bool tall = size == 2 && !tmaStores && 4 * padded(128) <= 5 * padded(64);
  Tiling c{.rows = tall ? 128 : 64, .columns = 64, .stages = 3, .share = 4, .perSm = 3};
  if (tmaLoads && (tall || size == 4)) // of narrow rows a CTA reads all: 346986 x 144 85.9 us, 70.4
    c = {.rows = c.rows, .columns = 32, .share = columns <= 256 ? 8 : 2};
  else if (tmaLoads)
    c = {.stages = 1, .share = 1, .perSm = 6};
  else if (size == 4)
    c = {.columns = 32, .stages = 3, .share = 4, .perSm = 4};
  else if (tmaStores)
    c.perSm = 4;
  c.async = !tmaLoads && alignmentOf(columns, type) >= 4;
  const int64_t tiles = (rows + c.rows - 1) / c.rows * ((columns + c.columns - 1) / c.columns);
  // Few tiles are dealt out one by one: an H200, 100003 x 36 by four 8.9 us, by one 8.1.
  c.share = std::clamp<int64_t>(tiles / (4 * arch.cores), 1, c.share);
  c.stages = std::min(c.stages, c.share);
  return c;
}

/// CTAs that an SM has shared memory for.
int64_t roomOfSm(const Tiling &c, int64_t elementBytes, const Arch &arch) {
  constexpr int64_t beside = 1024;    // barriers
  const int64_t slots = c.stages + 1; // one of the turned tile
  const int64_t ofCta = slots * c.rows * c.columns * elementBytes + beside + arch.sharedOfSystem;
  return std::max<int64_t>(arch.sharedBytes / ofCta, 1);
}

/// What `--set` says goes before; the tile itself is not asked for.
Tiling tilingOf(const Parameters &p, const Arch &arch) {
  Tiling c = tilingFor(p, arch);
  const auto given = [&](const char *name, int64_t otherwise) {
    return p.isAuto(name) ? otherwise : p.number(name);
  };
  c.stages = given("stages", c.stages);
  c.share = given("share", c.share);
  const int64_t room = isAscend(arch.target) ? 1 : roomOfSm(c, byteSize(p.dtype("dtype")), arch);
  c.perSm = given("per_sm", std::min(c.perSm, room));
  return c;
}

} // namespace

KernelEntry transposeEntry() {
  KernelEntry entry =
      rows::entryWith("transpose", "Y = X^T",
                      {
                          {"rows", "300", "rows of X", {}, 0, 1 << 24},
                          {"cols", "4096", "columns of X", {}, 1, 1 << 24},
                          {"stages", "auto", "tiles in flight", {}, 1, 16},
                          {"share", "auto", "tiles that a CTA takes", {}, 1, 1024},
                          {"per_sm", "auto", "CTAs that an SM has room for at once", {}, 1, 16},
                          {"along", "cols", "where they lie, side by side", {"rows", "cols"}},
                          rows::typeParameter(),
                      });
  entry.shapes = [](const Parameters &) -> std::vector<TensorShape> {
    return {{"X", {"rows", "cols"}}, {"Y", {"cols", "rows"}}};
  };
  entry.settle = [](const Parameters &p, const Arch &arch) -> Result<Parameters> {
    const Tiling c = tilingOf(p, arch);
    return p.with("stages", std::to_string(c.stages))
        .with("share", std::to_string(c.share))
        .with("per_sm", std::to_string(c.perSm));
  };
  entry.build = [](const Parameters &p, const Arch &arch) {
    return buildTranspose(p, tilingOf(p, arch));
  };
  rows::setReference(
      entry, "Y", [](const Matrices &in) -> Matrix { return in.at("X").transpose(); },
      "return X(j, i);\n", "1");
  return entry;
}

} // namespace sluice
