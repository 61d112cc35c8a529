#include "kernels/Weights8.h"

#include "kernels/Alignment.h"
#include "kernels/GemmOperands.h"

namespace sluice {

using namespace lang;

Result<Kernel> buildWeights8(const Weights8Config &c) {
  using lang::Index, lang::Tensor;
  KernelBuilder k("weights8");
  Tensor A = k.input("A", c.type, 2, {.align = alignmentOf(c.K, c.type)});
  Tensor W = k.input("W", s8, 2, {.align = alignmentOf(c.N, s8)});
  Tensor colScale = k.input("colScale", f32, 2, {.align = alignmentOf(c.N, f32)});
  Tensor C = k.output("C", c.out, 2, {.align = alignmentOf(c.N, c.out)});

  Index M = k.name(C.dim(0), "M"), N = k.name(C.dim(1), "N"), K = k.name(A.dim(1), "K");
  auto [i, j] = k.grid(ceilDiv(M, c.bm), ceilDiv(N, c.bn));
  Index row = k.name(i * c.bm, "row"), col = k.name(j * c.bn, "col");
  Tile acc = k.accumulator(f32, {c.bm, c.bn}, "acc");
  k.loop(ceilDiv(K, c.bk), stages(c.stages), "k", [&](Index t) {
    Index depth = k.name(t * c.bk, "depth");
    Tile a = k.load(A.at({row, depth}), {c.bm, c.bk}, "a");
    Tile w = k.load(W.at({depth, col}), {c.bk, c.bn}, "w");
    k.mma(acc, a, k.read(w, c.type, "wide"));
  });
  Tile scale = k.load(colScale.at({0, col}), {1, c.bn}, "scale");
  Tile result = k.map(
      {acc, scale}, c.out, [](auto sum, auto scale) { return sum * scale; }, "c");
  k.store(result, C.at({row, col}));
  return k.build();
}

// ---- In the catalogue -------------------------------------------------------------------------

static Weights8Config configOf(const Parameters &p) {
  Weights8Config c;
  c.N = p.number("N"), c.K = p.number("K");
  c.type = p.dtype("dtype"), c.out = outOf(p);
  c.bm = p.number("bm"), c.bn = p.number("bn"), c.bk = p.number("bk");
  c.stages = p.number("stages");
  return c;
}

static std::vector<TensorShape> shapes(const Parameters &) {
  return {{"A", {"M", "K"}}, {"W", {"K", "N"}}, {"colScale", {"1", "N"}}, {"C", {"M", "N"}}};
}

static Result<Matrices> reference(const Parameters &, const Matrices &in) {
  GemmReference how;
  how.colScale = in.at("colScale");
  auto c = referenceGemm(in.at("A"), in.at("W"), how);
  if (!c)
    return c.error();
  return Matrices{{"C", std::move(*c)}};
}

KernelEntry weights8Entry() {
  KernelEntry entry;
  entry.name = "weights8";
  entry.summary = "C = A W with weights of 8 bits and a factor for each column";
  entry.targets = {Target::sm_90a};
  entry.parameters = {
      extentParameter("M", "4096", "rows of A and C"),
      extentParameter("N", "4096", "columns of W and C"),
      extentParameter("K", "4096", "columns of A, rows of W"),
      {"dtype", "f16", "element type of A", {"f16", "bf16"}},
      {"out", "auto", "element type of C; auto: that of A", {"f16", "bf16", "f32"}},
  };
  addTileParameters(entry, "128", "2");
  entry.shapes = shapes;
  entry.build = [](const Parameters &p, const Arch &) { return buildWeights8(configOf(p)); };
  entry.reference = reference;
  entry.hostReference = [](const Parameters &) -> HostReference {
    return {"C",
            "double sum = 0;\n"
            "for (i64 k = 0; k < K; ++k)\n"
            "  sum += A(i, k) * W(k, j);\n"
            "return sum * colScale(0, j);\n",
            "K", "2.0 * double(M) * double(N) * double(K)"};
  };
  entry.tolerance = toleranceOf;
  return entry;
}

} // namespace sluice
