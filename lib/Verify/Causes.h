// What in the program brings a violation about: slots that two sides count differently, a parity
// that is stale, a slot too few. It is read off a second run, and no verdict rests on it.
#pragma once

#include "Verify/Context.h"
#include "Verify/Run.h"

namespace sluice {

/// Names the cause in the message and the fix of a violation that a run in `of`, from `first` on,
/// has met, where one is recognised.
void nameCause(Violation &violation, const Context &of, const Coordinates &first);

} // namespace sluice
