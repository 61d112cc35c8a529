#include "kernels/Qk.h"

#include "sluice/KernelBuilder.h"

namespace sluice {

using namespace lang;

static constexpr int64_t tileSize = 128; // rows of Q and of a K tile, and the head dimension

Result<Kernel> buildQk(const QkConfig &c) {
  using lang::Index, lang::Tensor;
  KernelBuilder k("qk");
  Tensor Q = k.input("Q", c.type, 2, {.align = 16});
  Tensor K = k.input("K", c.type, 2, {.align = 16});
  Tensor S = k.output("S", c.type, 2, {.align = 16});

  Tile q = k.load(Q.at({0, 0}), {tileSize, tileSize}, "q");
  if (c.ascend)
    k.epoch(); // Q is there when the loop is measured
  LoopOptions copies = slots({{"smem", c.l1Slots}});
  if (c.ascend)
    copies = slots({{"l1", c.l1Slots}, {"l0b", c.l0abSlots}, {"l0c", c.l0cSlots}});
  k.loop(ceilDiv(K.dim(0), tileSize), copies, "i", [&](Index i) {
    Tile kTile = k.load(K.at({i * tileSize, 0}), {tileSize, tileSize}, "k");
    Tile s = k.product(q, transpose(kTile), "s");
    k.store(k.cast(s, c.type), S.at({i * tileSize, 0}));
  });
  return k.build();
}

// ---- In the catalogue -------------------------------------------------------------------------

static Result<Kernel> build(const Parameters &p, const Arch &arch) {
  for (const char *name : {"l0ab_slots", "l0c_slots"})
    if (!isAscend(arch.target) && p.text(name) != "2")
      return inputError("qk " + std::string(name) + "=" + p.text(name) + ": " +
                        std::string(sluice::name(arch.target)) + " has no such memory; leave it " +
                        "at 2");
  return buildQk({p.dtype("dtype"), p.number("l1_slots"), p.number("l0ab_slots"),
                  p.number("l0c_slots"), isAscend(arch.target)});
}

static std::vector<TensorShape> shapes(const Parameters &p) {
  std::string tile = std::to_string(tileSize);
  std::string rows = std::to_string(p.number("iterations") * tileSize);
  return {{"Q", {tile, tile}}, {"K", {rows, tile}}, {"S", {rows, tile}}};
}

/// Row block i of S is Q K_i^T.
static Result<Matrices> reference(const Parameters &p, const Matrices &in) {
  const Matrix &q = in.at("Q"), &k = in.at("K");
  Matrix s(k.rows(), tileSize);
  for (int64_t row = 0; row < k.rows(); row += tileSize) {
    auto tile = referenceQk(q, k.middleRows(row, tileSize));
    if (!tile)
      return tile.error();
    s.middleRows(row, tileSize) = *tile;
  }
  return Matrices{{"S", std::move(s)}};
}

KernelEntry qkEntry() {
  KernelEntry entry;
  entry.name = "qk";
  entry.summary = "S_i = Q K_i^T for tiles K_i, written to a workspace";
  entry.targets = {Target::ascend910b, Target::ascend950, Target::sm_90a, Target::sm_100a};
  entry.parameters = {
      {"iterations", "14", "tiles of K", {}, 0, 1 << 20},
      {"l1_slots", "1", "tiles of K in L1 (sm_90a: in shared memory)", {}, 1, 16},
      {"l0ab_slots", "2", "copies of K in L0B", {}, 1, 16},
      {"l0c_slots", "2", "copies of S in L0C", {}, 1, 16},
      {"dtype", "f16", "element type", {"f16", "bf16"}},
  };
  entry.shapes = shapes;
  entry.build = build;
  entry.reference = reference;
  entry.hostReference = [](const Parameters &) -> HostReference {
    return {"S",
            "const i64 first = i / 128 * 128; // row block n of S is Q K_n^T\n"
            "double sum = 0;\n"
            "for (i64 x = 0; x < 128; ++x)\n"
            "  sum += Q(i - first, x) * K(first + j, x);\n"
            "return sum;\n",
            "128", "2.0 * 128 * 128 * double(S.extent(0))"};
  };
  return entry;
}

} // namespace sluice
