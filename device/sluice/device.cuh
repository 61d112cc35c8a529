// Everything that printed kernels use. C++17, sm_90a, nvcc or NVRTC, no other header. `sync`, the
// last template argument of what synchronises, is its number: a comment in the PTX, and no more.
#pragma once

#ifdef SLUICE_HOST
#include <sluice/host_mode.cuh>
#else
#include <sluice/around.cuh>
#include <sluice/base.cuh>
#include <sluice/blocked.cuh>
#include <sluice/copy.cuh>
#include <sluice/counter.cuh>
#include <sluice/cursor.cuh>
#include <sluice/fragment.cuh>
#include <sluice/fragment_copy.cuh>
#include <sluice/integer.cuh>
#include <sluice/lines.cuh>
#include <sluice/mbarrier.cuh>
#include <sluice/number.cuh>
#include <sluice/parts.cuh>
#include <sluice/scope.cuh>
#include <sluice/shared_tile.cuh>
#include <sluice/sync.cuh>
#include <sluice/tensor_lines.cuh>
#include <sluice/tma.cuh>
#include <sluice/watchdog.cuh>
#include <sluice/wgmma.cuh>
#ifndef SLUICE_VALUES
#include <sluice/checksums.cuh>
#include <sluice/stamps.cuh>
#endif
#endif
