#include "Embedded.h"

#include <cstdio>
#include <map>

namespace sluice::lang {

Gemm::Gemm(std::string name, Shape tile, int64_t depth, DType b, DType c)
    : k(std::move(name)), bm(tile.rows), bn(tile.cols), bk(depth),
      A(k.input("A", f16, 2, {.align = 16})), B(k.input("B", b, 2, {.align = 16})),
      C(k.output("C", c, 2, {.align = 16})), rows(ceilDiv(A.dim(0), bm)),
      cols(ceilDiv(B.dim(1), bn)), steps(ceilDiv(A.dim(1), bk)) {}

void Gemm::grid() {
  auto [i, j] = k.grid(rows, cols);
  row = i * bm;
  col = j * bn;
}

} // namespace sluice::lang

int main(int count, char **arguments) {
  using namespace sluice::lang;
  const std::map<std::string, sluice::Result<sluice::Kernel> (*)()> kernels = {
      {"gemm", gemm},
      {"two_halves", twoHalves},
      {"converted_weights", convertedWeights},
      {"two_consumers", twoConsumers},
      {"copied", copied},
      {"by_threads", byThreads},
      {"by_cp_async", byCpAsync},
      {"attention", attention},
      {"by_turns", byTurns},
      {"in_order", inOrder},
      {"split_k", splitK},
      {"dynamic_tiles", dynamicTiles},
      {"asked_ahead", askedAhead},
      {"merged", merged},
      {"primed_turns", primedTurns},
      {"lent_slot", lentSlot},
      {"met_and_stored", metAndStored},
      {"sum_of_pair", sumOfPair},
      {"ring_sum", ringSum},
      {"halved", halved},
      {"in_unified_buffer", inUnifiedBuffer},
      {"converted_by_role", convertedByRole},
      {"softmax_by_role", softmaxByRole},
      {"correction_by_role", correctionByRole},
      {"turns_by_role", turnsByRole},
      {"late_release", lateRelease},
      {"butterfly_sum", butterflySum},
      {"tensor_memory", tensorMemory},
      {"tensor_memory_of_pair", tensorMemoryOfPair},
      {"asked_for_clusters", askedForClusters},
  };
  const auto found = count == 2 ? kernels.find(arguments[1]) : kernels.end();
  if (found == kernels.end()) {
    std::fprintf(stderr, "embedded NAME; one of:\n");
    for (const auto &[name, write] : kernels)
      std::fprintf(stderr, "  %s\n", name.c_str());
    return 2;
  }
  auto kernel = found->second();
  if (!kernel) {
    const sluice::Error &e = kernel.error();
    std::fprintf(stderr, "%s: error: %s\n", e.location.str().c_str(), e.message.c_str());
    return 2;
  }
  std::printf("%s", kernel->text().c_str());
  return 0;
}
