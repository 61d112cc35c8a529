// Scalar values: inlined where a value is used once and has no name of its own, else a variable.
#pragma once

#include "Emit/Part.h"

#include <map>
#include <utility>
#include <vector>

namespace sluice::emit {

/// How a scalar value is written.
struct ValueText {
  enum Kind : uint8_t { integer, boolean, cursor } kind = integer;
  std::string text;
  bool atom = true;  // needs no parentheses as an operand
  int64_t slots = 0; // cursor
  bool printed = false;
  bool variable = false;     // carried by a loop, assigned anew
  const For *loop = nullptr; // variable: the innermost loop around where it got this value
  enum Shape : uint8_t { other, product, sum } shape = other; // of what is no atom
};

class ScalarPrinter : public Part {
public:
  ScalarPrinter(State &state, Dialect &target);

  void scalar(const Scalar &s);
  void define(ValueId v, ValueText text, bool declare, std::string_view fallback = "n");
  ValueText &value(ValueId v) { return values_[v]; }
  bool isUsed(ValueId v) const { return uses_[v] > 0; }
  /// What a variable is that takes the value of `from` and others.
  ValueText::Kind kindOf(ValueId variable, const ValueText &from) const {
    return from.kind == ValueText::cursor ? from.kind
           : truth_[variable]             ? ValueText::boolean
                                          : ValueText::integer;
  }

  std::string text(ValueId v);
  std::string operand(ValueId v);
  std::string text(const Index &i);  // an int
  std::string exact(const Index &i); // an int, or an i64 where 32 bits do not hold it
  std::string coordinate(const Index &i, int64_t least);
  const char *integerType(ValueId v) const;
  std::string factor(const Index &i); // in parentheses where it is a sum
  std::string condition(const Index &i);
  int64_t divisor(const Index &i) const;
  bool goesWithLoop(const Index &i) const;

  // Carried.cpp: what loops carry
  /// The innermost loop from now on; yields the one before.
  const For *enter(const For *loop) { return std::exchange(loop_, loop); }
  void declareLoopValues(const For &f, std::vector<size_t> &live);
  void assignYields(const std::vector<ValueId> &targets, const std::vector<ValueId> &yields);

private:
  ValueText expression(const Scalar &s);
  std::string nameFor(const Scalar &s);
  std::string asWide(ValueId v);
  std::string lowBit(ValueId v);
  std::string steps(const Scalar &s);
  bool dependsOn(ValueId v, ValueId on) const;
  bool takesOver(const For &f, size_t i) const;
  void assignTogether(const std::vector<ValueId> &targets, const std::vector<ValueId> &yields,
                      const std::vector<size_t> &left);

  // Arithmetic.cpp
  ValueText arithmetic(const Scalar &s);
  ValueText infix(const Scalar &s);
  ValueText shift(const Scalar &s);
  ValueText call(const Scalar &s, const std::string &function, bool wide);
  ValueText narrowed(const Scalar &s, ValueText value) const;
  bool isInWide(const Scalar &s) const;

  Dialect &target_;
  std::vector<ValueText> values_;
  std::vector<int> uses_;
  const std::vector<bool> truth_;
  std::vector<const Scalar *> definitions_;
  std::map<ValueId, std::string> bounds_; // unnamed upper bounds of loops: what to call them
  const For *loop_ = nullptr;             // innermost one
};

} // namespace sluice::emit
