#include "kernels/TwoInputs.h"

#include "kernels/Alignment.h"
#include "kernels/GemmOperands.h"

namespace sluice {

using namespace lang;

Result<Kernel> buildTwoInputs(const TwoInputsConfig &c) {
  using lang::Index, lang::Tensor;
  KernelBuilder k("two_inputs");
  Tensor A1 = k.input("A1", c.type, 2, {.align = alignmentOf(c.K1, c.type)});
  Tensor B1 = k.input("B1", c.type, 2, {.align = alignmentOf(c.N, c.type)});
  Tensor A2 = k.input("A2", c.type, 2, {.align = alignmentOf(c.K2, c.type)});
  Tensor B2 = k.input("B2", c.type, 2, {.align = alignmentOf(c.N, c.type)});
  Tensor C = k.output("C", c.out, 2, {.align = alignmentOf(c.N, c.out)});

  auto [i, j] = k.grid(ceilDiv(C.dim(0), c.bm), ceilDiv(C.dim(1), c.bn));
  Index row = k.name(i * c.bm, "row"), col = k.name(j * c.bn, "col");
  Tile acc = k.accumulator(f32, {c.bm, c.bn}, "acc");
  const auto add = [&](const Tensor &A, const Tensor &B, const std::string &name) {
    k.loop(ceilDiv(A.dim(1), c.bk), stages(c.stages), name, [&](Index t) {
      Index depth = k.name(t * c.bk, "depth");
      Tile a = k.load(A.at({row, depth}), {c.bm, c.bk}, "a");
      Tile b = k.load(B.at({depth, col}), {c.bk, c.bn}, "b");
      k.mma(acc, a, b);
    });
  };
  add(A1, B1, "k1");
  add(A2, B2, "k2");
  k.store(k.cast(acc, c.out, "c"), C.at({row, col}));
  return k.build();
}

// ---- In the catalogue -------------------------------------------------------------------------

static TwoInputsConfig configOf(const Parameters &p) {
  TwoInputsConfig c;
  c.N = p.number("N"), c.K1 = p.number("K1"), c.K2 = p.number("K2");
  c.type = p.dtype("dtype"), c.out = outOf(p);
  c.bm = p.number("bm"), c.bn = p.number("bn"), c.bk = p.number("bk");
  c.stages = p.number("stages");
  return c;
}

static std::vector<TensorShape> shapes(const Parameters &) {
  return {{"A1", {"M", "K1"}},
          {"B1", {"K1", "N"}},
          {"A2", {"M", "K2"}},
          {"B2", {"K2", "N"}},
          {"C", {"M", "N"}}};
}

static Result<Matrices> reference(const Parameters &, const Matrices &in) {
  auto first = referenceGemm(in.at("A1"), in.at("B1"));
  if (!first)
    return first.error();
  GemmReference more;
  more.residual = std::move(*first);
  auto c = referenceGemm(in.at("A2"), in.at("B2"), more);
  if (!c)
    return c.error();
  return Matrices{{"C", std::move(*c)}};
}

KernelEntry twoInputsEntry() {
  KernelEntry entry;
  entry.name = "two_inputs";
  entry.summary = "C = A1 B1 + A2 B2, of two depths";
  entry.targets = {Target::sm_90a, Target::sm_100a};
  entry.parameters = {
      extentParameter("M", "4096", "rows of A1, A2 and C"),
      extentParameter("N", "4096", "columns of B1, B2 and C"),
      extentParameter("K1", "4096", "columns of A1, rows of B1"),
      extentParameter("K2", "1024", "columns of A2, rows of B2"),
      {"dtype", "f16", "element type of the inputs", {"f16", "bf16"}},
      {"out", "auto", "element type of C; auto: that of the inputs", {"f16", "bf16", "f32"}},
  };
  addTileParameters(entry, "64", "2");
  entry.shapes = shapes;
  entry.build = [](const Parameters &p, const Arch &) { return buildTwoInputs(configOf(p)); };
  entry.reference = reference;
  entry.tolerance = [](const Parameters &p) {
    return toleranceOfSums(p, p.number("K1") + p.number("K2"));
  };
  entry.hostReference = [](const Parameters &) -> HostReference {
    return {"C",
            "double sum = 0;\n"
            "for (i64 k = 0; k < K1; ++k)\n"
            "  sum += A1(i, k) * B1(k, j);\n"
            "for (i64 k = 0; k < K2; ++k)\n"
            "  sum += A2(i, k) * B2(k, j);\n"
            "return sum;\n",
            "K1 + K2", "2.0 * double(M) * double(N) * double(K1 + K2)"};
  };
  return entry;
}

} // namespace sluice
