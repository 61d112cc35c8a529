// Marks of roles among tiles.
#pragma once

#include "Dialect/Marks.h"

namespace sluice::ir::marks {

// Of kernels: warps of the roles among tiles that have a name, {convert = 4}.
inline constexpr Mark<DictionaryAttr> roles{"sluice.roles"};
// Of statements: one of them.
inline constexpr Mark<StringAttr> inRole{"sluice.in_role"};

} // namespace sluice::ir::marks
