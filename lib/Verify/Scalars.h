// The scalars of an agent in the checker: integers of one launch, or terms over unknown trip
// counts.
#pragma once

#include "Machine/Agent.h"
#include "Verify/Facts.h"

#include <optional>
#include <utility>
#include <vector>

namespace sluice {

/// Loops over a term that an agent has entered at one path.
struct LoopLevel {
  const For *loop = nullptr; // whose body this is; null outside all symbolic loops
  int32_t path = 0;
  Instance instance; // of the loop's trip count: iteration i runs if it is greater than
  int64_t first = 0; // first + i * step
  int64_t step = 1;
  int64_t iteration = 0;
  std::vector<std::pair<int32_t, int32_t>> entered; // (term, loops over it entered from here)
};

class ProofScalars {
public:
  using Value = Affine;

  /// `launch`: extents and arguments are those; null: they are unknown.
  ProofScalars(const Program &program, const Launch *launch, Terms &terms, const Facts &facts)
      : program_(&program), launch_(launch), terms_(&terms), facts_(&facts), levels_(1) {}

  Affine scalar(const Scalar &s, const std::vector<Affine> &frame, const AgentPosition &at);
  Affine coordinate(int dimension, const AgentPosition &at);
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
  Instance instanceOf(int32_t term) const;
  std::optional<bool> exceeds(const Instance &i, int64_t threshold) const;
  std::optional<bool> compare(ScalarOp op, Affine a, Affine b) const;
  std::optional<bool> less(Affine a, Affine b) const;
  std::optional<bool> equal(Affine a, Affine b) const;
  std::optional<Affine> bound(Affine value);
  struct TripCount {
    Affine trip; // iterations run while trip > first + i * step
    int64_t first, step;
  };
  std::optional<TripCount> tripCount(const For &f, const std::vector<Affine> &frame);
  Instance nextInstance(int32_t term) const;

  const Program *program_;
  const Launch *launch_;
  Terms *terms_;
  const Facts *facts_;
  std::vector<LoopLevel> levels_;
  std::optional<LoopLevel> entering_; // between iterates(0) and entered
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
