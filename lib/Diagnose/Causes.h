// What in the program brings a violation about: slots that two sides count differently, a parity
// that is stale, a slot too few. It is read off a recorded run, and no verdict rests on it.
#pragma once

#include "Diagnose/Journal.h"
#include "Simulate/Simulate.h"
#include "Verify/Offence.h"

namespace sluice {

/// Names the cause in the message and the fix of the violation that a run has met, where one is
/// recognised.
void nameCause(Violation &violation, const Program &program, const Journal &journal,
               const Offence &offence);

} // namespace sluice
