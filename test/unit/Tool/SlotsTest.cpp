// The first slot that a device filled otherwise than the virtual machine.
#include "sluice/Slots.h"

#include "Arch/Arch.h"
#include "Emit/Checksums.h"
#include "Program/TensorShape.h"
#include "Reference/Reference.h"
#include "kernels/Catalog.h"
#include "sluice/Compile.h"

#include <gtest/gtest.h>

namespace sluice::tool {
namespace {

/// A persistent gemm of 2 x 2 tiles and three steps of K, run on small integers.
class Slots : public testing::Test {
protected:
  void SetUp() override {
    const KernelEntry &entry = *findKernel("gemm");
    const auto parameters = resolve(
        entry, {{"M", "256"}, {"N", "256"}, {"K", "192"}, {"stages", "2"}, {"mode", "persistent"}});
    auto kernel = entry.build(*parameters, defaultArch(Target::sm_90a));
    program = *compile(*kernel, {});
    std::vector<HostTensor> tensors;
    for (const Tensor &t : program.tensors) {
      const bool a = t.name == "A", b = t.name == "B";
      tensors.push_back(HostTensor::dense(t.type, {b ? 192 : 256, a ? 192 : 256}, 1));
      if (t.input)
        fillIntegers(tensors.back(), 1, tensors.size());
      launch.tensors.push_back(shapeOf(tensors.back()));
    }
    watch.emplace(program, launch);
    SimulateOptions how;
    how.awaited = [&](const Agent &agent, const Stmt &wait, const SlotBytes &bytes) {
      watch->see(agent, wait, bytes);
    };
    auto run = simulate(program, defaultArch(Target::sm_90a), {}, tensors, how);
    ASSERT_TRUE(run);
    ASSERT_FALSE(run->violation);
    kept = watch->most();
    words.resize(size_t(checksumWords(program, watch->ctas(), kept)) / 2);
    for (const auto &[who, slots] : watch->seen()) {
      uint64_t *of = warp(who.first, who.second);
      of[0] = slots.size();
      for (size_t n = 0; n < slots.size(); ++n)
        of[1 + n] = slots[n].sum;
    }
  }
  uint64_t *warp(int64_t cta, int warp) {
    return &words[size_t((cta * program.warps + warp) * (1 + kept))];
  }
  SlotComparison compared() const { return compareSlots(program, *watch, kept, words); }

  Program program;
  Launch launch;
  std::optional<SlotWatch> watch;
  int64_t kept = 0;
  std::vector<uint64_t> words;
};

TEST_F(Slots, AllAgree) {
  EXPECT_EQ(watch->ctas(), 4);
  EXPECT_EQ(compared().slots, 4 * (2 * 3 + 1)); // a and b in three steps, and the tile stored
  EXPECT_EQ(compared().different, 0);
  EXPECT_EQ(compared().first, "");
}

TEST_F(Slots, OneWrongSum) {
  warp(3, 0)[1 + 2 * 2 + 1] ^= 1; // b of the third step, in the slot of the first
  EXPECT_EQ(compared().different, 1);
  const std::string first = "buffer b, slot 0, iteration 2 of role mma, CTA 3 at kernels/Gemm.cpp:";
  EXPECT_EQ(compared().first.substr(0, first.size()), first); // the line of the load
}

TEST_F(Slots, TheEarliestOfAWarpComesFirst) {
  warp(0, 0)[1 + 2 * 2] ^= 1;
  warp(2, 0)[1 + 1] ^= 1;
  EXPECT_EQ(compared().different, 2);
  EXPECT_EQ(compared().first.substr(0, 55),
            "buffer b, slot 0, iteration 0 of role mma, CTA 2 at ker");
}

TEST_F(Slots, TheTileThatIsStored) {
  warp(1, 9)[1] += 7;
  EXPECT_EQ(compared().first.substr(0, 64),
            "buffer c_staging, slot 0, slot number 0 of role store, CTA 1 at ");
}

TEST_F(Slots, SumsThatAreMissing) {
  warp(1, 0)[0] = 4;
  EXPECT_EQ(compared().different, 2);
  EXPECT_EQ(compared().first.substr(0, 50), "buffer a, slot 0, iteration 2 of role mma, CTA 1 a");
}

} // namespace
} // namespace sluice::tool
