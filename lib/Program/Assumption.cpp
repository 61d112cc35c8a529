#include "Program/Assumption.h"

namespace sluice {
namespace {

Error broken(const std::string &kernel, const Assumption &a, std::span<const Tensor> tensors,
             std::span<const Argument> arguments,
             const std::function<int64_t(const Scalar &)> &given) {
  std::string has;
  for (const Scalar &s : a.scalars)
    if (s.op == ScalarOp::dim || s.op == ScalarOp::argument)
      has += (has.empty() ? "; this launch has " : ", ") + unknownText(s, tensors, arguments) +
             " = " + std::to_string(given(s));
  return inputError("kernel " + kernel + " assumes \"" + a.text + "\"" + has, a.loc);
}

} // namespace

std::string placeText(const Assumption &assumption) {
  Location at = assumption.loc;
  at.file.erase(0, at.file.rfind('/') + 1);
  return at.str();
}

std::string unknownText(const Scalar &unknown, std::span<const Tensor> tensors,
                        std::span<const Argument> arguments) {
  if (unknown.op == ScalarOp::argument)
    return arguments[unknown.object].name;
  return "extent " + std::to_string(unknown.imm) + " of " + tensors[unknown.object].name;
}

std::optional<Error> brokenAssumption(const std::string &kernel,
                                      std::span<const Assumption> assumptions,
                                      std::span<const Tensor> tensors,
                                      std::span<const Argument> arguments,
                                      const std::function<int64_t(const Scalar &)> &given) {
  int64_t frame[maxPassedScalars];
  for (const Assumption &a : assumptions) {
    evaluate(a.scalars, given, frame);
    if (frame[a.scalars.size() - 1] == 0)
      return broken(kernel, a, tensors, arguments, given);
  }
  return std::nullopt;
}

std::optional<Error> brokenAssumption(const Program &program, const Launch &launch) {
  return brokenAssumption(program.name, program.assumptions, program.tensors, program.arguments,
                          [&](const Scalar &s) {
                            return s.op == ScalarOp::dim ? launch.tensors[s.object].extents[s.imm]
                                                         : launch.arguments[s.object];
                          });
}

} // namespace sluice
