// Host mode, cluster launch control: which clusters are given to whom is told by who runs the grid.
// See host_mode.cuh.
#pragma once

#include <sluice/host_mode.cuh>

namespace sluice {

inline void respond(u32 response, u32 barrier, int rank, int number) {
  grid().cluster().ctas[size_t(rank)].numbers[response] = number;
  arriveAt(barrier, rank, 0, -16);
}
inline void clcTryCancel(u32 response, u32 barrier) {
  if (grid().speaks())
    respond(response, barrier, clusterRank(), grid().nextResponse());
  grid().say("cancel to [%u] @%u", response, barrier);
}
inline void clcTryCancelMulticast(u32 response, u32 barrier) {
  if (grid().speaks()) {
    const int number = grid().nextResponse();
    for (size_t rank = 0; rank < grid().cluster().ctas.size(); ++rank)
      respond(response, barrier, int(rank), number);
  }
  grid().say("cancel to [%u] @%u of all", response, barrier);
}
inline int clcQuery(u32 response) {
  const int number = grid().here().numbers[response];
  grid().say("cluster %d of [%u]", number, response);
  return number;
}

} // namespace sluice
