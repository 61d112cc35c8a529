// Loops that go on while a value holds: opened at the tile level, closed when roles have them.
#pragma once

#include "Transform/Passes.h"

namespace sluice {

Step openLoops, closeLoops;

} // namespace sluice
