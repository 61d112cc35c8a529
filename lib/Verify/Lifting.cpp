#include "Verify/Lifting.h"

namespace sluice {

// Alone in this file, so that a program with a definition of its own does not link this one.
const Lifting &lifting() {
  static constexpr Lifting all;
  return all;
}

} // namespace sluice
