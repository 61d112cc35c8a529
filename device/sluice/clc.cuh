// Cluster launch control of sm_100a: who runs asks for a cluster of the grid that has not been
// launched, and takes its place. What stands beside device.cuh in kernels that do so.
#pragma once

#include <sluice/base.cuh>

#if defined(SLUICE_HOST)
#include <sluice/host_clc.cuh>
#elif defined(SLUICE_VALUES)
#include <sluice/values_clc.cuh>
#else

namespace sluice {

/// PTX ISA "clusterlaunchcontrol.try_cancel": 16 bytes come to `response` and complete on `barrier`
__device__ __forceinline__ void clcTryCancel(u32 response, u32 barrier) {
  asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes"
               ".b128 [%0], [%1];" ::"r"(response),
               "r"(barrier)
               : "memory");
}
/// ... in every CTA of the cluster, at the same places
__device__ __forceinline__ void clcTryCancelMulticast(u32 response, u32 barrier) {
  asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes"
               ".multicast::cluster::all.b128 [%0], [%1];" ::"r"(response),
               "r"(barrier)
               : "memory");
}

/// PTX ISA "clusterlaunchcontrol.query_cancel": the number in the grid, x fastest, of the first CTA
/// of the cluster that was given; -1: none was, and its coordinates are not asked for
__device__ __forceinline__ int clcQuery(u32 response) {
  u32 given, x = 0, y = 0, z = 0;
  asm volatile("{\n"
               ".reg .pred given;\n"
               ".reg .b128 handle;\n"
               "ld.shared.b128 handle, [%4];\n"
               "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 given, handle;\n"
               "selp.u32 %0, 1, 0, given;\n"
               "@given clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 "
               "{%1, %2, %3, _}, handle;\n"
               "}"
               : "=r"(given), "+r"(x), "+r"(y), "+r"(z)
               : "r"(response)
               : "memory");
  return given ? int(x + gridDim.x * (y + gridDim.y * z)) : -1;
}

} // namespace sluice

#endif
