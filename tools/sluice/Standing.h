// What is said of a kernel that a verb goes on with although no proof of it was asked for.
#pragma once

#include "Proof.h"

#include "Support/JsonMembers.h"

namespace sluice::tool {

/// The verdict of a short check: on this launch, and on every launch as far as the time goes.
struct Standing {
  Verdict verdict;
  std::string warning; // "kernel 'ring' is not proven: R22: ..."; empty: nothing is against it

  /// For an object that is open: verdict and unproven, the warning.
  void writeWarning(JsonWriter &json) const;
  /// The same, and violations.
  MoreMembers members() const;
};

Standing standingOf(const Loaded &loaded);

/// Prints the warning, if there is one.
void warn(const Standing &standing);

} // namespace sluice::tool
