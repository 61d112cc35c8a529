// Norms along rows: a tile holds whole rows.
#include "kernels/LongRows.h"

#include <cmath>

namespace sluice {

using namespace lang;

namespace {

constexpr double epsilon = 1e-6;

const auto square = [](auto x) { return cast(x, f32) * cast(x, f32); };
const auto value = [](auto x) { return cast(x, f32); };
const auto plus = [](auto a, auto b) { return a + b; };

/// Y = X / sqrt(mean(X^2) + epsilon) W along rows; W: 1 x columns.
Result<Kernel> buildRmsNorm(const RowsConfig &c) {
  KernelBuilder k("rmsnorm");
  k.fastMath({.approximate = true, .contract = true});
  const lang::Tensor X = rows::input(k, c, "X"), W = rows::vector(k, c, "W"),
                     Y = rows::output(k, c, "Y");
  const int64_t columns = rows::columnsOfRow(c), count = rows::rowsOfTile(c, columns, 1);
  const lang::Index all = X.dim(1);
  Tile w = k.load(W.at({0, 0}), {1, columns}, "w");
  rows::eachRows(k, c, X, count, [&](lang::Index row) {
    Tile x = k.load(X.at({row, 0}), {count, columns}, "x");
    Tile sum = k.reduce(x, 1, 0, f32, square, plus, "sum");
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

/// Y = (X - mean(X)) / sqrt(variance(X) + epsilon) W + B along rows; W, B: 1 x columns, or left
/// out. The mean first, then the squares of what lies beside it: nothing cancels.
Result<Kernel> buildLayerNorm(const RowsConfig &c, bool affine) {
  KernelBuilder k("layernorm");
  k.fastMath({.approximate = true, .contract = true});
  const lang::Tensor X = rows::input(k, c, "X");
  std::optional<lang::Tensor> W, B;
  if (affine)
    W = rows::vector(k, c, "W"), B = rows::vector(k, c, "B");
  const lang::Tensor Y = rows::output(k, c, "Y");
  const int64_t columns = rows::columnsOfRow(c), count = rows::rowsOfTile(c, columns, 1);
  const lang::Index all = X.dim(1);
  // Beside a long row they would not fit into registers: from the first-level cache row by row.
  const int64_t fits = count == 8 ? 1024 : 2048;
  const auto vector = [&](const lang::Tensor &from, const char *name) {
    return k.load(from.at({0, 0}), {1, columns}, name);
  };
  std::optional<Tile> held, heldToo;
  if (affine && columns <= fits)
    held = vector(*W, "w"), heldToo = vector(*B, "b");
  rows::eachRows(k, c, X, count, [&](lang::Index row) {
    Tile x = k.load(X.at({row, 0}), {count, columns}, "x");
    Tile sum = k.reduce(x, 1, 0, f32, value, plus, "sum");
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
    const auto scaled = [](auto d, auto scale) { return d * scale; };
    if (!affine)
      return k.store(k.map({beside, scale}, c.type, scaled, "y"), Y.at({row, 0}),
                     staging(c.staging));
    Tile w = held ? *held : vector(*W, "w");
    k.update(beside, {beside, scale, w},
             [](auto d, auto scale, auto w) { return d * scale * cast(w, f32); });
    Tile b = heldToo ? *heldToo : vector(*B, "b");
    Tile y = k.map(
        {beside, b}, c.type, [](auto y, auto b) { return y + cast(b, f32); }, "y");
    k.store(y, Y.at({row, 0}), staging(c.staging));
  });
  return k.build();
}

} // namespace

KernelEntry rmsNormEntry() {
  KernelEntry entry =
      rows::entryOf("rmsnorm", "Y = X / sqrt(mean(X^2) + 1e-6) W along rows", {"X", "Y"}, {"W"});
  entry.build = [](const Parameters &p, const Arch &arch) -> Result<Kernel> {
    const RowsConfig c = rows::configOf(p, arch);
    return rows::isOneTile(c) ? buildRmsNorm(c) : rows::buildLongRmsNorm(c);
  };
  rows::setReference(
      entry, "Y",
      [](const Matrices &in) -> Matrix {
        const Matrix &x = in.at("X");
        const auto scale = (x.array().square().rowwise().mean() + epsilon).rsqrt().eval();
        return ((x.array().colwise() * scale).rowwise() * in.at("W").row(0).array()).matrix();
      },
      "double sum = 0;\n"
      "for (i64 x = 0; x < cols; ++x)\n"
      "  sum += X(i, x) * X(i, x);\n"
      "return X(i, j) / std::sqrt(sum / double(cols) + 1e-6) * W(0, j);\n",
      "cols");
  rows::setParts(entry);
  rows::setPlan(entry, [](const Parameters &) { return RowsProblem{.vectors = 1, .folds = 1}; });
  return entry;
}

KernelEntry layerNormEntry() {
  KernelEntry entry = rows::entryOf(
      "layernorm", "Y = (X - mean(X)) / sqrt(variance(X) + 1e-6) W + B along rows", {});
  entry.parameters.push_back({"affine", "yes", "no: without weight and bias", {"yes", "no"}});
  entry.shapes = [](const Parameters &p) -> std::vector<TensorShape> {
    std::vector<TensorShape> shapes = {{"X", {"rows", "cols"}}, {"Y", {"rows", "cols"}}};
    if (p.text("affine") == "yes")
      shapes.insert(shapes.end(), {{"W", {"1", "cols"}}, {"B", {"1", "cols"}}});
    return shapes;
  };
  entry.build = [](const Parameters &p, const Arch &arch) -> Result<Kernel> {
    const RowsConfig c = rows::configOf(p, arch);
    const bool affine = p.text("affine") == "yes";
    return rows::isOneTile(c) ? buildLayerNorm(c, affine) : rows::buildLongLayerNorm(c, affine);
  };
  entry.reference = [](const Parameters &p, const Matrices &in) -> Result<Matrices> {
    const Matrix &x = in.at("X");
    Matrix y = x.colwise() - x.rowwise().mean();
    const auto scale = (y.array().square().rowwise().mean() + epsilon).rsqrt().eval();
    y.array().colwise() *= scale;
    if (p.text("affine") == "yes") {
      y.array().rowwise() *= in.at("W").row(0).array();
      y.rowwise() += in.at("B").row(0);
    }
    return Matrices{{"Y", std::move(y)}};
  };
  entry.hostReference = [](const Parameters &p) -> HostReference {
    const std::string affine = p.text("affine") == "yes" ? " * W(0, j) + B(0, j)" : "";
    return {"Y",
            "double mean = 0, squares = 0;\n"
            "for (i64 x = 0; x < cols; ++x)\n"
            "  mean += X(i, x) / double(cols);\n"
            "for (i64 x = 0; x < cols; ++x)\n"
            "  squares += (X(i, x) - mean) * (X(i, x) - mean);\n"
            "return (X(i, j) - mean) / std::sqrt(squares / double(cols) + 1e-6)" +
                affine + ";\n",
            "2 * cols", "double(Y.extent(0)) * double(Y.extent(1))"};
  };
  rows::setParts(entry);
  rows::setPlan(entry, [](const Parameters &p) {
    return p.text("affine") == "yes" ? RowsProblem{.vectors = 2, .folds = 2, .whole = 3072}
                                     : RowsProblem{.folds = 2};
  });
  return entry;
}

} // namespace sluice
