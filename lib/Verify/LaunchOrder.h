// Which of two values of a program is at most the other in every launch, by linear forms.
#pragma once

#include "Verify/AccessForms.h"

namespace sluice {

class LaunchOrder {
public:
  explicit LaunchOrder(const Program &program) : program_(program), sources_(program, {}) {}

  /// Wherever both are known; false: not told. Values that the program has not are not told.
  bool isAtMost(ValueId x, ValueId y) const;
  bool isAtLeast(ValueId x, int64_t number) const;

private:
  template <typename Violated> bool never(const Violated &violated) const;

  const Program program_;
  const Sources sources_;
};

} // namespace sluice
