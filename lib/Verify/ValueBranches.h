// Branches that change register tiles in place and do nothing else, such as the mask of the last
// tile of keys: whether they are taken steers nothing that is synchronised. Nobody has to ask: a
// program that always takes both arms touches all that the branch may touch, when it may, and is
// right only where the branch is.
#pragma once

#include "Program/Program.h"

#include <optional>

namespace sluice {

/// The program with the arms of such branches in their place; nothing where it has none.
std::optional<Program> withoutValueBranches(const Program &program);

} // namespace sluice
