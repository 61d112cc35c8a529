// Kernels of the vector cores, and of both kinds of core: printed, compiled as one library for our
// model of the public API, and launched there with random numbers.
#pragma once

#include "Ascend/Kernels.h"
#include "Kernels/Launched.h"

#include <optional>

namespace sluice::test {

struct Case {
  std::string kernel;
  Settings settings;
  int64_t cores = 24;
};
std::string nameOf(const Case &c);

struct PrintedKernels {
  std::vector<Case> cases;
  std::vector<Program> programs; // in the order of the cases; then those of files
  std::vector<EmittedSource> sources;
  int withoutBarriers = 0; // a softmax, as text whose barriers of V are left out
  std::optional<HostModel> model;
  std::string error;

  /// The case of this kernel that has `cores` cores; of several the first.
  int of(const std::string &kernel, int64_t cores = 24) const;
  /// The program of a file of test/.
  int ofFile(size_t file) const { return int(cases.size() + file); }
};
/// Files: those of Transform with instructions of vector cores, corpus/ascend/cross_core.ok.mlir.
const PrintedKernels &printedKernels();

/// A launch with random inputs, and what its outputs shall be.
class RandomLaunch {
public:
  explicit RandomLaunch(int which);

  /// What is wrong in one of these orders; empty: nothing.
  std::string wrong(const std::vector<unsigned> &seeds, const std::vector<ModelFlag> &dropped = {},
                    int text = -1) const;
  /// Without the flags of a pair of pipes, ids `first` to `last`.
  std::string wrongWithout(Pipe source, Pipe destination, int64_t first, int64_t last) const;
  /// Calls the kernel: its queues are there to be looked at.
  std::string record() const;
  Launch launch() const {
    return launchOf(program, tensors, argumentsOf(entry, parameters, program));
  }

  const Case &of;
  const Program &program;

private:
  std::vector<ModelTensor> copies() const;
  std::string wrong(const std::vector<ModelTensor> &results) const;

  int which_;
  const KernelEntry &entry;
  Parameters parameters;
  std::vector<HostTensor> tensors;
  Matrices expected;
};

/// 0, 1 ... `end` - 1.
std::vector<unsigned> seedsTo(unsigned end);

} // namespace sluice::test
