// What a unit moves: bytes through its ports, and when they have passed.
#pragma once

#include "Simulate/UnitPart.h"

namespace sluice {

class UnitTraffic : public UnitPart {
public:
  explicit UnitTraffic(const UnitLinks &links);

  /// Time at which `bytes` have passed the port of a CTA's shared memory, asked for at `now`: what
  /// TMA writes and reads, what wgmma reads, and what warps move.
  double throughSharedMemory(int cta, double now, double bytes);
  /// Time at which `bytes` have passed between a CTA and global memory; `begin` of the service.
  double moveGlobal(Actor &a, int tensor, double bytes, bool write, double &begin);
  double copiedPieces(Actor &a, double bytes);
  /// Instructions of a warp that ask for a box, 32 lines of 128 bytes each.
  double prefetches(const Actor &a, const Prefetch &op, Exec exec) const;
  /// What a warp has stored is in memory then, whether or not it still runs.
  void storesUntil(double time) { drained_ = std::max(drained_, time); }

  double drained() const { return drained_; }
  const std::vector<double> &ofTensors() const { return traffic_; }

private:
  std::vector<double> traffic_;
  double drained_ = 0;
};

} // namespace sluice
