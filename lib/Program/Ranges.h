// What the scalars of a program can be in any launch that a launcher lets through: extents of 0 to
// mostExtent, 32-bit arguments and numbers of tensors, what the author assumes, and the program's
// limits.
#pragma once

#include "Program/Extent.h"
#include "Program/IntegerRange.h"
#include "Program/Program.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

class Ranges {
public:
  explicit Ranges(const Program &program);

  IntegerRange of(ValueId v) const { return v < 0 ? IntegerRange::of(0) : values_[v]; }
  IntegerRange of(const Index &i) const;
  /// It takes more than 32 bits in some launch.
  bool isWide(ValueId v) const { return !of(v).fits32(); }
  bool isWide(const Index &i) const { return !of(i).fits32(); }
  /// The loop variable, what the last step makes of it included.
  bool isWide(const For &f) const;
  /// Of a division's result: the divisor may be 0, or make 2^63 of the most negative number.
  bool dividesByAny(ValueId v) const { return anyDivisor_[v]; }

  /// Conditions that a launcher checks beside the author's: the numbers of tiles that loops count
  /// are at most mostExtent.
  const std::vector<Assumption> &limits() const { return limits_; }
  /// Where 64 bits may not hold what is computed.
  std::vector<Location> overflows() const;

private:
  /// 0 <= n < constant * values / divisor, rounded up.
  struct Product {
    int64_t constant = 1;
    std::vector<ValueId> values; // in order
    int64_t divisor = 1;
    bool operator==(const Product &) const = default;
  };

  void run();
  void block(const Block &b);
  void statement(const Stmt &s);
  void grid(const Grid &g);
  void branch(const If &i);
  void scalar(const Scalar &s, const Location &loc);
  IntegerRange computed(const Scalar &s, bool &overflows);
  IntegerRange given(const Scalar &s) const;
  IntegerRange refined(const Scalar &s, IntegerRange found);
  bool isPartOfCluster(ValueId v) const;
  bool isShare(const Scalar &s) const;
  bool isConstant(ValueId v) const { return of(v).least == of(v).most; }
  const Scalar *definition(ValueId v, ScalarOp op) const;

  // ---- RangesOfBranches.cpp
  void learn(ValueId condition, bool holds);
  void narrowTo(ValueId v, const IntegerRange &range);
  void restore(size_t before);

  // ---- RangesOfLoops.cpp
  void loop(const For &f);
  IntegerRange counter(const For &f) const;
  int64_t mostTrips(const For &f) const;
  void settle(const For &f);
  bool widen(const For &f);
  void narrow(const For &f);
  bool increment(ValueId v, ValueId from, IntegerRange &by, int depth = 0) const;
  IntegerRange repeated(const IntegerRange &by, int64_t times) const;

  // ---- RangesOfProducts.cpp
  Product productOf(ValueId v) const;
  int64_t mostOf(const Product &p) const;
  const Product *boundOf(ValueId v) const;
  void refineProduct(const Scalar &s, IntegerRange &found);
  void refineDifference(const Scalar &s, IntegerRange &found);
  void refineQuotient(const Scalar &s, IntegerRange &found);
  bool isWithinGroup(const Scalar &s, Product &columns) const;
  void bound(const Scalar &s, Product below, IntegerRange &found);
  void raise(ValueId v);

  // ---- RangesOfLaunches.cpp
  std::string keyOf(const Scalar &s, const std::vector<std::string> &keys) const;
  void assume(const Assumption &a);
  void assumeCondition(const std::vector<Scalar> &scalars, const std::vector<std::string> &keys,
                       size_t condition);
  bool limitLoops();
  void limit(ValueId v, int64_t most, const Location *loc);
  void state(ValueId v, int64_t most, const Location &loc);

  const Program &program_;
  std::vector<IntegerRange> values_;
  std::vector<bool> anyDivisor_;
  std::vector<const Scalar *> definitions_;
  std::vector<std::vector<const Scalar *>> users_;           // arithmetic on a value
  std::vector<bool> visible_;                                // defined in the blocks around
  std::map<ValueId, std::pair<const For *, size_t>> loopOf_; // what a loop or branch yields
  std::map<ValueId, std::pair<const If *, size_t>> branchOf_;
  std::map<ValueId, Product> bounds_;
  std::vector<std::pair<ValueId, IntegerRange>> raised_; // what they were before
  std::vector<std::string> keys_; // of what extents and arguments alone decide; else empty
  std::map<std::string, IntegerRange> known_; // by key: from assumptions and limits
  std::map<ValueId, Location> overflowing_;
  std::vector<Assumption> limits_;
  ValueId column_ = kNone; // the grid's first coordinate
};

} // namespace sluice
