// A kernel of the catalogue as a program with its tensors: proven, run, compared.
#pragma once

#include "Program/TensorShape.h"
#include "kernels/Catalog.h"
#include "sluice/Simulate.h"
#include "sluice/Verify.h"

#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>

namespace sluice {

/// Extents that the entry gives; those of workspaces are in the program.
inline std::vector<int64_t> extentsOf(const KernelEntry &entry, const Parameters &parameters,
                                      const Tensor &tensor) {
  if (!tensor.input && !tensor.output)
    return tensor.extents;
  std::vector<int64_t> extents;
  for (const TensorShape &shape : entry.shapes(parameters))
    if (shape.tensor == tensor.name)
      for (const std::string &text : shape.extents)
        extents.push_back(parameters.value(parseExtent(text)));
  return extents;
}

/// What lies between the rows of a tensor keeps these bytes.
constexpr std::byte between{0x5a};

/// The tensor with `pad` elements behind each of what its first dimension counts.
inline HostTensor padded(const HostTensor &dense, int64_t pad) {
  const int64_t rows = dense.extents[0], size = byteSize(dense.type);
  const int64_t row = rows ? int64_t(dense.bytes.size()) / rows : 0;
  HostTensor to = dense;
  to.strides[0] += pad;
  to.bytes.assign(size_t(rows * (row + pad * size)), between);
  for (int64_t i = 0; i < rows; ++i)
    std::copy_n(dense.bytes.begin() + i * row, row, to.bytes.begin() + i * (row + pad * size));
  return to;
}
inline int64_t padOf(const KernelEntry &entry, const Parameters &parameters, const Tensor &tensor) {
  for (const TensorShape &shape : entry.shapes(parameters))
    if (shape.tensor == tensor.name)
      return shape.pad;
  return 0;
}
inline void expectKept(const HostTensor &tensor, int64_t pad) {
  const int64_t rows = tensor.extents[0], size = byteSize(tensor.type);
  const int64_t row = rows ? int64_t(tensor.bytes.size()) / rows : 0;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t at = row - pad * size; at < row; ++at)
      ASSERT_EQ(tensor.bytes[size_t(i * row + at)], between) << "behind row " << i;
}

/// Factors of NVFP4 are floats of 8 bits without a sign.
inline bool isUnsignedFactors(const KernelEntry &entry, const Parameters &parameters,
                              const Tensor &t) {
  return entry.name == "gemm" && parameters.text("scales") == "nv" &&
         (t.name == "SA" || t.name == "SB");
}

/// Random inputs, zero outputs, zero workspaces.
inline std::vector<HostTensor> tensorsOf(const KernelEntry &entry, const Parameters &parameters,
                                         const Program &program) {
  std::vector<HostTensor> tensors;
  for (const Tensor &t : program.tensors) {
    tensors.push_back(denseFor(t, extentsOf(entry, parameters, t)));
    if (t.input)
      fillNormal(tensors.back(), 7, tensors.size());
    for (const SteeringInput &steering : entry.steering)
      if (steering.tensor == t.name)
        setIntegers(tensors.back(), steering.make(parameters, 7));
    if (isUnsignedFactors(entry, parameters, t))
      for (std::byte &b : tensors.back().bytes)
        b &= std::byte{0x7f};
    if (const int64_t pad = padOf(entry, parameters, t); pad > 0)
      tensors.back() = padded(tensors.back(), pad);
  }
  return tensors;
}

inline std::vector<int64_t> argumentsOf(const KernelEntry &entry, const Parameters &parameters,
                                        const Program &program) {
  std::vector<int64_t> arguments;
  for (const Argument &argument : program.arguments)
    arguments.push_back(entry.arguments(parameters).at(argument.name));
  return arguments;
}

inline Launch launchOf(const Program &program, const std::vector<HostTensor> &tensors,
                       std::vector<int64_t> arguments = {}) {
  Launch launch;
  launch.arguments = std::move(arguments);
  for (size_t i = 0; i < tensors.size(); ++i) {
    launch.tensors.push_back(seen(program.tensors[i], shapeOf(tensors[i])));
    if (tensors[i].type == DType::i32)
      launch.tensors.back().integers = integersOf(tensors[i]);
  }
  return launch;
}

inline void expectProvenAndRight(const KernelEntry &entry, const Parameters &parameters,
                                 const Program &program, const Arch &arch) {
  std::vector<HostTensor> tensors = tensorsOf(entry, parameters, program);
  Matrices inputs;
  for (size_t i = 0; i < tensors.size(); ++i)
    if (program.tensors[i].input)
      inputs[program.tensors[i].name] = toMatrix(tensors[i]);
  const std::vector<int64_t> arguments = argumentsOf(entry, parameters, program);
  Verdict verdict = check(program, arch, launchOf(program, tensors, arguments));
  EXPECT_EQ(verdict.kind, Verdict::proven)
      << (verdict.violations.empty() ? "" : verdict.violations[0].message);

  auto run = simulate(program, arch, arguments, tensors, {});
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_FALSE(run->violation) << run->violation->message;
  auto expected = entry.reference(parameters, inputs);
  ASSERT_TRUE(expected) << expected.error().message;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor &t = program.tensors[i];
    if (!t.output)
      continue;
    double error = relativeError(toMatrix(tensors[i]), expected->at(t.name));
    EXPECT_LE(error, entry.tolerance ? entry.tolerance(parameters) : defaultTolerance(t.type))
        << t.name;
    if (const int64_t pad = padOf(entry, parameters, t); pad > 0)
      expectKept(tensors[i], pad);
  }
}

} // namespace sluice
