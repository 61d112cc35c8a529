// What must be told of the operands of a scalar operation so that its result is told.
#pragma once

#include "Verify/Counted.h"
#include "Verify/Need.h"

#include <vector>

namespace sluice {

/// One rule for each operation: whatever two operands `need` of the result does not tell apart may
/// differ; where no rule says how, operands matter exactly.
class OperandNeeds {
public:
  OperandNeeds(const CountedValues &values, const std::vector<bool> &neverNegative)
      : values_(values), neverNegative_(neverNegative) {}

  /// Of operand `i`. `ofLaunch`: the result is a fact about the launch, whose order is one about
  /// what it is computed from.
  Need of(const Scalar &s, size_t i, const Need &need, bool ofLaunch) const;

private:
  Need value(const Scalar &s, size_t i, const Need &need, bool ofLaunch) const;
  Need compared(const Scalar &s, size_t i) const;
  Need shifted(const Scalar &s, size_t i, const Need &need) const;
  Need scaled(int64_t factor, const Need &need) const;
  Need divided(ValueId operand, int64_t divisor, const Need &need) const;
  Need remainder(ValueId operand, int64_t modulus) const;
  Need limited(const Scalar &s, size_t i, const Need &need) const;

  const CountedValues &values_;
  const std::vector<bool> &neverNegative_;
};

} // namespace sluice
