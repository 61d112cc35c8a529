// Rows in 8 bits, with a factor each.
#include "kernels/LongRows.h"
#include "kernels/Visits.h"

#include "Support/Rounding.h"

namespace sluice {

using namespace lang;

namespace {

using rows::Visits;

double largestOf(DType type) {
  return roundTo(type, 1e30); // 448 of e4m3, 57344 of e5m2
}

/// scale = max|X| / largest of Q's type along rows, Q = X / scale, 0 where all are.
Result<Kernel> buildQuantise(const RowsConfig &c, DType to) {
  KernelBuilder k("quantise");
  Visits visits(k, c, 2, rows::mostOfPart(c, rows::heldAlone), /*tiles=*/true);
  visits.input("X");
  const lang::Tensor Q = visits.output("Q", to), scale = rows::outputOfRows(k, c, "scale");
  const double most = largestOf(to);
  const auto larger = [](Element a, Element b) { return max(a, b); };
  visits.eachBlock([&] {
    Tile own = visits.numbers(0, "own");
    visits.first([&](const Visits::Tiles &in, const lang::Index &) {
      const auto size = [](Element x) { return abs(cast(x, f32)); };
      k.update(own, {own, k.reduce(in[0], 1, 0, f32, size, larger, "size")}, larger);
    });
    Tile largest = visits.joined(own, 0, larger, "largest");
    Tile unit = k.map(
        {largest}, f32, [&](auto largest) { return largest * (1 / most); }, "unit");
    visits.storeNumbers(unit, scale);
    Tile inverse = k.map(
        {largest}, f32, [&](auto largest) { return select(largest > 0.0, most / largest, 0.0); },
        "inverse");
    visits.second([&](const Visits::Tiles &in, const Visits::Tiles &, const lang::Index &column) {
      Tile q = k.map(
          {in[0], inverse}, to, [](auto x, auto inverse) { return cast(x, f32) * inverse; }, "q");
      visits.store(q, Q, column);
    });
  });
  return k.build();
}

} // namespace

KernelEntry quantiseEntry() {
  KernelEntry entry = rows::entryOf(
      "quantise", "Q = X / scale in 8 bits, scale = max|X| / its largest number along rows", {});
  entry.parameters.push_back({"to", "e4m3", "type of Q", {"e4m3", "e5m2"}});
  entry.shapes = [](const Parameters &) -> std::vector<TensorShape> {
    return {{"X", {"rows", "cols"}}, {"Q", {"rows", "cols"}}, {"scale", {"rows", "1"}}};
  };
  entry.build = [](const Parameters &p, const Arch &arch) {
    return buildQuantise(rows::configOf(p, arch), p.dtype("to"));
  };
  entry.reference = [](const Parameters &p, const Matrices &in) -> Result<Matrices> {
    const Matrix &x = in.at("X");
    Matrix scale = x.rows() == 0 ? Matrix(0, 1) : Matrix(x.cwiseAbs().rowwise().maxCoeff());
    scale /= largestOf(p.dtype("to"));
    Matrix q = x;
    for (Eigen::Index i = 0; i < x.rows(); ++i)
      q.row(i) *= scale(i, 0) > 0 ? 1 / scale(i, 0) : 0;
    return Matrices{{"Q", std::move(q)}, {"scale", std::move(scale)}};
  };
  entry.hostReference = [](const Parameters &p) -> HostReference {
    return {"Q",
            "double most = 0;\n"
            "for (i64 x = 0; x < cols; ++x)\n"
            "  most = std::max(most, std::fabs(X(i, x)));\n"
            "return most > 0 ? X(i, j) * " +
                std::to_string(largestOf(p.dtype("to"))) + " / most : 0.0;\n",
            "1", "double(Q.extent(0)) * double(Q.extent(1))"};
  };
  rows::setParts(entry);
  rows::setPlan(entry, [](const Parameters &p) {
    // Rows that no cluster holds a CTA each reads twice, at memory's rate: 541 x 199360 of f32 on
    // an H200 241 us, by clusters 406.
    constexpr int64_t most = 64 * rows::heldAlone.longest;
    const bool held = p.number("cols") * byteSize(p.dtype("dtype")) <= most;
    const bool isWhole = p.number("cols") % 8 == 0; // what a lane stores is
    return RowsProblem{.clusters = held,
                       .loaded = isWhole ? rows::loadedWhereShort(p) : LoadedRows::inRings,
                       .whole = rows::heldAlone};
  });
  return entry;
}

} // namespace sluice
