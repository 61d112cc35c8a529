// Exponentials along rows: a tile holds whole rows.
#include "kernels/LongRows.h"

#include <cmath>
#include <limits>

namespace sluice {

using namespace lang;

namespace {

constexpr int64_t mostColumns = 1024; // of a piece
constexpr double infinity = std::numeric_limits<double>::infinity();

/// What the kernels have in common: the block of rows that a CTA holds.
struct Block {
  KernelBuilder &k;
  const RowsConfig &c;
  int64_t rows, columns;

  Tile load(const lang::Tensor &from, const lang::Index &row, const char *name) const {
    return k.load(from.at({row, 0}), {rows, columns}, name);
  }
  /// The largest of each row, of its columns in the tensor.
  Tile largest(const Tile &x, const lang::Index &all) const {
    if (columns == c.columns)
      return k.reduce(
          x, 1, -infinity, f32, [](auto x) { return cast(x, f32); },
          [](auto a, auto b) { return max(a, b); }, "largest");
    return k.rowMax(k.mapWithCoordinates(
                        {x}, f32,
                        [&](auto x, auto, auto column) {
                          return select(column < Element(all), cast(x, f32), -infinity);
                        },
                        "inside"),
                    "largest");
  }
  /// exp(x - largest), zero in columns beyond the tensor's.
  Tile exponentials(const Tile &x, const Tile &largest, const lang::Index &all) const {
    return k.mapWithCoordinates(
        {x, largest}, f32,
        [&](auto x, auto largest, auto, auto column) {
          const Element e = exp(cast(x, f32) - largest);
          return columns == c.columns ? e : select(column < Element(all), e, 0.0);
        },
        "e");
  }
};

Block blockOf(KernelBuilder &k, const RowsConfig &c, int64_t inputs, bool stored = true) {
  k.fastMath({.approximate = true, .contract = true});
  const int64_t columns = rows::columnsOfRow(c);
  return {k, c, rows::rowsOfTile(c, columns, inputs, stored), columns};
}

/// Y = exp(X - max) / sum of these along rows.
Result<Kernel> buildSoftmax(const RowsConfig &c) {
  KernelBuilder k("softmax");
  const lang::Tensor X = rows::input(k, c, "X"), Y = rows::output(k, c, "Y");
  const Block b = blockOf(k, c, 1);
  rows::eachRows(k, c, X, b.rows, [&](lang::Index row) {
    Tile x = b.load(X, row, "x");
    Tile e = b.exponentials(x, b.largest(x, X.dim(1)), X.dim(1));
    Tile sum = k.rowSum(e, "sum");
    Tile share = k.map(
        {sum}, f32, [](auto sum) { return 1.0 / sum; }, "share");
    Tile y = k.map(
        {e, share}, c.type, [](auto e, auto share) { return e * share; }, "y");
    k.store(y, Y.at({row, 0}), rows::storesOf(c));
  });
  return k.build();
}

/// Y = X - max - log(sum of exp(X - max)) along rows.
Result<Kernel> buildLogSoftmax(const RowsConfig &c) {
  KernelBuilder k("log_softmax");
  const lang::Tensor X = rows::input(k, c, "X"), Y = rows::output(k, c, "Y");
  const Block b = blockOf(k, c, 1);
  rows::eachRows(k, c, X, b.rows, [&](lang::Index row) {
    Tile x = b.load(X, row, "x");
    Tile largest = b.largest(x, X.dim(1));
    Tile sum = k.rowSum(b.exponentials(x, largest, X.dim(1)), "sum");
    Tile less = k.map(
        {sum}, f32, [](auto sum) { return log(sum); }, "less");
    Tile y = k.map(
        {x, largest, less}, c.type,
        [](auto x, auto largest, auto less) { return cast(x, f32) - largest - less; }, "y");
    k.store(y, Y.at({row, 0}), rows::storesOf(c));
  });
  return k.build();
}

/// dX = Y (dY - sum(dY Y)) along rows, of Y = softmax(X).
Result<Kernel> buildSoftmaxBackward(const RowsConfig &c) {
  KernelBuilder k("softmax_backward");
  const lang::Tensor Y = rows::input(k, c, "Y"), dY = rows::input(k, c, "dY"),
                     dX = rows::output(k, c, "dX");
  const Block b = blockOf(k, c, 2);
  rows::eachRows(k, c, Y, b.rows, [&](lang::Index row) {
    Tile y = b.load(Y, row, "y"), dy = b.load(dY, row, "dy");
    Tile products = k.map(
        {y, dy}, f32, [](auto y, auto dy) { return cast(y, f32) * cast(dy, f32); }, "products");
    Tile sum = k.rowSum(products, "sum");
    Tile dx = k.map(
        {y, dy, sum}, c.type,
        [](auto y, auto dy, auto sum) { return cast(y, f32) * (cast(dy, f32) - sum); }, "dx");
    k.store(dx, dX.at({row, 0}), rows::storesOf(c));
  });
  return k.build();
}

/// L = log(sum of exp(X)) - X[label] of each row, and that logarithm, which the way back needs.
Result<Kernel> buildCrossEntropy(const RowsConfig &c) {
  KernelBuilder k("cross_entropy");
  const lang::Tensor X = rows::input(k, c, "X"), labels = rows::inputOfRows(k, c, "labels", i32);
  const lang::Tensor loss = rows::outputOfRows(k, c, "loss"), lse = rows::outputOfRows(k, c, "lse");
  const RowsConfig own = rows::withChoices(c);
  const Block b = blockOf(k, own, 1, /*stored=*/false);
  Tile label = k.tile(i32, {b.rows, 1}, "label");
  std::optional<Tile> coming;
  if (!c.drawn && !c.onChip)
    coming = k.tile(i32, {b.rows, 1}, "coming");
  const auto load = [&](const lang::Index &row, const Tile &to) {
    k.load(labels.at({row, 0}), to);
  };
  const auto first = [&](const lang::Index &row) {
    if (!c.drawn)
      load(row, label);
  };
  rows::eachRowsAhead(
      k, c, X, b.rows, first, [&](const lang::Index &row, const std::optional<lang::Index> &next) {
        Tile x = b.load(X, row, "x");
        Tile largest = b.largest(x, X.dim(1));
        // Behind the fence with which the slot is handed back: it waits for loads in front of it.
        if (next)
          load(*next, *coming);
        else if (c.drawn)
          load(row, label);
        Tile sum = k.rowSum(b.exponentials(x, largest, X.dim(1)), "sum");
        Tile picked = k.mapWithCoordinates(
            {x, label}, f32,
            [](auto x, auto label, auto, auto column) {
              return select(cast(column, i32) == label, cast(x, f32), 0.0);
            },
            "picked");
        Tile at = k.rowSum(picked, "at");
        Tile all = k.map(
            {largest, sum}, f32, [](auto largest, auto sum) { return largest + log(sum); }, "all");
        Tile less = k.map(
            {all, at}, f32, [](auto all, auto at) { return all - at; }, "less");
        k.store(less, loss.at({row, 0}));
        k.store(all, lse.at({row, 0}));
        if (next)
          k.copy(*coming, label);
      });
  return k.build();
}

/// dX = (exp(X - lse) - 1 at the label) dloss, from what the forward kernel keeps.
Result<Kernel> buildCrossEntropyBackward(const RowsConfig &c) {
  KernelBuilder k("cross_entropy_backward");
  k.fastMath({.approximate = true, .contract = true});
  const lang::Tensor X = rows::inputOfPieces(k, c, "X"),
                     labels = rows::inputOfRows(k, c, "labels", i32),
                     lse = rows::inputOfRows(k, c, "lse"), dloss = rows::inputOfRows(k, c, "dloss"),
                     dX = rows::outputOfPieces(k, c, "dX");
  const int64_t columns = rows::columnsOfPiece(c, rows::mostOfPiece(c, mostColumns));
  const int64_t count = rows::rowsOfTile(rows::withChoices(c), columns, 1);
  rows::eachPiece(k, c, X, count, columns, [&](lang::Index row, lang::Index column) {
    const auto ofRows = [&](const lang::Tensor &from, const char *name) {
      return k.load(from.at({row, 0}), {count, 1}, name);
    };
    Tile label = ofRows(labels, "label"), all = ofRows(lse, "all"),
         weight = ofRows(dloss, "weight");
    Tile x = k.load(X.at({row, column}), {count, columns}, "x");
    Tile dx = k.mapWithCoordinates(
        {x, label, all, weight}, c.type,
        [&](auto x, auto label, auto all, auto weight, auto, auto own) {
          const Element hit = cast(own + Element(column), i32) == label;
          return (exp(cast(x, f32) - all) - select(hit, 1.0, 0.0)) * weight;
        },
        "dx");
    k.store(dx, dX.at({row, column}), rows::storesOf(c));
  });
  return k.build();
}

using Build = Result<Kernel> (*)(const RowsConfig &);

void setBuild(KernelEntry &entry, Build whole, Build inPieces) {
  entry.build = [whole, inPieces](const Parameters &p, const Arch &arch) {
    const RowsConfig c = rows::configOf(p, arch);
    return rows::isOneTile(c) ? whole(c) : inPieces(c);
  };
}

/// X less the logarithm of the sum of its exponentials, row by row.
Matrix logOfSoftmax(const Matrix &x) {
  Matrix y = x.colwise() - x.rowwise().maxCoeff();
  y.colwise() -= y.array().exp().rowwise().sum().log().matrix().eval();
  return y;
}

constexpr const char *sumOnHost = "double largest = X(i, 0), sum = 0;\n"
                                  "for (i64 x = 0; x < cols; ++x)\n"
                                  "  largest = std::max(largest, X(i, x));\n"
                                  "for (i64 x = 0; x < cols; ++x)\n"
                                  "  sum += std::exp(X(i, x) - largest);\n";

} // namespace

KernelEntry softmaxEntry() {
  KernelEntry entry = rows::entryOf("softmax", "Y = softmax(X) along rows", {"X", "Y"});
  setBuild(entry, buildSoftmax, rows::buildLongSoftmax);
  rows::setReference(
      entry, "Y",
      [](const Matrices &in) -> Matrix { return logOfSoftmax(in.at("X")).array().exp().matrix(); },
      std::string(sumOnHost) + "return std::exp(X(i, j) - largest) / sum;\n", "2 * cols");
  rows::setParts(entry);
  rows::setPlan(entry, [](const Parameters &) {
    return RowsProblem{.folds = 1,
                       .clusters = true,
                       .loaded = LoadedRows::chosen,
                       .registers = 2.4,
                       .whole = rows::heldAlone,
                       .shifting = 1.1};
  });
  return entry;
}

KernelEntry logSoftmaxEntry() {
  KernelEntry entry = rows::entryOf("log_softmax", "Y = log(softmax(X)) along rows", {"X", "Y"});
  setBuild(entry, buildLogSoftmax, rows::buildLongLogSoftmax);
  rows::setReference(
      entry, "Y", [](const Matrices &in) { return logOfSoftmax(in.at("X")); },
      std::string(sumOnHost) + "return X(i, j) - largest - std::log(sum);\n", "2 * cols");
  rows::setParts(entry);
  rows::setPlan(entry, [](const Parameters &) {
    return RowsProblem{.folds = 1,
                       .clusters = true,
                       .loaded = LoadedRows::chosen,
                       .sharedByThreads = false, // 32768 x 4096: 134.1 us for 132.9
                       .registers = 3.2,
                       .whole = rows::heldAlone,
                       .shifting = 1.1};
  });
  return entry;
}

KernelEntry softmaxBackwardEntry() {
  KernelEntry entry =
      rows::entryOf("softmax_backward", "dX = Y (dY - sum(dY Y)) along rows, of Y = softmax(X)",
                    {"Y", "dY", "dX"});
  constexpr int64_t usualStages = 3; // as many tiles of two inputs as shared memory holds
  rows::parameterOf(entry, "stages").value = std::to_string(usualStages);
  setBuild(entry, buildSoftmaxBackward, rows::buildLongSoftmaxBackward);
  rows::setReference(
      entry, "dX",
      [](const Matrices &in) -> Matrix {
        const auto y = in.at("Y").array(), dy = in.at("dY").array();
        const auto sum = (y * dy).rowwise().sum().eval();
        return (y * (dy.colwise() - sum)).matrix();
      },
      "double sum = 0;\n"
      "for (i64 x = 0; x < cols; ++x)\n"
      "  sum += Y(i, x) * dY(i, x);\n"
      "return Y(i, j) * (dY(i, j) - sum);\n",
      "cols");
  rows::setParts(entry);
  rows::setPlan(entry, [](const Parameters &) {
    return RowsProblem{.inputs = 2,
                       .folds = 1,
                       .clusters = true,
                       .loaded = LoadedRows::chosen,
                       .usual = usualStages};
  });
  return entry;
}

KernelEntry crossEntropyEntry() {
  constexpr int64_t usualStages = 3; // eight warps of long rows rather than four
  KernelEntry entry = rows::entryOf("cross_entropy",
                                    "loss = lse - X[label] along rows, lse = log(sum(exp(X)))", {});
  setBuild(entry, buildCrossEntropy, rows::buildLongCrossEntropy);
  rows::parameterOf(entry, "staging").choices = {"0"}; // no tile is stored
  rows::setUsualStages(entry, usualStages);
  entry.shapes = [](const Parameters &) -> std::vector<TensorShape> {
    return {{"X", {"rows", "cols"}},
            {"labels", {"rows", "1"}},
            {"loss", {"rows", "1"}},
            {"lse", {"rows", "1"}}};
  };
  rows::setLabels(entry);
  rows::setReference(entry, "loss", {},
                     std::string(sumOnHost) +
                         "return largest + std::log(sum) - X(i, i64(labels(i, 0)));\n",
                     "2 * cols");
  entry.reference = [](const Parameters &, const Matrices &in) -> Result<Matrices> {
    const Matrix &x = in.at("X"), &labels = in.at("labels");
    Matrix lse = (x - logOfSoftmax(x)).col(0), loss = lse;
    for (Eigen::Index i = 0; i < x.rows(); ++i)
      loss(i, 0) -= x(i, static_cast<Eigen::Index>(labels(i, 0)));
    return Matrices{{"loss", std::move(loss)}, {"lse", std::move(lse)}};
  };
  rows::setParts(entry);
  rows::setPlan(entry, [](const Parameters &p) {
    const bool whole = rows::isOneTile(rows::configOf(p, 1)); // held as f32 too; pieces are not
    return RowsProblem{.outputs = 0,
                       .folds = 1,
                       .visits = 1,
                       .clusters = true,
                       .beginning = 900,
                       .loaded = rows::loadedWhereShort(p),
                       .usual = usualStages,
                       .registers = whole ? 4 : 2.1};
  });
  return entry;
}

KernelEntry crossEntropyBackwardEntry() {
  KernelEntry entry = rows::entryOf("cross_entropy_backward",
                                    "dX = (exp(X - lse) - 1 at the label) dloss along rows", {});
  setBuild(entry, buildCrossEntropyBackward, buildCrossEntropyBackward);
  entry.shapes = [](const Parameters &) -> std::vector<TensorShape> {
    return {{"X", {"rows", "cols"}},
            {"labels", {"rows", "1"}},
            {"lse", {"rows", "1"}},
            {"dloss", {"rows", "1"}},
            {"dX", {"rows", "cols"}}};
  };
  rows::setLabels(entry);
  rows::setReference(
      entry, "dX",
      [](const Matrices &in) -> Matrix {
        const Matrix &labels = in.at("labels");
        Matrix dx = (in.at("X").colwise() - in.at("lse").col(0)).array().exp().matrix();
        for (Eigen::Index i = 0; i < dx.rows(); ++i)
          dx(i, static_cast<Eigen::Index>(labels(i, 0))) -= 1;
        return (dx.array().colwise() * in.at("dloss").col(0).array()).matrix();
      },
      "const double share = std::exp(X(i, j) - lse(i, 0));\n"
      "return (share - (i64(labels(i, 0)) == j ? 1 : 0)) * dloss(i, 0);\n",
      "1");
  rows::setPlan(entry, [](const Parameters &) {
    return RowsProblem{.vectors = 1, .folds = 0, .shares = false, .piece = mostColumns};
  });
  return entry;
}

} // namespace sluice
