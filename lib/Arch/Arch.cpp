#include "Arch/Arch.h"

#include "Arch/GemmCosts.h"

#include <algorithm>

namespace sluice {
namespace {

constexpr double gib = 1024.0 * 1024.0 * 1024.0;

/// What is the same on H100 and H200. "micro": bench/micro, 2026-11-21, which bench/RESULTS.md
/// holds.
Arch hopper() {
  Arch a;
  a.target = Target::sm_90a;
  a.clockGhz = 1.98;      // micro: while power allows; large products run at 1.4 to 1.7
  a.cores = 132;          // SXM5
  a.sharedBytes = 232448; // 227 KiB opt-in per CTA (CUDA programming guide, compute capability 9.0)
  a.sharedOfSm = 233472;  // 228 KiB, of which each CTA takes 1 for the system (the same)
  a.sharedOfSystem = 1024;
  a.warpsPerSm = 64;         // the same
  a.registersPerSm = 65536;  // same
  a.smemBytesPerCycle = 128; // micro: stmatrix; Luo et al., arXiv 2402.13499: 127.9
  a.l2BytesAlone = 108;      // micro: TMA loads of 32 KB, four under way
  a.storeBytesAlone = 32;    // micro: TMA stores of one SM
  // gemm 4096 x 4096 x 4090, H200: four warps 5.3 to 5.8, eight 8.2 to 8.8, 12 10.4, 16 9.5
  a.copyBytesOfWarp = 1.05;
  a.copyBytesPerCycle = 10;
  a.peerBytesPerCycle = 22;   // micro: cp.async.bulk between the CTAs of a cluster
  a.loadLatency = 286;        // micro: a chain of loads from L2
  a.missLatency = 500;        // micro: TMA loads from HBM less those from L2
  a.tmaLatency = 232;         // micro: 342 clocks for 1 KB, less announcement, transfer and barrier
  a.tmaStoreLatency = 84;     // micro: until a store has arrived, less its bytes
  a.wgmmaLatency = 45;        // micro: a product alone takes N/2 + 55, with fence, commit and wait
  a.smemLatency = 29;         // Luo et al.
  a.barrierLatency = 80;      // micro: arrival to the return of another warp's wait
  a.remoteArriveLatency = 79; // micro: another CTA's wait returns so much later
  a.namedBarrierLatency = 33; // micro: 128 threads
  a.clusterBarrierLatency = 350; // micro, H200; 770 on the H100
  a.issueCycles = 4;             // assumed: elected-lane instruction with its predicate
  a.arriveCycles = 20;           // micro: mbarrier.arrive.expect_tx
  a.waitCycles = 68;             // micro: mbarrier.try_wait of a phase that is over
  a.tmaIssueCycles = 60;         // micro: cp.async.bulk.tensor
  a.launchCycles = 770;          // micro: 0.39 us between kernels, the second started early
  a.startCycles = 470;  // micro: 1199 clocks to the end of a CTA's first load, less the load's 730
  a.sfuPerCycle = 16;   // CUDA programming guide, arithmetic throughput, compute capability 9.0
  a.fp32PerCycle = 128; // same
  a.lineBytes = 128;    // CUDA programming guide, global memory
  a.sectorBytes = 32;   // same
  a.productBytes = 32;  // PTX ISA, wgmma: K of .m64nNkK
  a.tensorPerCycle = 4096; // micro: N/2 for 64 x N x 32
  a.gemm = &hopperGemmCosts();
  return a;
}

Arch h100() {
  Arch a = hopper();
  a.name = "h100";
  a.l2BytesPerCycle = 46.5;    // micro: 45.3 and 47.7, each part read by eleven SMs
  a.storeBytesPerCycle = 16.5; // micro
  a.hbmBytesPerCycle = 11.7;   // micro: 3.06 TB/s at 1.98 GHz, of 3.35 (NVIDIA data sheet)
  a.l2Bytes = 50'000'000;      // 50 MB (NVIDIA data sheet)
  return a;
}

Arch h200() {
  Arch a = hopper();
  a.name = "h200";
  a.l2BytesPerCycle = 54.7;    // micro
  a.storeBytesPerCycle = 19.7; // micro
  a.hbmBytesPerCycle = 16.5;   // micro: 4.31 TB/s at 1.98 GHz, of 4.8 (NVIDIA data sheet)
  a.l2Bytes = 50'000'000;      // as H100 (NVIDIA data sheet)
  return a;
}

Arch b200() {
  Arch a = h100(); // assumed: what is not said below is as on h100
  a.name = "b200";
  a.target = Target::sm_100a;
  a.gemm = nullptr; // lib/Plan knows Hopper's designs
  a.clockGhz = 1.85;
  // 2.25 PFLOPS of dense f16 (NVIDIA data sheet) are 8192 multiply-adds a clock and SM, of 2 bytes.
  a.tensorPerCycle = 16384;
  a.tmemBytesPerCycle = 32 * 4;             // assumed: a warp reads its 32 lanes, a column a clock
  a.l2Bytes = 126'000'000;                  // 126 MB (NVIDIA data sheet)
  a.cores = 148;                            // NVIDIA data sheet
  a.hbmBytesPerCycle = 8e12 / 1.85e9 / 148; // 8 TB/s (NVIDIA data sheet)
  return a;
}

/// Capacities of Ascend 910B (A2/A3): arch constants of CATLASS, which agree with PTO.
Arch capacities910b(std::string name) {
  Arch a;
  a.name = std::move(name);
  a.target = Target::ascend910b;
  a.cores = 24; // 910B2: 24 AIC + 48 AIV (vendor page)
  a.l1Bytes = 512 * 1024;
  a.l0aBytes = a.l0bBytes = 64 * 1024;
  a.l0cBytes = 128 * 1024;
  a.ubBytes = 192 * 1024;
  return a;
}

/// Rates that the vendor publishes for a2a3 in its performance model (pto-isa, arch_config.hpp):
/// GiB/s per core at 1.85 GHz. No latencies.
Arch publicA2a3() {
  Arch a = capacities910b("public-a2a3");
  a.clockGhz = 1.85;
  const double perCycle = gib / (a.clockGhz * 1e9); // 1 GiB/s in bytes per cycle
  a.gmToUb = 100.9 * perCycle;
  a.gmToL1 = 135 * perCycle;
  a.ubToGm = 188.5 * perCycle;
  a.l0cToGm = 70 * perCycle;
  a.l0cToL1 = 128 * perCycle;
  a.l1ToL0a = 441 * perCycle;
  a.l1ToL0b = 220.5 * perCycle;
  a.ubToUb = 1024 * perCycle;
  a.mmadSetup = 6;       // Mmad cycles = 6 + fractal products
  a.vectorPerCycle = 64; // 22 TFLOPS fp16 / 48 AIV / 1.8 GHz = 254 FLOP/clk = 64 lanes of f32
  return a;
}

Arch ascend910b2() {
  Arch a = publicA2a3();
  a.name = "ascend910b2";
  a.clockGhz = 1.8;   // vendor page; the rates per cycle stay those of public-a2a3
  a.moveLatency = 64; // assumed, not published: start of a transfer
  a.flagLatency = 8;  // assumed, not published: set_flag to wait_flag
  return a;
}

Arch ascend950() {
  Arch a = ascend910b2(); // rates of 910B stand in
  a.name = "ascend950";
  a.target = Target::ascend950;
  a.clockGhz = 1.65; // 950PR (Server): 32 AIC + 64 AIV at 1.65 GHz (vendor page)
  a.cores = 32;
  a.l0cBytes = 256 * 1024;
  a.ubBytes = 253952; // 248 KiB usable of 256
  return a;
}

const std::vector<Arch> &all() {
  static const std::vector<Arch> archs = {h100(),        h200(),       b200(),
                                          ascend910b2(), publicA2a3(), ascend950()};
  return archs;
}

} // namespace

int64_t Arch::capacity(Space space) const {
  switch (space) {
  case Space::smem:
    return sharedBytes;
  case Space::reg:
    return registersPerSm * 4;
  case Space::tmem: // of each of 128 lanes: 512 columns x 32 bit (PTX ISA 9.7.16.1, Tensor Memory)
    return target == Target::sm_100a ? 512 * 4 : 0;
  case Space::l1:
    return l1Bytes;
  case Space::l0a:
    return l0aBytes;
  case Space::l0b:
    return l0bBytes;
  case Space::l0c:
    return l0cBytes;
  case Space::ub:
    return ubBytes;
  default:
    return 0;
  }
}

const Arch *findArch(const std::string &name) {
  auto found = std::find_if(all().begin(), all().end(), [&](auto &a) { return a.name == name; });
  return found == all().end() ? nullptr : &*found;
}

std::vector<std::string> archNames() {
  std::vector<std::string> names;
  for (const Arch &a : all())
    names.push_back(a.name);
  return names;
}

const Arch &defaultArch(Target target) {
  return *std::find_if(all().begin(), all().end(), [&](auto &a) { return a.target == target; });
}

} // namespace sluice
