// Where products in roles that an author wrote are waited for.
#pragma once

#include "Dialect/Dialect.h"

#include <vector>

namespace sluice {

/// `waits`: each behind the commit of its product, in the order of the text. They move down to what
/// needs the product to have ended.
void sinkWaitsOfRoles(const std::vector<ir::WgmmaWaitOp> &waits);

} // namespace sluice
