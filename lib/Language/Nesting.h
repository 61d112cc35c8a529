// A look at a text before it is parsed: the parser recurses, so text from anywhere may not nest
// deeper than its stack.
#pragma once

#include "Support/Result.h"

#include <optional>
#include <string>

namespace sluice {

/// What forbids parsing `text`: binary data, or brackets that nest too deep.
std::optional<Error> checkNesting(const std::string &text, const std::string &name);

} // namespace sluice
