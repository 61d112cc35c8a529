// Kernels drawn at random whose roles go through the same loops, one warp each, and meet at named
// barriers: in every step or where a condition says so, at ids that are numbers or computed.
// Between the meetings they load and store tiles of one tensor, the tensor itself or a part of it,
// ahead, behind, or round a few tiles of it. Loops start anywhere, go by steps of some numbers or
// of the grid, or while a condition holds, which may ask for integers of a tensor, and in some of a
// role of its own for something else.
#pragma once

#include "RandomNumbers.h"

namespace sluice::test {

class RandomMeetings {
public:
  explicit RandomMeetings(uint64_t seed) : numbers_(b_, seed) {
    y_ = b_.tensor("Y", DType::f32, {64, 64}, true);
    list_ = b_.tensor("L", DType::i32, {8}, false);
    b_.program.tensors[list_].extents = {8};
    b_.program.arguments.push_back({"a", DType::i32});
    b_.launch.arguments.push_back(1);
    for (const int64_t dimension : {0, 1})
      known_.push_back(b_.scalar(ScalarOp::dim, {}, dimension, y_));
    known_.push_back(b_.scalar(ScalarOp::argument, {}, 0, 0));
    for (const size_t extent : {0, 1})
      known_.push_back(numbers_.byNumber(ScalarOp::ceilDiv, known_[extent], tile));
    grid();
    draw();
    const int roles = static_cast<int>(2 + numbers_.upTo(1));
    b_.program.warps = roles;
    for (int r = 0; r < roles; ++r)
      role(r, roles);
    b_.place();
  }

  const Program &program() const { return b_.program; }
  const Launch &launch() const { return b_.launch; }

private:
  static constexpr int64_t tile = 32; // rows and columns
  using Recipe = uint64_t;            // the same numbers wherever they are computed from it

  struct Loop {
    enum Kind : int64_t { counted, stepped, from, tiles, asLong, open } kind;
    Recipe bound, start;
    int64_t step;
    int apart; // the role that asks for something else; -1: none
  };
  struct Action {
    bool meets;
    int role;         // who moves a tile
    Recipe at;        // its place; or the id
    Recipe condition; // 0: always
    int64_t kind;     // of place or id
    bool stores, clipped;
  };

  void grid() {
    const int64_t rank = numbers_.oneIn(3) ? 2 : 1;
    Grid g;
    for (int64_t d = 0; d < rank; ++d) {
      g.extents.push_back(known_[3 + d]);
      g.results.push_back(b_.program.values++);
    }
    b_.program.gridRank = static_cast<int>(rank);
    ctas_ = g.extents[0], cta_ = g.results[0];
    b_.emit(g);
    known_.insert(known_.end(), g.results.begin(), g.results.end());
  }

  Recipe recipe() { return numbers_.seed() >> 1 | 1; }

  void draw() {
    for (int64_t depth = numbers_.upTo(2); depth >= 0; --depth)
      loops_.push_back({static_cast<Loop::Kind>(std::min<int64_t>(numbers_.upTo(7), Loop::open)),
                        recipe(), recipe(), 1 + numbers_.upTo(4), numbers_.oneIn(3) ? 1 : -1});
    for (int part = 0; part < 3; ++part) // in front of the last loop, in it, behind it
      for (int64_t i = part == 1 ? 1 + numbers_.upTo(4) : numbers_.upTo(2) - 1; i > 0; --i)
        actions_[part].push_back(action());
  }

  Action action() {
    const bool meets = numbers_.oneIn(2);
    return {meets,
            static_cast<int>(numbers_.upTo(2)),
            recipe(),
            numbers_.oneIn(meets ? 6 : 4) ? recipe() : 0,
            numbers_.upTo(7),
            numbers_.oneIn(2),
            numbers_.oneIn(6)};
  }

  void role(int r, int roles) {
    const std::string name(1, static_cast<char>('a' + r));
    b_.role(name, r, 1, [&] {
      registers_ =
          b_.buffer("r" + name, Space::reg, DType::f32, {tile, tile}, Layout::blocked, 1, name);
      b_.emit(Fill{b_.tile(registers_), r + 0.5});
      const std::vector<ValueId> outside = known_;
      nest(0, r, roles);
      known_ = outside;
    });
  }

  void nest(size_t depth, int r, int roles) {
    if (depth + 1 == loops_.size())
      act(actions_[0], r, roles);
    const size_t outside = known_.size();
    const ValueId end = loop(loops_[depth], r, [&](ValueId variable) {
      known_.push_back(variable);
      if (depth + 1 == loops_.size())
        act(actions_[1], r, roles);
      else
        nest(depth + 1, r, roles);
      known_.resize(outside);
    });
    if (end != kNone)
      known_.push_back(end);
    if (depth + 1 == loops_.size())
      act(actions_[2], r, roles);
  }

  /// The number that it has come to, where it goes on while a value holds.
  ValueId loop(const Loop &l, int r, const std::function<void(ValueId)> &body) {
    if (l.kind == Loop::open)
      return openLoop(l, r, body);
    boundedLoop(l, body);
    return kNone;
  }

  void boundedLoop(const Loop &l, const std::function<void(ValueId)> &body) {
    const auto once = [&](ValueId variable, ValueId carried) {
      body(variable);
      return carried;
    };
    RandomNumbers same(b_, l.bound);
    ValueId bound = same.number(known_);
    if (same.oneIn(2))
      bound = same.byNumber(ScalarOp::minS, bound, 12);
    const ValueId zero = b_.number(0);
    switch (l.kind) {
    case Loop::counted:
      b_.carried({zero, bound, b_.number(1)}, zero, once);
      return;
    case Loop::stepped:
      b_.carried({b_.number(l.step - 2), bound, b_.number(l.step)}, zero, once);
      return;
    case Loop::from:
      b_.carried({RandomNumbers(b_, l.start).number(known_), bound, b_.number(l.step)}, zero, once);
      return;
    case Loop::tiles:
      b_.carried({cta_, bound, ctas_}, zero, once);
      return;
    case Loop::open: // openLoop
      return;
    case Loop::asLong:
      whileBelow(bound, l.step, body);
      return;
    }
  }

  /// The body runs while the number that it counts up is below the bound.
  void whileBelow(ValueId bound, int64_t step, const std::function<void(ValueId)> &body) {
    const ValueId zero = b_.number(0), first = b_.scalar(ScalarOp::lt, {zero, bound});
    b_.when(first, [&] {
      ValueId more = kNone;
      Stmt &s = b_.carried({zero, zero, b_.number(1)}, zero, [&](ValueId, ValueId number) {
        body(number);
        const ValueId next = numbers_.byNumber(ScalarOp::add, number, step);
        more = b_.scalar(ScalarOp::lt, {next, bound});
        return next;
      });
      std::get<For>(s.op).condition = more;
    });
  }

  /// In the form of `scf.while`: what decides is computed first, and the step is under it.
  ValueId openLoop(const Loop &l, int r, const std::function<void(ValueId)> &body) {
    RandomNumbers same(b_, l.bound);
    const auto otherwise = r == l.apart ? static_cast<int64_t>(l.start % 3) : -1; // what differs
    const ValueId zero = b_.number(0), some = same.oneIn(2) ? zero : same.number(known_),
                  first = otherwise == 0 ? same.byNumber(ScalarOp::add, some, 1) : some;
    const size_t outside = known_.size();
    ValueId goesOn = kNone;
    Stmt &s = b_.carried({zero, zero, b_.number(1)}, first, [&](ValueId, ValueId number) {
      known_.push_back(number);
      if (same.oneIn(2))
        known_.push_back(b_.scalar(ScalarOp::load,
                                   {same.byNumber(ScalarOp::andI, number, otherwise == 1 ? 3 : 7)},
                                   0, list_));
      goesOn = same.byNumber(ScalarOp::lt, number, 2 + same.upTo(10) + (otherwise == 2));
      if (same.oneIn(2))
        goesOn =
            same.with(ScalarOp::andI, goesOn, same.condition({known_.back(), same.any(known_)}));
      known_.resize(outside);
      return b_.either(goesOn, number, [&] {
        body(number);
        return same.byNumber(ScalarOp::add, number, l.step);
      });
    });
    std::get<For>(s.op).condition = goesOn;
    return std::get<For>(s.op).results[0];
  }

  void act(const std::vector<Action> &actions, int r, int roles) {
    for (const Action &a : actions) {
      const auto does = [&] { a.meets ? meet(a, roles) : a.role % roles == r ? move(a) : void(); };
      if (a.condition)
        b_.when(RandomNumbers(b_, a.condition).condition(known_), does);
      else
        does();
    }
  }

  void meet(const Action &a, int roles) {
    Index id{kNone, 1 + a.kind % 2};
    if (a.kind > 5) {
      RandomNumbers same(b_, a.at);
      id = {same.byNumber(ScalarOp::add, same.byNumber(ScalarOp::andI, known_.back(), 3), 2), 0};
    }
    b_.emit(NamedBarrier{id, roles * 32});
  }

  void move(const Action &a) {
    RandomNumbers same(b_, a.at);
    View box = b_.box(y_, {row(a.kind, same), column(same)}, {tile, tile});
    if (a.clipped)
      box.clips.push_back(
          {static_cast<int>(same.upTo(1)),
           {same.byNumber(ScalarOp::mul, same.number(known_), same.any({8, 32})), 0}});
    if (a.stores)
      b_.copy(Pipe::none, box, b_.tile(registers_));
    else
      b_.copy(Pipe::none, b_.tile(registers_), box);
    b_.emit(WarpSync{});
  }

  /// Of a tile ahead or behind, of one of a few, of some number.
  Index row(int64_t kind, RandomNumbers &same) {
    ValueId v = known_.back();
    int64_t constant = 0;
    if (kind < 3)
      constant = tile * (same.upTo(3) - 1);
    else if (kind < 5)
      v = same.byNumber(ScalarOp::remS, same.byNumber(ScalarOp::add, v, same.upTo(3)),
                        2 + same.upTo(3));
    else if (kind == 5)
      v = same.number(known_);
    else
      v = cta_;
    return {same.byNumber(ScalarOp::mul, v, tile), constant};
  }

  Index column(RandomNumbers &same) {
    if (same.oneIn(3))
      return constant(tile * same.upTo(1));
    const ValueId v = same.oneIn(2) ? known_.back() : same.any(known_);
    return {same.byNumber(ScalarOp::mul, v, tile), 0};
  }

  Builder b_;
  RandomNumbers numbers_;
  int y_, list_, registers_ = -1;
  ValueId cta_, ctas_;
  std::vector<ValueId> known_;
  std::vector<Loop> loops_;
  std::vector<Action> actions_[3];
};

} // namespace sluice::test
