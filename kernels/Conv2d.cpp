#include "kernels/Conv2d.h"

#include "kernels/Alignment.h"
#include "kernels/GemmOperands.h"

namespace sluice {

using namespace lang;

Result<Kernel> buildConv2d(const Conv2dConfig &c) {
  using lang::Index, lang::Tensor;
  KernelBuilder k("conv2d");
  const int64_t align = alignmentOf(c.C, c.type);
  Tensor X = k.input("X", c.type, 4, {.align = align, .rows = 2}); // image, row, column, channel
  Tensor F = k.input("F", c.type, 4, {.align = align, .rows = 0}); // filter, row, column, channel
  Tensor Y = k.output("Y", c.out, 4, {.align = alignmentOf(c.K, c.out), .rows = 2});

  Index P = k.name(Y.dim(1), "P"), Q = k.name(Y.dim(2), "Q");
  Index R = k.name(F.dim(1), "R"), S = k.name(F.dim(2), "S");
  k.assume(P == X.dim(1) + 2 * c.pad - R + 1, "Y has a row for each place of a filter");
  k.assume(Q == X.dim(2) + 2 * c.pad - S + 1, "Y has a column for each place of a filter");
  auto [image, filters, columns] = k.grid(Y.dim(0) * P, ceilDiv(Y.dim(3), c.bk), ceilDiv(Q, c.bq));
  Index n = k.name(image / P, "n"), p = k.name(image % P, "p");
  Index q = k.name(columns * c.bq, "q"), first = k.name(filters * c.bk, "first");
  Tile sum = k.accumulator(f32, {c.bq, c.bk}, "sum");
  k.loop(R, "r", [&](Index r) {
    k.loop(S, "s", [&](Index s) {
      k.loop(ceilDiv(X.dim(3), c.bc), stages(c.stages), "part", [&](Index part) {
        Index channel = k.name(part * c.bc, "channel");
        Tile x = k.load(X.at({n, p + r - c.pad, q + s - c.pad, channel}), {c.bq, c.bc}, "x");
        Tile f = k.load(F.at({first, r, s, channel}), {c.bk, c.bc}, "f");
        k.mma(sum, x, transpose(f), {.anyTiles = true});
      });
    });
  });
  k.store(k.cast(sum, c.out, "y"), Y.at({n, p, q, first}));
  return k.build();
}

// ---- In the catalogue -------------------------------------------------------------------------

static Conv2dConfig configOf(const Parameters &p) {
  Conv2dConfig c;
  c.pad = p.number("pad");
  c.C = p.number("C"), c.K = p.number("K");
  c.type = p.dtype("dtype"), c.out = outOf(p);
  c.bq = p.number("bq"), c.bk = p.number("bk"), c.bc = p.number("bc");
  c.stages = p.number("stages");
  return c;
}

/// How many places a filter has along an image: as many as it has elements, and `more`.
static int64_t more(const Parameters &p, const char *filter) {
  return 2 * p.number("pad") - p.number(filter) + 1;
}

static std::vector<TensorShape> shapes(const Parameters &p) {
  return {{"X", {"N", "H", "W", "C"}},
          {"F", {"K", p.text("R"), p.text("S"), "C"}},
          {"Y", {"N", textOf(Extent{"H", more(p, "R")}), textOf(Extent{"W", more(p, "S")}), "K"}}};
}

static Result<Kernel> build(const Parameters &p, const Arch &) {
  for (auto [image, filter] : {std::pair{"H", "R"}, {"W", "S"}})
    if (p.number(image) + more(p, filter) < 0)
      return inputError("conv2d " + std::string(filter) + "=" + p.text(filter) +
                        ": the filters are larger than the images, " + image + "=" + p.text(image) +
                        " pad=" + p.text("pad"));
  return buildConv2d(configOf(p));
}

static Result<Matrices> reference(const Parameters &p, const Matrices &in) {
  ConvReference how;
  how.images = p.number("N"), how.rows = p.number("H"), how.columns = p.number("W");
  how.filterRows = p.number("R"), how.filterColumns = p.number("S"), how.pad = p.number("pad");
  auto y = referenceConv(in.at("X"), in.at("F"), how);
  if (!y)
    return y.error();
  return Matrices{{"Y", std::move(*y)}};
}

static HostReference hostReference(const Parameters &p) {
  return {"Y",
          "const i64 P = Y.extent(1), Q = Y.extent(2), R = F.extent(1), S = F.extent(2);\n"
          "const i64 q = i % Q, p = i / Q % P, n = i / (P * Q);\n"
          "double sum = 0;\n"
          "for (i64 r = 0; r < R; ++r)\n"
          "  for (i64 s = 0; s < S; ++s) {\n"
          "    const i64 y = p + r - " +
              p.text("pad") + ", x = q + s - " + p.text("pad") +
              ";\n"
              "    if (y < 0 || y >= H || x < 0 || x >= W)\n"
              "      continue;\n"
              "    for (i64 c = 0; c < C; ++c)\n"
              "      sum += X(n, y, x, c) * F(j, r, s, c);\n"
              "  }\n"
              "return sum;\n",
          "F.extent(1) * F.extent(2) * C",
          "2.0 * double(Y.extent(0) * Y.extent(1)) * double(Y.extent(2) * K) * double(F.extent(1) "
          "* F.extent(2) * C)"};
}

KernelEntry conv2dEntry() {
  KernelEntry entry;
  entry.name = "conv2d";
  entry.summary = "a convolution of images [N, H, W, C] with filters [K, R, S, C]";
  entry.targets = {Target::sm_90a, Target::sm_100a};
  entry.parameters = {
      extentParameter("N", "32", "images"),
      extentParameter("H", "56", "rows of an image"),
      extentParameter("W", "56", "columns of an image"),
      extentParameter("C", "64", "channels of an image"),
      extentParameter("K", "64", "filters, channels of the result"),
      {"R", "3", "rows of a filter", {}, 1, 64},
      {"S", "3", "columns of a filter", {}, 1, 64},
      {"pad", "1", "zeros around an image, on each side", {}, 0, 64},
      {"dtype", "f16", "element type of images and filters", {"f16", "bf16"}},
      {"out",
       "auto",
       "element type of the result; auto: that of the images",
       {"f16", "bf16", "f32"}},
      {"bq", "64", "columns of an image in a tile", {}, 1, 1024},
      {"bk", "64", "filters in a tile", {}, 1, 1024},
      {"bc", "64", "channels of a step", {}, 1, 4096},
      {"stages", "4", "tiles of images and filters in flight", {}, 1, 64},
  };
  entry.shapes = shapes;
  entry.build = build;
  entry.reference = reference;
  entry.tolerance = [](const Parameters &p) {
    return toleranceOfSums(p, p.number("R") * p.number("S") * p.number("C"));
  };
  entry.hostReference = hostReference;
  return entry;
}

} // namespace sluice
