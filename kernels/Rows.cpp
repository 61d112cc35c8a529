#include "kernels/Rows.h"

#include "kernels/Alignment.h"
#include "sluice/KernelBuilder.h"

#include <cmath>

namespace sluice {

using namespace lang;

namespace {

constexpr int64_t columnsOfWarp = 256; // whole rows come 8 columns a lane
constexpr double epsilon = 1e-6;

int64_t roundUp(int64_t value, int64_t to) {
  return (value + to - 1) / to * to;
}

/// The columns of a tile, up to `most`: the most of which a row of tiles has hardly more columns
/// beyond the tensor's than the least that would do.
int64_t columnsOfTile(int64_t columns, int64_t most) {
  columns = std::max<int64_t>(columns, 1);
  const int64_t least = roundUp(columns, columnsOfWarp);
  int64_t tile = std::min(least, most);
  while (8 * roundUp(columns, tile) > 9 * least)
    tile -= columnsOfWarp;
  return tile;
}

/// Eight, one a warp; four where rows are long, so that a thread has more registers, or where eight
/// leave no room for the stages.
int64_t rowsOfTile(const RowsConfig &c, int64_t columns, int64_t inputs) {
  constexpr int64_t longRow = 4096, room = 220 << 10; // bytes
  const int64_t bytes = columns * byteSize(c.type);
  return bytes <= longRow && 8 * bytes * inputs * c.stages <= room ? 8 : 4;
}

/// Three tensors of rows, Y = f(X, other).
struct Operands {
  lang::Tensor x, other, y;
};

Operands operandsOf(KernelBuilder &k, const RowsConfig &c, std::string other) {
  k.fastMath({.approximate = true, .contract = true});
  const TensorOptions lines = {.align = alignmentOf(c.columns, c.type)};
  return {k.input("X", c.type, 2, lines), k.input(std::move(other), c.type, 2, lines),
          k.output("Y", c.type, 2, lines)};
}

/// A CTA's share of the blocks: every ctas-th, `mine` of them.
struct Share {
  lang::Index cta, ctas, mine;
  lang::Index block(const lang::Index &t) const { return cta + t * ctas; }
};

Share shareOf(KernelBuilder &k, const lang::Index &blocks, int64_t most) {
  const lang::Index ctas = k.name(min(blocks, most), "ctas");
  const auto [cta] = k.grid(ctas);
  return {cta, ctas, k.name(ceilDiv(blocks - cta, ctas), "mine")};
}

} // namespace

Result<Kernel> buildSiluMul(const RowsConfig &c) {
  using lang::Index;
  KernelBuilder k("silu_mul");
  const auto [X, G, Y] = operandsOf(k, c, "G");
  const int64_t columns = columnsOfTile(c.columns, 1024), rows = rowsOfTile(c, columns, 2);
  Index across = k.name(ceilDiv(X.dim(1), columns), "across");
  const Share share = shareOf(k, k.name(ceilDiv(X.dim(0), rows) * across, "blocks"), c.ctas);
  k.loop(share.mine, stages(c.stages), "t", [&](Index t) {
    Index block = k.name(share.block(t), "block");
    Index row = k.name(block / across * rows, "row");
    Index column = k.name(block % across * columns, "column");
    Tile x = k.load(X.at({row, column}), {rows, columns}, "x");
    Tile g = k.load(G.at({row, column}), {rows, columns}, "g");
    Tile y = k.map(
        {x, g}, c.type,
        [](auto given, auto g) {
          Element x = cast(given, f32);
          return x / (1.0 + exp(-x)) * cast(g, f32);
        },
        "y");
    k.store(y, Y.at({row, column}), staging(c.staging));
  });
  return k.build();
}

Result<Kernel> buildRmsNorm(const RowsConfig &c) {
  using lang::Index;
  KernelBuilder k("rmsnorm");
  const auto [X, W, Y] = operandsOf(k, c, "W");
  const int64_t columns = roundUp(c.columns, columnsOfWarp), rows = rowsOfTile(c, columns, 1);
  const auto square = [](auto x) { return cast(x, f32) * cast(x, f32); };
  const auto add = [](auto a, auto b) { return a + b; };
  Index all = X.dim(1);
  const Share share = shareOf(k, k.name(ceilDiv(X.dim(0), rows), "blocks"), c.ctas);
  Tile w = k.load(W.at({0, 0}), {1, columns}, "w");
  k.loop(share.mine, stages(c.stages), "t", [&](Index t) {
    Index row = k.name(share.block(t) * rows, "row");
    Tile x = k.load(X.at({row, 0}), {rows, columns}, "x");
    Tile sum = k.reduce(x, 1, 0, f32, square, add, "sum");
    Tile scale = k.map(
        {sum}, f32, [&](auto sum) { return rsqrt(sum / cast(Element(all), f32) + epsilon); },
        "scale");
    Tile y = k.map(
        {x, scale, w}, c.type,
        [](auto x, auto scale, auto w) { return cast(x, f32) * scale * cast(w, f32); }, "y");
    k.store(y, Y.at({row, 0}), staging(c.staging));
  });
  return k.build();
}

// ---- In the catalogue -------------------------------------------------------------------------

static RowsConfig configOf(const Parameters &p, const Arch &arch) {
  return {p.dtype("dtype"), p.number("cols"), p.number("stages"),
          p.isAuto("ctas") ? arch.cores : p.number("ctas"), p.number("staging")};
}
static Result<Parameters> settle(const Parameters &p, const Arch &arch) {
  return p.with("ctas", std::to_string(configOf(p, arch).ctas));
}

static std::vector<Parameter> parameters(int64_t mostColumns) {
  return {
      {"rows", "33", "rows", {}, 0, int64_t{1} << 30, true},
      {"cols", "4096", "columns", {}, 1, mostColumns},
      {"stages", "4", "tiles in flight", {}, 1, 16},
      {"ctas", "auto", "most CTAs; auto: as many as SMs", {}, 1, 1 << 16},
      {"staging", "0", "1: results replace loaded tiles, and a role stores them", {"0", "1"}},
      {"dtype", "bf16", "element type", {"f16", "bf16", "f32"}},
  };
}

KernelEntry siluMulEntry() {
  KernelEntry entry;
  entry.name = "silu_mul";
  entry.summary = "Y = silu(X) G, element by element (SwiGLU)";
  entry.targets = {Target::sm_90a};
  entry.parameters = parameters(1 << 24);
  entry.shapes = [](const Parameters &) -> std::vector<TensorShape> {
    return {{"X", {"rows", "cols"}}, {"G", {"rows", "cols"}}, {"Y", {"rows", "cols"}}};
  };
  entry.build = [](const Parameters &p, const Arch &arch) {
    return buildSiluMul(configOf(p, arch));
  };
  entry.settle = settle;
  entry.reference = [](const Parameters &, const Matrices &in) -> Result<Matrices> {
    const Matrix &x = in.at("X"), &g = in.at("G");
    Matrix y = (x.array() / (1 + (-x.array()).exp()) * g.array()).matrix();
    return Matrices{{"Y", std::move(y)}};
  };
  entry.hostReference = [](const Parameters &) -> HostReference {
    return {"Y", "return X(i, j) / (1 + std::exp(-X(i, j))) * G(i, j);\n", "1",
            "double(Y.extent(0)) * double(Y.extent(1))"};
  };
  return entry;
}

KernelEntry rmsNormEntry() {
  KernelEntry entry;
  entry.name = "rmsnorm";
  entry.summary = "Y = X / sqrt(mean(X^2) + 1e-6) W along rows";
  entry.targets = {Target::sm_90a};
  entry.parameters = parameters(4096);
  entry.shapes = [](const Parameters &) -> std::vector<TensorShape> {
    return {{"X", {"rows", "cols"}}, {"W", {"1", "cols"}}, {"Y", {"rows", "cols"}}};
  };
  entry.build = [](const Parameters &p, const Arch &arch) -> Result<Kernel> {
    const RowsConfig c = configOf(p, arch);
    if (constexpr int64_t most = 8192; c.columns * byteSize(c.type) > most)
      return inputError("rmsnorm cols=" + p.text("cols") + " dtype=" + p.text("dtype") +
                        ": a row is one tile in registers, of at most " + std::to_string(most) +
                        " bytes");
    return buildRmsNorm(c);
  };
  entry.settle = settle;
  entry.reference = [](const Parameters &, const Matrices &in) -> Result<Matrices> {
    const Matrix &x = in.at("X");
    const auto scale = (x.array().square().rowwise().mean() + epsilon).rsqrt().eval();
    Matrix y = ((x.array().colwise() * scale).rowwise() * in.at("W").row(0).array()).matrix();
    return Matrices{{"Y", std::move(y)}};
  };
  entry.hostReference = [](const Parameters &) -> HostReference {
    return {"Y",
            "double sum = 0;\n"
            "for (i64 x = 0; x < cols; ++x)\n"
            "  sum += X(i, x) * X(i, x);\n"
            "return X(i, j) / std::sqrt(sum / double(cols) + 1e-6) * W(0, j);\n",
            "cols", "double(Y.extent(0)) * double(Y.extent(1))"};
  };
  return entry;
}

} // namespace sluice
