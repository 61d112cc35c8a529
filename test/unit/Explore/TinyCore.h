// Tiny random programs of one Ascend cube core: copies, products and flags, or mutexes (950),
// between three pipes, grown along one execution.
#pragma once

#include "Program/Watchers.h"
#include "Verify/Builder.h"

#include <functional>
#include <random>
#include <vector>

namespace sluice::test {

class TinyCore {
public:
  explicit TinyCore(uint64_t seed) : random_(seed) {}

  Builder grow() {
    byMutexes_ = chance(30);
    Builder b(byMutexes_ ? Target::ascend950 : Target::ascend910b);
    declare(b);
    b.grid(1);
    b.core("aic", [&] {
      if (chance(85))
        fillAll(b);
      const int length = 2 + pick(10);
      for (int i = 0; i < length; ++i)
        addOne(b);
      if (chance(80))
        drain(b);
    });
    b.place();
    findWatchers(b.program);
    return b;
  }

private:
  struct Flag {
    Pipe source, destination;
    int id;
    bool set = false;
  };

  int pick(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  bool chance(int percent) { return pick(100) < percent; }

  void declare(Builder &b) {
    n_ = chance(50) ? 16 : 64; // few fractals: mmads on one accumulator overlap
    in_ = b.tensor("A", DType::f16, {64, 64});
    out_ = b.tensor("C", DType::f32, {64, 64}, true);
    b.program.tensors[out_].extents = {64, 64};
    takesUnits_ = chance(40);
    l1_ = b.buffer("l1", Space::l1, DType::f16, {64, 64}, Layout::zN, 2);
    a_ = b.buffer("a", Space::l0a, DType::f16, {64, 64}, byMutexes_ ? Layout::zN : Layout::zZ, 2);
    b_ = b.buffer("b", Space::l0b, DType::f16, {64, n_}, Layout::nZ, 1);
    c_ = b.buffer("c", Space::l0c, DType::f32, {64, n_}, Layout::zN, 1);
    for (const auto &[source, destination] :
         {std::pair{Pipe::mte2, Pipe::mte1}, std::pair{Pipe::mte1, Pipe::mte2},
          std::pair{Pipe::mte1, Pipe::m}, std::pair{Pipe::m, Pipe::mte1},
          std::pair{Pipe::m, Pipe::fix}})
      for (int id = 0; id < 2; ++id)
        flags_.push_back({source, destination, id});
  }

  /// Everything holds data at first.
  void fillAll(Builder &b) {
    const PipeBarrier all{Pipe::all};
    View part = b.tile(l1_, constant(0));
    part.shape = {64, n_};
    for (int slot = 0; slot < 2; ++slot)
      b.copy(Pipe::mte2, b.tile(l1_, constant(slot)),
             b.box(in_, {constant(0), constant(0)}, {64, 64}));
    b.emit(all);
    for (int slot = 0; slot < 2; ++slot)
      b.copy(Pipe::mte1, b.tile(a_, constant(slot)), b.tile(l1_, constant(0)));
    b.copy(Pipe::mte1, b.tile(b_), part);
    b.emit(all);
    b.emit(Mmad{b.tile(c_), b.tile(a_, constant(0)), b.tile(b_), constant(0)}, Exec::threads,
           Pipe::m);
    b.emit(all);
  }

  void addOne(Builder &b) {
    const Index slot = constant(pick(2));
    Flag &flag = flags_[pick(static_cast<int>(flags_.size()))];
    switch (pick(byMutexes_ ? 7 : 12)) {
    case 0:
    case 1:
      return inTurn(b, Pipe::mte2, {ofL1}, [&] {
        b.copy(Pipe::mte2, b.tile(l1_, slot), b.box(in_, {constant(0), constant(0)}, {64, 64}));
      });
    case 2:
      return inTurn(b, Pipe::mte1, {ofL1, ofL0},
                    [&] { b.copy(Pipe::mte1, b.tile(a_, slot), b.tile(l1_, constant(pick(2)))); });
    case 3:
      return inTurn(b, Pipe::mte1, {ofL1, ofL0}, [&] {
        View part = b.tile(l1_, slot);
        part.shape = {64, n_};
        b.copy(Pipe::mte1, b.tile(b_), part);
      });
    case 4:
      return inTurn(b, Pipe::m, {ofL0, ofL0c}, [&] {
        b.emit(Mmad{b.tile(c_), b.tile(a_, slot), b.tile(b_), constant(pick(2)), false, units()},
               Exec::threads, Pipe::m);
      });
    case 5:
      if (chance(40))
        b.emit(PipeBarrier{chance(50) ? Pipe::m : Pipe::all}, Exec::threads, Pipe::m);
      else if (chance(50))
        inTurn(b, Pipe::fix, {ofL0c}, [&] {
          b.emit(Copy{b.box(out_, {constant(0), constant(0)}, {64, n_}),
                      b.tile(c_),
                      false,
                      {},
                      takesUnits_ && chance(90)},
                 Exec::threads, Pipe::fix);
        });
      return;
    default:
      break;
    }
    if (byMutexes_ && chance(70))
      return;
    if (flag.set || chance(4))
      b.waitFor(flag.source, flag.destination, constant(flag.id));
    else
      b.set(flag.source, flag.destination, constant(flag.id));
    flag.set = !flag.set;
  }

  /// Under the mutexes of what the pipe touches, in most programs: the odd one is left out, or
  /// unlocked by nobody, or by another pipe.
  void inTurn(Builder &b, Pipe pipe, const std::vector<int64_t> &ids,
              const std::function<void()> &operation) {
    std::vector<int64_t> locked;
    for (const int64_t id : ids)
      if (byMutexes_ && chance(96)) {
        b.lock(pipe, id);
        locked.push_back(id);
      }
    operation();
    for (const int64_t id : locked)
      if (chance(99))
        b.unlock(chance(99) ? pipe : Pipe::fix, id);
  }

  /// All of most programs have them, or none.
  UnitUse units() {
    const UnitUse use = chance(50) ? UnitUse::keeps : UnitUse::handsOver;
    return takesUnits_ && chance(95) ? use : UnitUse::none;
  }

  void drain(Builder &b) {
    for (Flag &f : flags_)
      if (f.set)
        b.waitFor(f.source, f.destination, constant(f.id));
  }

  static constexpr int64_t ofL1 = 0, ofL0 = 1, ofL0c = 2; // mutexes

  std::mt19937_64 random_;
  int64_t n_ = 64;
  bool takesUnits_ = false, byMutexes_ = false;
  int in_ = 0, out_ = 0, l1_ = 0, a_ = 0, b_ = 0, c_ = 0;
  std::vector<Flag> flags_;
};

} // namespace sluice::test
