// Without any one of its conditions the checker proves programs that can fail.
#include "Verify/Conditions.h"

#include "Explore/Compare.h"
#include "Explore/TensorProtocol.h"
#include "Explore/Tiny.h"
#include "Explore/TinyCore.h"
#include "Explore/TinyGrid.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {
Conditions chosen;
}

const Conditions &conditions() {
  return chosen;
}

namespace test {
namespace {

/// Program number `seed` of one kind goes into `found`.
using Kind = void (*)(uint64_t seed, Comparison &found);

template <typename Grower> void grown(uint64_t seed, Comparison &found) {
  const Builder b = Grower(seed).grow();
  found.add(b.program, b.launch, "");
}
void protocol(uint64_t seed, Comparison &found) {
  const RandomProtocol p = randomProtocol(seed);
  found.add(p.program, p.launch, "", 30'000);
}

void tensorMemory(uint64_t seed, Comparison &found) {
  const RandomProtocol p = randomTensorProtocol(seed);
  found.add(p.program, p.launch, "", 30'000);
}

/// Some of whose waits tokens may spare.
void asked(uint64_t seed, Comparison &found) {
  Builder b = Tiny(seed).grow();
  AskedAhead(b.program, seed).ask();
  found.add(b.program, b.launch, "");
}

/// Programs that are proven under `c` and can fail.
int64_t unsound(const Conditions &c, Kind kind, uint64_t programs) {
  chosen = c;
  Comparison found;
  for (uint64_t seed = 1; seed <= programs; ++seed)
    kind(seed, found);
  chosen = {};
  return static_cast<int64_t>(found.unsound.size());
}

constexpr Kind tiny = grown<Tiny>, grid = grown<TinyGrid>, core = grown<TinyCore>;

struct Ablated {
  const char *name;
  bool Conditions::*condition;
  Kind kind;
  uint64_t programs;
  int64_t atLeast; // of them are proven and can fail
};

void PrintTo(const Ablated &a, std::ostream *os) {
  *os << a.name;
}

class Ablation : public testing::TestWithParam<Ablated> {};

TEST_P(Ablation, IsNeeded) {
  Conditions c;
  c.*GetParam().condition = false;
  const int64_t found = unsound(c, GetParam().kind, GetParam().programs);
  RecordProperty("wrong_proofs", static_cast<int>(found));
  EXPECT_GE(found, GetParam().atLeast) << "of " << GetParam().programs;
}

INSTANTIATE_TEST_SUITE_P(
    Conditions, Ablation,
    testing::Values(Ablated{"C1", &Conditions::c1, tiny, 4000, 3},
                    Ablated{"C2", &Conditions::c2, tiny, 4000, 1},
                    Ablated{"C3", &Conditions::c3, tiny, 4000, 12},
                    Ablated{"C4", &Conditions::c4, tiny, 4000, 3},
                    Ablated{"C5", &Conditions::c5, core, 4000, 1},
                    Ablated{"C6", &Conditions::c6, protocol, 6000, 1},
                    Ablated{"C7", &Conditions::c7, tiny, 1000, 20},
                    Ablated{"Named", &Conditions::named, tiny, 4000, 2},
                    Ablated{"Cluster", &Conditions::cluster, grid, 1000, 7},
                    Ablated{"Lives", &Conditions::lives, grid, 1000, 4},
                    Ablated{"Progress", &Conditions::progress, tiny, 1000, 7},
                    Ablated{"Order", &Conditions::order, tiny, 1000, 10},
                    Ablated{"Lanes", &Conditions::lanes, grid, 1000, 3},
                    Ablated{"Sight", &Conditions::sight, grid, 1000, 3},
                    Ablated{"Proxies", &Conditions::proxies, grid, 1000, 35},
                    Ablated{"OwnFence", &Conditions::ownFence, core, 1000, 1},
                    Ablated{"Counters", &Conditions::counters, grid, 1000, 4},
                    Ablated{"Tokens", &Conditions::tokens, asked, 2000, 3},
                    Ablated{"Columns", &Conditions::columns, tensorMemory, 1000, 3},
                    Ablated{"ColumnFences", &Conditions::columnFences, tensorMemory, 1000, 3},
                    Ablated{"Units", &Conditions::units, core, 4000, 1},
                    Ablated{"Mutexes", &Conditions::mutexes, core, 1000, 1},
                    Ablated{"KernelBefore", &Conditions::kernelBefore, grid, 1000, 4}),
    [](const auto &info) { return std::string(info.param.name); });

/// The text of the PTX ISA asks for it, the theorem does not.
TEST(Conditions, ObservedIsAMatterOfTheText) {
  Conditions c;
  c.observed = false;
  EXPECT_EQ(unsound(c, tiny, 2000), 0);
}

TEST(Conditions, AllConditionsTogetherAreSound) {
  EXPECT_EQ(unsound({}, tiny, 4000), 0);
  EXPECT_EQ(unsound({}, asked, 1000), 0);
  EXPECT_EQ(unsound({}, grid, 1000), 0);
  EXPECT_EQ(unsound({}, core, 1000), 0);
  EXPECT_EQ(unsound({}, protocol, 100), 0);
  EXPECT_EQ(unsound({}, tensorMemory, 400), 0);
}

} // namespace
} // namespace test
} // namespace sluice
