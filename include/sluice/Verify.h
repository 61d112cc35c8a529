// The checker: what a program at the barrier level is proven to do, or why it is not.
#pragma once

#include "Diagnose/Check.h" // IWYU pragma: export
