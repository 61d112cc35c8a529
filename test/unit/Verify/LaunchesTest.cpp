// What is proven for every launch is proven at launches drawn at random: programs of one or two
// roles with nested loops, scalars of every operation and sign, and tiles of one tensor at places
// computed from CTAs, iterations, extents and an argument.
#include "Builder.h"

#include <gtest/gtest.h>

#include <iostream>
#include <random>

namespace sluice::test {
namespace {

constexpr int64_t tileSize = 32;

class Program {
public:
  explicit Program(uint64_t seed) : random_(seed) {
    y_ = b_.tensor("Y", DType::f32, {1, 1}, true);
    b_.program.arguments.push_back({"a", DType::i32});
    b_.launch.arguments.push_back(0);
    for (const int64_t dimension : {0, 1})
      known_.push_back(b_.scalar(ScalarOp::dim, {}, dimension, y_));
    known_.push_back(b_.scalar(ScalarOp::argument, {}, 0, 0));
    for (const size_t dimension : {0, 1})
      tiles_.push_back(with(ScalarOp::ceilDiv, known_[dimension], tileSize));
    known_.insert(known_.end(), tiles_.begin(), tiles_.end());
    grid();
    const int roles = 1 + static_cast<int>(upTo(1));
    for (int r = 0; r < roles; ++r)
      role(r);
    b_.place();
  }

  Verdict prove() {
    CheckOptions options;
    options.seconds = 0.1; // few of those that take longer come to an end
    return sluice::prove(b_.program, defaultArch(Target::sm_90a), launch(64, 64, 1), options);
  }
  /// At a launch that is drawn.
  Verdict check(std::string &text) {
    const int64_t rows = upTo(9 * tileSize), columns = upTo(9 * tileSize), argument = upTo(24) - 8;
    text = std::to_string(rows) + "x" + std::to_string(columns) + " a=" + std::to_string(argument);
    return sluice::check(b_.program, defaultArch(Target::sm_90a), launch(rows, columns, argument));
  }

private:
  int64_t upTo(int64_t n) { return std::uniform_int_distribution<int64_t>(0, n)(random_); }
  ValueId any(const std::vector<ValueId> &of) {
    return of[upTo(static_cast<int64_t>(of.size()) - 1)];
  }
  ValueId with(ScalarOp op, ValueId v, int64_t constant) {
    return b_.scalar(op, {v, b_.number(constant)});
  }

  Launch launch(int64_t rows, int64_t columns, int64_t argument) {
    Launch l = b_.launch;
    l.tensors[0].extents = {rows, columns};
    l.tensors[0].strides = {std::max<int64_t>((columns + 3) / 4 * 4, 4), 1};
    l.arguments[0] = argument;
    return l;
  }

  void grid() {
    Grid g;
    const ValueId all = b_.scalar(ScalarOp::mul, {tiles_[0], tiles_[1]});
    const ValueId extents[] = {all, tiles_[0], with(ScalarOp::minS, all, 3),
                               with(ScalarOp::ceilDiv, known_[0], 16), b_.number(1)};
    g.extents = {extents[upTo(4)]};
    g.results = {b_.program.values++};
    b_.emit(g);
    cta_ = g.results[0];
    ctas_ = g.extents[0];
    known_.push_back(cta_);
  }

  ValueId number() {
    const ValueId v = any(known_);
    switch (upTo(11)) {
    case 0:
      return with(ScalarOp::add, v, upTo(8) - 4);
    case 1:
      return with(ScalarOp::mul, v, upTo(6) - 2);
    case 2:
      return with(ScalarOp::divS, v, 2 + upTo(2));
    case 3:
      return with(ScalarOp::remS, v, 2 + upTo(3));
    case 4:
      return with(ScalarOp::andI, v, 3);
    case 5:
      return with(ScalarOp::shrS, v, 1);
    case 6:
      return b_.scalar(ScalarOp::sub, {v, any(known_)});
    case 7:
      return b_.scalar(ScalarOp::add, {v, any(known_)});
    case 8:
      return b_.scalar(std::array{ScalarOp::minS, ScalarOp::maxS}[upTo(1)], {v, any(known_)});
    default:
      return v;
    }
  }

  /// Row and column, in tiles.
  std::pair<ValueId, ValueId> tileAt() {
    switch (upTo(5)) {
    case 0: { // one number split
      const ValueId v = number(), by = any(tiles_);
      return {b_.scalar(ScalarOp::divS, {v, by}), b_.scalar(ScalarOp::remS, {v, by})};
    }
    case 1:
      return {cta_, number()};
    case 2:
      return {number(), cta_};
    case 3:
      return {cta_, b_.number(upTo(1))};
    default:
      return {number(), number()};
    }
  }

  void access(int buffer) {
    const auto [row, column] = tileAt();
    const int64_t scale = upTo(5) ? tileSize : tileSize / 2; // half a tile: neighbours overlap
    const std::vector<Index> at{{with(ScalarOp::mul, row, scale), 0},
                                {with(ScalarOp::mul, column, tileSize), 0}};
    const View box = b_.box(y_, at, {tileSize, tileSize});
    if (upTo(4))
      b_.copy(Pipe::none, box, b_.tile(buffer));
    else
      b_.copy(Pipe::none, b_.tile(buffer), box);
  }

  void role(int r) {
    const std::string name(1, static_cast<char>('a' + r));
    b_.role(name, r, 1, [&] {
      const int buffer = b_.buffer("r" + name, Space::reg, DType::f32, {tileSize, tileSize},
                                   Layout::blocked, 1, name);
      b_.emit(Fill{b_.tile(buffer), 0.0});
      block(buffer, 0);
    });
  }

  void block(int buffer, int depth) {
    const size_t before = known_.size();
    if (depth < 2 && upTo(2)) {
      loop([&] { block(buffer, depth + 1); });
    } else if (upTo(3) == 0) {
      b_.when(b_.scalar(std::array{ScalarOp::lt, ScalarOp::eq, ScalarOp::ge}[upTo(2)],
                        {number(), number()}),
              [&] { access(buffer); });
    } else {
      access(buffer);
    }
    known_.resize(before);
  }

  void loop(const std::function<void()> &body) {
    if (upTo(3) == 0 && b_.program.arguments.size() == 1) { // over tiles, in steps of the grid
      const ValueId all = b_.scalar(ScalarOp::mul, {tiles_[0], tiles_[1]});
      const ValueId left = b_.scalar(ScalarOp::sub, {all, cta_});
      b_.count(b_.scalar(ScalarOp::ceilDiv, {left, ctas_}), b_.number(0), [&](ValueId i, ValueId) {
        known_.push_back(b_.scalar(ScalarOp::add, {cta_, b_.scalar(ScalarOp::mul, {i, ctas_})}));
        body();
      });
      return;
    }
    const ValueId bound = with(ScalarOp::minS, number(), 12);
    b_.count(bound, b_.number(upTo(2)), [&](ValueId i, ValueId carried) {
      known_.push_back(i);
      known_.push_back(carried);
      body();
    });
  }

  std::mt19937_64 random_;
  Builder b_;
  int y_;
  ValueId cta_, ctas_;
  std::vector<ValueId> known_, tiles_;
};

void expectProvenHolds(uint64_t firstSeed, int count, int launches) {
  std::cout << "seeds from " << firstSeed << '\n';
  int proven = 0, violated = 0;
  for (uint64_t seed = firstSeed; seed < firstSeed + count; ++seed) {
    Program program(seed);
    const Verdict verdict = program.prove();
    violated += verdict.kind == Verdict::violated;
    if (!verdict.provenForEveryLaunch())
      continue;
    ++proven;
    for (int i = 0; i < launches; ++i) {
      std::string at;
      const Verdict one = program.check(at);
      ASSERT_EQ(text(one), "proven") << "seed " << seed << " at " << at;
    }
  }
  std::cout << proven << " proven, " << violated << " violated of " << count << '\n';
  EXPECT_GE(proven, count / 20);
  EXPECT_GE(violated, count / 10);
}

TEST(Launches, WhatIsProvenHolds) {
  expectProvenHolds(1, 200, 25);
}

TEST(Launches, WhatIsProvenHoldsSlow) {
  expectProvenHolds(std::random_device()() * uint64_t{1000}, 5000, 50);
}

} // namespace
} // namespace sluice::test
