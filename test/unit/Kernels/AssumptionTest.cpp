// k.assume, from the author's line to a launch that breaks it.
#include "Arch/Arch.h"
#include "Simulate/Simulate.h"
#include "sluice/Compile.h"
#include "sluice/KernelBuilder.h"

#include <gtest/gtest.h>

namespace sluice::lang {
namespace {

/// B = 2 A, with as many rows; `line`: of the statement that says so.
Result<Kernel> twice(int &line) {
  KernelBuilder k("twice");
  Tensor A = k.input("A", f32, 2), B = k.output("B", f32, 2);
  auto [i, j] = k.grid(ceilDiv(B.dim(0), 64), ceilDiv(B.dim(1), 64));
  line = __LINE__ + 1;
  k.assume(A.dim(0) == B.dim(0), "A and B have the same rows");
  Tile a = k.load(A.at({i * 64, j * 64}), {64, 64}, "a");
  k.store(k.map({a}, f32, [](Element x) { return x + x; }), B.at({i * 64, j * 64}));
  return k.build();
}

TEST(Assumption, GoesFromTheAuthorToTheLaunch) {
  int line = 0;
  auto kernel = twice(line);
  ASSERT_TRUE(kernel) << kernel.error().message;
  for (const Target target : {Target::sm_90a, Target::ascend910b}) {
    CompileOptions options;
    options.target = target;
    auto program = compile(*kernel, options);
    ASSERT_TRUE(program) << program.error().message;
    ASSERT_EQ(program->assumptions.size(), 1u);
    std::vector<HostTensor> tensors = {HostTensor::dense(DType::f32, {100, 64}, 1),
                                       HostTensor::dense(DType::f32, {120, 64}, 1)};
    auto run = simulate(*program, defaultArch(target), {}, tensors, {});
    ASSERT_FALSE(run);
    EXPECT_EQ(run.error().location.line, line);
    EXPECT_EQ(run.error().message, "kernel twice assumes \"A and B have the same rows\"; this "
                                   "launch has extent 0 of A = 100, extent 0 of B = 120");
    tensors[0] = HostTensor::dense(DType::f32, {120, 64}, 1);
    EXPECT_TRUE(simulate(*program, defaultArch(target), {}, tensors, {}));
  }
}

} // namespace
} // namespace sluice::lang
