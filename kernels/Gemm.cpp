#include "kernels/Gemm.h"

#include "Plan/GemmPlan.h"
#include "kernels/Alignment.h"
#include "sluice/KernelBuilder.h"

#include <cmath>
#include <numbers>

namespace sluice {

using namespace lang;

static Element activated(Activation activation, Element x) {
  switch (activation) {
  case Activation::relu:
    return max(x, 0);
  case Activation::geluTanh:
    return 0.5 * x * (1 + tanh(x * (std::sqrt(2 / std::numbers::pi) * (1 + 0.044715 * x * x))));
  case Activation::geluErf:
    return 0.5 * x * (1 + erf(x * (1 / std::numbers::sqrt2)));
  default:
    return x;
  }
}

static Activation activationOf(const std::string &epilogue) {
  return epilogue == "bias_relu"        ? Activation::relu
         : epilogue == "bias_gelu"      ? Activation::geluErf
         : epilogue == "bias_gelu_tanh" ? Activation::geluTanh
                                        : Activation::none;
}

/// In what products of a type are summed.
static DType sumsOf(DType type) {
  return isFloat(type) ? f32 : i32;
}

/// A matrix of the given extents, either dimension contiguous.
static TensorOptions matrix(int64_t rows, int64_t cols, bool byColumns, DType type) {
  return {.minor = byColumns ? 0 : 1, .align = alignmentOf(byColumns ? rows : cols, type)};
}

Result<Kernel> buildGemm(const GemmConfig &c) {
  using lang::Index, lang::Tensor;
  KernelBuilder k("gemm");
  Tensor A = k.input("A", c.type, 2, matrix(c.M, c.K, c.aByColumns, c.type));
  Tensor B = k.input("B", c.type, 2, matrix(c.K, c.N, c.bByColumns, c.type));
  std::optional<Tensor> bias;
  if (c.bias)
    bias = k.input("bias", c.out, 2, matrix(1, c.N, false, c.out));
  Tensor C = k.output("C", c.out, 2, matrix(c.M, c.N, false, c.out));

  Index M = k.name(C.dim(0), "M"), N = k.name(C.dim(1), "N"), K = k.name(A.dim(1), "K");
  Index rows = k.name(ceilDiv(M, c.bm), "rows"), cols = k.name(ceilDiv(N, c.bn), "cols");
  auto [i, j] = k.grid(rows, cols, c.grid);
  Index row = k.name(i * c.bm, "row"), col = k.name(j * c.bn, "col");
  Tile acc = k.accumulator(sumsOf(c.type), {c.bm, c.bn}, "acc");
  k.loop(ceilDiv(K, c.bk), stages(c.stages), "k", [&](Index t) {
    Index depth = k.name(t * c.bk, "depth");
    Tile a = k.load(A.at({row, depth}), {c.bm, c.bk}, "a");
    Tile b = k.load(B.at({depth, col}), {c.bk, c.bn}, "b");
    k.mma(acc, a, b);
  });
  Tile result = acc;
  if (bias)
    result = k.map(
        {acc, k.load(bias->at({0, col}), {1, c.bn}, "bias")}, c.out,
        [&](Element x, Element b) { return activated(c.activation, cast(x, f32) + b); }, "c");
  else if (c.activation != Activation::none || c.out != acc.type())
    result = k.map(
        {acc}, c.out, [&](Element x) { return activated(c.activation, cast(x, f32)); }, "c");
  k.store(result, C.at({row, col}), staging(c.staging));
  return k.build();
}

// ---- In the catalogue -------------------------------------------------------------------------

static Parameter extent(const char *name, const char *help) {
  Parameter p{name, "4096", help};
  p.atLaunch = true;
  return p;
}

static std::vector<Parameter> parameters() {
  return {
      extent("M", "rows of A and C"),
      extent("N", "columns of B and C"),
      extent("K", "columns of A, rows of B"),
      {"dtype",
       "f16",
       "element type of A and B; tf32: f32 cut by the product",
       {"f16", "bf16", "tf32", "e4m3", "e5m2", "s8"}},
      {"out",
       "auto",
       "element type of C; auto: that of A, f32 of tf32, bf16 of e4m3 and e5m2, s32 of s8",
       {"f16", "bf16", "f32", "s32"}},
      {"a", "row", "A in memory: row-major, or col: columns contiguous", {"row", "col"}},
      {"b", "row", "B in memory: row-major, or col: columns contiguous", {"row", "col"}},
      {"bm", "auto", "rows of a tile of C", {}, 1, 1024},
      {"bn", "auto", "columns of a tile of C", {}, 1, 1024},
      {"bk", "auto", "depth of a step along K", {}, 1, 4096},
      {"stages", "auto", "tiles of A and B in flight", {}, 1, 64},
      {"staging", "auto", "NVIDIA: slots in which parts of C wait for TMA; 1: all of C", {}, 1, 8},
      {"epilogue",
       "none",
       "what is done to C",
       {"none", "bias", "bias_relu", "bias_gelu", "bias_gelu_tanh"}},
      {"mode",
       "auto",
       "how the work is dealt out",
       {"specialised", "pipelined", "persistent", "pingpong"}},
      {"cluster", "auto", "CTAs side by side that share their loads", {"1x1", "2x1", "1x2", "2x2"}},
      {"group", "auto", "persistent: rows of tiles taken together; 0: row by row", {}, 0, 1024},
      {"plan", "no", "yes: all that is auto above as sluice plan puts it first", {"no", "yes"}},
  };
}

/// C of tf32 is as precise as its sums; products of 8 bits may leave the range of f16.
static DType outOf(const Parameters &p, DType type) {
  if (!p.isAuto("out"))
    return p.text("out") == "s32" ? i32 : p.dtype("out");
  return type == tf32 ? f32 : byteSize(type) == 2 ? type : isFloat(type) ? bf16 : i32;
}

/// As many as fit, up to `most`. Where nothing is said, wide rows of C wait in parts.
static int64_t stagesThatFit(const GemmConfig &c, const Arch &arch, int64_t most) {
  const int64_t staging = c.staging ? c.staging : c.bn * byteSize(c.out) > 512 ? 2 : 1;
  const int64_t fit =
      isAscend(arch.target)
          ? arch.l1Bytes / ((c.bm + c.bn) * c.bk * byteSize(c.type))
          : stagesBeside({c.bm, c.bn, c.bk, staging, c.bByColumns}, c.type, c.out, arch);
  return std::clamp<int64_t>(fit, 1, most);
}

/// Tiles that fill the matrix unit and leave room for the copies in flight. Ascend: 256 deep in L1
/// (the way to L0 splits it), 128 x 128 so that L0C holds two.
static GemmConfig configOf(const Parameters &p, const Arch &arch) {
  bool ascend = isAscend(arch.target);
  auto number = [&](const char *name, int64_t otherwise) {
    return p.isAuto(name) ? otherwise : p.number(name);
  };
  GemmConfig c;
  c.M = p.number("M"), c.N = p.number("N"), c.K = p.number("K");
  c.type = p.dtype("dtype");
  c.out = outOf(p, c.type);
  c.aByColumns = p.text("a") == "col", c.bByColumns = p.text("b") == "col";
  c.bm = number("bm", 128), c.bn = number("bn", 128),
  c.bk = number("bk", ascend ? 256 : 128 / byteSize(c.type));
  if (const std::string &cluster = p.text("cluster"); cluster != "auto")
    c.grid.cluster = {cluster[0] - '0', cluster[2] - '0'};
  c.grid.pingpong = p.text("mode") == "pingpong";
  c.grid.persistent = c.grid.pingpong || p.text("mode") == "persistent";
  c.grid.group = c.grid.persistent ? number("group", 8) : 0;
  c.staging = number("staging", 0);
  c.stages = number("stages", stagesThatFit(c, arch, ascend ? 2 : 4));
  c.bias = p.text("epilogue") != "none";
  c.activation = activationOf(p.text("epilogue"));
  return c;
}

/// What no instruction multiplies, or no epilogue computes.
static std::optional<Error> unsupportedTypes(const Parameters &p, const Arch &arch) {
  const std::string dtype = p.text("dtype"), start = "unsupported: gemm dtype=" + dtype;
  const bool half = dtype == "f16" || dtype == "bf16";
  if (!half && isAscend(arch.target))
    return unsupportedError(start + " on " + arch.name + "; use f16 or bf16");
  if (!half && (p.text("a") == "col" || p.text("b") == "row"))
    return unsupportedError(start + " a=" + p.text("a") + " b=" + p.text("b") +
                            ": wgmma transposes 16-bit operands only; use A by rows and B by "
                            "columns, a=row b=col");
  const bool sums = outOf(p, p.dtype("dtype")) == i32;
  if (sums && dtype != "s8")
    return unsupportedError(start + " out=s32: its sums are f32; use out=f16, bf16 or f32");
  if (sums && p.text("epilogue") != "none")
    return unsupportedError(start + " epilogue=" + p.text("epilogue") +
                            " out=s32: epilogues compute in f32; use out=f16, bf16 or f32");
  return std::nullopt;
}

static Result<Plan> plan(const Parameters &p, const Arch &arch) {
  if (arch.target != Target::sm_90a)
    return unsupportedError("unsupported: gemm is planned for sm_90a, not yet for " +
                            std::string(name(arch.target)));
  if (auto unsupported = unsupportedTypes(p, arch))
    return *unsupported;
  const GemmConfig c = configOf(p, arch);
  const int64_t size = byteSize(c.type);
  return planGemm({c.M, c.N, c.K, c.type, c.out, (c.aByColumns ? c.M : c.K) * size,
                   (c.bByColumns ? c.K : c.N) * size, c.bByColumns},
                  arch);
}

/// With the settings that the planner puts first.
static Result<Parameters> planned(Parameters p, const Arch &arch) {
  for (const char *name : {"bm", "bn", "bk", "stages", "staging", "mode", "cluster", "group"})
    if (!p.isAuto(name))
      return inputError("gemm plan=yes chooses " + std::string(name) + " itself; leave " + name +
                        " at auto, or plan at no");
  auto found = plan(p, arch);
  if (!found)
    return found.error();
  std::istringstream settings(found->candidates.front().settings);
  for (std::string setting; settings >> setting;) {
    const size_t equals = setting.find('=');
    p = p.with(setting.substr(0, equals), setting.substr(equals + 1));
  }
  return p;
}

static Result<Kernel> build(const Parameters &p, const Arch &arch) {
  if (auto unsupported = unsupportedTypes(p, arch))
    return *unsupported;
  if (const std::string &mode = p.text("mode"); mode == "pipelined")
    return unsupportedError("gemm mode=" + mode + " is not supported yet; leave mode at auto");
  for (const char *name : {"cluster", "group"})
    if (isAscend(arch.target) && !p.isAuto(name))
      return unsupportedError("gemm " + std::string(name) + "=" + p.text(name) +
                              ": Ascend cores have no clusters and take tiles in turn; leave " +
                              name + " at auto");
  if (p.text("plan") == "no")
    return buildGemm(configOf(p, arch));
  auto chosen = planned(p, arch);
  if (!chosen)
    return chosen.error();
  return buildGemm(configOf(*chosen, arch));
}

static std::vector<TensorShape> shapes(const Parameters &p) {
  std::vector<TensorShape> shapes = {{"A", {"M", "K"}}, {"B", {"K", "N"}}, {"C", {"M", "N"}}};
  if (p.text("epilogue") != "none")
    shapes.push_back({"bias", {"1", "N"}});
  return shapes;
}

static Result<Matrices> reference(const Parameters &p, const Matrices &in) {
  GemmConfig c = configOf(p, defaultArch(Target::sm_90a));
  GemmReference how;
  how.activation = c.activation;
  if (c.bias)
    how.bias = in.at("bias");
  auto result = referenceGemm(in.at("A"), in.at("B"), how);
  if (!result)
    return result.error();
  return Matrices{{"C", std::move(*result)}};
}

static HostReference hostReference(const Parameters &p) {
  const std::string &epilogue = p.text("epilogue");
  std::string text = "double sum = 0;\n"
                     "for (i64 k = 0; k < K; ++k)\n"
                     "  sum += A(i, k) * B(k, j);\n";
  if (epilogue != "none")
    text += "sum += bias(0, j);\n";
  switch (activationOf(epilogue)) {
  case Activation::relu:
    text += "return std::max(sum, 0.0);\n";
    break;
  case Activation::geluErf:
    text += "return 0.5 * sum * (1 + std::erf(sum / std::sqrt(2.0)));\n";
    break;
  case Activation::geluTanh:
    text += "const double inner = sum + 0.044715 * sum * sum * sum;\n"
            "return 0.5 * sum * (1 + std::tanh(std::sqrt(2 / 3.141592653589793) * inner));\n";
    break;
  default:
    text += "return sum;\n";
  }
  return {"C", text, "K", "2.0 * double(M) * double(N) * double(K)"};
}

KernelEntry gemmEntry() {
  KernelEntry entry;
  entry.name = "gemm";
  entry.summary = "C = A B, or with bias and activation";
  entry.targets = {Target::sm_90a, Target::ascend910b};
  entry.parameters = parameters();
  entry.shapes = shapes;
  entry.build = build;
  entry.plan = plan;
  entry.reference = reference;
  entry.hostReference = hostReference;
  entry.tolerance = [](const Parameters &p) {
    const DType type = p.dtype("dtype");
    return defaultTolerance(outOf(p, type)) + productTolerance(type, p.number("K"));
  };
  return entry;
}

} // namespace sluice
