// What the examples share: compile, prove, run on the virtual machine.
#pragma once

#include "Arch/Arch.h"
#include "Program/TensorShape.h"
#include "Reference/Reference.h"
#include "sluice/Compile.h"
#include "sluice/Simulate.h"
#include "sluice/Verify.h"

#include <cstdio>
#include <cstdlib>

namespace show {

/// The value, or the end of the program with the error.
template <typename T> T take(sluice::Result<T> result) {
  if (result)
    return std::move(*result);
  const sluice::Error &e = result.error();
  std::fprintf(stderr, "%s: error: %s\n", e.location.str().c_str(), e.message.c_str());
  std::exit(1);
}

inline sluice::Program compileFor(sluice::Target target, const sluice::Kernel &kernel) {
  sluice::CompileOptions options;
  options.target = target;
  return take(sluice::compile(kernel, options));
}

/// Random inputs, zero outputs: dense tensors of the given extents, in the order of the program.
inline std::vector<sluice::HostTensor> tensorsFor(const sluice::Program &program,
                                                  std::vector<std::vector<int64_t>> extents) {
  std::vector<sluice::HostTensor> tensors;
  for (size_t i = 0; i < program.tensors.size(); ++i) {
    const sluice::Tensor &t = program.tensors[i];
    tensors.push_back(sluice::HostTensor::dense(t.type, extents[i], t.minor));
    if (t.input)
      sluice::fillNormal(tensors.back(), /*seed=*/1, /*stream=*/i);
  }
  return tensors;
}

/// Whether the checker proves the program at these extents.
inline bool proven(const sluice::Program &program, const std::vector<sluice::HostTensor> &tensors) {
  sluice::Launch launch;
  for (const sluice::HostTensor &t : tensors)
    launch.tensors.push_back(shapeOf(t));
  sluice::Verdict verdict = check(program, sluice::defaultArch(program.target), launch);
  for (const sluice::Violation &v : verdict.violations)
    std::printf("%s: %s\n", v.rule.c_str(), v.message.c_str());
  return verdict.kind == sluice::Verdict::proven;
}

/// Cycles of a run on the virtual machine; the outputs are in `tensors` afterwards.
inline double run(const sluice::Program &program, std::vector<sluice::HostTensor> &tensors) {
  auto result =
      take(sluice::simulate(program, sluice::defaultArch(program.target), {}, tensors, {}));
  if (result.violation) {
    std::fprintf(stderr, "%s: %s\n", result.violation->rule.c_str(),
                 result.violation->message.c_str());
    std::exit(1);
  }
  return result.cycles;
}

/// Compiles C = A B for Hopper, proves it, runs it on ragged random matrices and compares; the exit
/// code.
inline int product(const sluice::Kernel &kernel) {
  const int64_t M = 200, N = 136, K = 264; // no multiples of the tiles
  auto program = compileFor(sluice::Target::sm_90a, kernel);
  auto tensors = tensorsFor(program, {{M, K}, {K, N}, {M, N}});
  const bool isProven = proven(program, tensors);
  const double cycles = run(program, tensors);
  auto expected = take(sluice::referenceGemm(toMatrix(tensors[0]), toMatrix(tensors[1])));
  const double error = sluice::relativeError(toMatrix(tensors[2]), expected);
  std::printf("%s, error %.2g, %.0f cycles\n", isProven ? "proven" : "not proven", error, cycles);
  return isProven && error <= sluice::defaultTolerance(sluice::DType::f16) ? 0 : 1;
}

} // namespace show
