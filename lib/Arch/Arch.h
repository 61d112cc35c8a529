// What a machine can hold and how fast it moves and computes. Every number has its source in
// Arch.cpp.
#pragma once

#include "Program/Types.h"

#include <optional>
#include <string>
#include <vector>

namespace sluice {

struct GemmCosts;
struct RowsCosts;

/// Cycles of the core clock and bytes throughout.
struct Arch {
  std::string name; // "h100", "ascend910b2", "public-a2a3"
  Target target;
  double clockGhz;
  int cores; // SMs or AI cores

  // Capacities.
  int64_t sharedBytes = 0; // NVIDIA: dynamic shared memory of a CTA
  int64_t sharedOfSm = 0;  // of all CTAs of an SM, each of which takes sharedOfSystem more
  int64_t sharedOfSystem = 0;
  int64_t registersPerSm = 0; // 32-bit
  int64_t warpsPerSm = 0;
  int64_t l1Bytes = 0, l0aBytes = 0, l0bBytes = 0, l0cBytes = 0, ubBytes = 0;

  // NVIDIA: rates per SM in bytes per cycle, latencies in cycles.
  double l2BytesPerCycle = 0, storeBytesPerCycle = 0; // from and to L2, while all SMs do
  double l2BytesAlone = 0, storeBytesAlone = 0;       // while one SM does
  double hbmBytesPerCycle = 0, smemBytesPerCycle = 0;
  double copyBytesOfWarp = 0, copyBytesPerCycle = 0; // by threads, rows at no multiple of 16 bytes
  double peerBytesPerCycle = 0;                      // to the shared memory of another SM
  double tmaLatency = 0, tmaStoreLatency = 0, loadLatency = 0; // of what L2 holds
  double missLatency = 0;                                      // more, of what it does not
  double launchCycles = 0; // between two kernels, the second started early
  double startCycles = 0;  // of a CTA, until its first instruction that counts
  double wgmmaLatency = 0, smemLatency = 0;
  double barrierLatency = 0, namedBarrierLatency = 0, clusterBarrierLatency = 0;
  double remoteArriveLatency = 0; // of an arrival at another CTA's barrier
  double issueCycles = 0, arriveCycles = 0, waitCycles = 0, tmaIssueCycles = 0; // of the warp
  int64_t l2Bytes = 0;                                                          // capacity
  double sfuPerCycle = 0, fp32PerCycle = 0; // element operations per SM
  int64_t lineBytes = 0, sectorBytes = 0;   // of the second-level cache
  int64_t productBytes = 0;                 // of K that an instruction multiplies
  double tensorPerCycle = 0;                // rows x columns x bytes of K that an SM multiplies
  double tmemBytesPerCycle = 0;             // tensor memory to the registers of a warp
  const GemmCosts *gemm = nullptr;          // what lib/Plan adds up; null: not planned
  const RowsCosts *rows = nullptr;          // the same, along rows

  // Ascend: bytes per cycle of each path; set-up cycles of an instruction.
  double gmToL1 = 0, gmToUb = 0, ubToGm = 0, l0cToGm = 0, l0cToL1 = 0, l1ToL0a = 0, l1ToL0b = 0,
         ubToUb = 0;
  double l0cToUb = 0, ubToL1 = 0; // 950 alone
  double mmadSetup = 0, moveLatency = 0, flagLatency = 0;
  double vectorPerCycle = 0; // f32 elements of one AIV

  /// Bytes, of a lane in tensor memory; 0: the machine has no such space.
  int64_t capacity(Space space) const;
};

/// CTAs of a kernel for which an SM has shared memory and warps.
int64_t residentCtas(const Arch &arch, int64_t sharedBytes, int64_t warps);

/// nullptr when there is none of that name.
const Arch *findArch(const std::string &name);
std::vector<std::string> archNames();
/// The one that `--target` means: h100, b200, ascend910b2.
const Arch &defaultArch(Target target);

} // namespace sluice
