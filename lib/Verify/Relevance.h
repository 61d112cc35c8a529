// How much of a scalar the program can ever tell: what two states must share to behave alike.
#pragma once

#include "Program/OperationFacts.h"
#include "Program/Tokens.h"
#include "Verify/OperandNeeds.h"
#include "Verify/Terms.h"

#include <cstdint>
#include <set>
#include <unordered_map>
#include <vector>

namespace sluice {

class Relevance {
public:
  explicit Relevance(const Program &program);

  const Need &need(ValueId v) const { return needs_[v]; }
  /// Of a test of an mbarrier, for a wait.
  bool isToken(ValueId v) const { return tokens_.isToken(v); }
  /// A value that a block itself defines and that matters: it exists when the agent has gone past
  /// `after` statements of the block, and may be read until it has begun more than `until`.
  struct Defined {
    size_t after, until;
    ValueId value;
    bool isLive(size_t begun, bool within) const {
      return after + (within ? 1 : 0) <= begun && begun <= until;
    }
  };
  const std::vector<Defined> &definedIn(const Block &block) const;
  /// Of the numbers in a buffer, to those who read them.
  const Need &number(int buffer) const { return numbers_[buffer]; }
  /// Trips that facts tell apart (Facts::head): three, or the largest small constant in a
  /// comparison that matters.
  int64_t head() const { return head_; }
  /// What matters of an unknown that trip counts are computed from.
  Need trip(const Terms &terms, const Term &unknown) const;
  /// What matters of the value of a difference of two unknowns, wherever it is computed.
  const Need &difference() const { return differences_; }
  /// Trip counts that are the same modulo this are alike once they are large; 1: all are, or they
  /// matter exactly.
  int64_t tripModulus(const Terms &terms, int32_t tripCount) const;
  /// Groups that some wait may leave pending, by kind; -1: nobody waits.
  std::vector<int64_t> mostPending = std::vector<int64_t>(GroupDeed::queues, -1);
  uint32_t crossSetters = 0; // a bit for each pipe that sets cross-core flags, on whatever core

private:
  void collect(const Block &block);
  void uses(const Stmt &s);
  void bounds(const For &loop);
  void needs(ValueId v, const Need &need);
  void needs(const Index &i, const Need &need);
  void end(ValueId bound);
  void chosen(ValueId operand, std::set<ValueId> &seen);
  void placeInTensor(ValueId v);
  void placeInTensor(const View &v);
  void loaded(const View &from, const View &to);
  void view(const View &v);
  void barrier(const MbarrierRef &ref);
  bool propagate();
  bool propagate(const Scalar &s);
  void findLaunchValues();
  void findHead();
  bool isSize(ValueId v) const;
  void computed(const Scalar &s, const Need &need);
  void compared(ValueId v, int64_t number);
  void derive();
  void define(); // RelevanceLifetimes.cpp, as findLastReads
  using LastReads = std::unordered_map<ValueId, size_t>;
  LastReads findLastReads(const Block &block, const std::vector<ValueId> &atEnd);

  static Need elsewhere(Need need);

  const Program &program_;
  const Tokens tokens_;
  const CountedValues values_;
  const std::vector<bool> neverNegative_;
  const OperandNeeds operands_;
  std::vector<Need> needs_, numbers_;  // of values; of the numbers in buffers
  std::vector<const Stmt *> handedOn_; // ScalarRead and ScalarWrite
  std::vector<const Scalar *> scalars_;
  std::vector<const Stmt *> control_; // For and If
  /// Of what values may come: a bit for each extent or argument (unknownBit), and `launch`.
  std::vector<uint64_t> comesFrom_;
  static constexpr uint64_t launch = uint64_t{1} << 63; // findLaunchValues
  bool isFromLaunch(ValueId v) const { return (comesFrom_[v] & launch) != 0; }
  bool draws_ = false;                     // some number is drawn from a counter
  std::vector<bool> written_, multiplied_; // tensors; buffers on their way to products
  std::unordered_map<const Block *, std::vector<Defined>> defined_;
  int64_t head_ = 3;
  int rounds_ = 0; // of propagate()
  // Extents, arguments and integers of tensors; of all else together.
  std::map<std::tuple<Term::Kind, int32_t, int64_t>, Need> trips_;
  /// Of what is computed from unknowns, by the terms it has (termOf) and what may be in them.
  std::map<std::pair<ScalarOp, bool>, std::map<uint64_t, Need>> operations_;
  Need otherTrips_, differences_;
  bool measures_ = true; // some scalar may be what a loop's trip count is made of
};

} // namespace sluice
