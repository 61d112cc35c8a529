#include "kernels/GroupedGemm.h"

#include "Plan/BlackwellGemm.h"
#include "kernels/GemmOperands.h"

#include <algorithm>

namespace sluice {

using namespace lang;

/// Every CTA walks through the groups and takes tile `cta`, `cta + ctas` ... of all of them. They
/// are numbered as if group g began a row of tiles at first / bm + g: no group reaches into the
/// numbers of the next, and nobody has to add up lengths. Numbers that no tile has cost nothing.
/// Whatever the offsets are, no tile begins outside of A and C; where groups overlap, nobody says
/// which of them writes last.
Result<Kernel> buildGroupedGemm(const GroupedGemmConfig &c) {
  using lang::Index, lang::Tensor;
  KernelBuilder k("grouped_gemm");
  Tensor A = k.input("A", c.type, 2, matrix(c.rows, c.K, c.aByColumns, false, c.type));
  Tensor B = k.input("B", c.type, 3, matrix(c.K, c.N, c.bByColumns, true, c.type));
  Tensor offsets = k.input("offsets", i32, 1);
  Tensor C = k.output("C", c.out, 2, matrix(c.rows, c.N, false, false, c.out));

  Index groups = k.name(offsets.dim(0) - 1, "groups");
  Index rows = k.name(C.dim(0), "rows");
  Index cols = k.name(ceilDiv(k.name(C.dim(1), "N"), c.bn), "cols");
  Index steps = k.name(ceilDiv(k.name(A.dim(1), "K"), c.bk), "steps");
  Index cta = k.name(k.grid(c.ctas)[0], "cta");
  k.loop(groups, "group", [&](Index group) {
    Index from = k.name(k.scalar(offsets.at({group})), "from");
    Index to = k.name(k.scalar(offsets.at({group + 1})), "to");
    Index first = k.name(max(from, 0), "first"), end = k.name(min(to, rows), "end");
    Index down = k.name(ceilDiv(max(end - first, 0), c.bm), "down");
    Index before = k.name((first / c.bm + group) * cols, "before");
    Index own = k.name(((cta - before) % c.ctas + c.ctas) % c.ctas, "own");
    k.loop(ceilDiv(max(down * cols - own, 0), c.ctas), "turn", [&](Index turn) {
      Index tile = k.name(own + turn * c.ctas, "tile");
      Index row = k.name(first + tile % down * c.bm, "row");
      Index col = k.name(tile / down * c.bn, "col");
      Tile acc = k.accumulator(sumsOf(c.type), {c.bm, c.bn}, "acc");
      k.loop(steps, stages(c.stages), "k", [&](Index t) {
        Index depth = k.name(t * c.bk, "depth");
        Tile a = k.load(A.at({row, depth}), {c.bm, c.bk}, "a");
        Tile b = k.load(B.at({group, depth, col}), {c.bk, c.bn}, "b");
        k.mma(acc, a, b);
      });
      Tile result = c.out == acc.type() ? acc : k.cast(acc, c.out, "c");
      k.store(result, clip(C.at({row, col}), 0, end));
    });
  });
  return k.build();
}

// ---- In the catalogue -------------------------------------------------------------------------

static std::vector<Parameter> parameters() {
  constexpr int64_t most = 65536;
  std::vector<Parameter> all = {
      extentParameter("rows", "8192", "rows of A and C, of all groups together"),
      extentParameter("N", "4096", "columns of B and C"),
      extentParameter("K", "4096", "columns of A, rows of B"),
      extentParameter("groups", "8", "matrices of B"),
      {"bm", "auto", "rows of a tile of C", {}, 1, 1024},
      {"bn", "auto", "columns of a tile of C", {}, 1, 1024},
      {"bk", "auto", "depth of a step along K", {}, 1, 4096},
      {"stages", "auto", "tiles of A and B in flight", {}, 1, 64},
      planParameter(),
      {"lengths", "random", "of groups, where offsets are not given", {"random", "even"}},
  };
  all[3].low = 1, all[3].high = most;
  const std::vector<Parameter> operands = operandParameters();
  all.insert(all.begin() + 4, operands.begin(), operands.end());
  return all;
}

static GroupedGemmConfig configOf(const Parameters &p, const Arch &arch) {
  const auto number = [&](const char *name, int64_t otherwise) {
    return p.isAuto(name) ? otherwise : p.number(name);
  };
  GroupedGemmConfig c;
  c.rows = p.number("rows"), c.N = p.number("N"), c.K = p.number("K");
  c.type = p.dtype("dtype");
  c.out = outOf(p);
  c.aByColumns = p.text("a") == "col", c.bByColumns = p.text("b") == "col";
  c.bm = number("bm", 128), c.bn = number("bn", 128);
  c.bk = number("bk", 128 / byteSize(c.type));
  const int64_t fit = stagesBeside({c.bm, c.bn, c.bk, /*staging=*/1, /*split=*/1, c.bByColumns},
                                   c.type, c.out, arch);
  c.stages = number("stages", std::clamp<int64_t>(fit, 1, 4));
  c.ctas = arch.cores;
  return c;
}

static Result<Plan> plan(const Parameters &p, const Arch &arch) {
  if (auto wrong = unsupportedTypes("grouped_gemm", p, arch))
    return *wrong;
  const GroupedGemmConfig c = configOf(p, arch);
  const int64_t size = byteSize(c.type);
  GemmProblem problem{c.rows, c.N, c.K, c.type, c.out};
  problem.rowBytesA = (c.aByColumns ? c.rows : c.K) * size;
  problem.rowBytesB = (c.bByColumns ? c.K : c.N) * size;
  problem.bByColumns = c.bByColumns;
  problem.packedA = problem.packedB = packedPart(c.type);
  problem.groups = p.number("groups");
  problem.held = c.out == sumsOf(c.type);
  return arch.target == Target::sm_90a ? planGemm(problem, arch) : planBlackwellGemm(problem, arch);
}

/// What `build` takes for "auto".
static Result<Parameters> settle(const Parameters &p, const Arch &arch) {
  auto settled =
      planned("grouped_gemm", p, {"bm", "bn", "bk", "stages"}, [&] { return plan(p, arch); });
  if (!settled)
    return settled.error();
  const GroupedGemmConfig c = configOf(*settled, arch);
  return settled->with("bm", std::to_string(c.bm))
      .with("bn", std::to_string(c.bn))
      .with("bk", std::to_string(c.bk))
      .with("stages", std::to_string(c.stages))
      .with("plan", "no");
}

static Result<Kernel> build(const Parameters &p, const Arch &arch) {
  if (auto wrong = unsupportedTypes("grouped_gemm", p, arch))
    return *wrong;
  auto settled = settle(p, arch);
  if (!settled)
    return settled.error();
  return buildGroupedGemm(configOf(*settled, arch));
}

static std::vector<TensorShape> shapes(const Parameters &) {
  return {{"A", {"rows", "K"}},
          {"B", {"groups", "K", "N"}},
          {"offsets", {"groups+1"}},
          {"C", {"rows", "N"}}};
}

static std::vector<int64_t> offsetsOf(const Parameters &p, uint64_t seed) {
  const int64_t groups = p.number("groups"), rows = p.number("rows");
  if (p.text("lengths") == "random")
    return randomOffsets(groups, rows, seed);
  std::vector<int64_t> offsets;
  for (int64_t g = 0; g <= groups; ++g)
    offsets.push_back(g * rows / groups);
  return offsets;
}

/// Lengths that are not even grow from group to group.
static std::string offsetsOnHost(const Parameters &p) {
  const std::string even = "i == 0 ? 0 : rows * i / groups";
  return p.text("lengths") == "even" ? even : even + " * i / groups";
}

/// Groups lie one after the other, from the first row to the last.
static std::string wrongOffsets(const Parameters &p, const std::vector<int64_t> &offsets) {
  const auto element = [&](size_t i) {
    return "offsets[" + std::to_string(i) + "] is " + std::to_string(offsets[i]);
  };
  if (offsets.front() != 0)
    return element(0) + "; the first group begins at row 0";
  for (size_t i = 1; i < offsets.size(); ++i)
    if (offsets[i] < offsets[i - 1])
      return element(i) + ", less than " + std::to_string(offsets[i - 1]) +
             " before it; a group may be empty, but not end before it begins";
  if (offsets.back() != p.number("rows"))
    return element(offsets.size() - 1) + "; the last group ends with the " + p.text("rows") +
           " rows of A";
  return "";
}

static Result<Matrices> reference(const Parameters &p, const Matrices &in) {
  const Matrix &A = in.at("A"), &B = in.at("B"), &offsets = in.at("offsets");
  const int64_t K = p.number("K");
  Matrix C(A.rows(), p.number("N"));
  for (int64_t g = 0; g < p.number("groups"); ++g) {
    const auto first = int64_t(offsets(g)), length = int64_t(offsets(g + 1)) - first;
    auto product = referenceGemm(A.middleRows(first, length), B.middleRows(g * K, K));
    if (!product)
      return product.error();
    C.middleRows(first, length) = *product;
  }
  return Matrices{{"C", std::move(C)}};
}

static HostReference hostReference(const Parameters &) {
  return {"C",
          "i64 g = 0;\n"
          "while (g + 1 < groups && offsets(g + 1) <= double(i))\n"
          "  ++g;\n"
          "double sum = 0;\n"
          "for (i64 k = 0; k < K; ++k)\n"
          "  sum += A(i, k) * B(g, k, j);\n"
          "return sum;\n",
          "K", "2.0 * double(rows) * double(N) * double(K)"};
}

KernelEntry groupedGemmEntry() {
  KernelEntry entry;
  entry.name = "grouped_gemm";
  entry.summary = "C = A B for each group of rows, with a B of its own; where groups begin is data";
  entry.targets = {Target::sm_90a, Target::sm_100a};
  entry.parameters = parameters();
  entry.shapes = shapes;
  entry.steering = {{"offsets", offsetsOf, wrongOffsets, offsetsOnHost}};
  entry.build = build;
  entry.plan = plan;
  entry.settle = settle;
  entry.reference = reference;
  entry.hostReference = hostReference;
  entry.tolerance = toleranceOf;
  return entry;
}

} // namespace sluice
