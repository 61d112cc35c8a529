// Whether tensors of a launch have bytes in common.
#pragma once

#include "Launch/LaunchArguments.h"

namespace sluice {

/// Whether some element of one has a byte of some element of the other; exact, but where thousands
/// of cases would have to be told apart, or more than five dimensions: then true.
bool mayShareMemory(const TensorArgument &a, const TensorArgument &b);

/// Whether no two elements of a tensor are in one place, as far as its strides tell: each is wider
/// than all that narrower ones span.
bool elementsAreApart(const TensorArgument &t);

/// The first two tensors that share memory although one of them is written, and are not the same
/// elements at the same places where the kernel lets them be (Tensor::inPlaceOf).
std::optional<Error> checkApart(const LaunchPlan &plan, const LaunchArguments &arguments);

} // namespace sluice
