// Scalars of a program whose trip counts are unknown: integers, or a term plus an integer. A term
// is an extent, an argument, a coordinate, a loop variable, an integer of a tensor, or an operation
// on such; equal terms have one number. The table only grows and is shared by all runs of one
// proof.
#pragma once

#include "Program/Program.h"
#include "Verify/Counted.h"
#include "Verify/LoopOrder.h"

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

namespace sluice {

/// `term` + `constant`; just the constant when term is negative.
struct Affine {
  int32_t term = -1;
  int64_t constant = 0;

  bool isConstant() const { return term < 0; }
  auto operator<=>(const Affine &) const = default;
};

inline Affine plus(Affine a, int64_t constant) {
  return {a.term, a.constant + constant};
}

/// Bounds of a term, both inclusive.
struct Range {
  static constexpr int64_t infinite = INT64_MAX / 4;
  int64_t lo = -infinite, hi = infinite;

  bool exact() const { return lo == hi; }
  bool operator==(const Range &) const = default;
};

/// What lies in both.
inline Range both(Range a, Range b) {
  return {a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
}

struct Term {
  enum Kind : uint8_t {
    extent,
    argument,
    coordinate,
    iteration,
    operation,
    rounds, // what ends loops with a condition: the same for all, for their paths alone
    drawn   // from a counter, or asked for; operands: tensor
  } kind = extent;
  ScalarOp op = ScalarOp::constant;
  std::array<Affine, 3> operands{}; // iteration: lower bound, step, what bounds the loop
  int operandCount = 0;
  int64_t immediate = 0; // extent, coordinate: dimension; iteration, drawn: its number; comparison,
                         // extreme: which Comparison; else as in Scalar
  int32_t object = -1;   // extent, argument, load: which; iteration, drawn: the path it is of
  const For *loop = nullptr; // iteration: for its name; roles have loops of their own
  // What follows from the rest:
  Range range;
  std::optional<int64_t> value; // where the numbers of iterations alone tell it
  uint64_t unknowns = 0;        // unknownBit of the extents and arguments in it
  bool ofLaunch = true;         // the same for every iteration of every loop
  bool hasIteration = false;    // some loop variable is in it
  bool hasCount = false;        // other than as an index of an integer of a tensor
  int32_t home = 0;             // the path of the innermost iteration in it
  bool grows = false;           // with one, without a limit
  bool ofData = false;          // some integer of a tensor, or drawn from one, is in it
  bool hasDrawn = false;        // some number drawn from a counter is
  bool counts = false;          // a comparison or extreme of what loops count up
  bool open = false;            // of these, one that is let go either way
  bool ofUnknowns = false;      // a comparison or extreme with no constant

  /// Of two unknowns, for comparisons between them.
  bool isDifference() const {
    return kind == operation && op == ScalarOp::sub && !operands[0].isConstant() &&
           !operands[1].isConstant();
  }
  /// Of a difference that what loops around count may be compared with.
  bool moves() const { return isDifference() && !hasIteration && !ofData; }
};

/// A bit for an extent or argument, which others may share; bit 63 is free.
inline uint64_t unknownBit(bool extent, int object, int64_t dimension) {
  return uint64_t{1} << (extent ? (object * 4 + dimension) % 48 : 48 + object % 15);
}

/// Where in its symbolic loops an agent is: a list of (loop class, iteration), outermost first.
struct Path {
  int32_t parent = 0;  // Path 0 is outside all loops
  int32_t bound = -1;  // the term that the loop's trip count depends on: the same in every role
  int32_t ordinal = 0; // Instance::ordinal of the loop
  int64_t iteration = 0;
  int depth = 0;
};

class Terms {
public:
  explicit Terms(const Program &program);

  /// Stays where it is.
  const Term &operator[](int32_t term) const { return terms_[term]; }
  const CountedValues &values() const { return values_; }
  const LoopOrder &loops() const { return loops_; }
  Affine extent(int tensor, int64_t dimension);
  Affine argument(int number);
  Affine coordinate(int dimension, int64_t offset);
  /// An integer that a tensor holds; at most three indices.
  Affine element(int tensor, const std::vector<Affine> &index);
  Affine rounds();
  Affine drawn(int tensor, int32_t path, int64_t number);
  static constexpr int ofLaunches = -1; // in the place of a tensor: a cluster that was asked for
  /// Variable of iteration `number`, which is at `path`, of a loop that `bound` ends.
  Affine iteration(const For &loop, int32_t path, int32_t bound, int64_t number, Affine lower,
                   Affine step);
  /// Folds and simplifies.
  Affine operation(ScalarOp op, const Affine *operands, int count, int64_t immediate);
  Range range(Affine a) const;
  /// "term > threshold" as a question about what it is a quotient or multiple of.
  struct Probe {
    int32_t term;
    int64_t threshold;
    int64_t remainder; // of the threshold, that a multiple leaves
  };
  Probe probe(int32_t term, int64_t threshold) const;
  /// Whether a minimum or maximum is one unknown, whichever side of it a launch takes.
  bool isWhole(const Term &t) const {
    return wholeExtremes && t.kind == Term::operation && isExtreme(t.op) && t.ofUnknowns &&
           t.ofLaunch;
  }
  /// Bounds of a term when those of probe(term, ...).term are `base`.
  Range derived(int32_t term, Range base) const;

  /// Whether the variable of iteration `number` of a loop that `bound` ends, or of one before,
  /// moves a value without limit.
  bool growsWith(Affine a, int32_t bound, int64_t number) const;

  int32_t path(int32_t parent, int32_t bound, int32_t ordinal, int64_t iteration);
  const Path &path(int32_t number) const { return paths_[number]; }

  /// Minima and maxima of what only a launch tells are unknowns of their own, as extents are: more
  /// runs than there are launches, and fewer questions.
  bool wholeExtremes = false;
  /// How far comparisons of differences have looked back from where their agent was in its
  /// outermost loop: what is decided further back is never asked again.
  int64_t lookBack = 0;
  /// The largest threshold at which differences of data have been compared.
  int64_t compared = 0;
  /// Questions about unknowns so far, answered or not.
  int64_t questions = 0;
  /// Two loops have the same paths where both have met one thing, and the same.
  LoopsMet met;
  /// Loops of one class have their instances, of one iteration around, in common: what they are
  /// over, which of them they are, and the classes of the loops around (0: none).
  struct LoopClass {
    int32_t over, ordinal, around;
    auto operator<=>(const LoopClass &) const = default;
  };
  LoopClass classOf(int32_t term, int32_t ordinal, int32_t path);
  /// What loops have come to in the runs so far, and what normal forms have relied on that they do
  /// not: where they do, the forms are made again.
  std::set<std::pair<const For *, LoopClass>> comeTo, doNotCome;

  /// "ceildiv(K of A, 64) - 1", for people.
  std::string text(Affine a) const;

private:
  Affine intern(Term term);
  Affine simplified(ScalarOp op, const Affine *operands, int64_t immediate, bool &done);
  Affine divided(ScalarOp op, Affine a, int64_t divisor, bool &done);
  Range rangeOf(const Term &term) const;
  std::optional<int64_t> valueOf(const Term &term) const;

  /// Terms with the same key are one.
  struct Key {
    Term::Kind kind;
    ScalarOp op;
    int operandCount;
    int32_t object;
    int64_t immediate;
    std::array<Affine, 3> operands;

    bool operator==(const Key &) const = default;
  };
  struct Hash {
    size_t operator()(const Key &key) const;
  };

  const Program &program_;
  const CountedValues values_;
  const LoopOrder loops_;
  std::deque<Term> terms_;
  std::vector<Path> paths_{Path{}};
  std::unordered_map<Key, int32_t, Hash> numbers_;
  std::map<std::tuple<int32_t, int32_t, int32_t, int64_t>, int32_t> pathNumbers_;
  std::map<LoopClass, int32_t> classes_; // by number, from 1
};

} // namespace sluice
