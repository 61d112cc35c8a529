// Numbers that agents hand on through a tile in shared memory.
#pragma once

#include "Simulate/UnitViews.h"

namespace sluice {

class UnitNumbers : public UnitViews {
public:
  using UnitViews::UnitViews;

  Step scalarRead(Actor &a, const Stmt &s, const ScalarRead &op);
  Step scalarWrite(Actor &a, const Stmt &s, const ScalarWrite &op);
  void writeNumber(Actor &a, const View &to, int64_t number);
  int64_t readNumber(Actor &a, const View &from);

  using NumberKey = std::array<int64_t, 4>; // buffer, slot, row, column
  using Numbers = std::map<NumberKey, int64_t>;
  /// Those in the slot of `from`, as they will be in the slot of `to`.
  Numbers copied(const Actor &a, const View &from, const View &to);
  void put(int cta, const Numbers &numbers);
  NumberKey numberKey(const Actor &a, const View &view) const;

private:
  std::map<int, Numbers> numbers_; // that scalar writes have left in CTAs, in a run without values
};

} // namespace sluice
