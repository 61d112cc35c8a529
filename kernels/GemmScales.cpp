#include "kernels/GemmScales.h"

#include "Program/BlockScales.h"
#include "Support/E2m1.h"
#include "kernels/GemmOperands.h"

#include <optional>

namespace sluice {

int64_t BlockFactors::elements() const {
  return elementsOfBlock(operand, factor);
}
int64_t BlockFactors::numbers() const {
  return elements() * numbersOf(operand);
}

int64_t BlockFactors::numbersOfPiece() const {
  return FactorPieces::blocks * numbers();
}

int64_t bytesOfFactors(const BlockFactors &of, int64_t rows, int64_t columns, int64_t depth) {
  return piecesOfStep(rows, columns, depth, of.elements()) * FactorPieces::rows *
         FactorPieces::bytes;
}

int64_t numbersOf(DType type) {
  return type == DType::e2m1x2 ? 2 : 1;
}

bool hasBlockScales(const Parameters &p) {
  return p.text("scales") == "mx" || p.text("scales") == "nv";
}

BlockFactors blockFactorsOf(const Parameters &p) {
  return {typeOfA(p), p.text("scales") == "nv" ? DType::e4m3 : DType::ue8m0};
}

/// A tile that has all rows of A, as columns of C^T (PTX ISA, tcgen05.mma of 128 rows: in 16).
static bool isOfFewRows(const Parameters &p) {
  const int64_t rows = p.number("bm");
  return holdsFewLines(rows) && rows % 16 == 0 && p.number("M") <= rows;
}

/// Tiles whose factors are whole pieces; rows of operands that a swizzle has.
static std::optional<Error> unsupportedTiles(const Parameters &p, const std::string &start) {
  const BlockFactors of = blockFactorsOf(p);
  const int64_t piece = of.numbersOfPiece(), most = of.operand == DType::e2m1x2 ? 256 : piece;
  if (!p.isAuto("bk") && (p.number("bk") % piece != 0 || p.number("bk") > most ||
                          (p.number("bk") & (p.number("bk") - 1))))
    return unsupportedError(
        start + " bk=" + p.text("bk") + ": a tile of factors is of " + std::to_string(piece) +
        " along K; use bk=" + std::to_string(piece) +
        (most > piece ? " to " + std::to_string(most) + ", a power of two" : std::string()));
  const bool swapped = p.text("swap") == "yes";
  const auto isOneOf = [&](const char *name, bool wide) {
    return p.isAuto(name) || p.number(name) == FactorPieces::lines ||
           (wide && p.number(name) == 2 * FactorPieces::lines);
  };
  if (swapped)
    return isOneOf("bn", false) && (isOneOf("bm", true) || isOfFewRows(p))
               ? std::nullopt
               : std::optional(unsupportedError(
                     start + " swap=yes bm=" + p.text("bm") + " bn=" + p.text("bn") +
                     ": a tile of factors is of 128 rows or columns; use bn=128, and bm=128 or "
                     "256, or all rows of A in one tile, a multiple of 16"));
  for (const char *name : {"bm", "bn"})
    if (!isOneOf(name, true))
      return unsupportedError(start + " " + name + "=" + p.text(name) +
                              ": a tile of factors is of 128 rows or columns; use 128 or 256");
  const auto isWide = [&](const char *name) {
    return !p.isAuto(name) && p.number(name) == 2 * FactorPieces::lines;
  };
  if (isWide("bm") && isWide("bn"))
    return unsupportedError(start + " bm=256 bn=256: two sums of 256 columns take all of tensor "
                                    "memory, where factors have columns too; use 128 for one");
  return std::nullopt;
}

std::optional<Error> unsupportedBlockScales(const Parameters &p, const Arch &arch) {
  const std::string dtype = p.text("dtype"), scales = p.text("scales"),
                    start = "unsupported: gemm scales=" + scales + " dtype=" + dtype;
  if (!hasBlockScales(p))
    return std::nullopt;
  if (arch.target != Target::sm_100a)
    return unsupportedError(start + " on " + arch.name +
                            ": block-scaled products begin with sm_100a; add --target sm_100a");
  if (blockFactorsOf(p).elements() == 0)
    return unsupportedError(start + ": factors of blocks are of " +
                            (scales == "nv" ? "e2m1 by e2m1" : "floats of 4, 6 and 8 bits"));
  if (p.number("K") % numbersOf(typeOfA(p)))
    return unsupportedError(start + " K=" + p.text("K") +
                            ": two numbers of 4 bits are a byte; K is even");
  if (auto wrong = unsupportedTiles(p, start))
    return wrong;
  return std::nullopt;
}

std::vector<TensorShape> blockScaleShapes(const Parameters &p) {
  const int64_t piece = blockFactorsOf(p).numbersOfPiece();
  const std::string depth =
      "(K+" + std::to_string(piece - 1) + ")/" + std::to_string(piece) + "*32";
  return {{"SA", {"(M+127)/128", depth, "16"}}, {"SB", {"(N+127)/128", depth, "16"}}};
}

lang::Tensor blockScales(lang::KernelBuilder &k, const BlockFactors &of, bool batched,
                         const char *name) {
  std::vector<int64_t> extents(batched ? 3 : 2, lang::anyExtent);
  extents.push_back(FactorPieces::bytes);
  return k.input(name, of.factor, static_cast<int>(extents.size()),
                 {.align = FactorPieces::bytes, .extents = extents});
}

bool holdsFewLines(int64_t lines) {
  return lines < FactorPieces::lines;
}

lang::Index pieceOf(lang::Index at, int64_t lines) {
  return holdsFewLines(lines) ? lang::Index(0) : at * (lines / FactorPieces::lines);
}

lang::Tile loadBlockScales(lang::KernelBuilder &k, const BlockFactors &of,
                           const lang::Tensor &factors, const FactorsAt &at, int64_t lines,
                           int64_t depth, const char *name) {
  const FactorPieces pieces = piecesOf(lines, depth, of.elements());
  const int64_t rows = FactorPieces::rows * pieces.ofDepth;
  const lang::Index first = at.step * rows;
  const auto piece = [&](lang::Index tile) {
    std::vector<lang::Index> offsets = at.batch;
    offsets.insert(offsets.end(), {tile, first, 0});
    return factors.at(offsets);
  };
  if (pieces.ofLines == 1)
    return k.load(piece(at.tile), {rows, FactorPieces::bytes}, name);
  const lang::Tile all = k.tile(of.factor, {rows * pieces.ofLines, FactorPieces::bytes}, name);
  for (int64_t p = 0; p < pieces.ofLines; ++p)
    k.load(piece(at.tile + p), part(all, {rows * p, 0}, {rows, FactorPieces::bytes}));
  return all;
}

Matrix numbersOfPairs(const Matrix &bytes, bool rows) {
  Matrix numbers(rows ? bytes.rows() : 2 * bytes.rows(), rows ? 2 * bytes.cols() : bytes.cols());
  for (int64_t i = 0; i < bytes.rows(); ++i)
    for (int64_t j = 0; j < bytes.cols(); ++j) {
      const std::array<float, 2> pair = e2m1Pair(static_cast<uint8_t>(bytes(i, j)));
      for (int64_t n = 0; n < 2; ++n)
        (rows ? numbers(i, 2 * j + n) : numbers(2 * i + n, j)) = pair[size_t(n)];
    }
  return numbers;
}

Matrix timesBlockScales(const BlockFactors &of, const Matrix &lines, const Matrix &factors,
                        bool rows) {
  const int64_t block = of.numbers(), piece = of.numbersOfPiece();
  Matrix scaled = of.operand == DType::e2m1x2 ? numbersOfPairs(lines, rows) : lines;
  const int64_t depth = rows ? scaled.cols() : scaled.rows();
  const int64_t steps = (depth + piece - 1) / piece;
  for (int64_t i = 0; i < scaled.rows(); ++i)
    for (int64_t j = 0; j < scaled.cols(); ++j) {
      const int64_t line = rows ? i : j, k = rows ? j : i;
      const int64_t in = line % FactorPieces::lines,
                    tile = line / FactorPieces::lines * steps + k / piece;
      scaled(i, j) *= factors(tile * FactorPieces::rows + in % FactorPieces::rows,
                              in / FactorPieces::rows * FactorPieces::blocks + k % piece / block);
    }
  return scaled;
}

/// The factor of line `line` and number `k`.
static std::string factorOnHost(const BlockFactors &of, const std::string &tensor,
                                const std::string &matrix, const std::string &line,
                                const std::string &k) {
  const std::string block = std::to_string(of.numbers()),
                    piece = std::to_string(of.numbersOfPiece());
  return tensor + "(" + matrix + line + " / 128, " + k + " / " + piece + " * 32 + " + line +
         " % 32, " + line + " % 128 / 32 * 4 + " + k + " % " + piece + " / " + block + ")";
}

std::string blockScaledSumOnHost(const BlockFactors &of, const std::string &matrix) {
  const bool pairs = of.operand == DType::e2m1x2;
  const std::string k = pairs ? "n" : "k";
  const std::string factors = " * " + factorOnHost(of, "SA", matrix, "i", k) + " * " +
                              factorOnHost(of, "SB", matrix, "j", k) + ";\n";
  if (!pairs)
    return "for (i64 k = 0; k < K; ++k)\n  sum += A(" + matrix + "i, k) * B(" + matrix + "k, j)" +
           factors;
  return "const double sizes[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};\n"
         "const auto number = [&](double pair, i64 n) {\n"
         "  const int code = int(pair) >> 4 * (n % 2);\n"
         "  return code & 8 ? -sizes[code & 7] : sizes[code & 7];\n"
         "};\n"
         "for (i64 n = 0; n < K; ++n)\n"
         "  sum += number(A(" +
         matrix + "i, n / 2), n) * number(B(" + matrix + "n / 2, j), n)" + factors;
}

} // namespace sluice
