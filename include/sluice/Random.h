// Random numbers of element functions: each follows from a seed, a stream and a place alone,
// whatever the tiles. docs/semantics.md, "Random numbers".
#pragma once

#include "sluice/Element.h"

namespace sluice::lang {

/// The halves of a seed of 64 bits, arguments of a kernel (KernelBuilder::seed).
struct Seed {
  Element lower, upper;
};

/// Uniform in [0, 1), f32, a multiple of 2^-24. Kernels that share a seed take different streams.
Element random(const Seed &seed, ElementAt stream, ElementAt row, ElementAt column);
/// 32 random bits, i32.
Element randomBits(const Seed &seed, ElementAt stream, ElementAt row, ElementAt column);

} // namespace sluice::lang
