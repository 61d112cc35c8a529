// Tiny random programs of several CTAs that hand tiles of a tensor on: by mbarriers and cluster
// barriers of a cluster, by counters of a grid, with scopes that suffice or do not.
#pragma once

#include "Verify/Builder.h"

#include <random>

namespace sluice::test {

class TinyGrid {
public:
  explicit TinyGrid(uint64_t seed) : random_(seed) {}

  Builder grow() {
    cluster_ = chance(60);
    counters_ = !cluster_ || chance(30);
    ctas_ = cluster_ || chance(60) ? 2 : 3;
    warps_ = chance(70) ? 1 : 2;
    lists_.resize(ctas_ * warps_);
    previous_ = chance(15);
    fences_ = chance(96);
    meets_ = chance(96);
    for (size_t a = 0; previous_ && a < lists_.size(); ++a)
      if (chance(93))
        say(static_cast<int>(a), [](Builder &p) { p.emit(GridDependency{}); });
    if (!cluster_)
      count(anyAgent(), 0); // a grid is joined by its counters
    const int steps = 2 + pick(5);
    for (int i = 0; i < steps; ++i)
      addOne();
    if (cluster_ && chance(90))
      meetCluster(ClusterBarrier::arrive);
    return build();
  }

private:
  using Emit = std::function<void(Builder &)>;
  static constexpr int handOvers = 6; // mbarriers of a CTA that are used once

  int pick(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  bool chance(int percent) { return pick(100) < percent; }
  void say(int agent, Emit e) { lists_[agent].push_back(std::move(e)); }
  int anyAgent() { return pick(static_cast<int>(lists_.size())); }

  Scope scope() {
    if (chance(75))
      return cluster_ ? Scope::cluster : Scope::gpu;
    return chance(50) ? Scope::cta : Scope::cluster;
  }
  void syncWarp(int agent, int percent) {
    if (chance(percent))
      say(agent, [](Builder &p) { p.emit(WarpSync{}); });
  }
  void fence(int agent, Fence::Kind kind, int percent) {
    const Exec exec = chance(80) ? Exec::threads : Exec::one;
    if (chance(percent))
      say(agent, [=](Builder &p) { p.emit(Fence{kind}, exec); });
  }

  /// What an agent does with a tile of T.
  void touch(int agent, int tile, int how) {
    const auto box = [this, tile](Builder &p) {
      return p.box(data_, {constant(8 * tile), constant(0)}, {8, 8});
    };
    const int warp = agent % warps_, slot = warp;
    switch (how) {
    case 0:
    case 1:
      return say(agent, [=, this](Builder &p) { p.emit(Copy{box(p), p.tile(registers_[warp])}); });
    case 2:
    case 3:
      return say(agent, [=, this](Builder &p) { p.emit(Copy{p.tile(registers_[warp]), box(p)}); });
    case 4: {
      fence(agent, Fence::proxyAsyncGlobal, 40);
      syncWarp(agent, 80);
      const int64_t parity = loads_[agent]++ & 1;
      const Exec waits = chance(85) ? Exec::threads : Exec::one;
      const bool reads = chance(60);
      return say(agent, [=, this](Builder &p) {
        const MbarrierRef own = Builder::at(loaded_, constant(warp));
        p.emit(MbarrierArriveExpectTx{own, constant(128)}, Exec::one);
        p.emit(TmaLoad{p.tile(staged_, constant(slot)), box(p), own, 0}, Exec::one);
        p.wait(loaded_, constant(warp), constant(parity), waits);
        if (reads)
          p.emit(Copy{p.tile(registers_[warp]), p.tile(staged_, constant(slot))});
      });
    }
    default: {
      say(agent, [=, this](Builder &p) { p.emit(Fill{p.tile(staged_, constant(slot)), 0}); });
      fence(agent, Fence::proxyAsync, 85);
      fence(agent, Fence::proxyAsyncGlobal, 20);
      syncWarp(agent, 90);
      const bool adds = chance(30), readOnly = chance(20);
      say(agent, [=, this](Builder &p) {
        p.emit(TmaStore{box(p), p.tile(staged_, constant(slot)), adds}, Exec::one);
        p.emit(BulkCommit{}, Exec::one);
        p.emit(BulkWait{0, readOnly}, Exec::one);
      });
      return syncWarp(agent, 60);
    }
    }
  }

  void count(int agent, int counter) {
    const bool all = chance(12), relaxed = chance(8);
    const int64_t value = chance(4) ? -1 : 1;
    const Scope s = scope();
    values_[counter] += value * (all ? 32 : 1);
    byLanes_[counter] |= all;
    say(agent, [=, this](Builder &p) {
      p.emit(CounterAdd{p.box(count_, {constant(counter)}, {1}), constant(value), s, relaxed},
             all ? Exec::threads : Exec::one);
    });
  }
  void await(int agent, int counter) {
    // The other lanes of a warp are one for the explorer: a sum lacks all of them, or none.
    const int64_t part = values_[counter] - (byLanes_[counter] ? 31 : 1);
    const int64_t least = chance(90) ? values_[counter] : part;
    const bool coResident = chance(92);
    const Scope s = scope();
    const Exec exec = chance(70) ? Exec::threads : Exec::one;
    say(agent, [=, this](Builder &p) {
      p.emit(CounterWait{p.box(count_, {constant(counter)}, {1}), constant(least), s, coResident},
             exec);
    });
  }

  /// An arrive on a barrier of the receiver's CTA, which the receiver waits for.
  void signal(int from, int to) {
    const int slot = used_[to / warps_]++ % handOvers, cta = to / warps_;
    const bool remote = cta != from / warps_, early = chance(4);
    const Scope releases = scope(), acquires = scope();
    const Exec exec = chance(70) ? Exec::threads : Exec::one;
    say(from, [=, this](Builder &p) {
      const MbarrierRef at = remote ? Builder::peer(handed_, constant(slot), constant(cta))
                                    : Builder::at(handed_, constant(slot));
      p.emit(MbarrierArrive{at, 1, releases}, Exec::one);
    });
    say(to, [=, this](Builder &p) {
      p.emit(MbarrierWait{Builder::at(handed_, constant(slot)), constant(early), acquires}, exec);
    });
  }

  void meetCluster(ClusterBarrier::Kind arrive) {
    for (size_t a = 0; a < lists_.size(); ++a) {
      const int slips = pick(60); // it leaves out a half
      say(static_cast<int>(a), [=](Builder &p) {
        if (slips != 0)
          p.emit(ClusterBarrier{arrive});
        if (slips != 1)
          p.emit(ClusterBarrier{ClusterBarrier::wait});
      });
    }
  }

  void initialise(Builder &b) {
    b.role("init", 0, 1, [&] {
      b.init(loaded_, 1);
      b.init(handed_, 1);
      if (fences_)
        b.emit(Fence{Fence::mbarrierInit}, Exec::one);
    });
    b.program.warps = warps_;
    if (meets_ && cluster_)
      b.emit(ClusterBarrier{ClusterBarrier::sync});
    else if (meets_)
      b.sync(0, warps_);
  }

  /// One agent does something with a tile and tells another, which does something with it too.
  void handOver() {
    const int from = anyAgent(), to = anyAgent(), tile = pick(3);
    touch(from, tile, pick(6));
    fence(from, Fence::proxyAsyncGlobal, 25);
    syncWarp(from, 88);
    const int how = pick(10);
    if (cluster_ && how < 2) {
      meetCluster(chance(25) ? ClusterBarrier::arriveRelaxed : ClusterBarrier::arrive);
    } else if (cluster_ && (!counters_ || how < 6)) {
      signal(from, to);
    } else {
      const int counter = pick(2);
      count(from, counter);
      await(to, counter);
    }
    syncWarp(to, 60);
    if (chance(90))
      touch(to, tile, pick(6));
  }

  void addOne() {
    const int agent = anyAgent();
    switch (pick(8)) {
    case 0:
      return touch(agent, 3 + agent, pick(6));
    case 1:
      return chance(50) ? touch(agent, pick(3), pick(6)) : syncWarp(agent, 100);
    case 2:
      if (counters_)
        return chance(50) ? count(agent, pick(2)) : await(agent, pick(2));
      return fence(agent, chance(50) ? Fence::proxyAsync : Fence::proxyAsyncGlobal, 100);
    default:
      return handOver();
    }
  }

  Builder build() {
    Builder b;
    data_ = b.tensor("T", DType::f16, {128, 8}, true);
    b.program.tensors[data_].input = true;
    b.program.tensors[data_].previous = previous_;
    count_ = b.tensor("count", DType::i32, {2}, true);
    staged_ = b.buffer("s", Space::smem, DType::f16, {8, 8}, Layout::row, warps_);
    registers_.clear();
    for (int w = 0; w < warps_; ++w)
      registers_.push_back(b.buffer("r" + std::to_string(w), Space::reg, DType::f16, {8, 8},
                                    Layout::blocked, 1, "w" + std::to_string(w)));
    loaded_ = b.barriers("loaded", warps_);
    handed_ = b.barriers("handed", handOvers);
    if (cluster_)
      b.program.cluster[0] = ctas_;
    const ValueId cta = b.grid(ctas_);
    initialise(b);
    for (int w = 0; w < warps_; ++w)
      b.role("w" + std::to_string(w), w, 1, [&] {
        b.emit(Fill{b.tile(registers_[w]), 0});
        const ValueId rank = cluster_ ? b.scalar(ScalarOp::clusterRank) : cta;
        for (int c = 0; c < ctas_; ++c)
          b.when(b.scalar(ScalarOp::eq, {rank, b.number(c)}), [&] {
            for (const Emit &e : lists_[c * warps_ + w])
              e(b);
          });
      });
    b.place();
    return b;
  }

  std::mt19937_64 random_;
  bool cluster_ = false, counters_ = false, previous_ = false;
  bool fences_ = true, meets_ = true; // after the initialisation
  int ctas_ = 2, warps_ = 1;
  int data_ = 0, count_ = 0, staged_ = 0, loaded_ = 0, handed_ = 0;
  std::vector<int> registers_;
  std::array<int64_t, 2> values_{};      // of the counters
  std::array<bool, 2> byLanes_{};        // all lanes of a warp have added
  std::map<int, int64_t> loads_, used_;  // by agent; hand-over barriers by CTA
  std::vector<std::vector<Emit>> lists_; // by CTA and warp
};

} // namespace sluice::test
