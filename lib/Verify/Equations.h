// What the author assumes to be equal, beyond two extents or arguments: one side is computed as the
// other wherever the program has it.
#pragma once

#include "Program/Program.h"

#include <vector>

namespace sluice {

/// Of a launch: what `unknown` must be is told by the scalars in front of the last, a comparison.
struct Equation {
  std::vector<Scalar> scalars; // ScalarOp::eq at the end
  ValueId replaced = kNone;    // the operand of it that stands in the program no more
};

/// Puts the other side in the place of what is computed like one. Nothing changes and false comes
/// back where the program computes neither. `equation.replaced` is set.
bool replaceIn(Program &program, Equation &equation);

/// The launch with another number for the one extent or argument of the side that was replaced, so
/// that both are equal; the same where there are several, or no number makes them so.
Launch solved(const Equation &equation, Launch launch);

} // namespace sluice
