// What the explorer lets a strand see: scopes, copies, counters, the kernel before.
#include "Explore/Explore.h"

#include "Verify/Builder.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

/// Two CTAs of one warp and a tile of T; as a cluster, or as a grid that counters join.
struct TwoCtas : Builder {
  int T, count, registers, bar;
  ValueId cta;

  explicit TwoCtas(bool cluster) {
    T = tensor("T", DType::f32, {32, 32}, true);
    program.tensors[T].input = true;
    count = tensor("count", DType::i32, {1}, true);
    registers = buffer("r", Space::reg, DType::f32, {32, 32}, Layout::blocked, 1, "all");
    bar = barriers("bar", 1);
    program.cluster[0] = cluster ? 2 : 1;
    cta = grid(2);
  }
  std::string explored(const std::function<void()> &first, const std::function<void()> &second) {
    const bool cluster = program.cluster[0] == 2;
    role("all", 0, 1, [&] {
      init(bar, 1);
      emit(Fence{Fence::mbarrierInit}, Exec::one);
      emit(Fill{tile(registers), 0});
      if (cluster)
        emit(ClusterBarrier{ClusterBarrier::sync});
      when(scalar(ScalarOp::eq, {cta, number(0)}), first);
      when(cta, second);
      if (cluster)
        emit(ClusterBarrier{ClusterBarrier::sync});
    });
    place();
    ExploreOptions all; // the rule that the first fault of all interleavings breaks
    all.reduces = false;
    const Exploration e = explore(program, launch, all);
    return e.kind == Exploration::clean ? "clean" : e.rule;
  }
  View all() const { return box(T, {zero, zero}, {32, 32}); }
  void write() { emit(Copy{all(), tile(registers)}); }
  void read() { emit(Copy{tile(registers), all()}); }
};

std::string bySignal(Scope releases, Scope acquires, bool overwrites) {
  TwoCtas b(true);
  return b.explored(
      [&] {
        b.write();
        b.emit(WarpSync{});
        b.emit(MbarrierArrive{Builder::peer(b.bar, zero, one), 1, releases}, Exec::one);
      },
      [&] {
        b.emit(MbarrierWait{Builder::at(b.bar), zero, acquires});
        overwrites ? b.write() : b.read();
      });
}

TEST(Views, AReadNeedsTheScopeAtBothEnds) {
  EXPECT_EQ(bySignal(Scope::cluster, Scope::cluster, false), "clean");
  EXPECT_EQ(bySignal(Scope::cta, Scope::cluster, false), "R36");
  EXPECT_EQ(bySignal(Scope::cluster, Scope::cta, false), "R36");
  EXPECT_EQ(bySignal(Scope::cta, Scope::cta, true), "clean");
}

/// One CTA writes T, the other reads X, in whose place T may be.
std::string inPlace(bool ordered, bool said) {
  TwoCtas b(true);
  const int X = b.tensor("X", DType::f32, {32, 32}, false);
  b.program.tensors[b.T].inPlaceOf = said ? X : -1;
  const auto meet = [&] {
    if (ordered)
      b.emit(ClusterBarrier{ClusterBarrier::sync});
  };
  return b.explored([&] { meet(), b.write(); },
                    [&] {
                      b.emit(Copy{b.tile(b.registers), b.box(X, {zero, zero}, {32, 32})});
                      meet();
                    });
}

TEST(Views, AnOutputInPlaceIsTheMemoryOfItsInput) {
  EXPECT_EQ(inPlace(false, true), "R36"); // reads what it need not see
  EXPECT_EQ(inPlace(true, true), "clean");
  EXPECT_EQ(inPlace(false, false), "clean");
}

std::string byClusterBarrier(ClusterBarrier::Kind arrive) {
  TwoCtas b(true);
  const auto meet = [&] {
    b.emit(ClusterBarrier{arrive});
    b.emit(ClusterBarrier{ClusterBarrier::wait});
  };
  return b.explored([&] { b.write(), meet(); }, [&] { meet(), b.read(); });
}

TEST(Views, ARelaxedArriveLetsAccessesLinger) {
  EXPECT_EQ(byClusterBarrier(ClusterBarrier::arrive), "clean");
  EXPECT_EQ(byClusterBarrier(ClusterBarrier::arriveRelaxed), "R26");
}

/// Relaxed, then a signal of the elected lane; `sync`: the warp meets before it.
std::string signalAfterRelaxed(bool sync) {
  TwoCtas b(true);
  const auto meet = [&] {
    b.emit(ClusterBarrier{ClusterBarrier::arriveRelaxed});
    b.emit(ClusterBarrier{ClusterBarrier::wait});
  };
  return b.explored(
      [&] {
        if (!sync)
          meet();
        b.write();
        if (sync) {
          meet();
          b.emit(WarpSync{});
        }
        b.emit(MbarrierArrive{Builder::peer(b.bar, zero, one), 1, Scope::cluster}, Exec::one);
      },
      [&] {
        meet();
        b.emit(MbarrierWait{Builder::at(b.bar), zero, Scope::cluster});
        b.read();
      });
}

TEST(Views, TheElectedLaneReleasesForLanesThatItHasMet) {
  EXPECT_EQ(signalAfterRelaxed(true), "clean");
  EXPECT_NE(signalAfterRelaxed(false), "clean");
}

std::string byCounter(const CounterAdd &add, const CounterWait &wait, Exec adds = Exec::one) {
  TwoCtas b(false);
  return b.explored(
      [&] {
        b.write();
        if (adds == Exec::one)
          b.emit(WarpSync{});
        CounterAdd op = add;
        op.counter = b.box(b.count, {zero}, {1});
        b.emit(op, adds);
      },
      [&] {
        CounterWait op = wait;
        op.counter = b.box(b.count, {zero}, {1});
        b.emit(op);
        b.read();
      });
}

TEST(Views, CountersJoinTheCtasOfAGrid) {
  const CounterAdd add{{}, one, Scope::gpu, false};
  EXPECT_EQ(byCounter(add, {{}, one, Scope::gpu, true}), "clean");
  EXPECT_EQ(byCounter(add, {{}, one, Scope::cluster, true}), "R36");
  EXPECT_EQ(byCounter(add, {{}, one, Scope::gpu, false}), "R38");
  EXPECT_EQ(byCounter(add, {{}, constant(2), Scope::gpu, true}), "R9");
  EXPECT_EQ(byCounter({{}, one, Scope::gpu, true}, {{}, one, Scope::gpu, true}), "R26");
}

TEST(Views, SomeLanesOfAWarpAddBeforeTheOthers) {
  const CounterAdd add{{}, one, Scope::gpu, false};
  EXPECT_EQ(byCounter(add, {{}, constant(32), Scope::gpu, true}, Exec::threads), "clean");
  EXPECT_EQ(byCounter(add, {{}, one, Scope::gpu, true}, Exec::threads), "R36");
}

TEST(Views, ACopyCarriesItsOwnBytes) {
  for (const bool arrives : {true, false}) {
    Builder b;
    const int A = b.tensor("A", DType::f16, {8, 8});
    const int a = b.buffer("a", Space::smem, DType::f16, {8, 8}, Layout::row);
    const int s = b.buffer("s", Space::smem, DType::f16, {8, 8}, Layout::row);
    const int r = b.buffer("r", Space::reg, DType::f16, {8, 8}, Layout::blocked, 1, "second");
    const int full = b.barriers("full", 1);
    b.grid(1);
    b.initAll({{full, 1}}, 2);
    b.role("first", 0, 1, [&] {
      b.emit(Fill{b.tile(s), 0});
      b.emit(WarpSync{});
      if (arrives)
        b.expect(full, zero, 128);
      b.load(b.tile(a), b.box(A, {zero, zero}, {8, 8}), full, zero);
    });
    b.role("second", 1, 1, [&] {
      if (!arrives)
        b.expect(full, zero, 128);
      b.wait(full, zero, zero);
      b.emit(Copy{b.tile(r), b.tile(a)});
      b.emit(Copy{b.tile(r), b.tile(s)});
    });
    b.place();
    const Exploration e = explore(b.program, b.launch);
    EXPECT_EQ(e.rule, arrives ? "" : "R36");
  }
}

TEST(Views, TensorsOfTheKernelBefore) {
  for (const bool waits : {true, false}) {
    TwoCtas b(false);
    b.program.tensors[b.T].previous = true;
    EXPECT_EQ(b.explored(
                  [&] {
                    if (waits)
                      b.emit(GridDependency{});
                    b.read();
                  },
                  [] {}),
              waits ? "clean" : "R37");
  }
}

} // namespace
} // namespace sluice::test
