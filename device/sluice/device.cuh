// Everything that printed kernels use. C++17, sm_90a, nvcc or NVRTC, no other header.
#pragma once

#include "base.cuh"
#include "copy.cuh"
#include "cursor.cuh"
#include "fragment.cuh"
#include "mbarrier.cuh"
#include "number.cuh"
#include "shared_tile.cuh"
#include "sync.cuh"
#include "tma.cuh"
#include "wgmma.cuh"
