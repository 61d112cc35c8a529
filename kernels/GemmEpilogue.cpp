#include "kernels/GemmEpilogue.h"

#include "Program/ElementFn.h"

#include "kernels/Alignment.h"

#include <cmath>
#include <numbers>

namespace sluice {

using namespace lang;

// ---- Parameters -------------------------------------------------------------------------------

std::vector<Parameter> epilogueParameters() {
  return {
      {"epilogue",
       "none",
       "what is done to C: a bias per column, an activation",
       {"none", "relu", "gelu", "gelu_tanh", "bias", "bias_relu", "bias_gelu", "bias_gelu_tanh"}},
      {"residual", "no", "yes: R, a tensor like C, is added before the activation", {"no", "yes"}},
      {"in_place", "no", "yes: C may be launched as the memory of R", {"no", "yes"}},
      {"alpha", "no", "yes: a factor of A B, given at the launch", {"no", "yes"}},
      {"beta", "no", "yes: a factor of R, given at the launch", {"no", "yes"}},
      {"scales",
       "no",
       "f32 factors of A B: rowScale Mx1, colScale 1xN; of A and of B along K (sm_100a) "
       "mx: ue8m0 of 32 numbers, nv: ue4m3 of 16 of e2m1",
       {"no", "row", "col", "both", "mx", "nv"}},
  };
}

GemmEpilogue epilogueOf(const Parameters &p) {
  const std::string &epilogue = p.text("epilogue"), &scales = p.text("scales");
  GemmEpilogue e;
  e.bias = epilogue.starts_with("bias");
  e.residual = p.text("residual") == "yes";
  e.inPlace = p.text("in_place") == "yes";
  e.alpha = p.text("alpha") == "yes";
  e.beta = p.text("beta") == "yes";
  e.scaleOfRow = scales == "row" || scales == "both";
  e.scaleOfCol = scales == "col" || scales == "both";
  e.activation = epilogue.ends_with("relu")        ? Activation::relu
                 : epilogue.ends_with("gelu")      ? Activation::geluErf
                 : epilogue.ends_with("gelu_tanh") ? Activation::geluTanh
                                                   : Activation::none;
  return e;
}

std::string wrongEpilogue(const GemmEpilogue &e) {
  if (e.inPlace && !e.residual)
    return "gemm in_place=yes: C is written in the place of R; add residual=yes";
  return e.beta && !e.residual ? "gemm beta=yes: beta is the factor of R; add residual=yes" : "";
}

std::vector<TensorShape> epilogueShapes(const GemmEpilogue &e) {
  std::vector<TensorShape> shapes;
  if (e.bias)
    shapes.push_back({"bias", {"1", "N"}});
  if (e.residual)
    shapes.push_back({"R", {"M", "N"}});
  if (e.scaleOfRow)
    shapes.push_back({"rowScale", {"M", "1"}});
  if (e.scaleOfCol)
    shapes.push_back({"colScale", {"1", "N"}});
  return shapes;
}

std::map<std::string, int64_t> epilogueArguments(const GemmEpilogue &e) {
  std::map<std::string, int64_t> values;
  if (e.alpha)
    values["alpha"] = argumentOf(kGemmAlpha);
  if (e.beta)
    values["beta"] = argumentOf(kGemmBeta);
  return values;
}

// ---- References -------------------------------------------------------------------------------

GemmReference epilogueReference(const GemmEpilogue &e, const Matrices &in) {
  GemmReference how;
  const auto read = [&](bool wanted, const char *name) { return wanted ? in.at(name) : Matrix(); };
  how.bias = read(e.bias, "bias");
  how.residual = read(e.residual, "R");
  how.rowScale = read(e.scaleOfRow, "rowScale");
  how.colScale = read(e.scaleOfCol, "colScale");
  how.alpha = e.alpha ? kGemmAlpha : 1;
  how.beta = e.beta ? kGemmBeta : 1;
  how.activation = e.activation;
  return how;
}

std::string epilogueOnHost(const GemmEpilogue &e, const std::string &matrix) {
  std::string text;
  const auto line = [&](bool wanted, const std::string &statement) {
    if (wanted)
      text += statement + "\n";
  };
  line(e.alpha, "sum *= alpha;");
  line(e.scaleOfRow, "sum *= rowScale(" + matrix + "i, 0);");
  line(e.scaleOfCol, "sum *= colScale(" + matrix + "0, j);");
  line(e.residual, std::string("sum += ") + (e.beta ? "beta * " : "") + "R(" + matrix + "i, j);");
  line(e.bias, "sum += bias(0, j);");
  switch (e.activation) {
  case Activation::relu:
    return text + "return std::max(sum, 0.0);\n";
  case Activation::geluErf:
    return text + "return 0.5 * sum * (1 + std::erf(sum / std::sqrt(2.0)));\n";
  case Activation::geluTanh:
    return text + "const double inner = sum + 0.044715 * sum * sum * sum;\n"
                  "return 0.5 * sum * (1 + std::tanh(std::sqrt(2 / 3.141592653589793) * inner));\n";
  default:
    return text + "return sum;\n";
  }
}

// ---- In a kernel ------------------------------------------------------------------------------

static Element activated(Activation activation, Element x) {
  switch (activation) {
  case Activation::relu:
    return maximum(x, 0);
  case Activation::geluTanh:
    return 0.5 * x * (1 + tanh(x * (std::sqrt(2 / std::numbers::pi) * (1 + 0.044715 * x * x))));
  case Activation::geluErf:
    return 0.5 * x * (1 + erf(x * (1 / std::numbers::sqrt2)));
  default:
    return x;
  }
}

Box boxAt(const lang::Tensor &tensor, const std::vector<lang::Index> &batch, lang::Index row,
          lang::Index col) {
  std::vector<lang::Index> offsets;
  if (tensor.rank() == 3)
    offsets = batch;
  offsets.push_back(row);
  offsets.push_back(col);
  return tensor.at(offsets);
}

EpilogueInputs::EpilogueInputs(KernelBuilder &k, const GemmEpilogue &e, DType out, int64_t N,
                               int rank, const TensorOptions &likeC)
    : k_(k), e_(e) {
  if (e.bias)
    bias_ = k.input("bias", out, 2, {.align = alignmentOf(N, out)});
  if (e.residual)
    residual_ = k.input("R", out, rank, likeC);
  if (e.scaleOfRow)
    rowScale_ =
        k.input("rowScale", f32, rank, e.onVectors ? oneForEachRow(rank) : lang::TensorOptions{});
  if (e.scaleOfCol)
    colScale_ = k.input("colScale", f32, rank, {.align = alignmentOf(N, f32)});
}

void EpilogueInputs::mayBe(const lang::Tensor &C) {
  if (e_.inPlace)
    k_.inPlace(C, *residual_);
}

void EpilogueInputs::numbers() {
  if (e_.alpha)
    alpha_ = k_.number("alpha");
  if (e_.beta)
    beta_ = k_.number("beta");
}

Tile EpilogueInputs::finish(const Tile &sums, DType out, const std::vector<lang::Index> &batch,
                            lang::Index row, lang::Index col) const {
  std::vector<Tile> in = {sums};
  const Shape shape = e_.swapped ? Shape{sums.cols(), sums.rows()} : sums.shape();
  const auto load = [&](const std::optional<lang::Tensor> &t, lang::Index i, lang::Index j,
                        Shape part, LoadOptions options = {}) {
    if (t) {
      const Tile tile = k_.load(boxAt(*t, batch, i, j), part, t->name(), options);
      in.push_back(e_.swapped ? transpose(tile) : tile);
    }
    return in.size() - 1;
  };
  const size_t bias = load(bias_, 0, col, {1, shape.cols});
  const size_t residual = load(residual_, row, col, shape, {.paced = e_.pacedResidual});
  const size_t rowScale = load(rowScale_, row, 0, {shape.rows, 1});
  const size_t colScale = load(colScale_, 0, col, {1, shape.cols});
  if (in.size() == 1 && !alpha_ && e_.activation == Activation::none && out == sums.type())
    return sums;
  const auto element = [&](const std::vector<Element> &x) {
    Element sum = cast(x[0], f32);
    if (alpha_)
      sum = sum * *alpha_;
    if (rowScale_)
      sum = sum * x[rowScale];
    if (colScale_)
      sum = sum * x[colScale];
    if (residual_)
      sum = sum + (beta_ ? *beta_ * x[residual] : x[residual]);
    if (bias_)
      sum = sum + x[bias];
    return activated(e_.activation, sum);
  };
  const bool approximate = byteSize(out) == 2 || e_.onVectors; // no instruction computes erf
  k_.fastMath({.approximate = approximate, .contract = true});
  const Tile c = k_.map(in, out, element, "c");
  k_.fastMath({});
  return c;
}

} // namespace sluice
