// The units of an SM or core that do the work, and what each operation costs on them.
#pragma once

#include "Simulate/World.h"

#include <array>
#include <string>

namespace sluice {

/// Serves requests in order, one at a time.
struct Engine {
  double free = 0, busy = 0;

  /// Begin of a service of `duration` that is asked for at `now`.
  double serve(double now, double duration) {
    double begin = now > free ? now : free;
    free = begin + duration;
    busy += duration;
    return begin;
  }
};

/// The engines that the warps of an NVIDIA SM share.
struct SmEngines {
  Engine tmaLoad, tmaStore;         // also the read and write port to L2
  Engine hbm;                       // this SM's share
  Engine sharedMemory;              // its port: what warps, TMA and wgmma read and write
  Engine copies;                    // by threads, of rows that start anywhere
  std::array<Engine, 4> tensorCore; // of every sub-partition (warp % 4)
  std::array<Engine, 4> simt;
};

/// Element operations per element of a map or reduce.
struct ElementCost {
  double arithmetic = 0, special = 0; // FP32 pipe; special function unit
};
ElementCost costOf(const ElementFn &fn);
ElementCost costOf(const Reduce &op);

/// Clocks of a sub-partition for `elements` evaluations by one warp.
double simtCycles(const Arch &arch, const ElementCost &cost, double elements);

/// Bytes that a warpgroup's m64nNk... instructions read from shared memory over the whole K of the
/// operation, and the clocks of the tensor core.
double wgmmaBytes(const Program &program, const Wgmma &op);
double wgmmaCycles(const Program &program, const Arch &arch, const Wgmma &op);

/// Cycles that an Ascend data operation occupies its pipe. `elements`: those that really move.
double pipeCycles(const Program &program, const Arch &arch, const Operation &op, double elements);

} // namespace sluice
