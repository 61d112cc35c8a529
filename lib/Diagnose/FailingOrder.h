// Which entries of a journal make a failing schedule, and in which order.
#pragma once

#include "Diagnose/Journal.h"
#include "Verify/Offence.h"

#include <string>
#include <vector>

namespace sluice {

struct FailingOrder {
  std::vector<int32_t> entries;
  int32_t first = -1, second = -1; // the marked ones
  int32_t late = -1;               // does not end
  int32_t stuck = -1;              // is not got past
  std::string missing;
};

FailingOrder failingOrder(const Journal &journal, const Offence &offence);

} // namespace sluice
