#include "Simulate/Unit.h"

#include <algorithm>

namespace sluice {

/// Of 128 bytes, that so many bytes may have a part of, wherever they start.
static int64_t linesOfPrefetch(int64_t bytes) {
  return (bytes + 126) / 128 + 1;
}

UnitTraffic::UnitTraffic(const UnitLinks &links)
    : UnitPart(links), traffic_(program_.tensors.size(), 0) {}

double UnitTraffic::throughSharedMemory(int cta, double now, double bytes) {
  const double service = bytes / world_.arch.smemBytesPerCycle;
  return engines_[cta].sharedMemory.serve(now, service) + service;
}

double UnitTraffic::moveGlobal(Actor &a, int tensor, double bytes, bool write, double &begin) {
  SmEngines &e = engines_[a.cta];
  traffic_[tensor] += bytes;
  Engine &port = write ? e.tmaStore : e.tmaLoad;
  begin = port.serve(a.time, bytes / (write ? world_.storeRate : world_.l2Rate));
  // What misses waits for memory; what hits passes it by.
  const double memory = bytes * world_.missShare[tensor] / world_.hbmRate;
  const double fetched = e.hbm.serve(begin, memory) + memory;
  if (memory > 0) // until then it only waits
    begin = std::max(begin, fetched - memory);
  return std::max(port.free, fetched);
}

/// When a warp has put together the pieces of rows that start anywhere: it waits for a few of them
/// at a time, and so many come for all warps.
double UnitTraffic::copiedPieces(Actor &a, double bytes) {
  if (world_.arch.copyBytesOfWarp == 0)
    return a.time;
  Engine &all = engines_[a.cta].copies;
  all.serve(a.time, bytes / world_.arch.copyBytesPerCycle);
  return std::max(all.free, a.time + bytes / world_.arch.copyBytesOfWarp);
}

double UnitTraffic::prefetches(const Actor &a, const Prefetch &op, Exec exec) const {
  const int minor = program_.tensors[op.source.object].minor;
  constexpr int64_t box = 256; // columns, at most
  if (exec == Exec::one)
    return static_cast<double>((op.source.shape[minor] + box - 1) / box);
  const int64_t bytes = op.source.shape[minor] * byteSize(program_.type(op.source));
  int64_t lines = linesOfPrefetch(bytes);
  for (int d = 0; d < int(op.source.shape.size()); ++d)
    lines *= d == minor ? 1 : op.source.shape[d];
  const Role *role = a.agent.role();
  const int64_t lanes = 32 * int64_t{role ? role->warps : program_.warps};
  return static_cast<double>((lines + lanes - 1) / lanes);
}

} // namespace sluice
