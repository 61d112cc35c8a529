#include "kernels/GemmScales.h"

#include <optional>

namespace sluice {

static constexpr int64_t block = 32, linesOfTile = 128, blocksOfTile = 4, bytesOfLine = 16;

bool hasBlockScales(const Parameters &p) {
  return p.text("scales") == "mx";
}

std::optional<Error> unsupportedBlockScales(const Parameters &p, const Arch &arch) {
  if (!hasBlockScales(p))
    return std::nullopt;
  const std::string dtype = p.text("dtype"), start = "unsupported: gemm scales=mx dtype=" + dtype;
  if (arch.target != Target::sm_100a)
    return unsupportedError(start + " on " + arch.name +
                            ": block-scaled products begin with sm_100a; add --target sm_100a");
  if (dtype != "e4m3" && dtype != "e5m2")
    return unsupportedError(start + ": factors of blocks are of e4m3 and e5m2");
  for (const char *name : {"bm", "bk", "bn"})
    if (!p.isAuto(name) && p.number(name) != linesOfTile &&
        (name != std::string("bn") || p.number(name) != 2 * linesOfTile))
      return unsupportedError(start + " " + name + "=" + p.text(name) +
                              ": a tile of factors is of 128 rows or columns and of 128 along K; "
                              "use bm=128 bk=128, and bn=128 or 256");
  if (p.text("swap") == "yes" || p.text("pair") == "yes" || p.number("batch") > 0)
    return unsupportedError(start + " of a swap, a pair or a batch; leave swap, pair and batch at "
                                    "auto");
  return std::nullopt;
}

std::vector<TensorShape> blockScaleShapes() {
  return {{"SA", {"(M+127)/128", "(K+127)/128*32", "16"}},
          {"SB", {"(N+127)/128", "(K+127)/128*32", "16"}}};
}

lang::Tensor blockScales(lang::KernelBuilder &k, const char *name) {
  return k.input(
      name, DType::ue8m0, 3,
      {.align = bytesOfLine, .extents = {lang::anyExtent, lang::anyExtent, bytesOfLine}});
}

lang::Tile loadBlockScales(lang::KernelBuilder &k, const lang::Tensor &factors, lang::Index tile,
                           lang::Index t, int64_t lines, const char *name) {
  const int64_t pieces = lines / linesOfTile;
  const lang::Index depth = t * block;
  if (pieces == 1)
    return k.load(factors.at({tile, depth, 0}), {block, bytesOfLine}, name);
  const lang::Tile all = k.tile(DType::ue8m0, {block * pieces, bytesOfLine}, name);
  for (int64_t p = 0; p < pieces; ++p)
    k.load(factors.at({tile + p, depth, 0}), part(all, {block * p, 0}, {block, bytesOfLine}));
  return all;
}

Matrix timesBlockScales(const Matrix &lines, const Matrix &factors, bool rows) {
  Matrix scaled = lines;
  const int64_t depth = rows ? lines.cols() : lines.rows();
  const int64_t steps = (depth + linesOfTile - 1) / linesOfTile;
  for (int64_t i = 0; i < lines.rows(); ++i)
    for (int64_t j = 0; j < lines.cols(); ++j) {
      const int64_t line = rows ? i : j, k = rows ? j : i;
      const int64_t in = line % linesOfTile, tile = line / linesOfTile * steps + k / linesOfTile;
      scaled(i, j) *=
          factors(tile * block + in % 32, in / 32 * blocksOfTile + k % linesOfTile / block);
    }
  return scaled;
}

std::string blockScaleOnHost(const std::string &tensor, const std::string &line) {
  return tensor + "(" + line + " / 128, k / 128 * 32 + " + line + " % 32, " + line +
         " % 128 / 32 * 4 + k % 128 / 32)";
}

} // namespace sluice
