// The virtual machine: results and times of a program without the hardware.
#pragma once

#include "Simulate/Simulate.h" // IWYU pragma: export
