// The list itself: one entry a kernel, each defined beside its kernel.
#include "kernels/Attention.h"
#include "kernels/AttentionD512.h"
#include "kernels/AttentionTile.h"
#include "kernels/Catalog.h"
#include "kernels/Conv2d.h"
#include "kernels/GatherGemm.h"
#include "kernels/Gemm.h"
#include "kernels/GroupedGemm.h"
#include "kernels/Qk.h"
#include "kernels/Rows.h"
#include "kernels/TwoInputs.h"
#include "kernels/Weights8.h"

#include <algorithm>

namespace sluice {

namespace {

/// Kernels for Ascend 950 hand tiles on by flags or, if asked, by mutexes.
std::vector<KernelEntry> orByMutexes(std::vector<KernelEntry> entries) {
  for (KernelEntry &entry : entries) {
    if (std::ranges::find(entry.targets, Target::ascend950) == entry.targets.end())
      continue;
    entry.parameters.push_back({"mutexes",
                                "no",
                                "ascend950: pipes hand tiles on by mutexes, not by flags",
                                {"no", "yes"}});
    entry.build = [build = entry.build](const Parameters &p, const Arch &arch) {
      Result<Kernel> kernel = build(p, arch);
      if (kernel && p.text("mutexes") == "yes")
        kernel->useMutexes();
      return kernel;
    };
  }
  return entries;
}

std::vector<KernelEntry> listed() {
  std::vector<KernelEntry> entries = {
      gemmEntry(),
      groupedGemmEntry(),
      gatherGemmEntry(),
      weights8Entry(),
      twoInputsEntry(),
      conv2dEntry(),
      qkEntry(),
      attentionTileEntry(),
      attentionEntry(),
      attentionD512Entry(),
      rows::padded(rows::alsoForVectors(siluMulEntry())),
      rows::padded(rows::alsoForVectors(rmsNormEntry())),
      rows::padded(rows::alsoForVectors(layerNormEntry())),
      rows::padded(rows::alsoForVectors(softmaxEntry())),
      rows::padded(rows::alsoForVectors(logSoftmaxEntry())),
      rows::padded(rows::alsoForVectors(crossEntropyEntry())),
      rows::padded(rows::alsoForVectors(copyEntry())),
      rows::padded(rows::alsoForVectors(addEntry())),
      rows::padded(rows::alsoForVectors(biasGeluEntry())),
      rows::padded(rows::alsoForVectors(siluMulBackwardEntry())),
      rows::padded(rows::alsoForVectors(softmaxBackwardEntry())),
      rows::padded(rows::alsoForVectors(geluBackwardEntry())),
      rows::padded(rows::alsoForVectors(scaleBiasReluEntry())),
      rows::padded(rows::alsoForVectors(dropoutEntry())),
      rows::padded(rows::alsoForVectors(addDropoutEntry())),
      rows::padded(rows::alsoForVectors(addRmsNormEntry())),
      rows::padded(rows::alsoForVectors(addLayerNormEntry())),
      rows::padded(rows::alsoForVectors(rmsNormBackwardEntry())),
      rows::padded(rows::alsoForVectors(layerNormBackwardEntry())),
      rows::padded(rows::alsoForVectors(normWeightsBackwardEntry())),
      rows::alsoForVectors(sumRowsEntry()),
      rows::padded(rows::alsoForVectors(crossEntropyBackwardEntry())),
      rows::padded(rows::alsoForVectors(quantiseEntry())),
      rows::padded(rows::alsoForVectors(argMaxEntry())),
      ropeEntry(),
      rows::alsoForVectors(transposeEntry())};
  return entries;
}

} // namespace

const std::vector<KernelEntry> &catalog() {
  static const std::vector<KernelEntry> entries = orByMutexes(listed());
  return entries;
}

} // namespace sluice
