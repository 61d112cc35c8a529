// The checker: what a program at the barrier level is proven to do, or why it is not.
#pragma once

#include "Verify/Verify.h" // IWYU pragma: export
