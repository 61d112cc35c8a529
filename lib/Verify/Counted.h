// Values that loops over unknowns count up, whose size no normal form has (docs/proof.md).
#pragma once

#include "Program/Program.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace sluice {

bool isComparison(ScalarOp op);
/// Minimum or maximum.
bool isExtreme(ScalarOp op);

enum class Counted : uint8_t {
  no,
  byVariable, // a function of variables of loops whose trip counts are unknown
  byNumber,   // handed from iteration to iteration, or through memory
};

/// How the proof answers a comparison, minimum or maximum.
enum class Comparison : uint8_t {
  plain,     // from its two sides, as far as they are known
  ofNumbers, // of what one loop counts in numbers: normal forms have their distance from it
  open,      // either way, in each iteration, unless a fact about the loop itself tells
};

/// Whether an operation takes finitely many values by its form: `isFinite` of its operands,
/// `constant` of those that are numbers (null: not).
template <typename Operands, typename IsFinite, typename Constant>
bool isFiniteOperation(ScalarOp op, const Operands &operands, const IsFinite &isFinite,
                       const Constant &constant) {
  const auto isMask = [&constant](const auto &o) {
    const auto number = constant(o);
    return number && *number >= 0;
  };
  const bool unknown = op == ScalarOp::dim || op == ScalarOp::argument || op == ScalarOp::load;
  return isComparison(op) || (op >= ScalarOp::cursorInit && op <= ScalarOp::subblock) ||
         (op == ScalarOp::remS && constant(operands[1])) ||
         (op == ScalarOp::minS && std::ranges::any_of(operands, isFinite)) ||
         (op == ScalarOp::andI && std::ranges::any_of(operands, isMask)) ||
         (!unknown && !operands.empty() && std::ranges::all_of(operands, isFinite));
}

class CountedValues {
public:
  explicit CountedValues(const Program &program);

  Counted of(ValueId v) const { return counted_[v]; }
  bool counts(ValueId v) const { return counted_[v] != Counted::no; }
  /// The same in every launch and for every agent; null: not.
  const int64_t *constant(ValueId v) const;
  /// By its form it takes finitely many values in all launches.
  bool isFinite(ValueId v) const { return finite_[v]; }
  /// A loop's start or step whose value normal forms have: one that loops count and that is finite,
  /// or a number of a launch with a small limit.
  bool isToldAtStart(ValueId v) const { return finite_[v] && (counts(v) || small_[v]); }
  /// What a loop's bound is chosen from (minima, maxima, selections) besides finite values, which
  /// normal forms have (Relevance::end): a bit for each.
  static constexpr uint8_t ofVariables = 1, handedOn = 2;
  uint8_t openEnds(ValueId bound) const { return openEnds_[bound]; }
  /// The innermost loop with an unknown trip count around its definition.
  const For *loop(ValueId v) const { return loop_[v]; }
  Comparison comparison(const Scalar &s) const;

private:
  uint8_t openEnd(ValueId v) const;
  void settle(const Scalar &s);
  void place(const Block &block, const For *loop);

  std::vector<Counted> counted_;
  std::unordered_map<ValueId, int64_t> constants_;
  std::vector<uint8_t> openEnds_;
  std::vector<bool> small_;             // finite, and below a small constant
  std::vector<bool> finite_, ofLaunch_; // ofLaunch: some extent, argument or load is in it
  std::vector<bool> mixed_;             // of counts and launch, without limits; minima of such
  std::vector<const For *> loop_;
};

} // namespace sluice
