// Tiny random programs of one Ascend cube core: copies, products and flags between three pipes,
// grown along one execution.
#pragma once

#include "Verify/Builder.h"

#include <random>

namespace sluice::test {

class TinyCore {
public:
  explicit TinyCore(uint64_t seed) : random_(seed) {}

  Builder grow() {
    Builder b(Target::ascend910b);
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
    a_ = b.buffer("a", Space::l0a, DType::f16, {64, 64}, Layout::zZ, 2);
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
    switch (pick(12)) {
    case 0:
    case 1:
      return b.copy(Pipe::mte2, b.tile(l1_, slot),
                    b.box(in_, {constant(0), constant(0)}, {64, 64}));
    case 2:
      return b.copy(Pipe::mte1, b.tile(a_, slot), b.tile(l1_, constant(pick(2))));
    case 3: {
      View part = b.tile(l1_, slot);
      part.shape = {64, n_};
      return b.copy(Pipe::mte1, b.tile(b_), part);
    }
    case 4:
      b.emit(Mmad{b.tile(c_), b.tile(a_, slot), b.tile(b_), constant(pick(2)), false, units()},
             Exec::threads, Pipe::m);
      return;
    case 5:
      if (chance(40))
        b.emit(PipeBarrier{chance(50) ? Pipe::m : Pipe::all}, Exec::threads, Pipe::m);
      else if (chance(50))
        b.emit(Copy{b.box(out_, {constant(0), constant(0)}, {64, n_}),
                    b.tile(c_),
                    false,
                    {},
                    takesUnits_ && chance(90)},
               Exec::threads, Pipe::fix);
      return;
    default:
      break;
    }
    if (flag.set || chance(4))
      b.waitFor(flag.source, flag.destination, constant(flag.id));
    else
      b.set(flag.source, flag.destination, constant(flag.id));
    flag.set = !flag.set;
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

  std::mt19937_64 random_;
  int64_t n_ = 64;
  bool takesUnits_ = false;
  int in_ = 0, out_ = 0, l1_ = 0, a_ = 0, b_ = 0, c_ = 0;
  std::vector<Flag> flags_;
};

} // namespace sluice::test
