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
                                                   siluMulEntry(),
                                                   rmsNormEntry(),
                                                   layerNormEntry(),
                                                   softmaxEntry(),
                                                   logSoftmaxEntry(),
                                                   crossEntropyEntry(),
                                                   copyEntry(),
                                                   addEntry(),
                                                   biasGeluEntry(),
                                                   siluMulBackwardEntry(),
                                                   softmaxBackwardEntry(),
                                                   geluBackwardEntry(),
                                                   scaleBiasReluEntry(),
                                                   addRmsNormEntry(),
                                                   addLayerNormEntry(),
                                                   rmsNormBackwardEntry(),
                                                   layerNormBackwardEntry(),
                                                   normWeightsBackwardEntry(),
                                                   sumRowsEntry(),
                                                   crossEntropyBackwardEntry()};
  return entries;
}

} // namespace sluice
