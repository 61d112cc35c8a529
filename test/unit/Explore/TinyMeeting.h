// Tiny random programs of one to three Ascend blocks whose vector cores meet: stores to and loads
// from rows of one tensor in front of the meeting and behind it, by pipes that have been told of it
// or not; with loads of the cube core, told by cross-core flags.
#pragma once

#include "Program/Watchers.h"
#include "Verify/Builder.h"

#include <random>

namespace sluice::test {

class TinyMeeting {
public:
  explicit TinyMeeting(uint64_t seed) : random_(seed) {}

  Builder grow() {
    Builder b(Target::ascend910b);
    declare(b);
    core_ = b.grid(1 + pick(3));
    reads_ = chance(40);
    if (reads_)
      b.core("aic", [&] { cube(b); });
    b.core("aiv", [&] { vectors(b); });
    b.place();
    findWatchers(b.program);
    return b;
  }

private:
  static constexpr int64_t rows = 16, columns = 8;
  struct Flag {
    Pipe source, destination;
    bool set = false;
  };

  int pick(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  bool chance(int percent) { return pick(100) < percent; }

  void declare(Builder &b) {
    tensor_ = b.tensor("W", DType::f32, {24 * rows, columns}, true);
    b.program.tensors[tensor_].input = true;
    stored_ = b.buffer("stored", Space::ub, DType::f32, {rows, columns}, Layout::row);
    for (int i = 0; i < 8; ++i)
      loaded_.push_back(b.buffer("loaded" + std::to_string(i), Space::ub, DType::f32,
                                 {rows, columns}, Layout::row));
    for (int i = 0; i < 2; ++i)
      inL1_.push_back(
          b.buffer("l1_" + std::to_string(i), Space::l1, DType::f32, {rows, columns}, Layout::zN));
  }

  /// Rows that the block, the vector core or nothing tells.
  View box(Builder &b, bool ofHalf) {
    constexpr int64_t byBlock[] = {0, 2, 2, 2, 3, 4};
    const int64_t block = byBlock[pick(6)], half = ofHalf ? pick(4) > 0 : 0;
    ValueId at = b.scalar(ScalarOp::mul, {core_, b.number(block * rows)});
    if (half)
      at = b.scalar(ScalarOp::add, {at, b.scalar(ScalarOp::mul, {half_, b.number(half * rows)})});
    return b.box(tensor_, {Index{at, pick(3) * rows}, constant(0)}, {rows, columns});
  }

  /// One load in front of the meeting, one behind it.
  void cube(Builder &b) {
    if (chance(50)) {
      b.copy(Pipe::mte2, b.tile(inL1_[0]), box(b, false));
      told_ = chance(80);
      if (told_)
        b.emit(CrossSet{2, Pipe::mte2, constant(0)});
    }
    if (chance(70)) {
      hears_ = true;
      b.emit(CrossWait{chance(80) ? Pipe::mte2 : Pipe::mte1, constant(2)});
      b.copy(Pipe::mte2, b.tile(inL1_[1]), box(b, false));
    }
  }

  void vectors(Builder &b) {
    half_ = b.scalar(ScalarOp::subblock);
    b.emit(Fill{b.tile(stored_), 1}, Exec::threads, Pipe::v);
    b.set(Pipe::v, Pipe::mte3, constant(0));
    b.waitFor(Pipe::v, Pipe::mte3, constant(0));
    for (int n = pick(4); n > 0; --n)
      access(b);
    if (told_)
      b.emit(CrossWait{chance(80) ? Pipe::mte3 : Pipe::mte2, constant(0)});
    const CrossSet set{0, chance(75) ? Pipe::mte3 : chance(50) ? Pipe::mte2 : Pipe::v, one};
    const bool late = chance(5); // behind the wait, which holds up the scalar unit
    if (!late)
      b.emit(set);
    for (int n = pick(2); n > 0; --n)
      access(b);
    b.emit(CrossWait{chance(75) ? Pipe::mte2 : chance(50) ? Pipe::mte3 : Pipe::v, one});
    if (late)
      b.emit(set);
    for (int n = pick(4); n > 0; --n)
      access(b);
    if (hears_)
      b.emit(CrossSet{2, chance(60) ? Pipe::mte2 : Pipe::mte3, constant(2)});
    for (const Flag &f : flags_)
      if (f.set)
        b.waitFor(f.source, f.destination, constant(0));
  }

  void access(Builder &b) {
    switch (pick(4)) {
    case 0:
      return b.copy(Pipe::mte3, box(b, true), b.tile(stored_));
    case 1:
      if (used_ < loaded_.size())
        b.copy(Pipe::mte2, b.tile(loaded_[used_++]), box(b, true));
      return;
    default:
      break;
    }
    Flag &flag = flags_[pick(2)];
    if (flag.set)
      b.waitFor(flag.source, flag.destination, constant(0));
    else
      b.set(flag.source, flag.destination, constant(0));
    flag.set = !flag.set;
  }

  std::mt19937_64 random_;
  int tensor_ = 0, stored_ = 0;
  std::vector<int> loaded_, inL1_;
  size_t used_ = 0;
  ValueId core_ = kNone, half_ = kNone;
  bool reads_ = false, told_ = false, hears_ = false;
  std::vector<Flag> flags_{{Pipe::mte2, Pipe::mte3}, {Pipe::mte3, Pipe::mte2}};
};

} // namespace sluice::test
