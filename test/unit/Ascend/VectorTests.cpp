// Printed Ascend C of the vector cores executes on our model of the public API: right numbers in
// every order that the flags allow, the barrier level's order, and no flag to spare.
#include "Arch/Arch.h"
#include "Ascend/ExpectedNotes.h"
#include "Ascend/Printed.h"
#include "Emit/Ascend/Flags.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace sluice::test {
namespace {

class AscendVectors : public testing::Test {
protected:
  void SetUp() override { ASSERT_EQ(all.error, ""); }
  const PrintedKernels &all = printedKernels();
};

TEST_F(AscendVectors, EveryKernelIsRight) {
  for (size_t i = 0; i < all.cases.size(); ++i)
    EXPECT_EQ(RandomLaunch(int(i)).wrong({8, 31}), "") << nameOf(all.cases[i]);
}

TEST_F(AscendVectors, SoftmaxIsRightInEveryOrderOfThePipes) {
  for (const int which : {1, 2, 5})
    EXPECT_EQ(RandomLaunch(which).wrong(seedsTo(40)), "");
}

TEST_F(AscendVectors, NeedBarriersOfV) {
  EXPECT_NE(RandomLaunch(all.of("softmax")).wrong(seedsTo(24), {}, all.withoutBarriers), "");
}

/// Of gemm, each flag between the cores.
TEST_F(AscendVectors, NeedEveryFlagBetweenCores) {
  const RandomLaunch gemm(all.of("gemm", 2));
  const auto flags = ascend::crossFlagsOf(gemm.program);
  EXPECT_EQ(flags.size(), 2u);
  EXPECT_EQ(gemm.wrong(seedsTo(30)), "");
  for (const ascend::CrossFlag &flag : flags)
    EXPECT_NE(gemm.wrong(seedsTo(24), {{6, 6, int(flag.id)}}), "") << flag.name;
}

/// Of every kernel along rows, on two cores that have several tiles each. The others are implied by
/// those that are needed.
TEST_F(AscendVectors, NeedEveryFlag) {
  // MTE2 is in order: what tells V of rows tells it of the weights in front of them.
  const std::set<std::string> implied = {
      "add_layernorm full_w_b", "add_rmsnorm full_w",      "layernorm_backward full_v",
      "rmsnorm full_w",         "rmsnorm_backward full_v",
  };
  std::set<std::string> found;
  for (size_t i = 0; i < all.cases.size(); ++i) {
    const Case &c = all.cases[i];
    if (c.cores != 2 || c.kernel == "attention" || c.kernel == "gemm")
      continue;
    const RandomLaunch rows{int(i)};
    const Ranges ranges(rows.program);
    const ascend::Flags flags(rows.program, ranges);
    EXPECT_GE(flags.groups().size(), 2u) << c.kernel;
    for (const ascend::FlagGroup &g : flags.groups())
      if (rows.wrongWithout(g.source, g.destination, g.first, g.last) == "")
        found.insert(c.kernel + " " + g.name);
  }
  EXPECT_EQ(found, implied);
}

/// Of every kernel along rows.
TEST_F(AscendVectors, EveryPipeDoesWhatTheBarrierLevelSaysInItsOrder) {
  const std::pair<Pipe, int> pipes[] = {{Pipe::mte2, 0}, {Pipe::v, 4}, {Pipe::mte3, 5}};
  int64_t notes = 0;
  for (size_t which = 0; which < all.cases.size(); ++which) {
    if (all.cases[which].kernel == "attention" || all.cases[which].kernel == "gemm")
      continue;
    const RandomLaunch rows{int(which)};
    ASSERT_EQ(rows.record(), "");
    for (const auto &[pipe, queue] : pipes)
      for (const int64_t core : {0, 1}) {
        const auto expected = expectedNotes(rows.program, rows.launch(),
                                            {core / 2, "aiv" + std::to_string(core % 2), pipe});
        EXPECT_EQ(all.model->notes(rows.program, core, queue), expected)
            << nameOf(rows.of) << " pipe " << queue;
        notes += int64_t(expected.size()) - 1; // beside the barrier at the end
      }
  }
  EXPECT_GT(notes, 1000);
}

/// The program of a file, with these extents, against the virtual machine.
void computesAsTheVirtualMachine(int which, const std::vector<std::vector<int64_t>> &extents) {
  const Program &program = printedKernels().programs[which];
  const HostModel &model = *printedKernels().model;
  std::vector<HostTensor> tensors;
  std::vector<ModelTensor> copies;
  for (size_t i = 0; i < extents.size(); ++i) {
    const Tensor &t = program.tensors[i];
    tensors.push_back(HostTensor::dense(t.type, extents[i], t.minor));
    if (t.input && !t.output)
      fillNormal(tensors.back(), 3, i);
    const auto *bytes = reinterpret_cast<const uint8_t *>(tensors.back().bytes.data());
    copies.push_back({{bytes, bytes + tensors.back().bytes.size()}});
  }
  const Launch launch = launchOf(program, tensors);
  ASSERT_EQ(model.record(which, program, launch, copies), "");
  const auto run = simulate(program, defaultArch(Target::ascend910b), {}, tensors, {});
  ASSERT_TRUE(run) << run.error().message;
  const int out = int(tensors.size()) - 1;
  HostTensor result = tensors[out];
  for (const unsigned seed : {0, 1, 8, 30}) {
    ASSERT_EQ(model.play(seed), "");
    std::memcpy(result.bytes.data(), copies[out].bytes.data(), result.bytes.size());
    EXPECT_LE(relativeError(toMatrix(result), toMatrix(tensors[out])), 1e-5) << "seed " << seed;
  }
}

/// Element i of an input: numbers at which comparisons differ, each beside each.
uint32_t specialBits(const Tensor &t, size_t input, int64_t i) {
  constexpr uint32_t floats[] = {0,          0x80000000, 0x3f800000, 0xbf800000,
                                 1,          0x80000001, 0x7f7fffff, 0x7f800000,
                                 0xff800000, 0x7fc00000, 0xffc00000}; // 0, 1, least, most,
                                                                      // infinity, NaN
  constexpr uint32_t integers[] = {3, 0, 63, 64, 0xffffffff, 0x7fffffff, 0x80000000};
  if (t.type == DType::i32)
    return integers[i % std::size(integers)];
  return floats[(input == 1 ? i / int64_t(std::size(floats)) : i) % int64_t(std::size(floats))];
}

/// Bit by bit, outputs in front of the last too.
TEST_F(AscendVectors, ComparisonsAndChoicesAreThoseOfTheVirtualMachine) {
  const int which = all.ofFile(3);
  const Program &program = all.programs[which];
  std::vector<HostTensor> tensors;
  std::vector<ModelTensor> copies;
  for (const Tensor &t : program.tensors) {
    const bool one = t.minor == 0;
    HostTensor tensor = HostTensor::dense(t.type, {90, one ? 1 : 64}, t.minor);
    for (size_t i = 0; t.input && i < tensor.bytes.size() / 4; ++i) {
      const uint32_t bits = specialBits(t, tensors.size(), int64_t(i));
      std::memcpy(tensor.bytes.data() + 4 * i, &bits, 4);
    }
    const auto *bytes = reinterpret_cast<const uint8_t *>(tensor.bytes.data());
    copies.push_back({{bytes, bytes + tensor.bytes.size()}});
    tensors.push_back(std::move(tensor));
  }
  ASSERT_EQ(all.model->record(which, program, launchOf(program, tensors), copies), "");
  ASSERT_TRUE(simulate(program, defaultArch(Target::ascend910b), {}, tensors, {}));
  for (const unsigned seed : {0, 5, 30}) {
    ASSERT_EQ(all.model->play(seed), "");
    for (size_t i = 0; i < tensors.size(); ++i)
      EXPECT_EQ(
          std::memcmp(copies[i].bytes.data(), tensors[i].bytes.data(), copies[i].bytes.size()), 0)
          << program.tensors[i].name << " seed " << seed;
  }
}

TEST_F(AscendVectors, ProgramsComputeWhatTheVirtualMachineDoes) {
  computesAsTheVirtualMachine(all.ofFile(0), {{200, 192}, {1, 192}, {200, 192}});
  computesAsTheVirtualMachine(all.ofFile(1), {{64, 64}, {300, 64}, {128, 64}, {320, 64}});
  computesAsTheVirtualMachine(all.ofFile(2), {{100, 132}, {100, 132}}); // tiles of a plane
  computesAsTheVirtualMachine(all.ofFile(4), {{150, 64}, {150, 64}, {150, 64}});
  computesAsTheVirtualMachine(all.ofFile(5), {{1300, 16}, {1300, 16}}); // of 600 rows a core
  computesAsTheVirtualMachine(all.ofFile(6), {{64, 64}, {64, 64}});     // parts
}

} // namespace
} // namespace sluice::test
