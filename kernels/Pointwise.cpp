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
struct Pointwise {
  std::string name, summary;
  std::vector<std::string> others = {}, vectors = {};
  std::string out = "Y";
  double computing = 0.2; // cycles of an SM for each element (lib/Plan/RowsTime.cpp)
};

/// The columns of a piece that begins at `column` of a line, of what is the same for all rows:
/// lines have several rows, whose ends may be anywhere in a piece.
Tile ofRowsInLine(KernelBuilder &k, const RowsConfig &c, const lang::Tensor &vector,
                  const lang::Index &column, int64_t columns) {
  const std::string name = tileOf(vector);
  const lang::Index first = k.name(column % c.rowOfLine, "first_of_row");
  std::vector<Tile> rows; // those that a piece may have columns of
  for (int64_t begin = 0; begin < c.rowOfLine - 1 + columns; begin += c.rowOfLine)
    rows.push_back(k.load(vector.at({0, first - begin}), {1, columns}, name));
  return k.mapWithCoordinates(
      rows, c.type,
      [&](const auto &in) {
        const Element place = in[rows.size() + 1] + Element(first);
        Element value = in[rows.size() - 1];
        for (size_t row = rows.size() - 1; row-- > 0;)
          value = select(place < int64_t(row + 1) * c.rowOfLine, in[row], value);
        return value;
      },
      name + "_of_piece");
}

template <typename F>
Result<Kernel> buildPieces(const Pointwise &of, const RowsConfig &given, F &&fn) {
  const bool ofRows = given.line && !of.vectors.empty();
  const int64_t wide = rows::mostOfPiece(given, rows::mostOfPiece(given.type));
  const int64_t most = ofRows ? mostInLine(given.columns, wide) : wide;
  const RowsConfig c = ofRows ? rows::byLinesOfRows(given, most) : rows::byLines(given, most);
  KernelBuilder k(of.name);
  k.fastMath({.approximate = true, .contract = true});
  std::vector<lang::Tensor> from = {rows::inputOfPieces(k, c, "X")}, ofColumns;
  for (const std::string &other : of.others)
    from.push_back(rows::inputOfPieces(k, c, other));
  for (const std::string &vector : of.vectors)
    ofColumns.push_back(rows::vector(k, given, vector));
  const lang::Tensor to = rows::outputOfPieces(k, c, of.out);
  const int64_t columns = rows::columnsOfPiece(c, most);
  const auto count = rows::rowsOfTile(c, columns, static_cast<int64_t>(from.size()));
  const auto lines = [&](const lang::Index &column) {
    std::vector<Tile> tiles;
    for (const lang::Tensor &tensor : ofColumns)
      tiles.push_back(c.rowOfLine ? ofRowsInLine(k, c, tensor, column, columns)
                                  : k.load(tensor.at({0, column}), {1, columns}, tileOf(tensor)));
    return tiles;
  };
  const auto piece = [&](lang::Index row, lang::Index column, const std::vector<Tile> &beside) {
    std::vector<Tile> tiles;
    for (const lang::Tensor &tensor : from)
      tiles.push_back(k.load(tensor.at({row, column}), {count, columns}, tileOf(tensor)));
    tiles.insert(tiles.end(), beside.begin(), beside.end());
    Tile y = k.map(tiles, c.type, fn, tileOf(to));
    k.store(y, to.at({row, column}), rows::storesOf(c));
  };
  rows::eachPiece(k, c, from[0], count, columns, lines, piece);
  return k.build();
}

/// `compute`: all elements from the inputs; `element`: statements for element (i, j) on a host.
template <typename F>
KernelEntry entryOf(const Pointwise &of, F fn, std::function<Matrix(const Matrices &)> compute,
                    std::string element) {
  std::vector<std::string> tensors = {"X"};
  tensors.insert(tensors.end(), of.others.begin(), of.others.end());
  tensors.push_back(of.out);
  KernelEntry entry = rows::entryOf(of.name, of.summary, tensors, of.vectors);
  entry.build = [of, fn](const Parameters &p, const Arch &arch) {
    return buildPieces(of, rows::configOf(p, arch), fn);
  };
  rows::setReference(entry, of.out, std::move(compute), std::move(element), "1");
  rows::setLine(entry);
  const RowsProblem problem{.inputs = 1 + static_cast<int64_t>(of.others.size()),
                            .vectors = static_cast<int64_t>(of.vectors.size()),
                            .folds = 0,
                            .shares = false,
                            .computing = of.computing,
                            .loaded = LoadedRows::chosen};
  rows::setPlan(entry, [problem](const Parameters &p) {
    RowsProblem ofType = problem;
    ofType.piece = rows::mostOfPiece(p.dtype("dtype"));
    return ofType;
  });
  return entry;
}

/// Both derivatives of Y = silu(X) G, from that of Y.
Result<Kernel> buildSiluMulBackward(const RowsConfig &given) {
  const int64_t most = rows::mostOfPiece(given, rows::mostOfPiece(given.type) / 2);
  const RowsConfig c = rows::byLines(given, most);
  KernelBuilder k("silu_mul_backward");
  k.fastMath({.approximate = true, .contract = true});
  const lang::Tensor X = rows::inputOfPieces(k, c, "X"), G = rows::inputOfPieces(k, c, "G"),
                     dY = rows::inputOfPieces(k, c, "dY"), dX = rows::outputOfPieces(k, c, "dX"),
                     dG = rows::outputOfPieces(k, c, "dG");
  const int64_t columns = rows::columnsOfPiece(c, most);
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
    k.store(dx, dX.at({row, column}), rows::storesOf(c));
    k.store(dg, dG.at({row, column}), rows::storesOf(c));
  });
  return k.build();
}

double logistic(double x) {
  return 1 / (1 + std::exp(-x));
}

} // namespace

KernelEntry copyEntry() {
  return entryOf(
      {"copy", "Y = X"}, [](const auto &in) { return in[0]; },
      [](const Matrices &in) { return in.at("X"); }, "return X(i, j);\n");
}

KernelEntry addEntry() {
  return entryOf(
      {.name = "add", .summary = "Y = X + Z", .others = {"Z"}},
      [](const auto &in) { return cast(in[0], f32) + cast(in[1], f32); },
      [](const Matrices &in) -> Matrix { return in.at("X") + in.at("Z"); },
      "return X(i, j) + Z(i, j);\n");
}

KernelEntry biasGeluEntry() {
  return entryOf(
      {.name = "bias_gelu",
       .summary = "Y = gelu(X + B), B the same for all rows",
       .vectors = {"B"},
       .computing = 0.23},
      [](const auto &in) { return gelu(cast(in[0], f32) + cast(in[1], f32)); },
      [](const Matrices &in) -> Matrix {
        return (in.at("X").rowwise() + in.at("B").row(0)).unaryExpr([](double x) {
          return activate(Activation::geluErf, x);
        });
      },
      "const double sum = X(i, j) + B(0, j);\n"
      "return 0.5 * sum * (1 + std::erf(sum / std::sqrt(2.0)));\n");
}

/// The normal distribution at X, and X times its density.
KernelEntry geluBackwardEntry() {
  return entryOf(
      {.name = "gelu_backward",
       .summary = "dX of Y = gelu(X) from dY",
       .others = {"dY"},
       .out = "dX"},
      [](const auto &in) {
        const Element x = cast(in[0], f32), z = x * (1 / std::numbers::sqrt2);
        const Element below = 0.5 + 0.5 * erf(z);
        const Element density = exp(-(z * z)) * density0; // the one that erf computes, too
        return cast(in[1], f32) * (below + x * density);
      },
      [](const Matrices &in) -> Matrix {
        const auto slope = in.at("X").unaryExpr([](double x) {
          return 0.5 * std::erfc(-x / std::numbers::sqrt2) + x * std::exp(-x * x / 2) * density0;
        });
        return slope.cwiseProduct(in.at("dY"));
      },
      "const double x = X(i, j);\n"
      "return dY(i, j) * (0.5 * std::erfc(-x / std::sqrt(2.0)) +\n"
      "                   x * std::exp(-x * x / 2) * 0.3989422804014327);\n");
}

KernelEntry scaleBiasReluEntry() {
  return entryOf(
      {.name = "scale_bias_relu",
       .summary = "Y = relu(X S + B), S and B the same for all rows",
       .vectors = {"S", "B"},
       .computing = 0.18},
      [](const auto &in) { return relu(cast(in[0], f32) * cast(in[1], f32) + cast(in[2], f32)); },
      [](const Matrices &in) -> Matrix {
        const auto scaled = in.at("X").array().rowwise() * in.at("S").row(0).array();
        return (scaled.rowwise() + in.at("B").row(0).array()).max(0.0).matrix();
      },
      "return std::max(X(i, j) * S(0, j) + B(0, j), 0.0);\n");
}

KernelEntry siluMulEntry() {
  return entryOf(
      {.name = "silu_mul",
       .summary = "Y = silu(X) G, element by element (SwiGLU)",
       .others = {"G"}},
      [](const auto &in) { return silu(cast(in[0], f32)) * cast(in[1], f32); },
      [](const Matrices &in) -> Matrix {
        const Matrix &x = in.at("X");
        return (x.array() * x.array().unaryExpr(&logistic) * in.at("G").array()).matrix();
      },
      "return X(i, j) / (1 + std::exp(-X(i, j))) * G(i, j);\n");
}

KernelEntry siluMulBackwardEntry() {
  KernelEntry entry = rows::entryOf("silu_mul_backward", "dX, dG of Y = silu(X) G from dY",
                                    {"X", "G", "dY", "dX", "dG"});
  entry.build = [](const Parameters &p, const Arch &arch) {
    return buildSiluMulBackward(rows::configOf(p, arch));
  };
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
  rows::setLine(entry);
  rows::setPlan(entry, [](const Parameters &p) {
    return RowsProblem{.inputs = 3,
                       .outputs = 2,
                       .folds = 0,
                       .shares = false,
                       .piece = rows::mostOfPiece(p.dtype("dtype")) / 2,
                       .loaded = LoadedRows::chosen};
  });
  return entry;
}

} // namespace sluice
