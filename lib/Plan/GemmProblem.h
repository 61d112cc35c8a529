// A product that is planned, on any machine, and what its planners have in common.
#pragma once

#include "Arch/Arch.h"
#include "Plan/Plan.h"

#include <functional>

namespace sluice {

/// C[M,N] = A[M,K] B[K,N].
struct GemmProblem {
  int64_t M = 0, N = 0, K = 0;
  DType type = DType::f16, out = DType::f16;
  int64_t rowBytesA = 0, rowBytesB = 0; // from one row in memory to the next
  bool aByColumns = false, bByColumns = false;
  /// C^T = B^T A^T may be computed instead, or shall be.
  enum class Swap { no, may, shall } swap = Swap::no;
  int64_t sums = 1;     // accumulators that a thread keeps side by side
  bool streams = false; // steps of all tiles may be dealt out (stream-K)
  /// grouped_gemm: so many groups share the rows, each with a B of its own. 0: gemm.
  int64_t groups = 0;
  // Blackwell.
  bool drawn = false; // tiles are drawn while the kernel runs
  bool held = false;  // threads hold a row of a sum as a whole
  int64_t block = 0;  // elements along K that have one factor, of a byte; 0: none has
  /// Of a byte of shared memory what comes from the tensor: numbers of 4 and 6 bits are padded.
  double packedA = 1, packedB = 1;
};

/// C^T = B^T A^T.
GemmProblem swapped(const GemmProblem &problem);

/// Whether TMA stores rows of C, or of C^T where that is computed: they are multiples of 16 bytes.
/// Else the warps that compute do, whatever the staging.
bool isStoredByTma(const GemmProblem &problem, bool isSwapped);

/// SM cycles in which A, B and C come from and go to memory, each once; what the second-level cache
/// does not hold is not modelled.
double cyclesOfMemory(const GemmProblem &problem, const Arch &arch);

/// The plans of C and of C^T as `Swap` has it: C^T may be taken where rows are few.
using GemmPlanning = std::function<Plan(const GemmProblem &problem, bool isSwapped)>;
Plan planEitherWay(const GemmProblem &problem, const GemmPlanning &plan);

} // namespace sluice
