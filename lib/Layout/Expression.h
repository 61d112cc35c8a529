// Layouts as text: ((4,8),2):((1,16),8), a shape alone (first mode fastest), Sw<3,4,3> o ...,
// zN(64, 32,f16) and calls of the algebra, as in logical_divide(8:1, 4:2).
#pragma once

#include "Layout/Named.h"

namespace sluice {

/// The layout that the text says. An Error begins with "column N: ".
Result<TileLayout> parseLayoutExpression(std::string_view text);

/// "complement(layout,total)" ... and those of namedLayouts().
std::vector<std::string> layoutFunctions();

} // namespace sluice
