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

int64_t roundedUp(int64_t value, int64_t to) {
  return (value + to - 1) / to * to;
}

/// Rows of a tile whose columns threads store: 256 bytes of a line of Y at a time, where that
/// leaves hardly more rows without an element than 64 do.
int64_t rowsOfStored(int64_t rows, int64_t size) {
  return size == 2 && 4 * roundedUp(rows, 128) <= 5 * roundedUp(rows, 64) ? 128 : 64;
}

/// TMA loads, threads store. Of narrow rows a CTA reads all (346986 x 144 85.9 us, 70.4).
Tiling storedByThreads(int64_t rows, int64_t columns, int64_t size) {
  const int64_t high = rowsOfStored(rows, size);
  if (high * size < 256)
    return {.stages = 1, .share = 1, .perSm = 6};
  return {.rows = high, .columns = 32, .share = columns <= 256 ? 8 : 2};
}

/// Threads load, by cp.async where lines of X are multiples of what that copies.
Tiling loadedByThreads(int64_t rows, int64_t align, int64_t size, bool tmaStores) {
  const bool async = align >= 4;
  if (size == 4)
    return {.columns = 32, .stages = 3, .share = 4, .perSm = 4, .async = async};
  return {.rows = tmaStores ? 64 : rowsOfStored(rows, size),
          .stages = 3,
          .share = 4,
          .perSm = tmaStores ? 4 : 3,
          .async = async};
}

/// What lines of X and of Y are multiples of decides who moves them: 16 bytes TMA, others threads.
/// Measured on an H200 (bench/ROWS.md).
Tiling tilingFor(const Parameters &p, const Arch &arch) {
  const DType type = p.dtype("dtype");
  const int64_t size = byteSize(type), rows = p.number("rows"), columns = p.number("cols");
  const int64_t align = alignmentOf(columns, type);
  const bool tmaLoads = align >= 16, tmaStores = alignmentOf(rows, type) >= 16;
  if (isAscend(arch.target))
    return {};
  if (tmaLoads && tmaStores)
    return {.share = rowsCostsOf(arch).tilesOfTranspose};
  Tiling c = tmaLoads ? storedByThreads(rows, columns, size)
                      : loadedByThreads(rows, align, size, tmaStores);
  // Few tiles are dealt out one by one: 100003 x 36 by four 8.9 us, by one 8.1.
  const int64_t tiles =
      roundedUp(rows, c.rows) / c.rows * (roundedUp(columns, c.columns) / c.columns);
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
