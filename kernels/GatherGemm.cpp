#include "kernels/GatherGemm.h"

#include "kernels/Alignment.h"
#include "kernels/GemmOperands.h"

namespace sluice {

using namespace lang;

Result<Kernel> buildGatherGemm(const GatherGemmConfig &c) {
  using lang::Index, lang::Tensor;
  KernelBuilder k("gather_gemm");
  Tensor A = k.input("A", c.type, 2, {.align = alignmentOf(c.K, c.type)});
  Tensor rows = k.input("rows", i32, 1);
  Tensor B = k.input("B", c.type, 2, {.align = alignmentOf(c.N, c.type)});
  Tensor C = k.output("C", c.out, 2, {.align = alignmentOf(c.N, c.out)});

  auto [i, j] = k.grid(ceilDiv(C.dim(0), c.bm), ceilDiv(C.dim(1), c.bn));
  Index row = k.name(i * c.bm, "row"), col = k.name(j * c.bn, "col");
  Tile acc = k.accumulator(f32, {c.bm, c.bn}, "acc");
  k.loop(ceilDiv(A.dim(1), c.bk), stages(c.stages), "k", [&](Index t) {
    Index depth = k.name(t * c.bk, "depth");
    Tile a = k.load(gather(A.at({row, depth}), rows), {c.bm, c.bk}, "a");
    Tile b = k.load(B.at({depth, col}), {c.bk, c.bn}, "b");
    k.mma(acc, a, b);
  });
  k.store(k.cast(acc, c.out, "c"), C.at({row, col}));
  return k.build();
}

// ---- In the catalogue -------------------------------------------------------------------------

static GatherGemmConfig configOf(const Parameters &p) {
  GatherGemmConfig c;
  c.N = p.number("N"), c.K = p.number("K");
  c.type = p.dtype("dtype"), c.out = outOf(p);
  c.bm = p.number("bm"), c.bn = p.number("bn"), c.bk = p.number("bk");
  c.stages = p.number("stages");
  return c;
}

static std::vector<TensorShape> shapes(const Parameters &) {
  return {{"A", {"tokens", "K"}}, {"rows", {"M"}}, {"B", {"K", "N"}}, {"C", {"M", "N"}}};
}

/// Any rows in any order, of which some come twice; about one in nine is none of A's.
static std::vector<int64_t> rowsOf(const Parameters &p, uint64_t seed) {
  const int64_t tokens = p.number("tokens"), some = tokens + tokens / 8 + 1;
  std::vector<int64_t> rows;
  for (int64_t i = 0; i < p.number("M"); ++i)
    rows.push_back(int64_t((uint64_t(i) + seed) * 7919 % uint64_t(some)) - 1);
  return rows;
}

static Result<Matrices> reference(const Parameters &, const Matrices &in) {
  const Matrix &a = in.at("A"), &rows = in.at("rows");
  Matrix taken = Matrix::Zero(rows.size(), a.cols());
  for (int64_t i = 0; i < rows.size(); ++i)
    if (const auto row = int64_t(rows(i)); row >= 0 && row < a.rows())
      taken.row(i) = a.row(row);
  auto c = referenceGemm(taken, in.at("B"));
  if (!c)
    return c.error();
  return Matrices{{"C", std::move(*c)}};
}

KernelEntry gatherGemmEntry() {
  KernelEntry entry;
  entry.name = "gather_gemm";
  entry.summary = "C = A[rows] B: of A the rows that a tensor of numbers names";
  entry.targets = {Target::sm_90a, Target::sm_100a};
  entry.parameters = {
      extentParameter("M", "4096", "rows of C, and their numbers"),
      extentParameter("N", "4096", "columns of B and C"),
      extentParameter("K", "4096", "columns of A, rows of B"),
      extentParameter("tokens", "8192", "rows of A"),
      {"dtype", "f16", "element type of A and B", {"f16", "bf16"}},
      {"out", "auto", "element type of C; auto: that of A", {"f16", "bf16", "f32"}},
  };
  addTileParameters(entry, "64", "4");
  entry.shapes = shapes;
  const auto anyIsRight = [](const Parameters &, const std::vector<int64_t> &) {
    return std::string();
  };
  entry.steering = {{"rows", rowsOf, anyIsRight, [](const Parameters &) {
                       return "i * 7919 % (tokens + tokens / 8 + 1) - 1";
                     }}};
  entry.build = [](const Parameters &p, const Arch &) { return buildGatherGemm(configOf(p)); };
  entry.reference = reference;
  entry.hostReference = [](const Parameters &) -> HostReference {
    return {"C",
            "const i64 row = i64(rows(i));\n"
            "double sum = 0;\n"
            "for (i64 k = 0; k < K && row >= 0 && row < tokens; ++k)\n"
            "  sum += A(row, k) * B(k, j);\n"
            "return sum;\n",
            "K", "2.0 * double(M) * double(N) * double(K)"};
  };
  entry.tolerance = toleranceOf;
  return entry;
}

} // namespace sluice
