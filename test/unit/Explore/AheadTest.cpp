// Interleavings that are left out show nothing that the others do not: with all of them the
// explorer says the same.
#include "Dump.h"
#include "Explore/Explore.h"
#include "RandomProtocol.h"
#include "Tiny.h"
#include "TinyCore.h"
#include "TinyGrid.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

struct Held {
  int64_t clean = 0, faulty = 0, whole = 0, reduced = 0; // programs; states

  void add(const Program &program, const Launch &launch, const std::string &what,
           int64_t maxStates) {
    for (const bool converge : {true, false}) {
      const Exploration all = explore(program, launch, {maxStates, {0, 0, 0}, converge, 0, false});
      if (all.kind == Exploration::bounded)
        continue;
      const Exploration some = explore(program, launch, {maxStates, {0, 0, 0}, converge});
      ASSERT_EQ(all.kind, some.kind)
          << what << ", lanes converge: " << converge << ": " << all.rule << " " << all.fault
          << some.rule << some.fault << dump(program, launch);
      ++(all.kind == Exploration::clean ? clean : faulty);
      if (all.kind == Exploration::clean) {
        whole += all.states;
        reduced += some.states;
      }
    }
  }
  std::string summary() const {
    return std::to_string(clean) + " clean, " + std::to_string(faulty) + " faulty; " +
           std::to_string(whole) + " states, of which " + std::to_string(reduced) + " were enough";
  }
};

template <typename Grower> Held grownHeld(uint64_t first, uint64_t count, int64_t maxStates) {
  Held held;
  for (uint64_t seed = first; seed < first + count && !testing::Test::HasFailure(); ++seed) {
    const Builder b = Grower(seed).grow();
    held.add(b.program, b.launch, "seed " + std::to_string(seed), maxStates);
  }
  return held;
}

void expectMany(const Held &held, int64_t clean, int64_t faulty) {
  EXPECT_GE(held.clean, clean) << held.summary();
  EXPECT_GE(held.faulty, faulty) << held.summary();
  EXPECT_LT(held.reduced, held.whole) << held.summary();
}

Held protocolsHeld(uint64_t first, uint64_t count) {
  Held held;
  for (uint64_t seed = first; seed < first + count && !testing::Test::HasFailure(); ++seed) {
    const RandomProtocol p = randomProtocol(seed);
    held.add(p.program, p.launch, p.name, 30'000);
  }
  return held;
}

TEST(Ahead, WarpsAndCtas) {
  expectMany(grownHeld<Tiny>(1, 1500, 50'000), 300, 300);
}

TEST(Ahead, WarpsAndCtasSlow) {
  expectMany(grownHeld<Tiny>(200'000, 60'000, 50'000), 10'000, 10'000);
}

TEST(Ahead, Grids) {
  expectMany(grownHeld<TinyGrid>(1, 800, 20'000), 100, 100);
}

TEST(Ahead, GridsSlow) {
  expectMany(grownHeld<TinyGrid>(200'000, 40'000, 20'000), 5000, 5000);
}

TEST(Ahead, Pipes) {
  expectMany(grownHeld<TinyCore>(1, 1000, 50'000), 100, 100);
}

TEST(Ahead, PipesSlow) {
  expectMany(grownHeld<TinyCore>(200'000, 20'000, 50'000), 2000, 2000);
}

TEST(Ahead, Protocols) {
  expectMany(protocolsHeld(1, 400), 60, 60);
}

TEST(Ahead, ProtocolsSlow) {
  expectMany(protocolsHeld(200'000, 10'000), 1000, 1000);
}

} // namespace
} // namespace sluice::test
