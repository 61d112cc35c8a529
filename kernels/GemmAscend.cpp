#include "kernels/GemmAscend.h"

#include "Plan/AscendGemm.h"

namespace sluice {

std::optional<Error> nvidiasAlone(const Parameters &p) {
  if (p.text("swap") == "yes")
    return unsupportedError("gemm swap=yes: the cube unit takes 16 rows as they are; leave swap at "
                            "no");
  if (const std::string &mode = p.text("mode");
      mode == "persistent" || mode == "pingpong" || mode == "streamk")
    return unsupportedError("gemm mode=" + mode +
                            ": Ascend cores take tiles in turn; leave mode at auto");
  if (p.text("mode") == "pipelined")
    return unsupportedError("gemm mode=pipelined: loads of an Ascend core have a pipe of their "
                            "own; leave mode at auto");
  for (const auto &[name, why] :
       {std::pair{"cluster", "Ascend cores have no clusters and take tiles in turn"},
        {"pair", "Ascend cores have no clusters and take tiles in turn"},
        {"dynamic", "Ascend cores have no clusters and take tiles in turn"},
        {"a_cache", "hints for L2 are TMA's"},
        {"b_cache", "hints for L2 are TMA's"},
        {"c_cache", "hints for L2 are TMA's"}})
    if (!p.isAuto(name))
      return unsupportedError("gemm " + std::string(name) + "=" + p.text(name) + ": " + why +
                              "; leave " + name + " at auto");
  return std::nullopt;
}

std::optional<Error> wrongSplitOfCores(const GemmConfig &c) {
  if (c.split == 1 || !c.alternate)
    return std::nullopt;
  return inputError("gemm split=" + std::to_string(c.split) +
                    " steps=alternate: a core has a part of the steps of a tile, and nothing of it "
                    "is there twice; leave one at auto");
}

Plan planForAscend(const Parameters &p, const GemmConfig &c, const Arch &arch) {
  const GemmEpilogue &e = c.epilogue; // else sums go to the vector cores
  const bool gelu = e.activation != Activation::none && e.activation != Activation::relu;
  const bool asTheyAre = !e.computes();
  // f32: sums, and one tile of scratch, or four; the result; R as it is and widened.
  const int64_t bytes =
      4 + (gelu ? 16 : 4) + byteSize(c.out) + (e.residual ? 4 + byteSize(c.out) : 0);
  const bool rounded = isFloat(c.type) || !isFloat(c.out); // by FIX
  const bool bySquares = byteSize(c.type) == 1;            // 32 x 32, where an operand is turned
  return planAscendGemm({c.M, c.N, c.K, std::max<int64_t>(p.number("batch"), 1), c.type,
                         asTheyAre ? c.out : DType::f32, asTheyAre ? 0 : bytes,
                         bySquares && c.aByColumns ? 32 : 16, bySquares && !c.bByColumns ? 32 : 16,
                         asTheyAre && rounded && p.text("unit") != "no"},
                        arch);
}

} // namespace sluice
