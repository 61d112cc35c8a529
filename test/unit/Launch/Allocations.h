// Counts what operator new gives to this program and to the libraries that it loads.
#pragma once

#include <cstdint>

namespace sluice::test {

int64_t allocations();

} // namespace sluice::test
