// Rotary positions: the halves of a head are turned by the angles of its token.
#include "kernels/Alignment.h"
#include "kernels/Rows.h"

#include <algorithm>

namespace sluice {

using namespace lang;

namespace {

constexpr int64_t rowsOfTile = 64;

struct RopeConfig {
  DType type = DType::bf16;
  int64_t heads = 32, half = 64, stages = 4;
  bool byHeads = false; // rows of a tile are heads of a token, not tokens of a head
  int64_t share = 8;    // tiles that a CTA takes, of the same tokens
  int64_t perSm = 1;    // CTAs that an SM has room for at once
  lang::StoreOptions stored;

  int64_t tokensOfTile() const { return byHeads ? 1 : rowsOfTile; }
  int64_t headsOfTile() const { return byHeads ? rowsOfTile : 1; }
  /// Tiles that the same tokens have side by side.
  int64_t tiles() const { return (heads + headsOfTile() - 1) / headsOfTile(); }
};

/// Y1 = X1 C - X2 S, Y2 = X2 C + X1 S. X and Y: tokens x heads x 2 x half; C and S, cosines and
/// sines, tokens x half.
Result<Kernel> buildRope(const RopeConfig &c) {
  KernelBuilder k("rope");
  k.fastMath({.approximate = true, .contract = true});
  const lang::TensorOptions lines = {.align = alignmentOf(c.half, c.type),
                                     .extents = {anyExtent, c.heads, 2, c.half},
                                     .rows = c.byHeads ? 1 : 0};
  const lang::TensorOptions angles = {.align = alignmentOf(c.half, f32),
                                      .extents = {anyExtent, c.half}};
  const lang::Tensor X = k.input("X", c.type, 4, lines), C = k.input("C", f32, 2, angles),
                     S = k.input("S", f32, 2, angles), Y = k.output("Y", c.type, 4, lines);
  const Shape shape = {rowsOfTile, c.half}, ofAngles = {c.tokensOfTile(), c.half};
  // Heads of a token are dealt to CTAs side by side: what they move at a time lies close together.
  const int64_t groups = (c.tiles() + c.share - 1) / c.share;
  const auto [cta] = k.grid(ceilDiv(X.dim(0), c.tokensOfTile()) * groups, {.ctasPerSm = c.perSm});
  const lang::Index token =
      k.name(groups > 1 ? cta / groups * c.tokensOfTile() : cta * c.tokensOfTile(), "token");
  const lang::Index first = groups > 1 ? k.name(cta % groups * c.share, "first") : lang::Index(0);
  Tile cosine = k.load(C.at({token, 0}), ofAngles, "cosine");
  Tile sine = k.load(S.at({token, 0}), ofAngles, "sine");
  const bool equal = c.tiles() % c.share == 0;
  const lang::Index mine = equal ? lang::Index(c.share) : min(c.tiles() - first, c.share);
  const bool named = groups > 1 || c.byHeads;
  k.loop(mine, stages(c.stages), named ? "h" : "head", [&](lang::Index h) {
    const lang::Index head = named ? k.name((first + h) * c.headsOfTile(), "head") : h;
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

/// Rows of tiles are tokens, or heads: where these leave fewer rows without any, and where tokens
/// are few, whose angles then take less time than their heads (an H200: 128 x 32 heads 3.7 us by
/// tokens, 2.9 by heads; 32768 x 32 140 and 226).
bool isByHeads(const Parameters &p, const Arch &arch) {
  if (!p.isAuto("tile"))
    return p.text("tile") == "heads";
  const auto tiles = [](int64_t rows) { return (rows + rowsOfTile - 1) / rowsOfTile; };
  const int64_t tokens = p.number("rows"), heads = p.number("heads");
  return tokens * tiles(heads) * rowsOfTile < tiles(tokens) * rowsOfTile * heads ||
         tokens * tiles(heads) <= 4 * arch.cores;
}

/// Tiles of a CTA: eight, two of f32 (10961 x 31 heads on an H200 97.2 us, 92.4), and no more than
/// leave each SM a CTA (303 x 37 heads by eight 7.7 us, by two 5.0).
int64_t shareFor(const RopeConfig &c, int64_t tokens, const Arch &arch) {
  const int64_t tiles = (tokens + c.tokensOfTile() - 1) / c.tokensOfTile() * c.tiles();
  return std::clamp<int64_t>(tiles / arch.cores, 1, byteSize(c.type) == 4 ? 2 : 8);
}

RopeConfig configOf(const Parameters &p, const Arch &arch) {
  const bool ascend = isAscend(arch.target);
  const auto given = [&](const char *name, int64_t otherwise) {
    return p.isAuto(name) ? otherwise : p.number(name);
  };
  RopeConfig c{.type = p.dtype("dtype"),
               .heads = p.number("heads"),
               .half = p.number("d") / 2,
               .byHeads = !ascend && isByHeads(p, arch),
               .stored = ascend ? lang::StoreOptions{} : staging(0)};
  const bool few = c.half * byteSize(c.type) <= 128; // registers of a thread
  c.perSm = given("per_sm", few && !ascend ? 2 : 1);
  const int64_t share = ascend ? c.heads : shareFor(c, p.number("rows"), arch);
  c.share = std::min(given("share", share), c.tiles());
  c.stages = given("stages", ascend ? 2 : std::min<int64_t>(3, c.share));
  return c;
}

} // namespace

KernelEntry ropeEntry() {
  KernelEntry entry =
      rows::entryWith("rope", "the halves X1, X2 of each head turned: X1 C - X2 S, X2 C + X1 S",
                      {
                          {"rows", "300", "tokens", {}, 0, int64_t{1} << 24, true},
                          {"heads", "8", "heads of a token", {}, 1, 1 << 16},
                          {"d", "128", "elements of a head, a multiple of 16", {}, 16, 256},
                          {"stages", "auto", "heads in flight; auto: 3, on Ascend 2", {}, 1, 16},
                          {"tile",
                           "auto",
                           "what rows of a tile are; on Ascend tokens",
                           {"auto", "tokens", "heads"}},
                          {"share",
                           "auto",
                           "tiles that a CTA takes; auto: at most 8, on Ascend all",
                           {},
                           1,
                           1 << 16},
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
    if (isAscend(arch.target) && p.text("tile") == "heads")
      return unsupportedError("rope tile=heads on Ascend, whose tiles are of tokens");
    return buildRope(configOf(p, arch));
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
