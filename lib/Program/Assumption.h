// Launches held against what a kernel's author asks of them, and the arithmetic on extents and
// arguments that a host does before a launch.
#pragma once

#include "Program/Agent.h"
#include "Support/Result.h"

#include <functional>
#include <span>

namespace sluice {

constexpr size_t maxLaunchScalars = 64; // of one value: a launch computes them on its stack
/// Of the same in terms of what a launch passes, where an extent may take three (Joined.h).
constexpr size_t maxPassedScalars = 3 * maxLaunchScalars;

/// Values of the scalars, number i in frame[i]. `given` is asked for extents (ScalarOp::dim) and
/// arguments.
template <typename Given>
void evaluate(std::span<const Scalar> scalars, const Given &given, int64_t *frame) {
  for (size_t i = 0; i < scalars.size(); ++i) {
    const Scalar &s = scalars[i];
    int64_t operands[3] = {0, 0, 0};
    for (size_t k = 0; k < s.operands.size() && k < 3; ++k)
      operands[k] = frame[s.operands[k]];
    if (s.op == ScalarOp::constant)
      frame[i] = s.imm;
    else if (s.op == ScalarOp::dim || s.op == ScalarOp::argument)
      frame[i] = given(s);
    else
      frame[i] = arithmetic(s.op, operands, s.operands.size(), s.imm);
  }
}

/// The first assumption that a launch breaks, at the author's line. Allocates only for an error.
std::optional<Error> brokenAssumption(const std::string &kernel,
                                      std::span<const Assumption> assumptions,
                                      std::span<const Tensor> tensors,
                                      std::span<const Argument> arguments,
                                      const std::function<int64_t(const Scalar &)> &given);
std::optional<Error> brokenAssumption(const Program &program, const Launch &launch);

/// "gemm.cpp:15:10", without the folders of the machine where the kernel was built.
std::string placeText(const Assumption &assumption);

/// "extent 1 of A", "n": an extent or an argument.
std::string unknownText(const Scalar &unknown, std::span<const Tensor> tensors,
                        std::span<const Argument> arguments);

} // namespace sluice
