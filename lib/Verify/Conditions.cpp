#include "Verify/Conditions.h"

namespace sluice {

/// Alone in its file: the definition of a test then takes its place in the link.
const Conditions &conditions() {
  static constexpr Conditions all;
  return all;
}

} // namespace sluice
