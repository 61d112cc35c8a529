// Names that a text gives to its values: %row is called row in printed code as well.
#pragma once

#include "mlir/AsmParser/AsmParserState.h"

namespace sluice {

/// Gives every scalar that the text names a name. Numbers (%0) and the names that a printed kernel
/// makes up itself (%A.dim0, %c128) are none.
void keepTextNames(const mlir::AsmParserState &state);

} // namespace sluice
