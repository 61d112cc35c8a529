// Dropout along rows. What is dropped follows from seed, stream, row and column alone, so that the
// way back is the same kernel with the same seed on the gradient, and no mask is stored.
#include "Program/ElementFn.h"
#include "kernels/Rows.h"

#include <limits>

namespace sluice {

using namespace lang;

namespace {

/// Columns of a piece, at most. Of rows that start anywhere, whose pieces have edges of their own,
/// as many again: the random numbers of a piece leave no room for more (bench/ROWS.md).
int64_t mostColumns(DType type, int64_t columns, int64_t pad) {
  const bool aligned = (columns + pad) * byteSize(type) % 16 == 0;
  return rows::mostOfPiece(type) * (aligned ? 1 : 2);
}

/// Y = X / (1 - p) where a random number is at least p, else 0; with a residual R more.
Result<Kernel> buildDropout(const RowsConfig &c, bool residual) {
  KernelBuilder k(residual ? "add_dropout" : "dropout");
  k.fastMath({.approximate = true, .contract = true});
  std::vector<lang::Tensor> from = {rows::inputOfPieces(k, c, "X")};
  if (residual)
    from.push_back(rows::inputOfPieces(k, c, "R"));
  const lang::Tensor Y = rows::outputOfPieces(k, c, "Y");
  const Seed seed = k.seed("seed");
  const lang::Index stream = k.argument("stream");
  const Element p = k.number("p");
  const int64_t most = rows::mostOfPiece(c, mostColumns(c.type, c.columns, c.pad));
  const int64_t columns = rows::columnsOfPiece(c, most);
  const int64_t count = rows::rowsOfTile(c, columns, static_cast<int64_t>(from.size()));
  rows::eachPiece(k, c, from[0], count, columns, [&](lang::Index row, lang::Index column) {
    std::vector<Tile> tiles = {k.load(from[0].at({row, column}), {count, columns}, "x")};
    if (residual)
      tiles.push_back(k.load(from[1].at({row, column}), {count, columns}, "r"));
    Tile y = k.mapWithCoordinates(
        tiles, c.type,
        [&](const auto &in) {
          const size_t place = tiles.size();
          const Element number = random(seed, Element(stream), in[place] + Element(row),
                                        in[place + 1] + Element(column));
          // Outside of the choice a compiler finds the factor the same for all elements. Where p is
          // 1 nothing is kept; below it 1 - p is at least 2^-24.
          const Element factor = 1.0 / max(1.0 - p, 0x1p-24);
          const Element kept = select(number >= p, cast(in[0], f32), 0.0) * factor;
          return residual ? cast(in[1], f32) + kept : kept;
        },
        "y");
    k.store(y, Y.at({row, column}), rows::storesOf(c));
  });
  return k.build();
}

RandomPlace firstOf(const Parameters &p) {
  const int64_t seed = p.number("seed");
  return {.seed0 = static_cast<int32_t>(seed), .seed1 = seed >> 32, .stream = p.number("stream")};
}

std::map<std::string, int64_t> arguments(const Parameters &p) {
  const RandomPlace first = firstOf(p);
  return {{"seed0", first.seed0},
          {"seed1", first.seed1},
          {"stream", first.stream},
          {"p", argumentOf(p.real("p"))}};
}

/// C++ of element (i, j), from the arguments of a launch.
std::string elementOf(bool residual) {
  return "using word = unsigned;\n"
         "const auto product = [](word x, word y) { return static_cast<unsigned long long>(x) * y; "
         "};\n"
         "word c[4] = {word(j) / 4, word(i), word(stream), word(stream >> 32)};\n"
         "for (word round = 0; round < 10; ++round) {\n"
         "  const auto even = product(c[0], 0xD2511F53u), odd = product(c[2], 0xCD9E8D57u);\n"
         "  c[0] = word(odd >> 32) ^ c[1] ^ (word(seed0) + round * 0x9E3779B9u);\n"
         "  c[2] = word(even >> 32) ^ c[3] ^ (word(seed1) + round * 0xBB67AE85u);\n"
         "  c[1] = word(odd), c[3] = word(even);\n"
         "}\n"
         "const bool kept = float(c[j % 4] >> 8) / 16777216 >= p;\n"
         "return " +
         std::string(residual ? "R(i, j) + " : "") + "(kept ? X(i, j) / (1.0 - p) : 0.0);\n";
}

KernelEntry entryOf(bool residual) {
  KernelEntry entry =
      residual ? rows::entryOf("add_dropout", "Y = R + dropout(X)", {"X", "R", "Y"})
               : rows::entryOf("dropout", "Y = X / (1 - p), or 0 with probability p", {"X", "Y"});
  constexpr auto least = std::numeric_limits<int64_t>::min();
  constexpr auto most = std::numeric_limits<int64_t>::max();
  entry.parameters.push_back({"p", "0.1", "probability of 0", {}, 0, 1, false, true});
  entry.parameters.push_back({"seed", "0", "seed of the random numbers", {}, least, most});
  entry.parameters.push_back({"stream", "0", "which numbers of a seed", {}, INT32_MIN, INT32_MAX});
  entry.build = [residual](const Parameters &p, const Arch &arch) {
    return buildDropout(rows::configOf(p, arch), residual);
  };
  entry.arguments = arguments;
  rows::setReference(entry, "Y", {}, elementOf(residual), "1");
  entry.reference = [residual](const Parameters &p, const Matrices &in) -> Result<Matrices> {
    Matrix y = referenceDropout(in.at("X"), p.real("p"), firstOf(p));
    if (residual)
      y += in.at("R");
    return Matrices{{"Y", std::move(y)}};
  };
  rows::setPlan(entry, [residual](const Parameters &p) {
    return RowsProblem{.inputs = residual ? 2 : 1,
                       .folds = 0,
                       .shares = false,
                       .piece = mostColumns(p.dtype("dtype"), p.number("cols"), p.number("pad")),
                       .computing = 0.245};
  });
  return entry;
}

} // namespace

KernelEntry dropoutEntry() {
  return entryOf(false);
}

KernelEntry addDropoutEntry() {
  return entryOf(true);
}

} // namespace sluice
