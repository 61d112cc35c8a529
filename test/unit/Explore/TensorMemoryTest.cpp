// The explorer and tensor memory: what it finds in a protocol without one of its operations, and
// that the checker proves no mutant in which it finds a fault.
#include "Compare.h"
#include "TensorProtocol.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

std::string exploredTensor(Builder b) {
  b.place();
  return foundIn(explore(b.program, b.launch));
}

/// The protocol without what `drops` says of it, statement by statement.
std::string withoutOne(const TensorProtocol &o, const std::string &operation, int which) {
  Builder b = o.build();
  b.place();
  for (const Mutation &m : mutations(b.program))
    if (m.kind == Mutation::drop && m.operation == operation && which-- == 0) {
      const Exploration e = explore(mutated(b.program, m), b.launch);
      return e.kind == Exploration::clean ? "clean" : e.rule;
    }
  return "no such operation";
}

template <typename Op> std::string withoutFirst(const TensorProtocol &o) {
  Builder b = o.build();
  for (Stmt &s : b.program.body.stmts)
    if (auto *role = std::get_if<Role>(&s.op); role && role->name == "multiply") {
      auto &stmts = role->body.stmts;
      stmts.erase(std::ranges::find_if(
          stmts, [](const Stmt &one) { return std::holds_alternative<Op>(one.op); }));
    }
  return exploredTensor(std::move(b));
}

TEST(ExploredTensorMemory, ProtocolsAreClean) {
  EXPECT_EQ(exploredTensor(TensorProtocol{}.build()), "clean");
  EXPECT_EQ(exploredTensor(TensorProtocol{.sums = 2, .tiles = 3}.build()), "clean");
  EXPECT_EQ(exploredTensor(TensorProtocol{.steps = 2, .byMany = true}.build()), "clean");
  EXPECT_EQ(exploredTensor(TensorProtocol{.steps = 2, .copied = true}.build()), "clean");
  EXPECT_EQ(exploredTensor(TensorProtocol{.steps = 2, .copied = true, .shifted = true}.build()),
            "clean");
  EXPECT_EQ(exploredTensor(
                TensorProtocol{.tiles = 1, .copied = true, .shifted = true, .fresh = true}.build()),
            "clean");
}

TEST(ExploredTensorMemory, EachOperationIsNeeded) {
  const TensorProtocol two;
  EXPECT_EQ(withoutOne(two, "tcgen05.alloc", 0), "R42");
  EXPECT_EQ(withoutOne(two, "tcgen05.dealloc", 0), "R42");
  EXPECT_EQ(withoutOne(two, "tensor memory address", 0), "R42");
  EXPECT_EQ(withoutOne(two, "tcgen05.commit", 0), "R9");
  EXPECT_EQ(withoutOne(two, "tcgen05.wait::ld", 0), "R22");
  EXPECT_EQ(withoutOne(two, "tcgen05.ld", 0), "R21"); // registers that nothing has written
}

TEST(ExploredTensorMemory, EachFenceIsNeeded) {
  const TensorProtocol two;
  EXPECT_EQ(withoutOne(two, "fence", 1), "clean"); // of the first tile: nothing has been there
  EXPECT_EQ(withoutOne(two, "fence", 2), "R44");   // the second product, behind the loads
  EXPECT_EQ(withoutOne(two, "fence", 3), "R44");   // the first load, behind its commit
  EXPECT_EQ(withoutOne(two, "fence", 4), "R44");   // behind the first load
  EXPECT_EQ(withoutOne(two, "fence", 5), "R44");
  EXPECT_EQ(withoutOne(two, "fence", 6), "R42"); // behind the last load, before columns are freed
  EXPECT_EQ(withoutOne(two, "fence", 7), "R42");
}

/// A copy over what a product reads is in order by assumption, a shift behind a copy by a product.
TEST(ExploredTensorMemory, CopiesAndShiftsNeedWhatPutsThemInOrder) {
  const auto strictly = [](const TensorProtocol &o) {
    Builder b = o.build();
    b.place();
    ExploreOptions options;
    options.tensorInOrder = false;
    return foundIn(explore(b.program, b.launch, options));
  };
  const TensorProtocol copied{.tiles = 1, .copied = true}, twice{.steps = 2, .copied = true};
  const TensorProtocol shifted{.tiles = 1, .copied = true, .shifted = true};
  EXPECT_EQ(strictly(copied), "clean");
  EXPECT_EQ(strictly(twice), "R22");
  EXPECT_EQ(strictly(shifted), "clean");
  const TensorProtocol fresh{.tiles = 1, .copied = true, .fresh = true};
  EXPECT_EQ(strictly(fresh), "R22"); // behind the product that reads the columns
  EXPECT_EQ(withoutFirst<TmemCopy>(copied), "R21");
  EXPECT_EQ(withoutFirst<Tcgen05Mma>(shifted), "R22"); // the copy may still write
}

/// One thread tells of all: the lanes of the warps have to have met behind their fences.
TEST(ExploredTensorMemory, OneThreadTellsOfTheLoadsOfOthersOnceTheyHaveMet) {
  EXPECT_EQ(withoutOne({}, "named barrier", 1), "R44");
  EXPECT_EQ(withoutOne({.byMany = true}, "warp sync", 0), "R44");
}

TEST(ExploredTensorMemory, CommitsNeedTheFenceOfInitialisation) {
  EXPECT_EQ(withoutOne({}, "fence", 0), "R2");
}

TEST(ExploredTensorMemory, LanesOfOtherWarps) {
  Builder b = TensorProtocol{}.build();
  for (Stmt &s : b.program.body.stmts)
    if (auto *role = std::get_if<Role>(&s.op); role && role->name == "take")
      role->firstWarp = 1;
  EXPECT_EQ(exploredTensor(std::move(b)), "R24");
}

TEST(ExploredTensorMemory, ColumnsBeyondThoseAllocated) {
  EXPECT_EQ(exploredTensor(TensorProtocol{.sums = 3, .tiles = 3}.build()), "R42");
}

TEST(ExploredTensorMemory, NoMutantWithAFaultIsProven) {
  expectAgreement(comparedOn(randomTensorProtocol, 1, 400), 100);
}

TEST(ExploredTensorMemory, NoMutantWithAFaultIsProvenSlow) {
  expectAgreement(comparedOn(randomTensorProtocol, 100'000, 8000), 2000);
}

/// Interleavings that are left out show nothing that the others do not.
TEST(ExploredTensorMemory, LeftOutInterleavings) {
  int clean = 0, faulty = 0;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const RandomProtocol p = randomTensorProtocol(seed);
    const Exploration some = explore(p.program, p.launch, {20'000});
    const Exploration all = explore(p.program, p.launch, {20'000, {0, 0, 0}, true, 0, false});
    if (all.kind == Exploration::bounded)
      continue;
    EXPECT_EQ(some.kind, all.kind) << p.name << ": " << all.fault << some.fault;
    ++(all.kind == Exploration::clean ? clean : faulty);
  }
  EXPECT_GE(clean, 1);
  EXPECT_GE(faulty, 10);
}

} // namespace
} // namespace sluice::test
