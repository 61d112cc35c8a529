// Loops that go on while a value holds that is found out on their way: between the tile level and
// the split into roles they are loops with bounds that say nothing, of which the first carried
// value says whether a step is taken.
#pragma once

#include "Dialect/Marks.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace sluice::ir {

namespace marks {
inline constexpr Mark<UnitAttr> open{"sluice.open"};
} // namespace marks

} // namespace sluice::ir
