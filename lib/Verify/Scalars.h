// The scalars of an agent in the checker: integers of one launch, or terms over unknown trip
// counts.
#pragma once

#include "Program/Agent.h"
#include "Verify/Facts.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace sluice {

/// Loops over one unknown that an agent has entered from one path.
struct LoopsOver {
  int32_t term; // Terms::probe of the trip count
  int32_t times;
  int32_t trip;   // the last one's trip count
  uint32_t pipes; // that have something to do in these loops
  bool skipped;   // all of them, having nothing to do there
  int missing;    // LoopOrder::missingBefore of the last one
};

/// A loop over an unknown trip count that an agent is in; the first level stands for no loop.
struct LoopLevel {
  const For *loop = nullptr;
  int32_t path = 0;
  Instance instance; // of what the trip count is a quotient or multiple of
  int32_t trip = -1; // iteration i runs if this term > first + i * step
  int64_t first = 0, step = 1;
  int64_t shift = 0; // threshold(i) + shift: the loop variable, the same in every role
  int64_t iteration = 0;
  std::vector<LoopsOver> entered; // by this agent

  int64_t threshold(int64_t i) const { return first + i * step; }
};

class ProofScalars {
public:
  using Value = Affine;
  static constexpr int64_t mostIdleRounds = 1 << 17; // each leaves terms behind, some kilobytes
  /// From bounds so far apart remainders are told.
  static constexpr int64_t mostDividends = 64;

  /// `launch`: extents and arguments are those; null: they are unknown.
  ProofScalars(const Program &program, const Launch *launch, Terms &terms, const Facts &facts)
      : program_(&program), launch_(launch), terms_(&terms), facts_(&facts), levels_(1),
        pipes_(std::make_shared<std::map<const For *, uint32_t>>()) {}

  Affine scalar(const Scalar &s, const std::vector<Affine> &frame, const AgentPosition &at);
  Affine coordinate(int dimension, const AgentPosition &at);
  bool skips(const For &f, const AgentPosition &at, const std::vector<Affine> &frame);
  std::optional<bool> holds(Affine value);
  std::optional<bool> iterates(const For &f, int64_t iteration, const std::vector<Affine> &frame);
  Affine inductionValue(const For &f, int64_t iteration, const std::vector<Affine> &frame);
  void entered(const For &f);
  void advanced(const For &f, int64_t iteration);
  void left(const For &f);

  /// As far as the facts tell.
  Affine resolve(Affine value) const;
  /// What an undecided agent asks.
  const Query &query() const { return *query_; }
  const std::vector<LoopLevel> &levels() const { return levels_; }
  /// After a copy of the run: its own facts.
  void bind(const Facts &facts) { facts_ = &facts; }

private:
  Affine integer(const Scalar &load, const std::vector<Affine> &frame);
  Instance instanceOf(int32_t term) const;
  Affine counted(Affine value) const;
  std::optional<Affine> inNextIteration(Affine value, const LoopLevel &l) const;
  bool inStep(const Term &by) const;
  bool inStep(const Term &by, size_t level) const;
  std::optional<bool> compareApart(ScalarOp op, const Term &by) const;
  std::optional<bool> either(ScalarOp op, const Term &by) const;
  std::optional<bool> compareWithNumber(ScalarOp op, const Term &by, Affine a, Affine b) const;
  std::optional<Affine> chosen(Affine value) const;
  void lookBack(const Terms::Probe &p) const;
  std::optional<bool> exceeds(int32_t term, int64_t threshold) const;
  std::optional<bool> exceeds(const Instance &i, int32_t trip, int64_t threshold) const;
  std::optional<bool> fromDividend(const Term &t, int64_t threshold) const;
  std::optional<bool> fromResidue(const Instance &i, int32_t trip, int64_t threshold) const;
  std::optional<bool> fromRemainders(const Instance &i, int32_t trip, int64_t threshold) const;
  static bool isRemainderOf(const Term &t, int32_t trip);
  bool endsLoops(int32_t term) const;
  Affine representative(const Term &t, const Affine *operands) const;
  int64_t position(const LoopLevel &l) const;
  Range known(int32_t term) const;
  std::optional<bool> compare(ScalarOp op, Affine a, Affine b) const;
  struct Question {
    int32_t term;
    int64_t threshold; // is the term greater?
    bool lessIfGreater;
  };
  std::optional<Question> question(Affine a, Affine b) const;
  std::optional<bool> less(Affine a, Affine b) const;
  std::optional<bool> equal(Affine a, Affine b) const;
  std::optional<Affine> bound(Affine value);
  std::optional<Affine> side(Affine value);
  struct TripCount {
    Affine trip; // iterations run while trip > first + i * step
    int64_t first, step;
  };
  std::optional<TripCount> tripCount(const For &f, const std::vector<Affine> &frame);
  Affine start(ValueId v, const std::vector<Affine> &frame) const;
  Instance nextInstance(int32_t term, const For &f) const;
  void passed(const Instance &i, int32_t trip, const For &f, bool skipped);
  uint32_t pipesIn(const For &f) const;
  void meet(const For &f, int32_t trip, int32_t ordinal) const;
  int32_t pathOf(const LoopLevel &l, int32_t outside, int64_t iteration) const;

  const Program *program_;
  const Launch *launch_;
  Terms *terms_;
  const Facts *facts_;
  std::vector<LoopLevel> levels_;
  std::shared_ptr<std::map<const For *, uint32_t>> pipes_; // pipesIn, once worked out
  std::optional<LoopLevel> entering_;                      // between iterates(0) and entered
  bool small_ = false;                                     // what is asked now: Query::small
  unsigned openEnds_ = 0;       // of the bound that is looked at: CountedValues::Open
  mutable bool apart_ = false;  // what is compared now: about Instance::apart
  mutable bool opaque_ = false; // a term as one unknown of this iteration, as loops over it take it
  mutable std::optional<Query> query_;
};

class ProofAgent : public Walker<ProofScalars> {
public:
  using Walker::Walker;

  Affine affine(const Index &i) const {
    return i.isConstant() ? Affine{-1, i.constant} : offsetBy(frame()[i.value], i.constant);
  }
  /// 0 and a remark in `unresolved` where the value depends on what is unknown.
  int64_t value(const Index &i) const;
  std::optional<Affine> unresolved() const { return unresolved_; }

private:
  Affine offsetBy(Affine a, int64_t constant) const {
    a.constant += constant;
    return scalars().resolve(a);
  }
  mutable std::optional<Affine> unresolved_;
};

} // namespace sluice
