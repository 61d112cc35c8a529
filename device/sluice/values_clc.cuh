// Cluster launch control in value mode: the cluster that would begin next is given, at once.
#pragma once

#include <sluice/base.cuh>

namespace sluice {

inline void clcTryCancel(u32 response, u32 barrier) {
  machine().takeCluster(response, barrier, false);
}
inline void clcTryCancelMulticast(u32 response, u32 barrier) {
  machine().takeCluster(response, barrier, true);
}
inline int clcQuery(u32 response) {
  return machine().queryCluster(response);
}

} // namespace sluice
