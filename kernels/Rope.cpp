// Rotary positions: the halves of a head are turned by the angles of its token.
#include "kernels/Alignment.h"
#include "kernels/Rows.h"

namespace sluice {

using namespace lang;

namespace {

constexpr int64_t tokensOfTile = 64;

struct RopeConfig {
  DType type = DType::bf16;
  int64_t heads = 32, half = 64, stages = 4;
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
  const auto [block] = k.grid(ceilDiv(X.dim(0), tokensOfTile));
  const lang::Index token = k.name(block * tokensOfTile, "token");
  Tile cosine = k.load(C.at({token, 0}), shape, "cosine");
  Tile sine = k.load(S.at({token, 0}), shape, "sine");
  k.loop(c.heads, stages(c.stages), "head", [&](lang::Index head) {
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

} // namespace

KernelEntry ropeEntry() {
  KernelEntry entry =
      rows::entryWith("rope", "the halves X1, X2 of each head turned: X1 C - X2 S, X2 C + X1 S",
                      {
                          {"rows", "300", "tokens", {}, 0, int64_t{1} << 24, true},
                          {"heads", "8", "heads of a token", {}, 1, 1 << 16},
                          {"d", "128", "elements of a head, a multiple of 16", {}, 16, 256},
                          {"stages", "2", "heads in flight", {}, 1, 16},
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
    return buildRope({p.dtype("dtype"), p.number("heads"), p.number("d") / 2, p.number("stages"),
                      isAscend(arch.target) ? lang::StoreOptions{} : staging(0)});
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
