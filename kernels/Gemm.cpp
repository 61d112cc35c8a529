#include "kernels/Gemm.h"

#include "kernels/GemmOperands.h"
#include "kernels/GemmSettings.h"

#include <algorithm>

namespace sluice {

using namespace lang;

/// Coordinates of a tile: row, column, and of a batch the matrix.
static std::vector<lang::Index> gridOf(KernelBuilder &k, const GemmConfig &c, lang::Index rows,
                                       lang::Index cols, const lang::Tensor &C) {
  if (!c.batched) {
    auto [i, j] = k.grid(rows, cols, c.grid);
    return {i, j};
  }
  auto [i, j, l] = k.grid(rows, cols, k.name(C.dim(0), "batch"), c.grid);
  return {i, j, l};
}

/// Of the sums.
static Shape sumsShape(const GemmConfig &c) {
  return c.swapped ? Shape{c.bn, c.bm} : Shape{c.bm, c.bn};
}

/// The tensor cores add products of 8-bit floats in about 14 bits: their sums over a few steps are
/// added up in f32. Steps beyond K bring zeros.
static void sumInParts(KernelBuilder &k, const GemmConfig &c, lang::Index steps, const Tile &acc,
                       const std::function<void(const Tile &, lang::Index)> &step) {
  k.loop(ceilDiv(steps, c.promote), "part", [&](lang::Index part) {
    lang::Index first = k.name(part * c.promote, "first");
    Tile sums = k.accumulator(f32, sumsShape(c), "sums");
    k.loop(lang::Index(c.promote), stages(c.stages), "k",
           [&](lang::Index t) { step(sums, first + t); });
    k.update(acc, {acc, sums}, [](Element x, Element y) { return x + y; });
  });
}

Result<Kernel> buildGemm(const GemmConfig &c) {
  using lang::Index, lang::Tensor;
  KernelBuilder k("gemm");
  const int rank = c.batched ? 3 : 2, first = rank - 2; // dimension of the rows
  Tensor A = k.input("A", c.type, rank, matrix(c.M, c.K, c.aByColumns, c.batched, c.type));
  Tensor B = k.input("B", c.typeOfB, rank, matrix(c.K, c.N, c.bByColumns, c.batched, c.typeOfB));
  std::optional<Tensor> SA, SB;
  if (c.blockFactors)
    SA = blockScales(k, *c.blockFactors, c.batched, "SA"),
    SB = blockScales(k, *c.blockFactors, c.batched, "SB");
  const TensorOptions likeC = matrix(c.M, c.N, false, c.batched, c.out);
  EpilogueInputs epilogue(k, c.epilogue, c.out, c.N, rank, likeC);
  Tensor C = k.output("C", c.out, rank, likeC);
  epilogue.mayBe(C);
  epilogue.numbers();

  Index M = k.name(C.dim(first), "M"), N = k.name(C.dim(first + 1), "N");
  Index K = k.name(A.dim(first + 1), "K");
  if (c.blockFactors && holdsFewLines(c.bm))
    k.assume(M <= Index(c.bm), "A has at most " + std::to_string(c.bm) + " rows");
  Index rows = k.name(ceilDiv(M, c.bm), "rows"), cols = k.name(ceilDiv(N, c.bn), "cols");
  const std::vector<Index> at = gridOf(k, c, rows, cols, C), batch(at.begin() + 2, at.end());
  Index row = k.name(at[0] * c.bm, "row"), col = k.name(at[1] * c.bn, "col");
  Tile acc = k.accumulator(sumsOf(c.type), sumsShape(c), "acc");
  auto step = [&](const Tile &sums, Index t) {
    Index depth = k.name(t * c.bk, "depth");
    Tile a = k.load(boxAt(A, batch, row, depth), {c.bm, c.bk}, "a", {.cache = c.cacheOfA});
    Tile b = k.load(boxAt(B, batch, depth, col), {c.bk, c.bn}, "b", {.cache = c.cacheOfB});
    if (const auto &of = c.blockFactors) {
      Tile sa = loadBlockScales(k, *of, *SA, {batch, pieceOf(at[0], c.bm), t}, c.bm, c.bk, "sa");
      Tile sb = loadBlockScales(k, *of, *SB, {batch, pieceOf(at[1], c.bn), t}, c.bn, c.bk, "sb");
      if (c.swapped)
        k.mma(sums, transpose(b), transpose(a), sb, sa);
      else
        k.mma(sums, a, b, sa, sb);
    } else if (c.swapped)
      k.mma(sums, transpose(b), transpose(a));
    else
      k.mma(sums, a, b);
  };
  if (c.promote == 0)
    k.loop(ceilDiv(K, c.bk), stages(c.stages).split(c.split).alternating(c.alternate), "k",
           [&](Index t) { step(acc, t); });
  else
    sumInParts(k, c, k.name(ceilDiv(K, c.bk), "steps"), acc, step);
  const Tile result = epilogue.finish(acc, c.out, batch, row, col);
  k.store(c.swapped ? transpose(result) : result, boxAt(C, batch, row, col),
          {.staging = c.staging, .cache = c.cacheOfC, .paced = c.pacedStore, .byUnits = c.byUnits});
  return k.build();
}

// ---- In the catalogue -------------------------------------------------------------------------

static Result<Kernel> build(const Parameters &p, const Arch &arch) {
  const auto config = gemmConfig(p, arch);
  return config ? buildGemm(*config) : config.error();
}

static std::vector<TensorShape> shapes(const Parameters &p) {
  const std::string depth = numbersOf(typeOfA(p)) == 2 ? "(K)/2" : "K";
  std::vector<TensorShape> shapes = {{"A", {"M", depth}}, {"B", {depth, "N"}}, {"C", {"M", "N"}}};
  for (TensorShape &shape : epilogueShapes(epilogueOf(p)))
    shapes.push_back(std::move(shape));
  if (hasBlockScales(p))
    std::ranges::move(blockScaleShapes(p), std::back_inserter(shapes));
  for (TensorShape &shape : shapes)
    if (p.number("batch") > 0 && shape.tensor != "bias")
      shape.extents.insert(shape.extents.begin(), "batch");
  return shapes;
}

/// Product `l` of a batch: its rows of every tensor that has such.
static Matrices matricesOf(const Matrices &in, int64_t batch, int64_t l) {
  Matrices one;
  for (const auto &[name, all] : in) {
    const int64_t rows = all.rows() / batch;
    one[name] = name == "bias" ? all : Matrix(all.middleRows(l * rows, rows));
  }
  return one;
}

static Result<Matrices> reference(const Parameters &p, const Matrices &in) {
  const int64_t batch = std::max<int64_t>(p.number("batch"), 1);
  Matrix all(batch * p.number("M"), p.number("N"));
  for (int64_t l = 0; l < batch; ++l) {
    const Matrices one = matricesOf(in, batch, l);
    const auto factorsOf = [&](const char *name, const char *factors, bool rows) {
      return hasBlockScales(p)
                 ? timesBlockScales(blockFactorsOf(p), one.at(name), one.at(factors), rows)
                 : one.at(name);
    };
    const Matrix a = factorsOf("A", "SA", true), b = factorsOf("B", "SB", false);
    auto c = referenceGemm(a, b, epilogueReference(epilogueOf(p), one));
    if (!c)
      return c.error();
    all.middleRows(l * c->rows(), c->rows()) = *c;
  }
  return Matrices{{"C", std::move(all)}};
}

/// Sums that f32 takes over are as long as the steps before.
static double tolerance(const Parameters &p) {
  const DType type = typeOfA(p);
  const int64_t step = p.isAuto("bk") ? 128 / byteSize(type) : p.number("bk");
  const int64_t sums = p.number("K"),
                most = p.isAuto("promote") ? sums : p.number("promote") * step;
  return defaultTolerance(outOf(p)) + productTolerance(type, std::min(sums, most));
}

static HostReference hostReference(const Parameters &p) {
  const bool batched = p.number("batch") > 0;
  const std::string l = batched ? "l, " : "", split = "const i64 l = i / M;\ni %= M;\n";
  const std::string sum = hasBlockScales(p) ? blockScaledSumOnHost(blockFactorsOf(p), l)
                                            : "for (i64 k = 0; k < K; ++k)\n  sum += A(" + l +
                                                  "i, k) * B(" + l + "k, j);\n";
  const std::string text = (batched ? split : "") + "double sum = 0;\n" + sum;
  return {"C", text + epilogueOnHost(epilogueOf(p), l), "K",
          std::string(batched ? "double(batch) * " : "") +
              "2.0 * double(M) * double(N) * double(K)"};
}

static std::map<std::string, int64_t> arguments(const Parameters &p) {
  return epilogueArguments(epilogueOf(p));
}

KernelEntry gemmEntry() {
  KernelEntry entry;
  entry.name = "gemm";
  entry.summary = "C = A B, with factors, residual, bias and activation if asked";
  entry.targets = {Target::sm_90a, Target::sm_100a, Target::ascend910b, Target::ascend950};
  entry.parameters = gemmParameters();
  entry.shapes = shapes;
  entry.arguments = arguments;
  entry.build = build;
  entry.plan = planOfGemm;
  entry.chosen = plannedOfGemm();
  entry.settle = settledGemm;
  entry.divisible = true;
  entry.reference = reference;
  entry.hostReference = hostReference;
  entry.tolerance = tolerance;
  return entry;
}

} // namespace sluice
