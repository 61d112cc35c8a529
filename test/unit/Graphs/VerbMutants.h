// Mutants of kernels at the pipeline level: one verb of a ring elsewhere.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace sluice::test {

/// To try one graph again: SLUICE_SEED=17 SLUICE_PROGRAMS=1.
uint64_t given(const char *variable, uint64_t otherwise);

/// The text with one verb moved by some lines, removed or doubled; `what` says which.
std::string withVerbElsewhere(const std::string &text, std::mt19937_64 &random, std::string &what);

} // namespace sluice::test
