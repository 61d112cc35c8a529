// Norms along rows: a tile holds whole rows.
#include "Support/Rounding.h"
#include "kernels/LongRows.h"

#include <cmath>

namespace sluice {

using namespace lang;

namespace {

constexpr double epsilon = 1e-6;

const auto square = [](auto x) { return cast(x, f32) * cast(x, f32); };
const auto value = [](auto x) { return cast(x, f32); };
const auto plus = [](auto a, auto b) { return a + b; };

using rows::NormOptions;

/// The tensors of a norm, and its tiles of `count` x `columns`.
struct Norm {
  lang::Tensor X;
  std::optional<lang::Tensor> R, W, B, Y, H, mean, rstd;
  int64_t count, columns;

  static Norm of(KernelBuilder &k, const RowsConfig &c, const NormOptions &how, bool centred) {
    k.fastMath({.approximate = true, .contract = true});
    Norm norm{rows::input(k, c, "X"), {}, {}, {}, {}, {}, {}, {}, 0, rows::columnsOfRow(c)};
    norm.count = rows::rowsOfTile(c, norm.columns, how.residual ? 2 : 1);
    if (how.residual)
      norm.R = rows::input(k, c, "R");
    if (how.affine)
      norm.W = rows::vector(k, c, "W");
    if (how.affine && centred)
      norm.B = rows::vector(k, c, "B");
    norm.Y = rows::output(k, c, "Y");
    if (how.residual)
      norm.H = rows::output(k, c, "H");
    if (how.saved && centred)
      norm.mean = rows::outputOfRows(k, c, "mean");
    if (how.saved)
      norm.rstd = rows::outputOfRows(k, c, "rstd");
    return norm;
  }
  /// Rows of what the norm is of: X, or H = X + R.
  Tile load(KernelBuilder &k, const RowsConfig &c, const lang::Index &row) const {
    Tile x = k.load(X.at({row, 0}), {count, columns}, "x");
    if (!R)
      return x;
    Tile r = k.load(R->at({row, 0}), {count, columns}, "r");
    Tile h = k.map(
        {x, r}, c.type, [](auto x, auto r) { return cast(x, f32) + cast(r, f32); }, "h");
    k.store(h, H->at({row, 0}), rows::storesOf(c));
    return h;
  }
};

/// Y = X / sqrt(mean(X^2) + epsilon) W along rows; W: 1 x columns.
Result<Kernel> buildRmsNorm(const RowsConfig &c, const NormOptions &how) {
  KernelBuilder k(how.residual ? "add_rmsnorm" : "rmsnorm");
  const Norm norm = Norm::of(k, c, how, /*centred=*/false);
  const lang::Index all = norm.X.dim(1);
  // Beside a longer row, from the first-level cache row by row.
  const int64_t fits = c.onChip ? norm.columns : 4096;
  std::optional<Tile> w;
  const auto load = [&] { w = k.load(norm.W->at({0, 0}), {1, norm.columns}, "w"); };
  if (how.affine && norm.columns <= fits)
    load();
  rows::eachRows(k, c, norm.X, norm.count, [&](lang::Index row) {
    if (how.affine && norm.columns > fits)
      load();
    Tile x = norm.load(k, c, row);
    Tile sum = k.reduce(x, 1, 0, f32, square, plus, "sum");
    Tile scale = k.map(
        {sum}, f32, [&](auto sum) { return rsqrt(sum / cast(Element(all), f32) + epsilon); },
        "scale");
    if (norm.rstd)
      k.store(scale, norm.rstd->at({row, 0}));
    const auto scaled = [](auto x, auto scale) { return cast(x, f32) * scale; };
    Tile y =
        w ? k.map(
                {x, scale, *w}, c.type,
                [&](auto x, auto scale, auto w) { return scaled(x, scale) * cast(w, f32); }, "y")
          : k.map({x, scale}, c.type, scaled, "y");
    k.store(y, norm.Y->at({row, 0}), rows::storesOf(c));
  });
  return k.build();
}

/// Y = (X - mean(X)) / sqrt(variance(X) + epsilon) W + B along rows; W, B: 1 x columns, or left
/// out. The mean first, then the squares of what lies beside it: nothing cancels.
Result<Kernel> buildLayerNorm(const RowsConfig &c, const NormOptions &how) {
  KernelBuilder k(how.residual ? "add_layernorm" : "layernorm");
  const Norm norm = Norm::of(k, c, how, /*centred=*/true);
  const int64_t columns = norm.columns;
  const lang::Index all = norm.X.dim(1);
  // Beside a long row they would not fit into registers: from the first-level cache row by row.
  const int64_t fits = c.onChip ? columns : norm.count == 8 ? 1024 : 2048;
  const auto vector = [&](const lang::Tensor &from, const char *name) {
    return k.load(from.at({0, 0}), {1, columns}, name);
  };
  std::optional<Tile> held, heldToo;
  if (how.affine && columns <= fits)
    held = vector(*norm.W, "w"), heldToo = vector(*norm.B, "b");
  rows::eachRows(k, c, norm.X, norm.count, [&](lang::Index row) {
    Tile x = norm.load(k, c, row);
    Tile sum = k.reduce(x, 1, 0, f32, value, plus, "sum");
    if (norm.mean) {
      Tile mean = k.map(
          {sum}, f32, [&](auto sum) { return sum / cast(Element(all), f32); }, "mean");
      k.store(mean, norm.mean->at({row, 0}));
    }
    // Columns beyond the tensor's count for nothing.
    Tile beside = k.mapWithCoordinates(
        {x, sum}, f32,
        [&](auto x, auto sum, auto, auto column) {
          const Element d = cast(x, f32) - sum / cast(Element(all), f32);
          return columns == c.columns ? d : select(column < Element(all), d, 0.0);
        },
        "beside");
    Tile squares = k.reduce(beside, 1, 0, f32, square, plus, "squares");
    Tile scale = k.map(
        {squares}, f32,
        [&](auto squares) { return rsqrt(squares / cast(Element(all), f32) + epsilon); }, "scale");
    if (norm.rstd)
      k.store(scale, norm.rstd->at({row, 0}));
    const auto scaled = [](auto d, auto scale) { return d * scale; };
    if (!how.affine)
      return k.store(k.map({beside, scale}, c.type, scaled, "y"), norm.Y->at({row, 0}),
                     rows::storesOf(c));
    Tile w = held ? *held : vector(*norm.W, "w");
    k.update(beside, {beside, scale, w},
             [](auto d, auto scale, auto w) { return d * scale * cast(w, f32); });
    Tile b = heldToo ? *heldToo : vector(*norm.B, "b");
    Tile y = k.map(
        {beside, b}, c.type, [](auto y, auto b) { return y + cast(b, f32); }, "y");
    k.store(y, norm.Y->at({row, 0}), rows::storesOf(c));
  });
  return k.build();
}

/// The entry of a norm, on its own or of a sum.
KernelEntry entryOf(std::string name, std::string summary, bool centred, bool residual) {
  KernelEntry entry = rows::entryOf(std::move(name), std::move(summary), {});
  entry.parameters.push_back({"affine",
                              "yes",
                              centred ? "no: without weight and bias" : "no: without weight",
                              {"yes", "no"}});
  entry.parameters.push_back(
      {"saved", "no", "yes: what the way back needs of each row too", {"no", "yes"}});
  constexpr int64_t usualStages = 3; // as many tiles of two inputs as find room
  if (residual)
    rows::parameterOf(entry, "stages").value = std::to_string(usualStages);
  const auto optionsOf = [residual](const Parameters &p) -> NormOptions {
    return {p.text("affine") == "yes", p.text("saved") == "yes", residual};
  };
  entry.shapes = [=](const Parameters &p) {
    const NormOptions how = optionsOf(p);
    std::vector<TensorShape> shapes;
    const auto add = [&](bool has, const char *tensor, const char *rows, const char *columns) {
      if (has)
        shapes.push_back({tensor, {rows, columns}});
    };
    add(true, "X", "rows", "cols"), add(residual, "R", "rows", "cols");
    add(true, "Y", "rows", "cols"), add(residual, "H", "rows", "cols");
    add(how.affine, "W", "1", "cols"), add(how.affine && centred, "B", "1", "cols");
    add(how.saved, "rstd", "rows", "1"), add(how.saved && centred, "mean", "rows", "1");
    return shapes;
  };
  entry.build = [=](const Parameters &p, const Arch &arch) -> Result<Kernel> {
    const RowsConfig c = rows::configOf(p, arch);
    const NormOptions how = optionsOf(p);
    const auto build = centred ? buildLayerNorm : buildRmsNorm;
    const auto buildLong = centred ? rows::buildLongLayerNorm : rows::buildLongRmsNorm;
    return rows::isOneTile(c) ? build(c, how) : buildLong(c, how);
  };
  entry.reference = [=](const Parameters &p, const Matrices &in) -> Result<Matrices> {
    const NormOptions how = optionsOf(p);
    Matrices out;
    Matrix h = in.at("X");
    if (residual) // the norm is of H as it is stored
      h = (h + in.at("R")).unaryExpr([type = p.dtype("dtype")](double x) {
        return roundTo(type, x);
      });
    Matrix y = h, mean = h.rowwise().mean();
    if (centred)
      y.colwise() -= mean.col(0);
    Matrix rstd = (y.array().square().rowwise().mean() + epsilon).rsqrt().matrix();
    y.array().colwise() *= rstd.col(0).array();
    if (how.affine)
      y.array().rowwise() *= in.at("W").row(0).array();
    if (how.affine && centred)
      y.rowwise() += in.at("B").row(0);
    return Matrices{{"Y", std::move(y)},
                    {"H", std::move(h)},
                    {"mean", std::move(mean)},
                    {"rstd", std::move(rstd)}};
  };
  entry.hostReference = [=](const Parameters &p) -> HostReference {
    const NormOptions how = optionsOf(p);
    const std::string x = residual ? "(X(i, x) + R(i, x))" : "X(i, x)";
    const std::string mean = centred ? "  mean += " + x + " / double(cols);\n" : "  ;\n";
    const std::string affine = how.affine ? centred ? " * W(0, j) + B(0, j)" : " * W(0, j)" : "";
    const std::string own = residual ? "(X(i, j) + R(i, j))" : "X(i, j)";
    return {"Y",
            "double mean = 0, squares = 0;\n"
            "for (i64 x = 0; x < cols; ++x)\n" +
                mean +
                "for (i64 x = 0; x < cols; ++x)\n"
                "  squares += (" +
                x + " - mean) * (" + x + " - mean);\n" + "return (" + own +
                " - mean) / std::sqrt(squares / double(cols) + 1e-6)" + affine + ";\n",
            "2 * cols", "double(Y.extent(0)) * double(Y.extent(1))"};
  };
  rows::setParts(entry);
  rows::setPlan(entry, [centred, residual, optionsOf](const Parameters &p) {
    const bool affine = p.text("affine") == "yes";
    const int64_t tensors = residual ? 2 : 1;
    RowsProblem problem{.inputs = tensors, .outputs = tensors, .folds = 1};
    problem.clusters = problem.drawsAlone = true;
    problem.loaded = LoadedRows::chosen;
    problem.usual = residual ? usualStages : 0;
    if (affine)
      problem.vectors = centred ? 2 : 1;
    if (centred)
      problem.whole = rows::heldOfLayerNorm(optionsOf(p));
    else if (!residual)
      problem.whole = rows::heldAlone;
    if (centred && !residual)
      problem.shifting = 0.8;
    const int64_t bytes = (p.number("cols") + p.number("pad")) * byteSize(p.dtype("dtype"));
    if (affine && centred && !residual && bytes % 16 != 0)
      problem.registers = 1.9; // 96 of a thread hold 768 columns without a spill
    return problem;
  });
  return entry;
}

} // namespace

KernelEntry rmsNormEntry() {
  return entryOf("rmsnorm", "Y = X / sqrt(mean(X^2) + 1e-6) W along rows", false, false);
}

KernelEntry layerNormEntry() {
  return entryOf("layernorm", "Y = (X - mean(X)) / sqrt(variance(X) + 1e-6) W + B along rows", true,
                 false);
}

KernelEntry addRmsNormEntry() {
  return entryOf("add_rmsnorm", "H = X + R, Y = rmsnorm(H) W along rows", false, true);
}

KernelEntry addLayerNormEntry() {
  return entryOf("add_layernorm", "H = X + R, Y = layernorm(H) W + B along rows", true, true);
}

} // namespace sluice
