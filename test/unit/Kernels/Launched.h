// A kernel of the catalogue as a program with its tensors: proven, run, compared.
#pragma once

#include "kernels/Catalog.h"
#include "sluice/Simulate.h"
#include "sluice/Verify.h"

#include <gtest/gtest.h>

namespace sluice {

/// Random inputs and zero outputs of the extents that the entry gives; zero workspaces of the
/// extents that the program gives.
inline std::vector<HostTensor> tensorsOf(const KernelEntry &entry, const Parameters &parameters,
                                         const Program &program) {
  std::vector<HostTensor> tensors;
  for (const Tensor &t : program.tensors) {
    const bool workspace = !t.input && !t.output;
    std::vector<int64_t> extents = workspace ? t.extents : std::vector<int64_t>{};
    for (const TensorShape &shape : entry.shapes(parameters))
      if (shape.tensor == t.name)
        for (const std::string &e : shape.extents)
          extents.push_back(std::isdigit(static_cast<unsigned char>(e[0])) ? std::stoll(e)
                                                                           : parameters.number(e));
    tensors.push_back(HostTensor::dense(t.type, extents, t.minor));
    if (t.input)
      fillNormal(tensors.back(), 7, tensors.size());
  }
  return tensors;
}

inline void expectProvenAndRight(const KernelEntry &entry, const Parameters &parameters,
                                 const Program &program, const Arch &arch) {
  std::vector<HostTensor> tensors = tensorsOf(entry, parameters, program);
  Launch launch;
  Matrices inputs;
  for (size_t i = 0; i < tensors.size(); ++i) {
    launch.tensors.push_back(tensors[i].shape());
    if (program.tensors[i].input)
      inputs[program.tensors[i].name] = toMatrix(tensors[i]);
  }
  Verdict verdict = check(program, arch, launch);
  EXPECT_EQ(verdict.kind, Verdict::proven)
      << (verdict.violations.empty() ? "" : verdict.violations[0].message);

  auto run = simulate(program, arch, {}, tensors, {});
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_FALSE(run->violation) << run->violation->message;
  auto expected = entry.reference(parameters, inputs);
  ASSERT_TRUE(expected) << expected.error().message;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor &t = program.tensors[i];
    if (!t.output)
      continue;
    double error = relativeError(toMatrix(tensors[i]), expected->at(t.name));
    EXPECT_LE(error, defaultTolerance(t.type)) << t.name;
  }
}

} // namespace sluice
