#include "Verify/Conditions.h"

namespace sluice {

// Alone in this file, so that a program with a definition of its own does not link this one.
const Conditions &conditions() {
  static constexpr Conditions all;
  return all;
}

} // namespace sluice
