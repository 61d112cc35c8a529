// Tiny random programs, grown along one execution: the next operation of a random agent is one that
// could come next in a run where everything asynchronous ends at once. So most of them get far
// before something is wrong, and some are right.
#pragma once

#include "Verify/Builder.h"

#include <random>

namespace sluice::test {

class Tiny {
public:
  explicit Tiny(uint64_t seed) : random_(seed) {}

  Builder grow() {
    ctas_ = chance(30) ? 2 : 1;
    warps_ = ctas_ == 2 ? 1 + pick(2) : 2 + pick(2);
    barriers_ = 1 + pick(2);
    for (int i = 0; i < barriers_; ++i)
      counts_.push_back(chance(14) ? 32 : chance(60) ? 1 : 2);
    for (int i = 0; i < ctas_ * barriers_; ++i)
      states_.push_back({0, counts_[i % barriers_], 0});
    lists_.resize(ctas_ * warps_);
    const int length = 3 + pick(9);
    for (int i = 0; i < length; ++i)
      addOne();
    finish();
    return build();
  }

private:
  using Emit = std::function<void(Builder &)>;
  struct Barrier {
    int64_t phase, pending, tx;
  };
  static constexpr int64_t tileBytes = 128; // 8 x 8 f16

  int pick(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  bool chance(int percent) { return pick(100) < percent; }

  void settle(Barrier &b, int object) {
    if (b.pending == 0 && b.tx == 0)
      b = {b.phase + 1, counts_[object], 0};
  }
  void say(int agent, Emit e) { lists_[agent].push_back(std::move(e)); }

  void arrive(int agent, int cta, int object) {
    Barrier &b = states_[cta * barriers_ + object];
    const bool all = b.pending >= 32 && chance(80);
    if (b.pending == 0 && !chance(3))
      return;
    const bool remote = cta != agent / warps_;
    say(agent, [=, this](Builder &p) {
      MbarrierRef to = remote ? Builder::peer(object, constant(0), constant(cta))
                              : Builder::at(object, constant(0));
      p.emit(MbarrierArrive{to, 1}, all ? Exec::threads : Exec::warp);
    });
    b.pending -= all ? 32 : 1;
    settle(b, object);
  }

  void load(int agent, int object) {
    const int cta = agent / warps_, slot = pick(2), row = 8 * pick(4);
    const bool both = ctas_ == 2 && chance(40);
    // By whom are the bytes announced: with an arrival, alone, or later.
    const int how = pick(10);
    for (int c = 0; c < ctas_; ++c) {
      if (c != cta && !both)
        continue;
      Barrier &b = states_[c * barriers_ + object];
      if (b.pending == 0 || (c == cta && b.pending == 32))
        return;
      const int announcer = c == cta && chance(85) ? agent : c * warps_ + pick(warps_);
      b.pending -= how < 8;
      say(announcer, [=](Builder &p) {
        const MbarrierRef at = Builder::at(object, constant(0));
        if (how < 8)
          p.emit(MbarrierArriveExpectTx{at, constant(tileBytes)}, Exec::one);
        else
          p.emit(MbarrierExpectTx{at, constant(tileBytes)}, Exec::one);
      });
    }
    say(agent, [=, this](Builder &p) {
      p.emit(TmaLoad{p.tile(tile_, constant(slot)),
                     p.box(in_, {constant(row), constant(0)}, {8, 8}),
                     Builder::at(object, constant(0)), both ? 3 : 0},
             Exec::one);
    });
    for (int c = 0; c < ctas_; ++c)
      if (c == cta || both)
        settle(states_[c * barriers_ + object], object);
  }

  /// cp.async operations that arrive by themselves, on a barrier of 32.
  void copyAndArrive(int agent, int object) {
    Barrier &b = states_[agent / warps_ * barriers_ + object];
    if (b.pending != 32)
      return;
    b.pending = 0;
    const int slot = pick(2);
    say(agent, [=, this](Builder &p) {
      p.emit(Copy{p.tile(tile_, constant(slot)), p.box(in_, {constant(0), constant(0)}, {8, 8}),
                  true});
      p.emit(CpAsyncArrive{Builder::at(object, constant(0)), true});
    });
    if (chance(50)) {
      const Exec exec = chance(85) ? Exec::threads : Exec::one;
      say(agent, [=](Builder &p) {
        p.emit(CpAsyncCommit{}, exec);
        p.emit(CpAsyncWait{0}, exec);
      });
    }
    settle(b, object);
  }

  /// Part of the output, by a store that may add, or read back.
  void useOutput(int agent) {
    const int slot = pick(2), rows = 8 * pick(3), how = pick(4), warp = agent % warps_;
    say(agent, [=, this](Builder &p) {
      const View box = p.box(out_, {constant(rows), constant(0)}, {8, 8});
      if (how == 0) {
        p.emit(Copy{p.tile(registers_[warp]), box});
        return;
      }
      p.emit(TmaStore{box, p.tile(tile_, constant(slot)), how == 1}, Exec::one);
      p.emit(BulkCommit{}, Exec::one);
      p.emit(BulkWait{0, how == 2}, Exec::one);
    });
  }

  void wait(int agent, int object, bool one) {
    const int64_t phase = states_[agent / warps_ * barriers_ + object].phase;
    const int64_t parity = (phase + 1) & 1;
    if (phase == 0 && !chance(25))
      return;
    say(agent, [=](Builder &p) {
      p.wait(object, constant(0), constant(parity), one ? Exec::one : Exec::threads);
    });
  }

  void read(int agent) {
    const int slot = pick(2), warp = agent % warps_;
    if (chance(25)) {
      const bool waits = chance(80);
      say(agent, [=, this](Builder &p) {
        p.emit(TmaStore{p.box(out_, {constant(8 * agent), constant(0)}, {8, 8}),
                        p.tile(tile_, constant(slot))},
               Exec::one);
        p.emit(BulkCommit{}, Exec::one);
        if (waits)
          p.emit(BulkWait{0, true}, Exec::one);
      });
    } else {
      say(agent, [=, this](Builder &p) {
        p.emit(Copy{p.tile(registers_[warp]), p.tile(tile_, constant(slot))});
      });
    }
  }

  void write(int agent) {
    const int slot = pick(2);
    if (chance(15)) {
      const bool waits = chance(80);
      say(agent, [=, this](Builder &p) {
        p.emit(Copy{p.tile(tile_, constant(slot)), p.box(in_, {constant(0), constant(0)}, {8, 8}),
                    true});
        p.emit(CpAsyncCommit{});
        if (waits)
          p.emit(CpAsyncWait{0});
      });
      if (chance(50))
        say(agent, [](Builder &p) { p.emit(WarpSync{}); });
      return;
    }
    say(agent, [=, this](Builder &p) { p.emit(Fill{p.tile(tile_, constant(slot)), 0}); });
    if (chance(60))
      say(agent, [](Builder &p) { p.emit(Fence{Fence::proxyAsync}); });
    if (chance(60))
      say(agent, [](Builder &p) { p.emit(WarpSync{}); });
  }

  void meet(int cta) {
    const int id = 1 + pick(2), users = warps_ > 2 && chance(50) ? 2 : warps_;
    const int leftOut = users < warps_ ? pick(warps_) : -1;
    const int arrives = chance(30) ? pick(warps_) : -1;
    for (int w = 0; w < warps_; ++w)
      if (w != leftOut)
        say(cta * warps_ + w, [=](Builder &p) {
          // One id as a constant, the other computed.
          const Index barrier = id == 1 ? constant(1) : Index{p.number(1), 1};
          p.emit(NamedBarrier{barrier, users * 32, w == arrives});
          p.emit(WarpSync{}); // the checker does not take bar.arrive for one
        });
  }

  void meetCluster() {
    const bool split = chance(40);
    for (size_t a = 0; a < lists_.size(); ++a)
      say(static_cast<int>(a), [=](Builder &p) {
        if (split) {
          p.emit(ClusterBarrier{ClusterBarrier::arrive});
          p.emit(ClusterBarrier{ClusterBarrier::wait});
        } else {
          p.emit(ClusterBarrier{ClusterBarrier::sync});
        }
      });
  }

  void addOne() {
    const int agent = pick(static_cast<int>(lists_.size())), cta = agent / warps_;
    const int object = pick(barriers_);
    switch (pick(16)) {
    case 0:
    case 1:
    case 2:
      return arrive(agent, chance(70) ? cta : pick(ctas_), object);
    case 3:
    case 4:
      return load(agent, object);
    case 5:
    case 6:
    case 7:
    case 8:
      return wait(agent, object, chance(30));
    case 9:
      return read(agent);
    case 14:
      return copyAndArrive(agent, object);
    case 15:
      return useOutput(agent);
    case 10:
      return write(agent);
    case 11:
      return meet(cta);
    case 12:
      if (ctas_ == 2)
        return meetCluster();
      return say(agent, [](Builder &p) { p.emit(WarpSync{}); });
    default:
      return say(agent, [exec = chance(50) ? Exec::threads : Exec::one](Builder &p) {
        p.emit(Fence{Fence::proxyAsync}, exec);
      });
    }
  }

  /// Completes what has begun, and lets somebody wait for it, most of the time.
  void finish() {
    for (int i = 0; i < ctas_ * barriers_; ++i) {
      const int cta = i / barriers_, object = i % barriers_;
      if (states_[i].pending != counts_[object] && chance(85))
        for (int n = 0; n < 40 && states_[i].pending != counts_[object]; ++n)
          arrive(cta * warps_ + pick(warps_), cta, object);
      if (states_[i].phase > 0 && chance(75))
        wait(cta * warps_ + pick(warps_), object, chance(30));
    }
    if (ctas_ == 2 && chance(80))
      meetCluster();
  }

  Builder build() {
    Builder b;
    in_ = b.tensor("A", DType::f16, {64, 8});
    out_ = b.tensor("C", DType::f16, {64, 8}, true);
    tile_ = b.buffer("t", Space::smem, DType::f16, {8, 8}, Layout::row, 2);
    registers_.clear();
    for (int w = 0; w < warps_; ++w)
      registers_.push_back(b.buffer("r" + std::to_string(w), Space::reg, DType::f16, {8, 8},
                                    Layout::blocked, 1, "w" + std::to_string(w)));
    std::vector<std::pair<int, int64_t>> counts;
    for (int i = 0; i < barriers_; ++i)
      counts.emplace_back(b.barriers("b" + std::to_string(i), 1), counts_[i]);
    b.program.cluster[0] = ctas_;
    b.grid(ctas_);
    b.initAll(counts, warps_);
    if (ctas_ == 2)
      b.emit(ClusterBarrier{ClusterBarrier::sync});
    for (int w = 0; w < warps_; ++w)
      b.role("w" + std::to_string(w), w, 1, [&] {
        const ValueId rank = ctas_ == 2 ? b.scalar(ScalarOp::clusterRank) : kNone;
        for (int c = 0; c < ctas_; ++c) {
          auto all = [&] {
            for (const Emit &e : lists_[c * warps_ + w])
              e(b);
          };
          if (ctas_ == 1)
            all();
          else
            b.when(b.scalar(ScalarOp::eq, {rank, b.number(c)}), all);
        }
      });
    b.place();
    return b;
  }

  std::mt19937_64 random_;
  int ctas_ = 1, warps_ = 2, barriers_ = 1;
  int in_ = 0, out_ = 0, tile_ = 0;
  std::vector<int> registers_;
  std::vector<int64_t> counts_;
  std::vector<Barrier> states_;          // by CTA and barrier
  std::vector<std::vector<Emit>> lists_; // by CTA and warp
};

} // namespace sluice::test
