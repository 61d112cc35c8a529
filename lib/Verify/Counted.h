// Values that loops over unknowns count up, whose size no normal form has (docs/proof.md).
#pragma once

#include "Machine/Program.h"

#include <vector>

namespace sluice {

enum class Counted : uint8_t {
  no,
  byVariable, // a function of variables of loops whose trip counts are unknown
  byNumber,   // handed from iteration to iteration, or through memory
};

/// By value.
std::vector<Counted> countedValues(const Program &program);

} // namespace sluice
