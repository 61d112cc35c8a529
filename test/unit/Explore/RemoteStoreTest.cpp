// st.async: registers into the shared memory of a peer; what relaxed cluster barriers show to have
// ended; announcing bytes without an arrival. Checker and explorer say the same.
#include "Explore/Explore.h"

#include "Verify/Builder.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

enum class Reader : uint8_t { threads, engine, engineFenced };

struct Options {
  int64_t bytes = 512; // announced
  bool waits = true;
  Reader reader = Reader::threads;
  bool writtenBefore = false, fencedBefore = false; // the receiver's box, by its own threads
  ClusterBarrier::Kind end = ClusterBarrier::arrive;
  bool signals = false; // the peer's other barrier, just before the end
  int64_t times = 1;
  bool refilled = false; // the registers, as soon as they have been stored
  bool numbers = false;  // one for each row of the warp, in every lane
};

/// Two CTAs of one warp; each stores its tile into the peer's box and stores what it got.
Builder exchange(const Options &o) {
  Builder b;
  b.program.cluster[0] = 2;
  const int T = b.tensor("T", DType::f32, {16, 16}, true);
  const int64_t columns = o.numbers ? 1 : 8;
  const Layout layout = o.numbers ? Layout::blockedRowVector : Layout::acc;
  const int held = b.buffer("held", Space::reg, DType::f32, {16, columns}, layout, 1, "all");
  const int box = b.buffer("box", Space::smem, DType::f32, {16, columns}, Layout::row);
  const int full = b.barriers("full", 1), last = b.barriers("last", 1);
  b.grid(2);
  const ValueId rank = b.scalar(ScalarOp::clusterRank);
  const Index peer{b.scalar(ScalarOp::xorI, {rank, b.number(1)}), 0};
  const Index column{b.scalar(ScalarOp::mul, {rank, b.number(8)}), 0};
  const View mine = b.box(T, {zero, column}, {16, columns});
  b.role("all", 0, 1, [&] {
    b.init(full, 1);
    b.init(last, 1);
    b.emit(Fence{Fence::mbarrierInit}, Exec::one);
    b.emit(Fill{b.tile(held), 1});
    if (o.writtenBefore)
      b.emit(Fill{b.tile(box), 0});
    if (o.fencedBefore)
      b.emit(Fence{Fence::proxyAsync});
    b.emit(ClusterBarrier{ClusterBarrier::sync});
    b.expect(full, zero, o.bytes);
    for (int64_t i = 0; i < o.times; ++i)
      b.emit(RemoteCopy{b.tile(box), b.tile(held), Builder::peer(full, zero, peer)});
    if (o.refilled)
      b.emit(Fill{b.tile(held), 2});
    if (o.waits)
      b.wait(full, zero, zero);
    if (o.reader == Reader::threads) {
      b.emit(Copy{mine, b.tile(box)});
    } else {
      if (o.reader == Reader::engineFenced)
        b.emit(Fence{Fence::proxyAsync}, Exec::one);
      b.emit(TmaStore{mine, b.tile(box)}, Exec::one);
      b.emit(BulkCommit{}, Exec::one);
      b.emit(BulkWait{0, false}, Exec::one);
    }
    if (o.signals) {
      b.emit(WarpSync{});
      b.emit(MbarrierArrive{Builder::peer(last, zero, peer), 1, Scope::cluster}, Exec::one);
    }
    b.emit(ClusterBarrier{o.end});
    b.emit(ClusterBarrier{ClusterBarrier::wait});
  });
  b.place();
  return b;
}

std::string exploredStores(const Builder &b) {
  const Exploration e = explore(b.program, b.launch);
  return e.kind == Exploration::clean     ? "proven"
         : e.kind == Exploration::bounded ? "bounded"
                                          : e.rule;
}

/// What the checker says; the explorer has to find a fault or none likewise.
std::string bothStores(const Options &o) {
  Builder b = exchange(o);
  const std::string found = exploredStores(b), verdict = rule(b.check());
  EXPECT_EQ(found == "proven", verdict == "proven") << found << " against " << verdict;
  EXPECT_EQ(rule(prove(b.program, defaultArch(b.program.target), b.launch)), verdict);
  return verdict;
}

TEST(RemoteStore, R22_AcceptsAReadAfterTheBytesHaveCome) {
  EXPECT_EQ(bothStores({}), "proven");
}

TEST(RemoteStore, R22_AcceptsNumbersOfRows) {
  EXPECT_EQ(bothStores({.bytes = 64, .numbers = true}), "proven");
}

TEST(RemoteStore, R9_RefusesMoreBytesThanTheNumbersHave) {
  EXPECT_EQ(bothStores({.bytes = 128, .numbers = true}), "R9");
}

TEST(RemoteStore, R22_AcceptsRegistersThatAreFilledAtOnce) {
  EXPECT_EQ(bothStores({.refilled = true}), "proven");
}

TEST(RemoteStore, R21_RefusesAReadThatDoesNotWait) {
  EXPECT_EQ(bothStores({.waits = false}), "R21");
}

TEST(RemoteStore, R22_RefusesTwoStoresToTheSameBytes) {
  EXPECT_EQ(bothStores({.bytes = 1024, .times = 2}), "R22");
}

TEST(RemoteStore, R9_RefusesBytesThatNobodyHasAnnounced) {
  EXPECT_EQ(bothStores({.bytes = 256}), "R9");
}

TEST(RemoteStore, R9_RefusesBytesThatNeverCome) {
  EXPECT_EQ(bothStores({.bytes = 1024}), "R9");
}

/// Which proxy st.async writes through is not said, so that the engine needs a fence before it
/// reads, and st.async one after ordinary stores.
TEST(RemoteStore, R23_AcceptsTheEngineBehindAFenceOfTheReceiver) {
  EXPECT_EQ(bothStores({.reader = Reader::engineFenced}), "proven");
}

TEST(RemoteStore, R23_RefusesTheEngineWithoutAFence) {
  EXPECT_EQ(bothStores({.reader = Reader::engine}), "R23");
}

TEST(RemoteStore, R23_AcceptsAStoreOverFencedBytes) {
  EXPECT_EQ(bothStores({.writtenBefore = true, .fencedBefore = true}), "proven");
}

TEST(RemoteStore, R23_RefusesAStoreOverBytesThatThreadsHaveWritten) {
  EXPECT_EQ(bothStores({.writtenBefore = true}), "R23");
}

/// A wait that has passed has seen the copy end: a relaxed arrival after it shows that to the peer.
TEST(RemoteStore, R10_AcceptsARelaxedLastBarrier) {
  EXPECT_EQ(bothStores({.end = ClusterBarrier::arriveRelaxed}), "proven");
}

/// It does not show that the arrivals of the warp itself have come.
TEST(RemoteStore, R10_RefusesASignalBeforeARelaxedLastBarrier) {
  Builder b = exchange({.end = ClusterBarrier::arriveRelaxed, .signals = true});
  EXPECT_EQ(rule(b.check()), "R10");
  Builder strict = exchange({.signals = true});
  EXPECT_EQ(rule(strict.check()), "proven");
}

TEST(RemoteStore, R13_RefusesAStoreByOneLane) {
  Builder b = exchange({});
  for (Stmt &s : b.program.body.stmts)
    if (auto *role = std::get_if<Role>(&s.op))
      for (Stmt &inner : role->body.stmts)
        if (std::holds_alternative<RemoteCopy>(inner.op))
          inner.exec = Exec::one;
  EXPECT_EQ(text(b.structure()).substr(0, 3), "R13");
}

TEST(RemoteStore, R20_RefusesTilesThatDoNotComeInWords) {
  Builder b = exchange({});
  for (Buffer &buffer : b.program.buffers)
    buffer.type = DType::f16;
  EXPECT_EQ(text(b.structure()), "none"); // two columns are a word
  for (Buffer &buffer : b.program.buffers)
    if (buffer.space == Space::smem)
      buffer.minor = 0;
  EXPECT_EQ(text(b.structure()).substr(0, 3), "R20");
}

TEST(RemoteStore, R20_RefusesNumbersOfTwoBytes) {
  Builder b = exchange({.bytes = 64, .numbers = true});
  EXPECT_EQ(text(b.structure()), "none");
  for (Buffer &buffer : b.program.buffers)
    buffer.type = DType::f16;
  EXPECT_EQ(text(b.structure()).substr(0, 3), "R20");
}

TEST(RemoteStore, R20_RefusesNumbersThatEveryWarpHas) {
  Builder b = exchange({.bytes = 64, .numbers = true});
  for (Buffer &buffer : b.program.buffers)
    if (buffer.space == Space::reg)
      buffer.layout = Layout::blockedColVector;
  EXPECT_EQ(text(b.structure()).substr(0, 3), "R20");
}

/// PTX ISA: arrivals and the end of bytes complete a phase, expect_tx does not.
TEST(RemoteStore, R6_RefusesBytesAnnouncedAfterTheyHaveCome) {
  Builder b;
  const int X = b.tensor("X", DType::f32, {32, 32});
  const int x = b.buffer("x", Space::smem, DType::f32, {32, 32}, Layout::row);
  const int full = b.barriers("full", 1), told = b.barriers("told", 1);
  b.grid(1);
  b.initAll({{full, 1}, {told, 1}}, 1);
  b.role("all", 0, 1, [&] {
    b.load(b.tile(x), b.box(X, {zero, zero}, {32, 32}), full, zero);
    b.arrive(full, zero, Exec::one); // the phase has its arrival, and 4096 bytes too many
    b.emit(MbarrierExpectTx{b.at(full), constant(4096)}, Exec::one);
    b.wait(full, zero, zero);
  });
  b.place();
  EXPECT_NE(exploredStores(b), "proven");
  EXPECT_EQ(rule(b.check()), "R6");
}

/// An agent that finds no operation of its own in an endless loop is given up, by all three.
TEST(Endless, IsNotFollowedForEver) {
  Builder b;
  b.grid(1);
  b.program.warps = 1;
  For f;
  f.lower = f.upper = b.number(0);
  f.step = b.number(1);
  f.iv = b.program.values++;
  f.condition = b.number(1);
  b.emit(std::move(f));
  b.place();
  EXPECT_EQ(exploredStores(b), "bounded");
  const Verdict v = b.check();
  EXPECT_EQ(v.kind, Verdict::unsupported);
  EXPECT_NE(text(v).find("goes round a loop"), std::string::npos) << text(v);
}

} // namespace
} // namespace sluice::test
