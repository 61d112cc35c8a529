// Kernels of the catalogue for ascend910b, with operands of small integers: their sums are exact,
// so every element of a result has one right value.
#pragma once

#include "Ascend/HostModel.h"

#include <map>
#include <string>

namespace sluice::test {

using Settings = std::map<std::string, std::string>;

/// For 910B, or such a machine with fewer cores: tiles come round again with fewer of them.
Result<Program> ascendProgram(const std::string &kernel, const Settings &settings,
                              int64_t cores = 24);
/// The one kernel of a file of test/.
Result<Program> ascendProgram(const std::string &file);

/// One launch: its shapes, what its tensors hold, and what the output shall hold.
struct Problem {
  Launch launch;
  std::vector<ModelTensor> tensors;
  ModelTensor expected;
};

struct GemmSize {
  int64_t M, N, K, batch = 1;
  int64_t pad = 0; // elements between two lines
};
Problem gemmProblem(const Program &gemm, const GemmSize &size);
Problem qkProblem(const Program &qk, int64_t tiles);
/// S = Q K^T, of the corpus.
Problem scoresProblem(const Program &scores, int64_t rows, int64_t keys, int64_t depth = 256);

/// The output holds something no kernel writes, memory between its lines included.
void clearOutput(const Program &program, Problem &problem);
/// The first element of the output that is wrong, or that it is written between its lines; empty:
/// none.
std::string wrong(const Program &program, const Problem &problem);

} // namespace sluice::test
