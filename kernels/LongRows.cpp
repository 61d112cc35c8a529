#include "kernels/LongRows.h"

#include <limits>

namespace sluice::rows {

using namespace lang;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Below every number, and less it -infinity is still that.
constexpr double lowest = -3e38;
constexpr double epsilon = 1e-6;

const auto value = [](auto x) { return cast(x, f32); };
const auto square = [](auto x) { return cast(x, f32) * cast(x, f32); };
const auto plus = [](auto a, auto b) { return a + b; };
const auto larger = [](auto a, auto b) { return max(a, b); };

/// A block of rows, piece by piece.
struct Pieces {
  KernelBuilder &k;
  const RowsConfig &c;
  lang::Index all, across;
  int64_t rows, columns;

  /// One number for each row.
  Tile numbers(double from, const char *name) const {
    Tile tile = k.tile(f32, {rows, 1}, name);
    k.fill(tile, from);
    return tile;
  }
  Tile load(const lang::Tensor &from, const lang::Index &row, const lang::Index &column,
            const char *name) const {
    return k.load(from.at({row, column}), {rows, columns}, name);
  }
  /// For the last time: let others stay in the cache.
  Tile loadAgain(const lang::Tensor &from, const lang::Index &row, const lang::Index &column,
                 const char *name) const {
    return k.load(from.at({row, column}), {rows, columns}, name,
                  {.paced = false, .cache = CachePolicy::evictFirst});
  }
  Tile loadVector(const lang::Tensor &from, const lang::Index &column, const char *name) const {
    return k.load(from.at({0, column}), {1, columns}, name);
  }
  void store(const Tile &y, const lang::Tensor &to, const lang::Index &row,
             const lang::Index &column) const {
    k.store(y, to.at({row, column}), staging(c.staging));
  }
  /// fn of an element and one of each row, or `outside` beyond the tensor's columns.
  template <typename F>
  Tile inside(const Tile &x, const Tile &ofRow, const lang::Index &column, double outside, F &&fn,
              const char *name) const {
    const lang::Index left = all - column;
    return k.mapWithCoordinates(
        {x, ofRow}, f32,
        [&](auto x, auto ofRow, auto, auto at) {
          const Element y = fn(cast(x, f32), ofRow);
          return c.columns % columns == 0 ? y : select(at < Element(left), y, outside);
        },
        name);
  }
  /// body(column) for every piece, in order and back.
  template <typename F> void forward(F &&body) const {
    k.loop(across, stages(c.stages), "p",
           [&](lang::Index p) { body(k.name(p * columns, "column")); });
  }
  template <typename F> void backward(F &&body) const {
    k.loop(across, stages(c.stages), "q",
           [&](lang::Index q) { body(k.name((across - 1 - q) * columns, "column")); });
  }
};

/// body(pieces, row) for every block of rows of x.
template <typename F>
void eachBlockOfRows(KernelBuilder &k, const RowsConfig &c, const lang::Tensor &x, F &&body) {
  constexpr int64_t rows = 4, bytes = 4096; // of a piece of a row
  k.fastMath({.approximate = true, .contract = true});
  const int64_t columns = columnsOfPiece(c, bytes / byteSize(c.type));
  const lang::Index across = k.name(ceilDiv(x.dim(1), columns), "across");
  const Pieces pieces{k, c, x.dim(1), across, rows, columns};
  const lang::Index blocks = k.name(ceilDiv(x.dim(0), rows), "blocks");
  const lang::Index ctas = k.name(min(blocks, c.ctas), "ctas");
  const auto [cta] = k.grid(ctas);
  const lang::Index first = cta;
  k.loop(k.name(ceilDiv(blocks - first, ctas), "mine"), "t",
         [&](lang::Index t) { body(pieces, k.name((first + t * ctas) * rows, "row")); });
}

/// The largest number of each row so far, and the sum of exp(x - largest).
struct Exponentials {
  Tile largest, sum;

  explicit Exponentials(const Pieces &p)
      : largest(p.numbers(lowest, "largest")), sum(p.numbers(0, "sum")) {}

  void add(const Pieces &p, const Tile &x, const lang::Index &column) const {
    KernelBuilder &k = p.k;
    Tile seen = p.inside(
        x, largest, column, -infinity, [](Element x, Element) { return x; }, "seen");
    Tile most = k.map({largest, k.rowMax(seen)}, f32, larger, "most");
    Tile e = k.map(
        {seen, most}, f32, [](auto x, auto most) { return exp(x - most); }, "e");
    k.update(sum, {sum, largest, most, k.rowSum(e)},
             [](auto sum, auto was, auto most, auto more) { return sum * exp(was - most) + more; });
    k.copy(most, largest);
  }
};

} // namespace

Result<Kernel> buildLongRmsNorm(const RowsConfig &c) {
  KernelBuilder k("rmsnorm");
  const lang::Tensor X = input(k, c, "X"), W = vector(k, c, "W"), Y = output(k, c, "Y");
  eachBlockOfRows(k, c, X, [&](const Pieces &p, lang::Index row) {
    Tile sum = p.numbers(0, "sum");
    p.forward([&](lang::Index column) {
      Tile x = p.load(X, row, column, "x");
      k.update(sum, {sum, k.reduce(x, 1, 0, f32, square, plus)}, plus);
    });
    Tile scale = k.map(
        {sum}, f32, [&](auto sum) { return rsqrt(sum / cast(Element(p.all), f32) + epsilon); },
        "scale");
    p.backward([&](lang::Index column) {
      Tile w = p.loadVector(W, column, "w"), x = p.loadAgain(X, row, column, "again");
      Tile y = k.map(
          {x, scale, w}, c.type,
          [](auto x, auto scale, auto w) { return cast(x, f32) * scale * cast(w, f32); }, "y");
      p.store(y, Y, row, column);
    });
  });
  return k.build();
}

/// Means and squares beside them of pieces are joined as by Chan, Golub and LeVeque: nothing
/// cancels.
Result<Kernel> buildLongLayerNorm(const RowsConfig &c, bool affine) {
  KernelBuilder k("layernorm");
  const lang::Tensor X = input(k, c, "X");
  std::optional<lang::Tensor> W, B;
  if (affine)
    W = vector(k, c, "W"), B = vector(k, c, "B");
  const lang::Tensor Y = output(k, c, "Y");
  eachBlockOfRows(k, c, X, [&](const Pieces &p, lang::Index row) {
    Tile mean = p.numbers(0, "mean"), squares = p.numbers(0, "squares");
    p.forward([&](lang::Index column) {
      Tile x = p.load(X, row, column, "x");
      const lang::Index count = k.name(min(p.all - column, p.columns), "count");
      Tile own = k.map(
          {k.reduce(x, 1, 0, f32, value, plus)}, f32,
          [&](auto sum) { return sum / cast(Element(count), f32); }, "own");
      Tile beside = p.inside(
          x, own, column, 0, [](Element x, Element own) { return x - own; }, "beside");
      k.update(squares, {squares, k.reduce(beside, 1, 0, square, plus), mean, own},
               [&](auto squares, auto more, auto mean, auto own) {
                 const Element a = cast(Element(column), f32), b = cast(Element(count), f32);
                 return squares + more + (own - mean) * (own - mean) * (a * b / (a + b));
               });
      k.update(mean, {mean, own}, [&](auto mean, auto own) {
        const Element a = cast(Element(column), f32), b = cast(Element(count), f32);
        return mean + (own - mean) * (b / (a + b));
      });
    });
    Tile scale = k.map(
        {squares}, f32,
        [&](auto squares) { return rsqrt(squares / cast(Element(p.all), f32) + epsilon); },
        "scale");
    p.backward([&](lang::Index column) {
      Tile x = p.loadAgain(X, row, column, "again");
      const auto scaled = [](auto x, auto mean, auto scale) {
        return (cast(x, f32) - mean) * scale;
      };
      if (!affine)
        return p.store(k.map({x, mean, scale}, c.type, scaled, "y"), Y, row, column);
      Tile w = p.loadVector(*W, column, "w"), b = p.loadVector(*B, column, "b");
      Tile y = k.map(
          {x, mean, scale, w, b}, c.type,
          [&](auto x, auto mean, auto scale, auto w, auto b) {
            return scaled(x, mean, scale) * cast(w, f32) + cast(b, f32);
          },
          "y");
      p.store(y, Y, row, column);
    });
  });
  return k.build();
}

Result<Kernel> buildLongSoftmax(const RowsConfig &c) {
  KernelBuilder k("softmax");
  const lang::Tensor X = input(k, c, "X"), Y = output(k, c, "Y");
  eachBlockOfRows(k, c, X, [&](const Pieces &p, lang::Index row) {
    const Exponentials all(p);
    p.forward([&](lang::Index column) { all.add(p, p.load(X, row, column, "x"), column); });
    Tile share = k.map(
        {all.sum}, f32, [](auto sum) { return 1.0 / sum; }, "share");
    p.backward([&](lang::Index column) {
      Tile x = p.loadAgain(X, row, column, "again");
      Tile y = k.map(
          {x, all.largest, share}, c.type,
          [](auto x, auto largest, auto share) { return exp(cast(x, f32) - largest) * share; },
          "y");
      p.store(y, Y, row, column);
    });
  });
  return k.build();
}

Result<Kernel> buildLongLogSoftmax(const RowsConfig &c) {
  KernelBuilder k("log_softmax");
  const lang::Tensor X = input(k, c, "X"), Y = output(k, c, "Y");
  eachBlockOfRows(k, c, X, [&](const Pieces &p, lang::Index row) {
    const Exponentials all(p);
    p.forward([&](lang::Index column) { all.add(p, p.load(X, row, column, "x"), column); });
    Tile less = k.map(
        {all.sum}, f32, [](auto sum) { return log(sum); }, "less");
    p.backward([&](lang::Index column) {
      Tile x = p.loadAgain(X, row, column, "again");
      Tile y = k.map(
          {x, all.largest, less}, c.type,
          [](auto x, auto largest, auto less) { return cast(x, f32) - largest - less; }, "y");
      p.store(y, Y, row, column);
    });
  });
  return k.build();
}

Result<Kernel> buildLongSoftmaxBackward(const RowsConfig &c) {
  KernelBuilder k("softmax_backward");
  const lang::Tensor Y = input(k, c, "Y"), dY = input(k, c, "dY"), dX = output(k, c, "dX");
  eachBlockOfRows(k, c, Y, [&](const Pieces &p, lang::Index row) {
    Tile sum = p.numbers(0, "sum");
    p.forward([&](lang::Index column) {
      Tile y = p.load(Y, row, column, "y"), dy = p.load(dY, row, column, "dy");
      Tile products = k.map(
          {y, dy}, f32, [](auto y, auto dy) { return cast(y, f32) * cast(dy, f32); }, "products");
      k.update(sum, {sum, k.rowSum(products)}, plus);
    });
    p.backward([&](lang::Index column) {
      Tile y = p.loadAgain(Y, row, column, "y_again"),
           dy = p.loadAgain(dY, row, column, "dy_again");
      Tile dx = k.map(
          {y, dy, sum}, c.type,
          [](auto y, auto dy, auto sum) { return cast(y, f32) * (cast(dy, f32) - sum); }, "dx");
      p.store(dx, dX, row, column);
    });
  });
  return k.build();
}

/// In one pass.
Result<Kernel> buildLongCrossEntropy(const RowsConfig &c) {
  KernelBuilder k("cross_entropy");
  const lang::Tensor X = input(k, c, "X"), labels = k.input("labels", i32, 2);
  const lang::Tensor loss = outputOfRows(k, "loss"), lse = outputOfRows(k, "lse");
  eachBlockOfRows(k, c, X, [&](const Pieces &p, lang::Index row) {
    const Exponentials all(p);
    Tile label = k.load(labels.at({row, 0}), {p.rows, 1}, "label"), at = p.numbers(0, "at");
    p.forward([&](lang::Index column) {
      Tile x = p.load(X, row, column, "x");
      all.add(p, x, column);
      Tile picked = k.mapWithCoordinates(
          {x, label}, f32,
          [&](auto x, auto label, auto, auto own) {
            return select(cast(own + Element(column), i32) == label, cast(x, f32), 0.0);
          },
          "picked");
      k.update(at, {at, k.rowSum(picked)}, plus);
    });
    Tile whole = k.map(
        {all.largest, all.sum}, f32, [](auto largest, auto sum) { return largest + log(sum); },
        "whole");
    Tile less = k.map(
        {whole, at}, f32, [](auto whole, auto at) { return whole - at; }, "less");
    k.store(less, loss.at({row, 0}));
    k.store(whole, lse.at({row, 0}));
  });
  return k.build();
}

} // namespace sluice::rows
