// Kernels in which all vector cores of the launch meet, printed, on our model of the public API and
// on the virtual machine: right numbers in every order, and wrong ones, or none, without the
// meeting.
#include "Arch/Arch.h"
#include "Ascend/Kernels.h"
#include "Ascend/Printed.h"
#include "Reference/Reference.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace sluice::test {
namespace {

struct Parts {
  Result<Program> program = ascendProgram("corpus/ascend/all_cores.ok.mlir");
  std::optional<HostModel> model;

  Parts() {
    const auto source = program ? emitAscend(*program) : Result<EmittedSource>(program.error());
    if (auto compiled = source ? HostModel::compile({*source}, SLUICE_TEST_FOLDER "/ascendc")
                               : Result<HostModel>(source.error()))
      model.emplace(std::move(*compiled));
  }
};

const Parts &parts() {
  static const Parts all;
  return all;
}

/// A[rows, 512], B, a workspace, C.
std::vector<HostTensor> tensorsFor(int64_t rows) {
  const std::vector<std::vector<int64_t>> extents = {
      {rows, 512}, {512, 64}, {(rows + 63) / 64, 512, 64}, {rows, 64}};
  std::vector<HostTensor> tensors;
  for (size_t i = 0; i < extents.size(); ++i) {
    const Tensor &tensor = parts().program->tensors[i];
    tensors.push_back(HostTensor::dense(tensor.type, extents[i], tensor.minor));
    if (i < 2)
      fillNormal(tensors.back(), 3, i);
  }
  return tensors;
}

double errorOf(const std::vector<HostTensor> &tensors) {
  const Matrix right = toMatrix(tensors[0]) * toMatrix(tensors[1]);
  return relativeError(toMatrix(tensors[3]), right);
}

/// What is wrong in one of the orders, perhaps without a flag between cores; empty: nothing.
std::string wrongOnModel(int64_t rows, unsigned orders,
                         const std::vector<ModelFlag> &dropped = {}) {
  std::vector<HostTensor> tensors = tensorsFor(rows);
  std::vector<ModelTensor> copies;
  for (const HostTensor &t : tensors) {
    const auto *bytes = reinterpret_cast<const uint8_t *>(t.bytes.data());
    copies.push_back({{bytes, bytes + t.bytes.size()}});
  }
  const Launch launch = launchOf(*parts().program, tensors);
  std::string what = parts().model->record(0, *parts().program, launch, copies, dropped);
  for (unsigned seed = 0; seed < orders && what.empty(); ++seed) {
    for (const int i : {2, 3})
      std::ranges::fill(copies[i].bytes, 0xff);
    what = parts().model->play(seed);
    std::memcpy(tensors[3].bytes.data(), copies[3].bytes.data(), copies[3].bytes.size());
    if (what.empty() && !(errorOf(tensors) <= 1e-5))
      what = "wrong numbers in order " + std::to_string(seed);
  }
  return what;
}

TEST(AscendMeeting, IsRightInEveryOrder) {
  ASSERT_TRUE(parts().model);
  for (const int64_t rows : {1, 64, 150})
    EXPECT_EQ(wrongOnModel(rows, 30), "") << rows;
}

TEST(AscendMeeting, IsNeeded) {
  ASSERT_TRUE(parts().model);
  for (const int id : {0, 1}) // of the cube core; of all
    EXPECT_NE(wrongOnModel(64, 30, {{6, 6, id}}), "") << id;
}

TEST(AscendMeeting, IsRightOnTheVirtualMachine) {
  ASSERT_TRUE(parts().program);
  for (const int64_t rows : {0, 1, 64, 150})
    for (const int64_t late : {0, 3000}) {
      std::vector<HostTensor> tensors = tensorsFor(rows);
      SimulateOptions options;
      options.chaos = static_cast<double>(late);
      const auto run =
          simulate(*parts().program, defaultArch(Target::ascend910b), {}, tensors, options);
      ASSERT_TRUE(run) << run.error().message;
      EXPECT_FALSE(run->violation) << run->violation->message;
      EXPECT_LE(rows == 0 ? 0 : errorOf(tensors), 1e-5) << rows;
    }
}

// ---- Cores that share the steps of a tile -----------------------------------------------------

/// Settings of a gemm with such, drawn.
Settings drawnSplit(std::mt19937_64 &random) {
  const auto one = [&](const std::vector<std::string> &of) { return of[random() % of.size()]; };
  const auto number = [&](int64_t most) { return std::to_string(1 + random() % most); };
  Settings s = {{"M", number(110)},
                {"N", number(110)},
                {"K", number(600)},
                {"bm", one({"32", "48", "64"})},
                {"bn", one({"32", "64", "80"})},
                {"bk", one({"32", "64", "96"})},
                {"split", one({"2", "3", "4", "5", "7", "8"})},
                {"dtype", one({"f16", "bf16", "f32", "s8"})}};
  if (s["dtype"] == "s8" || s["dtype"] == "f32")
    s["b"] = "col";
  if (s["dtype"] != "s8")
    s["epilogue"] = one({"none", "none", "bias", "bias_relu"});
  if (s["dtype"] == "f16" || s["dtype"] == "bf16")
    s["a"] = one({"row", "col"}), s["out"] = one({"auto", "f32"});
  return s;
}

/// Proven for every launch, and right on the virtual machine.
void expectRight(const Settings &settings) {
  const std::string name = nameOf({"gemm", settings});
  const KernelEntry &entry = *findKernel("gemm");
  const auto parameters = resolve(entry, settings);
  ASSERT_TRUE(parameters) << name << ": " << parameters.error().message;
  const auto program = ascendProgram("gemm", settings);
  ASSERT_TRUE(program) << name << ": " << program.error().message;
  std::vector<HostTensor> tensors = tensorsOf(entry, *parameters, *program);
  const Arch &arch = defaultArch(Target::ascend910b);
  const Verdict verdict = prove(*program, arch, launchOf(*program, tensors), {});
  EXPECT_TRUE(verdict.provenForEveryLaunch()) << name;
  Matrices inputs;
  for (size_t i = 0; i < tensors.size(); ++i)
    if (program->tensors[i].input)
      inputs[program->tensors[i].name] = toMatrix(tensors[i]);
  const auto expected = entry.reference(*parameters, inputs);
  ASSERT_TRUE(expected);
  const auto run = simulate(*program, arch, {}, tensors, {});
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_FALSE(run->violation) << name << ": " << run->violation->message;
  EXPECT_LE(relativeError(toMatrix(tensors.back()), expected->at("C")),
            entry.tolerance(*parameters))
      << name;
}

void expectDrawnSplitsRight(uint64_t seed, int count) {
  std::mt19937_64 random(seed);
  for (int i = 0; i < count; ++i)
    expectRight(drawnSplit(random));
}

TEST(AscendSplit, DrawnOnesAreProvenAndRight) {
  expectDrawnSplitsRight(1, 6);
}

TEST(AscendSplit, DrawnOnesAreProvenAndRightSlow) {
  expectDrawnSplitsRight(2, 300);
}

} // namespace
} // namespace sluice::test
