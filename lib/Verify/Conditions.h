// The conditions of the proof that can be looked at one by one (docs/proof.md). The product checks
// them all; a test that shows that none can be spared links a conditions() of its own.
#pragma once

namespace sluice {

struct Conditions {
  bool c1 = true; // contributions know those to the phase before
  bool c2 = true; // waits know the phase before the awaited one
  bool c3 = true; // the next phase cannot complete before a wait has looked
  bool c4 = true; // bytes are announced before the phase can complete
};

const Conditions &conditions();

} // namespace sluice
