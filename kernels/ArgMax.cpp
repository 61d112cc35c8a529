// Where the largest number of each row is: a fold of pairs as two folds, of the numbers and then of
// the columns that have the largest.
#include "kernels/Visits.h"

#include <limits>

namespace sluice {

using namespace lang;

namespace {

using rows::Visits;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double lowest = -3e38; // below every number
constexpr double nowhere = 1e9;  // behind every column; those are numbers of f32, up to 2^24

const auto larger = [](Element a, Element b) { return max(a, b); };
const auto smaller = [](Element a, Element b) { return min(a, b); };

/// Y = the first column of each row that has its largest number; NaN is none.
Result<Kernel> buildArgMax(const RowsConfig &c) {
  KernelBuilder k("argmax");
  Visits visits(k, rows::withChoices(c), 2, 4096, /*tiles=*/true);
  visits.input("X");
  const lang::Tensor Y = rows::outputOfRows(k, c, "Y", i32);
  visits.eachBlock([&] {
    Tile largest = visits.numbers(lowest, "largest"), at = visits.numbers(0, "at");
    visits.first([&](const Visits::Tiles &in, const lang::Index &column) {
      Tile seen = visits.inside(
          in[0], largest, column, -infinity, [](Element x, Element) { return x; }, "seen");
      Tile most = k.rowMax(seen, "most");
      const lang::Index before = visits.before(column);
      Tile places = k.mapWithCoordinates(
          {seen, most}, f32,
          [&](auto x, auto most, auto line, auto at) {
            return select(x == most, cast(visits.placeOf(before, line, at), f32), nowhere);
          },
          "places");
      Tile first = k.reduce(places, 1, nowhere, smaller, "first");
      k.update(at, {at, first, largest, most}, [](auto at, auto first, auto largest, auto most) {
        return select(most > largest, first, at);
      });
      k.update(largest, {largest, most}, larger);
    });
    if (visits.shares()) { // of the parts that have the largest of the row the first
      const Visits::Tiles all = visits.ofAllParts({largest, at});
      Tile most = k.reduce(all[0], 1, lowest, larger, "most_of_row");
      Tile own = k.map(
          {all[1], all[0], most}, f32,
          [](auto at, auto largest, auto most) { return select(largest == most, at, nowhere); },
          "own");
      at = k.reduce(own, 1, nowhere, smaller, "at_of_row");
    }
    visits.storeNumbers(at, Y);
  });
  return k.build();
}

} // namespace

KernelEntry argMaxEntry() {
  KernelEntry entry =
      rows::entryOf("argmax", "Y = the first column of each row that has its largest number", {});
  rows::parameterOf(entry, "staging").choices = {"0"}; // no tile is stored
  entry.shapes = [](const Parameters &) -> std::vector<TensorShape> {
    return {{"X", {"rows", "cols"}}, {"Y", {"rows", "1"}}};
  };
  entry.build = [](const Parameters &p, const Arch &arch) {
    return buildArgMax(rows::configOf(p, arch));
  };
  entry.reference = [](const Parameters &, const Matrices &in) -> Result<Matrices> {
    const Matrix &x = in.at("X");
    Matrix y(x.rows(), 1);
    for (Eigen::Index i = 0; i < x.rows(); ++i) {
      Eigen::Index at = 0;
      x.row(i).maxCoeff(&at);
      y(i, 0) = static_cast<double>(at);
    }
    return Matrices{{"Y", std::move(y)}};
  };
  rows::setParts(entry);
  rows::setPlan(entry, [](const Parameters &) {
    return RowsProblem{.outputs = 0, .folds = 1, .visits = 1, .clusters = true, .draws = false};
  });
  return entry;
}

} // namespace sluice
