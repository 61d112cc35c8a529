#include "kernels/LongRows.h"

#include "kernels/Visits.h"

#include <limits>

namespace sluice::rows {

using namespace lang;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Below every number, and less it -infinity is still that.
constexpr double lowest = -3e38;
constexpr double epsilon = 1e-6;

const auto value = [](Element x) { return cast(x, f32); };
const auto square = [](Element x) { return cast(x, f32) * cast(x, f32); };
const auto plus = [](Element a, Element b) { return a + b; };
const auto plusOfInputs = [](Element a, Element b) { return cast(a, f32) + cast(b, f32); };
const auto larger = [](Element a, Element b) { return max(a, b); };

using Tiles = Visits::Tiles;

/// One over the root of the mean of what `sum` adds up over a row.
Tile scaleOf(KernelBuilder &k, const Tile &sum, const RowsConfig &c) {
  return k.map(
      {sum}, f32, [&](auto sum) { return rsqrt(sum * (1.0 / double(c.columns)) + epsilon); },
      "scale");
}

/// The largest number of each row so far, and the sum of exp(x - largest).
struct Exponentials {
  KernelBuilder &k;
  Visits &visits;
  Tile largest, sum;

  Exponentials(KernelBuilder &k, Visits &visits)
      : k(k), visits(visits), largest(visits.numbers(lowest, "largest")), sum(visits.sums("sum")) {}

  /// What a piece has of its row, and the largest of it.
  std::pair<Tile, Tile> seen(const Tile &x, const lang::Index &column) const {
    if (visits.isInside())
      return {x, k.reduce(x, 1, -infinity, f32, value, larger)};
    Tile seen = visits.inside(
        x, largest, column, -infinity, [](Element x, Element) { return x; }, "seen");
    return {seen, k.rowMax(seen)};
  }
  /// exp(x - largest) of a piece.
  Tile add(const Tile &x, const lang::Index &column) const {
    const auto [inside, own] = seen(x, column);
    Tile most = k.map({largest, own}, f32, larger, "most");
    Tile e = k.map(
        {inside, most}, f32, [](auto x, auto most) { return exp(cast(x, f32) - most); }, "e");
    k.update(sum, {sum, largest, most, visits.sumsOf(e, value)},
             [](auto sum, auto was, auto most, auto more) { return sum * exp(was - most) + more; });
    k.copy(most, largest);
    return e;
  }
  /// Of all parts of a row.
  std::pair<Tile, Tile> whole() const { return wholeWith({}).first; }
  /// The same in one exchange with others, of which all parts' numbers come beside it.
  std::pair<std::pair<Tile, Tile>, Tiles> wholeWith(const Tiles &others) const {
    const Tile ofRow = visits.ofRows(sum, "sum_of_part");
    if (!visits.shares())
      return {{largest, ofRow}, others};
    Tiles numbers = {largest, ofRow};
    numbers.insert(numbers.end(), others.begin(), others.end());
    const Tiles all = visits.ofAllParts(numbers);
    Tile most = k.reduce(all[0], 1, -infinity, larger, "most_of_row");
    Tile own = k.map(
        {all[1], all[0], most}, f32,
        [](auto sum, auto own, auto most) { return sum * exp(own - most); }, "own");
    return {{most, k.reduce(own, 1, 0, plus, "sum_of_row")}, {all.begin() + 2, all.end()}};
  }
};

} // namespace

int64_t mostOfPart(const RowsConfig &c, const HeldPart &held) {
  return sluice::mostOfPart(held, c.parts, (c.columns + c.pad) * byteSize(c.type) % 16 == 0);
}

namespace {

/// The tensors of a norm, whose rows are visited twice.
struct Norm {
  KernelBuilder &k;
  const RowsConfig &c;
  const NormOptions &how;
  Visits &visits;
  std::optional<lang::Tensor> H, mean, rstd;
  lang::Tensor Y;

  static Norm of(KernelBuilder &k, const RowsConfig &c, const NormOptions &how, Visits &visits,
                 bool centred) {
    visits.input("X");
    if (how.residual)
      visits.input("R");
    if (how.affine)
      visits.vector("W");
    if (how.affine && centred)
      visits.vector("B");
    Norm norm{k, c, how, visits, {}, {}, {}, visits.output("Y")};
    if (how.residual)
      norm.H = visits.output("H");
    if (how.saved && centred)
      norm.mean = rows::outputOfRows(k, c, "mean");
    if (how.saved)
      norm.rstd = rows::outputOfRows(k, c, "rstd");
    return norm;
  }
  std::optional<Tile> held = {}; // what the norm is of, where the second visit has it still

  /// What the norm is of; of a sum it is stored by the last visit, or by the only one.
  Tile of(const Tiles &in, const lang::Index &column, bool stored) const {
    if (!how.residual)
      return in[0];
    Tile h = k.map({in[0], in[1]}, c.type, plusOfInputs, "h");
    if (stored)
      visits.store(h, *H, column);
    return h;
  }
  void first(const std::function<void(const Tile &, const lang::Index &)> &body) {
    visits.first([&](const Tiles &in, const lang::Index &column) {
      held = of(in, column, visits.holds());
      body(*held, column);
    });
  }
  /// fn(element of it), times W, plus B.
  template <typename F> void second(const std::vector<Tile> &ofRows, F &&fn) const {
    visits.second([&](const Tiles &in, const Tiles &vectors, const lang::Index &column) {
      std::vector<Tile> tiles = {visits.holds() ? *held : of(in, column, true)};
      tiles.insert(tiles.end(), ofRows.begin(), ofRows.end());
      tiles.insert(tiles.end(), vectors.begin(), vectors.end());
      const size_t w = 1 + ofRows.size();
      const auto element = [&](const std::vector<Element> &x) {
        Element y = fn(x);
        if (x.size() > w)
          y = y * cast(x[w], f32);
        return x.size() > w + 1 ? y + cast(x[w + 1], f32) : y;
      };
      visits.store(k.map(tiles, c.type, element, "y"), Y, column);
    });
  }
};

} // namespace

Result<Kernel> buildLongRmsNorm(const RowsConfig &c, const NormOptions &how) {
  KernelBuilder k(how.residual ? "add_rmsnorm" : "rmsnorm");
  Visits visits(k, c, how.residual ? 5 : 3, how.residual ? 4096 : mostOfPart(c, heldAlone));
  Norm norm = Norm::of(k, c, how, visits, /*centred=*/false);
  visits.eachBlock([&] {
    Tile sum = visits.sums("sum");
    norm.first([&](const Tile &x, const lang::Index &) {
      k.update(sum, {sum, visits.sumsOf(x, square)}, plus);
    });
    Tile scale = scaleOf(k, visits.joined(visits.ofRows(sum, "own"), 0, plus, "whole"), c);
    if (how.saved)
      visits.storeNumbers(scale, *norm.rstd);
    norm.second({scale}, [](const auto &x) { return cast(x[0], f32) * x[1]; });
  });
  return k.build();
}

/// Means and squares beside them are joined as by Chan, Golub and LeVeque, pieces one after the
/// other and parts all at once: nothing cancels.
struct Moments {
  KernelBuilder &k;
  const RowsConfig &c;
  Visits &visits;
  Tile mean, squares;

  Moments(KernelBuilder &k, const RowsConfig &c, Visits &visits)
      : k(k), c(c), visits(visits), mean(visits.numbers(0, "mean")),
        squares(visits.numbers(0, "squares")) {}

  /// Columns of a part in a piece; where they divide, not 0.
  Element count(const Visits::Left &left, const Element &line) const {
    return cast(visits.countOf(left, line), f32);
  }
  Element divisor(const Element &count) const { return hasShortParts(c) ? max(count, 1.0) : count; }
  void add(const Tile &x, const lang::Index &column) const {
    const Visits::Left left = visits.left(column);
    Tile own = k.mapWithCoordinates(
        {k.reduce(x, 1, 0, f32, value, plus)}, f32,
        [&](auto sum, auto line, auto) { return sum / divisor(count(left, line)); }, "own");
    Tile beside = visits.inside(x, own, column, 0, std::minus<Element>(), "beside");
    // Of all columns that a part has now those of this piece.
    const auto share = [&](const Element &line) {
      const Element had = cast(Element(column), f32), more = count(left, line);
      return more / divisor(had + more);
    };
    k.updateWithCoordinates(squares, {squares, k.reduce(beside, 1, 0, square, plus), mean, own},
                            [&](auto squares, auto more, auto mean, auto own, auto line, auto) {
                              const Element had = cast(Element(column), f32);
                              return squares + more +
                                     (own - mean) * (own - mean) * (had * share(line));
                            });
    k.updateWithCoordinates(mean, {mean, own}, [&](auto mean, auto own, auto line, auto) {
      return mean + (own - mean) * share(line);
    });
  }
  /// Mean and squares of a whole row.
  std::pair<Tile, Tile> whole() const {
    if (!visits.shares())
      return {mean, squares};
    const Tiles all = visits.ofAllParts({mean, squares});
    Tile shares = k.mapWithCoordinates(
        {all[0]}, f32,
        [&](auto mean, auto, auto part) {
          return mean * (visits.columnsOf(part) * (1.0 / double(c.columns)));
        },
        "shares");
    Tile middle = k.reduce(shares, 1, 0, plus, "middle");
    Tile apart = k.mapWithCoordinates(
        {all[0], all[1], middle}, f32,
        [&](auto mean, auto squares, auto middle, auto, auto part) {
          return squares + (mean - middle) * (mean - middle) * visits.columnsOf(part);
        },
        "apart");
    return {middle, k.reduce(apart, 1, 0, plus, "all")};
  }
};

HeldPart heldOfLayerNorm(const NormOptions &how) {
  HeldPart held = how.residual ? HeldPart() : heldAlone;
  held.alone = held.whole; // beside two vectors 4560 bytes spill
  return held;
}

Result<Kernel> buildLongLayerNorm(const RowsConfig &c, const NormOptions &how) {
  KernelBuilder k(how.residual ? "add_layernorm" : "layernorm");
  Visits visits(k, c, (how.affine ? 4 : 2) + (how.residual ? 2 : 0),
                mostOfPart(c, heldOfLayerNorm(how)));
  Norm norm = Norm::of(k, c, how, visits, /*centred=*/true);
  visits.eachBlock([&] {
    const Moments row(k, c, visits);
    norm.first([&](const Tile &x, const lang::Index &column) { row.add(x, column); });
    const auto [middle, all] = row.whole();
    Tile scale = scaleOf(k, all, c);
    if (how.saved)
      visits.storeNumbers(middle, *norm.mean), visits.storeNumbers(scale, *norm.rstd);
    norm.second({middle, scale}, [](const auto &x) { return (cast(x[0], f32) - x[1]) * x[2]; });
  });
  return k.build();
}

/// Exponentials that are held are of the largest in their part: each is computed once.
Result<Kernel> buildLongSoftmax(const RowsConfig &c) {
  KernelBuilder k("softmax");
  Visits visits(k, c, 2, mostOfPart(c, heldAlone));
  visits.input("X");
  const lang::Tensor Y = visits.output("Y");
  visits.eachBlock([&] {
    const Exponentials row(k, visits);
    std::optional<Tile> e;
    visits.first([&](const Tiles &x, const lang::Index &column) { e = row.add(x[0], column); });
    const auto [largest, sum] = row.whole();
    Tile share =
        visits.holds()
            ? k.map(
                  {row.largest, largest, sum}, f32,
                  [](auto own, auto largest, auto sum) { return exp(own - largest) / sum; },
                  "share")
            : k.map(
                  {sum}, f32, [](auto sum) { return 1.0 / sum; }, "share");
    const auto last = [&](auto x, auto largest, auto share) {
      return exp(cast(x, f32) - largest) * share;
    };
    visits.second([&](const Tiles &x, const Tiles &, const lang::Index &column) {
      Tile y = visits.holds()
                   ? k.map(
                         {*e, share}, c.type, [](auto e, auto share) { return e * share; }, "y")
                   : k.map({x[0], largest, share}, c.type, last, "y");
      visits.store(y, Y, column);
    });
  });
  return k.build();
}

Result<Kernel> buildLongLogSoftmax(const RowsConfig &c) {
  KernelBuilder k("log_softmax");
  Visits visits(k, c, 2, mostOfPart(c, heldAlone));
  visits.input("X");
  const lang::Tensor Y = visits.output("Y");
  visits.eachBlock([&] {
    const Exponentials row(k, visits);
    visits.first([&](const Tiles &x, const lang::Index &column) { row.add(x[0], column); });
    const auto [largest, sum] = row.whole();
    Tile less = k.map(
        {sum}, f32, [](auto sum) { return log(sum); }, "less");
    visits.second([&](const Tiles &x, const Tiles &, const lang::Index &column) {
      Tile y = k.map(
          {x[0], largest, less}, c.type,
          [](auto x, auto largest, auto less) { return cast(x, f32) - largest - less; }, "y");
      visits.store(y, Y, column);
    });
  });
  return k.build();
}

Result<Kernel> buildLongSoftmaxBackward(const RowsConfig &c) {
  KernelBuilder k("softmax_backward");
  Visits visits(k, c, 4);
  visits.input("Y"), visits.input("dY");
  const lang::Tensor dX = visits.output("dX");
  visits.eachBlock([&] {
    Tile own = visits.sums("own");
    visits.first([&](const Tiles &in, const lang::Index &) {
      Tile products = k.map(
          {in[0], in[1]}, f32, [](auto y, auto dy) { return cast(y, f32) * cast(dy, f32); },
          "products");
      k.update(own, {own, visits.sumsOf(products, value)}, plus);
    });
    Tile sum = visits.joined(visits.ofRows(own, "own_sum"), 0, plus, "sum");
    visits.second([&](const Tiles &in, const Tiles &, const lang::Index &column) {
      Tile dx = k.map(
          {in[0], in[1], sum}, c.type,
          [](auto y, auto dy, auto sum) { return cast(y, f32) * (cast(dy, f32) - sum); }, "dx");
      visits.store(dx, dX, column);
    });
  });
  return k.build();
}

/// In one visit, so that nobody has to hold a row.
Result<Kernel> buildLongCrossEntropy(const RowsConfig &c) {
  KernelBuilder k("cross_entropy");
  Visits visits(k, c, 1);
  visits.input("X");
  const lang::Tensor labels = k.input("labels", i32, 2);
  const lang::Tensor loss = outputOfRows(k, c, "loss"), lse = outputOfRows(k, c, "lse");
  Tile label = visits.numbersAhead(labels, "label");
  visits.eachBlock([&] {
    const Exponentials row(k, visits);
    Tile own = visits.sums("own_at");
    visits.first([&](const Tiles &x, const lang::Index &column) {
      row.add(x[0], column);
      const lang::Index before = visits.before(column);
      Tile picked = k.mapWithCoordinates(
          {x[0], label}, f32,
          [&](auto x, auto label, auto line, auto at) {
            const Element place = visits.placeOf(before, line, at);
            return select(cast(place, i32) == label, cast(x, f32), 0.0);
          },
          "picked");
      k.update(own, {own, visits.sumsOf(picked, value)}, plus);
    });
    const auto [exponentials, others] = row.wholeWith({visits.ofRows(own, "at_of_part")});
    const auto &[largest, sum] = exponentials;
    Tile at = visits.shares() ? k.reduce(others[0], 1, 0, plus, "at") : others[0];
    Tile whole = k.map(
        {largest, sum}, f32, [](auto largest, auto sum) { return largest + log(sum); }, "whole");
    Tile less = k.map(
        {whole, at}, f32, [](auto whole, auto at) { return whole - at; }, "less");
    visits.storeNumbers(less, loss);
    visits.storeNumbers(whole, lse);
  });
  return k.build();
}

} // namespace sluice::rows
