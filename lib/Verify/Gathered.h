// Tiles of which integers of a tensor say where they are, one by one: pages, blocks of a sparse
// matrix. Nothing is known of the order in which they come.
#pragma once

#include "Program/Program.h"

#include <map>
#include <vector>

namespace sluice {

/// Of the views of tensors from which tiles come: dimensions along which the place has an integer
/// in it that was read in the innermost loop around. One that was read in front of that loop is the
/// same for all its steps.
std::map<const View *, std::vector<bool>> gatheredViews(const Program &program);

} // namespace sluice
