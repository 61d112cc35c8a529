#include "kernels/AttentionTile.h"

#include "kernels/AttentionReference.h"
#include "sluice/KernelBuilder.h"

#include <cmath>
#include <numbers>

namespace sluice {

using namespace lang;

Result<Kernel> buildAttentionTile(const AttentionTileConfig &c) {
  using lang::Tensor;
  KernelBuilder k("attention_tile");
  k.fastMath({.approximate = true}); // of exp2
  Tensor Q = k.input("Q", c.type, 2, {.align = 16});
  Tensor K = k.input("K", c.type, 2, {.align = 16});
  Tensor V = k.input("V", c.type, 2, {.align = 16});
  Tensor O = k.output("O", c.type, 2, {.align = 16});
  // e^x = 2^(x log2 e); the scale joins the factor.
  const double scale = std::numbers::log2e / std::sqrt(double(c.d));

  Tile q = k.load(Q.at({0, 0}), {c.queries, c.d}, "q");
  Tile kTile = k.load(K.at({0, 0}), {c.keys, c.d}, "k");
  Tile v = k.load(V.at({0, 0}), {c.keys, c.d}, "v");
  Tile s = k.product(q, transpose(kTile), "s");
  Tile m = k.rowMax(s, "m");
  Tile p = k.map(
      {s, m}, f32, [&](auto s, auto m) { return exp2((s - m) * scale); }, "p");
  Tile sum = k.rowSum(p, "sum");
  Tile o = k.product(k.cast(p, c.type), v, "o");
  Tile result = k.map(
      {o, sum}, c.type, [](auto o, auto sum) { return o / sum; }, "result");
  k.store(result, O.at({0, 0}));
  return k.build();
}

// ---- In the catalogue -------------------------------------------------------------------------

static Result<Kernel> build(const Parameters &p, const Arch &) {
  return buildAttentionTile(
      {p.number("queries"), p.number("keys"), p.number("d"), p.dtype("dtype")});
}

static std::vector<TensorShape> shapes(const Parameters &) {
  return {
      {"Q", {"queries", "d"}}, {"K", {"keys", "d"}}, {"V", {"keys", "d"}}, {"O", {"queries", "d"}}};
}

static Result<Matrices> reference(const Parameters &p, const Matrices &in) {
  AttentionReference how;
  how.scale = 1 / std::sqrt(double(p.number("d")));
  auto result = referenceAttention(in.at("Q"), in.at("K"), in.at("V"), how);
  if (!result)
    return result.error();
  return Matrices{{"O", std::move(*result)}};
}

KernelEntry attentionTileEntry() {
  KernelEntry entry;
  entry.name = "attention_tile";
  entry.summary = "O = softmax(Q K^T / sqrt(d)) V of one tile";
  entry.targets = {Target::sm_90a, Target::sm_100a};
  entry.parameters = {
      {"queries", "64", "rows of Q", {"64", "128"}},
      {"keys", "128", "rows of K and V", {"64", "128", "256"}},
      {"d", "64", "head dimension", {"64", "128"}},
      {"dtype", "f16", "element type", {"f16", "bf16"}},
  };
  entry.shapes = shapes;
  entry.build = build;
  entry.reference = reference;
  entry.hostReference = [](const Parameters &) -> HostReference {
    return {"O", attendedOnHost("keys", "Q(i, x)", "K(k, x)", "V(k, j)"), "keys * d",
            "4.0 * double(queries) * double(keys) * double(d)"};
  };
  return entry;
}

} // namespace sluice
