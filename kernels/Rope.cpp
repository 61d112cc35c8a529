// Rotary positions: the halves of a head are turned by the angles of its token.
#include "kernels/Alignment.h"
#include "kernels/Rows.h"

#include <algorithm>

namespace sluice {

using namespace lang;

namespace {

constexpr int64_t tokensOfTile = 64;

struct RopeConfig {
  DType type = DType::bf16;
  int64_t heads = 32, half = 64, stages = 4;
  int64_t share = 8; // heads that a CTA takes
  int64_t perSm = 1; // CTAs that an SM has room for at once
  lang::StoreOptions stored;
};

/// Y1 = X1 C - X2 S, Y2 = X2 C + X1 S. X and Y: tokens x heads x 2 x half; C and S, cosines and
/// sines, tokens x half.
Result<Kernel> buildRope(const RopeConfig &c) {
  KernelBuilder k("rope");
  k.fastMath({.approximate = true, .contract = true});
  const lang::TensorOptions lines = {
      .align = alignmentOf(c.half, c.type), .extents = {anyExtent, c.heads, 2, c.half}, .rows = 0};
  const lang::TensorOptions angles = {.align = alignmentOf(c.half, f32),
                                      .extents = {anyExtent, c.half}};
  const lang::Tensor X = k.input("X", c.type, 4, lines), C = k.input("C", f32, 2, angles),
                     S = k.input("S", f32, 2, angles), Y = k.output("Y", c.type, 4, lines);
  const Shape shape = {tokensOfTile, c.half};
  // Heads of a token are dealt to CTAs side by side: what they move at a time lies close together.
  const int64_t groups = (c.heads + c.share - 1) / c.share;
  const auto [cta] = k.grid(ceilDiv(X.dim(0), tokensOfTile) * groups, {.ctasPerSm = c.perSm});
  const lang::Index token =
      k.name(groups > 1 ? cta / groups * tokensOfTile : cta * tokensOfTile, "token");
  const lang::Index first = groups > 1 ? k.name(cta % groups * c.share, "first") : lang::Index(0);
  Tile cosine = k.load(C.at({token, 0}), shape, "cosine");
  Tile sine = k.load(S.at({token, 0}), shape, "sine");
  const bool equal = c.heads % c.share == 0;
  const lang::Index mine = equal ? lang::Index(c.share) : min(c.heads - first, c.share);
  k.loop(mine, stages(c.stages), groups > 1 ? "h" : "head", [&](lang::Index h) {
    const lang::Index head = groups > 1 ? k.name(first + h, "head") : h;
    Tile x1 = k.load(X.at({token, head, 0, 0}), shape, "x1");
    Tile x2 = k.load(X.at({token, head, 1, 0}), shape, "x2");
    Tile y1 = k.map(
        {x1, x2, cosine, sine}, c.type,
        [](auto x1, auto x2, auto c, auto s) { return cast(x1, f32) * c - cast(x2, f32) * s; },
        "y1");
    Tile y2 = k.map(
        {x1, x2, cosine, sine}, c.type,
        [](auto x1, auto x2, auto c, auto s) { return cast(x2, f32) * c + cast(x1, f32) * s; },
        "y2");
    k.store(y1, Y.at({token, head, 0, 0}), c.stored);
    k.store(y2, Y.at({token, head, 1, 0}), c.stored);
  });
  return k.build();
}

RopeConfig configOf(const Parameters &p, bool ascend) {
  const auto given = [&](const char *name, int64_t otherwise) {
    return p.isAuto(name) ? otherwise : p.number(name);
  };
  const int64_t heads = p.number("heads"), half = p.number("d") / 2;
  const bool few = half * byteSize(p.dtype("dtype")) <= 128; // registers of a thread
  return {p.dtype("dtype"),
          heads,
          half,
          given("stages", ascend ? 2 : 3),
          std::min(given("share", ascend ? heads : 8), heads),
          given("per_sm", few && !ascend ? 2 : 1),
          ascend ? lang::StoreOptions{} : staging(0)};
}

} // namespace

KernelEntry ropeEntry() {
  KernelEntry entry = rows::entryWith(
      "rope", "the halves X1, X2 of each head turned: X1 C - X2 S, X2 C + X1 S",
      {
          {"rows", "300", "tokens", {}, 0, int64_t{1} << 24, true},
          {"heads", "8", "heads of a token", {}, 1, 1 << 16},
          {"d", "128", "elements of a head, a multiple of 16", {}, 16, 256},
          {"stages", "auto", "heads in flight; auto: 3, on Ascend 2", {}, 1, 16},
          {"share", "auto", "heads that a CTA takes; auto: 8, on Ascend all", {}, 1, 1 << 16},
          {"per_sm",
           "auto",
           "CTAs that an SM has room for at once; auto: 2 where registers allow it",
           {},
           1,
           8},
          rows::typeParameter(),
      });
  entry.shapes = [](const Parameters &p) -> std::vector<TensorShape> {
    const std::string half = std::to_string(p.number("d") / 2);
    return {{"X", {"rows", "heads", "2", half}},
            {"C", {"rows", half}},
            {"S", {"rows", half}},
            {"Y", {"rows", "heads", "2", half}}};
  };
  for (const Target ascend : {Target::ascend910b, Target::ascend950})
    entry.targets.push_back(ascend);
  entry.build = [](const Parameters &p, const Arch &arch) -> Result<Kernel> {
    if (p.number("d") % 16)
      return inputError("rope d=" + p.text("d") + ": a multiple of 16");
    return buildRope(configOf(p, isAscend(arch.target)));
  };
  entry.reference = [](const Parameters &p, const Matrices &in) -> Result<Matrices> {
    const Matrix &x = in.at("X"), &c = in.at("C"), &s = in.at("S");
    Matrix y = x;
    for (Eigen::Index i = 0; i < x.rows(); i += 2) {
      const Eigen::Index token = i / 2 / p.number("heads");
      const auto turn = [&](double sign) {
        return sign * s.row(token).cwiseProduct(x.row(sign < 0 ? i + 1 : i));
      };
      y.row(i) = c.row(token).cwiseProduct(x.row(i)) + turn(-1);
      y.row(i + 1) = c.row(token).cwiseProduct(x.row(i + 1)) + turn(1);
    }
    return Matrices{{"Y", std::move(y)}};
  };
  return entry;
}

} // namespace sluice
