// Products into tensor memory in value mode: as descriptors say, and ended at once.
#pragma once

#include <sluice/values_machine.cuh>

namespace sluice {

template <Tcgen05Kind kind, int ctas>
void tcgen05Product(u32 d, u64 a, u64 b, u32 instruction, bool accumulate) {
  machine().multiplyColumns({int(kind), ctas, d, instruction, a, b, accumulate, false});
}
template <Tcgen05Kind kind, int ctas>
void tcgen05Product(u32 d, u32 a, u64 b, u32 instruction, bool accumulate) {
  machine().multiplyColumns({int(kind), ctas, d, instruction, a, b, accumulate, true});
}
template <Tcgen05Kind kind, int ctas>
void tcgen05ScaledProduct(u32 d, u64 a, u64 b, u32 instruction, u32 scalesA, u32 scalesB,
                          bool accumulate) {
  machine().multiplyColumns(
      {int(kind), ctas, d, instruction, a, b, accumulate, false, scalesA, scalesB});
}
template <Tcgen05Kind kind, int ctas>
void tcgen05ScaledProduct(u32 d, u32 a, u64 b, u32 instruction, u32 scalesA, u32 scalesB,
                          bool accumulate) {
  machine().multiplyColumns(
      {int(kind), ctas, d, instruction, a, b, accumulate, true, scalesA, scalesB});
}
template <Tcgen05Rows rows, int ctas, int bits = 0> void tcgen05Copy(u32 to, u64 from) {
  machine().copyColumns(int(rows), ctas, bits, to, from);
}
template <int ctas> void tcgen05Shift(u32 columns) {
  machine().shiftColumns(ctas, columns);
}
template <int ctas = 1, int sync = 0> void tcgen05Commit(u32 barrier) {
  machine().arrive(barrier, 1, 0);
}
template <int ctas = 1, int sync = 0> void tcgen05CommitMulticast(u32 barrier, u16 mask) {
  for (u32 rank = 0; rank < 16; ++rank)
    if (mask >> rank & 1)
      machine().arrive(addressInCluster(barrier, rank), 1, 0);
}

} // namespace sluice
