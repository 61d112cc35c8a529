// The list itself: one entry a kernel, each defined beside its kernel.
#include "kernels/Attention.h"
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

namespace sluice {

const std::vector<KernelEntry> &catalog() {
  static const std::vector<KernelEntry> entries = {gemmEntry(),
                                                   groupedGemmEntry(),
                                                   gatherGemmEntry(),
                                                   weights8Entry(),
                                                   twoInputsEntry(),
                                                   conv2dEntry(),
                                                   qkEntry(),
                                                   attentionTileEntry(),
                                                   attentionEntry(),
                                                   rows::padded(siluMulEntry()),
                                                   rows::padded(rmsNormEntry()),
                                                   rows::padded(layerNormEntry()),
                                                   rows::padded(softmaxEntry()),
                                                   rows::padded(logSoftmaxEntry()),
                                                   rows::padded(crossEntropyEntry()),
                                                   rows::padded(copyEntry()),
                                                   rows::padded(addEntry()),
                                                   rows::padded(biasGeluEntry()),
                                                   rows::padded(siluMulBackwardEntry()),
                                                   rows::padded(softmaxBackwardEntry()),
                                                   rows::padded(geluBackwardEntry()),
                                                   rows::padded(scaleBiasReluEntry()),
                                                   rows::padded(dropoutEntry()),
                                                   rows::padded(addDropoutEntry()),
                                                   rows::padded(addRmsNormEntry()),
                                                   rows::padded(addLayerNormEntry()),
                                                   rows::padded(rmsNormBackwardEntry()),
                                                   rows::padded(layerNormBackwardEntry()),
                                                   rows::padded(normWeightsBackwardEntry()),
                                                   sumRowsEntry(),
                                                   rows::padded(crossEntropyBackwardEntry()),
                                                   rows::padded(quantiseEntry()),
                                                   rows::padded(argMaxEntry()),
                                                   ropeEntry(),
                                                   transposeEntry()};
  return entries;
}

} // namespace sluice
