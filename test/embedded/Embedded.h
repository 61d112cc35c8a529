// Kernels with roles and pipelines, written in C++; `embedded NAME` prints one as text.
#pragma once

#include "sluice/KernelBuilder.h"

namespace sluice::lang {

/// C = A B in tiles of bm x bn x bk: what the kernels here have in common.
struct Gemm {
  KernelBuilder k;
  int64_t bm, bn, bk;
  Tensor A, B, C;
  Index rows, cols, steps;
  Index row = 0, col = 0;

  Gemm(std::string name, Shape tile, int64_t depth, DType b = f16, DType c = f32);
  /// One CTA for each tile.
  void grid();
};

Result<Kernel> gemm();
Result<Kernel> twoHalves();
Result<Kernel> convertedWeights();
Result<Kernel> twoConsumers();
Result<Kernel> copied();
Result<Kernel> byThreads();
Result<Kernel> byCpAsync();
Result<Kernel> inOrder();
Result<Kernel> byTurns();
Result<Kernel> attention();
Result<Kernel> splitK();
Result<Kernel> dynamicTiles();
Result<Kernel> askedAhead();
Result<Kernel> merged();
Result<Kernel> primedTurns();
Result<Kernel> lentSlot();
Result<Kernel> metAndStored();
Result<Kernel> sumOfPair();
Result<Kernel> ringSum();
Result<Kernel> halved();
Result<Kernel> inUnifiedBuffer();
Result<Kernel> convertedByRole();
Result<Kernel> softmaxByRole();
Result<Kernel> correctionByRole();
Result<Kernel> turnsByRole();
Result<Kernel> lateRelease();
Result<Kernel> butterflySum();
Result<Kernel> tensorMemory();
Result<Kernel> tensorMemoryOfPair();
Result<Kernel> askedForClusters();

} // namespace sluice::lang
