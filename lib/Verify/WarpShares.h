// What each warp of a role touches of a box.
#pragma once

#include "Verify/AccessSites.h"

namespace sluice {

/// By number of the warp in its role: the parts of the access's box, as Program/Sharing.h gives
/// them. Empty where they do not follow from the text; every warp may then touch the whole box.
std::vector<std::vector<View>> warpShares(const Program &program, const AccessSite &site);

} // namespace sluice
