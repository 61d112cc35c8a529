// Copies to registers whose values come late (SimulateOptions::lateReads).
#pragma once

#include "Simulate/UnitPart.h"

namespace sluice {

class UnitReads : public UnitPart {
public:
  using UnitPart::UnitPart;

  bool comesLate(const Copy &op) const;
  void takeReads(Actor &a, const std::function<bool(const LateRead &)> &which);
  void takeReadsBefore(Actor &a, const Stmt &s);
};

} // namespace sluice
