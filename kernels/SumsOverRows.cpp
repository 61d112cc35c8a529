// Sums over rows, in a fixed order: each CTA adds up its rows in registers and stores lines of
// sums, one for each row of its tile; sum_rows adds these up to one line.
#include "kernels/Alignment.h"
#include "kernels/Rows.h"

namespace sluice {

using namespace lang;

Matrix rows::sumsOfCtas(const Matrix &x, int64_t ctas, int64_t count) {
  Matrix sums = Matrix::Zero(ctas * count, x.cols());
  for (Eigen::Index row = 0; row < x.rows(); ++row)
    sums.row(row / count % ctas * count + row % count) += x.row(row);
  return sums;
}

namespace {

constexpr int64_t linesOfTile = 8; // of norm_weights_backward

const auto plus = [](Element a, Element b) { return a + b; };

/// dW and dB alone, of rows of any length: a CTA has a piece of the columns and every `lines`-th
/// block of rows.
Result<Kernel> buildNormWeightsBackward(const RowsConfig &c, bool centred, int64_t lines) {
  KernelBuilder k("norm_weights_backward");
  k.fastMath({.approximate = true, .contract = true});
  const lang::TensorOptions sums = {.align = alignmentOf(c.columns, f32)};
  const lang::Tensor X = rows::input(k, c, "X"), dY = rows::input(k, c, "dY");
  std::optional<lang::Tensor> mean, dB;
  if (centred)
    mean = rows::inputOfRows(k, c, "mean");
  const lang::Tensor rstd = rows::inputOfRows(k, c, "rstd"), dW = k.output("dW", f32, 2, sums);
  if (centred)
    dB = k.output("dB", f32, 2, sums);
  const int64_t columns = rows::columnsOfPiece(c, 512), count = linesOfTile;
  const auto [piece, line] = k.grid(ceilDiv(X.dim(1), columns), lines / count);
  const lang::Index column = k.name(piece * columns, "column");
  const auto zeros = [&](const char *name) {
    Tile tile = k.tile(f32, {count, columns}, name);
    k.fill(tile, 0);
    return tile;
  };
  Tile weight = zeros("weight");
  std::optional<Tile> bias;
  if (centred)
    bias = zeros("bias");
  const lang::Index blocks = k.name(ceilDiv(X.dim(0), count), "blocks");
  const lang::Index mine = ceilDiv(max(blocks - line, 0), lines / count);
  k.loop(k.name(mine, "mine"), stages(c.stages), "t", [&](lang::Index t) {
    const lang::Index row = k.name((line + t * (lines / count)) * count, "row");
    const auto ofRows = [&](const lang::Tensor &from, const char *name) {
      return k.load(from.at({row, 0}), {count, 1}, name);
    };
    Tile x = k.load(X.at({row, column}), {count, columns}, "x");
    Tile dy = k.load(dY.at({row, column}), {count, columns}, "dy");
    Tile scale = ofRows(rstd, "scale"), middle = centred ? ofRows(*mean, "middle") : scale;
    k.update(weight, {weight, x, dy, middle, scale},
             [&](auto sum, auto given, auto dy, auto middle, auto scale) {
               const Element x = cast(given, f32);
               return sum + cast(dy, f32) * ((centred ? x - middle : x) * scale);
             });
    if (bias)
      k.update(*bias, {*bias, dy}, [](auto sum, auto dy) { return sum + cast(dy, f32); });
  });
  k.store(weight, dW.at({line * count, column}));
  if (bias)
    k.store(*bias, dB->at({line * count, column}));
  return k.build();
}

/// Y = sum of the rows of P; the columns of P are the rows of tiles, so that each is a fold.
/// `onChip`: as for other numbers of rows.
Result<Kernel> buildSumRows(int64_t columns, DType type, bool onChip) {
  constexpr int64_t size = 64; // of a tile
  KernelBuilder k("sum_rows");
  const lang::Tensor P = k.input("P", f32, 2, {.minor = 0, .align = alignmentOf(columns, f32)});
  const lang::TensorOptions numbers = onChip ? oneForEachRow(2) : lang::TensorOptions{};
  const lang::Tensor Y = k.output("Y", type, 2, {.minor = numbers.minor, .align = byteSize(type)});
  const auto [strip] = k.grid(ceilDiv(P.dim(0), size));
  const lang::Index column = k.name(strip * size, "column");
  Tile sum = k.tile(f32, {size, 1}, "sum");
  k.fill(sum, 0);
  k.loop(ceilDiv(P.dim(1), size), stages(4), "t", [&](lang::Index t) {
    Tile p = k.load(P.at({column, t * size}), {size, size}, "p");
    k.update(sum, {sum, k.rowSum(p)}, plus);
  });
  k.store(k.cast(sum, type, "y"), Y.at({column, 0}));
  return k.build();
}

} // namespace

KernelEntry normWeightsBackwardEntry() {
  KernelEntry entry =
      rows::entryOf("norm_weights_backward",
                    "dW and dB of layernorm from dY, as sums for sum_rows to add up", {});
  rows::parameterOf(entry, "stages").value = std::string("3");
  rows::parameterOf(entry, "ctas") = {"lines", "64", "of sums, a multiple of 8", {}, 8, 1 << 16};
  rows::parameterOf(entry, "staging").choices = {"0"}; // no tile is stored in the loop
  std::erase_if(entry.parameters, [](const Parameter &p) {
    return p.name == "share" || p.name == "per_sm" || p.name == "dynamic";
  });
  entry.parameters.push_back({"mean", "yes", "no: dW of rmsnorm alone", {"yes", "no"}});
  entry.settle = {};
  entry.shapes = [](const Parameters &p) {
    std::vector<TensorShape> shapes = {{"X", {"rows", "cols"}},
                                       {"dY", {"rows", "cols"}},
                                       {"rstd", {"rows", "1"}},
                                       {"dW", {p.text("lines"), "cols"}}};
    if (p.text("mean") == "yes")
      shapes.push_back({"mean", {"rows", "1"}}),
          shapes.push_back({"dB", {p.text("lines"), "cols"}});
    return shapes;
  };
  const auto configOf = [](const Parameters &p) {
    RowsConfig c{p.dtype("dtype"), p.number("cols"), p.number("stages"),
                 p.number("lines") / linesOfTile};
    c.pad = p.number("pad");
    return c;
  };
  entry.build = [configOf](const Parameters &p, const Arch &arch) -> Result<Kernel> {
    if (p.number("lines") % linesOfTile)
      return inputError("norm_weights_backward lines=" + p.text("lines") + ": a multiple of " +
                        std::to_string(linesOfTile));
    RowsConfig c = configOf(p);
    c.onChip = arch.ubBytes;
    return buildNormWeightsBackward(c, p.text("mean") == "yes", p.number("lines"));
  };
  entry.reference = [configOf](const Parameters &p, const Matrices &in) -> Result<Matrices> {
    Matrix n = in.at("X");
    if (p.text("mean") == "yes")
      n.colwise() -= in.at("mean").col(0);
    n.array().colwise() *= in.at("rstd").col(0).array();
    const RowsConfig c = configOf(p);
    return Matrices{{"dW", rows::sumsOfCtas(in.at("dY").cwiseProduct(n), c.ctas, linesOfTile)},
                    {"dB", rows::sumsOfCtas(in.at("dY"), c.ctas, linesOfTile)}};
  };
  return entry;
}

KernelEntry sumRowsEntry() {
  KernelEntry entry =
      rows::entryWith("sum_rows", "Y = sum of the rows of P (f32), in a fixed order",
                      {
                          {"rows", "1056", "rows", {}, 0, int64_t{1} << 30, true},
                          {"cols", "4096", "columns", {}, 1, 1 << 24},
                          rows::typeParameter("type of Y"),
                      });
  entry.shapes = [](const Parameters &) -> std::vector<TensorShape> {
    return {{"P", {"cols", "rows"}}, {"Y", {"cols", "1"}}};
  };
  entry.build = [](const Parameters &p, const Arch &arch) {
    return buildSumRows(p.number("cols"), p.dtype("dtype"), isAscend(arch.target));
  };
  rows::setReference(
      entry, "Y", [](const Matrices &in) -> Matrix { return in.at("P").rowwise().sum(); },
      "double sum = 0;\n"
      "for (i64 x = 0; x < rows; ++x)\n"
      "  sum += P(i, x);\n"
      "return sum;\n",
      "rows");
  return entry;
}

} // namespace sluice
