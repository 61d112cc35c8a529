// Element by element along rows: a piece of rows is a tile.
#include "kernels/Rows.h"

#include "kernels/Alignment.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <numbers>

namespace sluice {

using namespace lang;

namespace {

/// Columns of a piece.
constexpr int64_t mostColumns = 1024;

/// Of the normal distribution, at 0.
constexpr double density0 = std::numbers::inv_sqrtpi / std::numbers::sqrt2;

/// What a tile of the tensor is called.
std::string tileOf(const lang::Tensor &tensor) {
  std::string name = tensor.name();
  std::ranges::transform(name, name.begin(), [](char c) { return char(std::tolower(c)); });
  return name;
}

/// out = fn(X, other ...), all rows x columns; others as they are named, and then those that are
/// the same for all rows.
template <typename F>
Result<Kernel>
buildPieces(const std::string &name, const RowsConfig &c, const std::vector<std::string> &others,
            const std::vector<std::string> &vectors, const std::string &out, F &&fn) {
  KernelBuilder k(name);
  k.fastMath({.approximate = true, .contract = true});
  std::vector<lang::Tensor> from = {rows::inputOfPieces(k, c, "X")}, ofColumns;
  for (const std::string &other : others)
    from.push_back(rows::inputOfPieces(k, c, other));
  for (const std::string &vector : vectors)
    ofColumns.push_back(rows::vector(k, c, vector));
  const lang::Tensor to = rows::outputOfPieces(k, c, out);
  const int64_t columns = rows::columnsOfPiece(c, mostColumns);
  const auto count = rows::rowsOfTile(c, columns, static_cast<int64_t>(from.size()));
  rows::eachPiece(k, c, from[0], count, columns, [&](lang::Index row, lang::Index column) {
    std::vector<Tile> tiles;
    for (const lang::Tensor &tensor : from)
      tiles.push_back(k.load(tensor.at({row, column}), {count, columns}, tileOf(tensor)));
    for (const lang::Tensor &tensor : ofColumns)
      tiles.push_back(k.load(tensor.at({0, column}), {1, columns}, tileOf(tensor)));
    Tile y = k.map(tiles, c.type, fn, tileOf(to));
    k.store(y, to.at({row, column}), staging(c.staging));
  });
  return k.build();
}

Result<Kernel> buildCopy(const RowsConfig &c) {
  return buildPieces("copy", c, {}, {}, "Y", [](const auto &in) { return in[0]; });
}

Result<Kernel> buildAdd(const RowsConfig &c) {
  return buildPieces("add", c, {"Z"}, {}, "Y",
                     [](const auto &in) { return cast(in[0], f32) + cast(in[1], f32); });
}

Result<Kernel> buildSiluMul(const RowsConfig &c) {
  return buildPieces("silu_mul", c, {"G"}, {}, "Y",
                     [](const auto &in) { return silu(cast(in[0], f32)) * cast(in[1], f32); });
}

/// Y = gelu(X + B), B the same for all rows.
Result<Kernel> buildBiasGelu(const RowsConfig &c) {
  return buildPieces("bias_gelu", c, {}, {"B"}, "Y",
                     [](const auto &in) { return gelu(cast(in[0], f32) + cast(in[1], f32)); });
}

/// dX of Y = gelu(X): the normal distribution at X, and X times its density.
Result<Kernel> buildGeluBackward(const RowsConfig &c) {
  return buildPieces("gelu_backward", c, {"dY"}, {}, "dX", [](const auto &in) {
    const Element x = cast(in[0], f32);
    const Element below = 0.5 + 0.5 * erf(x * (1 / std::numbers::sqrt2));
    const Element density = exp(x * x * -0.5) * density0;
    return cast(in[1], f32) * (below + x * density);
  });
}

/// Y = relu(X S + B), S and B the same for all rows.
Result<Kernel> buildScaleBiasRelu(const RowsConfig &c) {
  return buildPieces("scale_bias_relu", c, {}, {"S", "B"}, "Y", [](const auto &in) {
    return relu(cast(in[0], f32) * cast(in[1], f32) + cast(in[2], f32));
  });
}

/// Both derivatives of Y = silu(X) G, from that of Y.
Result<Kernel> buildSiluMulBackward(const RowsConfig &c) {
  KernelBuilder k("silu_mul_backward");
  k.fastMath({.approximate = true, .contract = true});
  const lang::Tensor X = rows::inputOfPieces(k, c, "X"), G = rows::inputOfPieces(k, c, "G"),
                     dY = rows::inputOfPieces(k, c, "dY"), dX = rows::outputOfPieces(k, c, "dX"),
                     dG = rows::outputOfPieces(k, c, "dG");
  const int64_t columns = rows::columnsOfPiece(c, mostColumns / 2);
  const int64_t count = rows::rowsOfTile(c, columns, 3);
  rows::eachPiece(k, c, X, count, columns, [&](lang::Index row, lang::Index column) {
    const auto load = [&](const lang::Tensor &from, const char *name) {
      return k.load(from.at({row, column}), {count, columns}, name);
    };
    Tile x = load(X, "x"), g = load(G, "g"), dy = load(dY, "dy");
    Tile dx = k.map(
        {x, g, dy}, c.type,
        [](auto given, auto g, auto dy) {
          Element x = cast(given, f32), s = sigmoid(x);
          return cast(dy, f32) * cast(g, f32) * s * (1.0 + x * (1.0 - s));
        },
        "dx");
    Tile dg = k.map(
        {x, dy}, c.type, [](auto x, auto dy) { return cast(dy, f32) * silu(cast(x, f32)); }, "dg");
    k.store(dx, dX.at({row, column}), staging(c.staging));
    k.store(dg, dG.at({row, column}), staging(c.staging));
  });
  return k.build();
}

/// An entry whose kernel is built from a RowsConfig alone.
template <typename Build> void setBuild(KernelEntry &entry, Build build) {
  entry.build = [build](const Parameters &p, const Arch &arch) {
    return build(rows::configOf(p, arch));
  };
}

double logistic(double x) {
  return 1 / (1 + std::exp(-x));
}

} // namespace

KernelEntry copyEntry() {
  KernelEntry entry = rows::entryOf("copy", "Y = X", {"X", "Y"});
  setBuild(entry, buildCopy);
  rows::setReference(
      entry, "Y", [](const Matrices &in) { return in.at("X"); }, "return X(i, j);\n", "1");
  rows::setPlan(entry, [](const Parameters &) { return RowsProblem{.folds = 0, .shares = false}; });
  return entry;
}

KernelEntry addEntry() {
  KernelEntry entry = rows::entryOf("add", "Y = X + Z", {"X", "Z", "Y"});
  setBuild(entry, buildAdd);
  rows::setReference(
      entry, "Y", [](const Matrices &in) -> Matrix { return in.at("X") + in.at("Z"); },
      "return X(i, j) + Z(i, j);\n", "1");
  rows::setPlan(entry, [](const Parameters &) {
    return RowsProblem{.inputs = 2, .folds = 0, .shares = false};
  });
  return entry;
}

KernelEntry biasGeluEntry() {
  KernelEntry entry =
      rows::entryOf("bias_gelu", "Y = gelu(X + B), B the same for all rows", {"X", "Y"}, {"B"});
  setBuild(entry, buildBiasGelu);
  rows::setReference(
      entry, "Y",
      [](const Matrices &in) -> Matrix {
        return (in.at("X").rowwise() + in.at("B").row(0)).unaryExpr([](double x) {
          return activate(Activation::geluErf, x);
        });
      },
      "const double sum = X(i, j) + B(0, j);\n"
      "return 0.5 * sum * (1 + std::erf(sum / std::sqrt(2.0)));\n",
      "1");
  rows::setPlan(entry, [](const Parameters &) {
    return RowsProblem{.vectors = 1, .folds = 0, .shares = false};
  });
  return entry;
}

KernelEntry geluBackwardEntry() {
  KernelEntry entry =
      rows::entryOf("gelu_backward", "dX of Y = gelu(X) from dY", {"X", "dY", "dX"});
  setBuild(entry, buildGeluBackward);
  rows::setReference(
      entry, "dX",
      [](const Matrices &in) -> Matrix {
        const auto slope = in.at("X").unaryExpr([](double x) {
          return 0.5 * std::erfc(-x / std::numbers::sqrt2) + x * std::exp(-x * x / 2) * density0;
        });
        return slope.cwiseProduct(in.at("dY"));
      },
      "const double x = X(i, j);\n"
      "return dY(i, j) * (0.5 * std::erfc(-x / std::sqrt(2.0)) +\n"
      "                   x * std::exp(-x * x / 2) * 0.3989422804014327);\n",
      "1");
  return entry;
}

KernelEntry scaleBiasReluEntry() {
  KernelEntry entry =
      rows::entryOf("scale_bias_relu", "Y = relu(X S + B), S and B the same for all rows",
                    {"X", "Y"}, {"S", "B"});
  setBuild(entry, buildScaleBiasRelu);
  rows::setReference(
      entry, "Y",
      [](const Matrices &in) -> Matrix {
        const auto scaled = in.at("X").array().rowwise() * in.at("S").row(0).array();
        return (scaled.rowwise() + in.at("B").row(0).array()).max(0.0).matrix();
      },
      "return std::max(X(i, j) * S(0, j) + B(0, j), 0.0);\n", "1");
  return entry;
}

KernelEntry siluMulEntry() {
  KernelEntry entry =
      rows::entryOf("silu_mul", "Y = silu(X) G, element by element (SwiGLU)", {"X", "G", "Y"});
  setBuild(entry, buildSiluMul);
  rows::setReference(
      entry, "Y",
      [](const Matrices &in) -> Matrix {
        const Matrix &x = in.at("X");
        return (x.array() * x.array().unaryExpr(&logistic) * in.at("G").array()).matrix();
      },
      "return X(i, j) / (1 + std::exp(-X(i, j))) * G(i, j);\n", "1");
  rows::setPlan(entry, [](const Parameters &) {
    return RowsProblem{.inputs = 2, .folds = 0, .shares = false};
  });
  return entry;
}

KernelEntry siluMulBackwardEntry() {
  KernelEntry entry = rows::entryOf("silu_mul_backward", "dX, dG of Y = silu(X) G from dY",
                                    {"X", "G", "dY", "dX", "dG"});
  setBuild(entry, buildSiluMulBackward);
  rows::setReference(entry, "dX", {},
                     "const double s = 1 / (1 + std::exp(-X(i, j)));\n"
                     "return dY(i, j) * G(i, j) * s * (1 + X(i, j) * (1 - s));\n",
                     "1");
  entry.reference = [](const Parameters &, const Matrices &in) -> Result<Matrices> {
    const auto x = in.at("X").array(), dy = in.at("dY").array();
    const auto s = x.unaryExpr(&logistic).eval();
    Matrix dx = (dy * in.at("G").array() * s * (1 + x * (1 - s))).matrix();
    Matrix dg = (dy * x * s).matrix();
    return Matrices{{"dX", std::move(dx)}, {"dG", std::move(dg)}};
  };
  rows::setPlan(entry, [](const Parameters &) {
    return RowsProblem{.inputs = 3, .outputs = 2, .folds = 0, .shares = false};
  });
  return entry;
}

} // namespace sluice
