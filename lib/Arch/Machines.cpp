// What is known of each machine. "bench/micro": measured, 2026-11-21, as bench/RESULTS.md says.
#include "Arch/Datasheet.h"
#include "Arch/GemmCosts.h"
#include "Arch/RowsCosts.h"

namespace sluice {
namespace {

constexpr double gib = 1024.0 * 1024.0 * 1024.0;
constexpr const char *guide90 = "CUDA programming guide, compute capability 9.0";
constexpr const char *guide100 = "CUDA programming guide, compute capability 10.0";
constexpr const char *guideMemory = "CUDA programming guide, global memory";
constexpr const char *nvidiaSheet = "NVIDIA data sheet";
constexpr const char *catlass = "arch constants of CATLASS, which agree with PTO";

Source assumed(std::string why) {
  return {std::move(why), true};
}

/// Cycles that a warp or a CTA spends on what passes no engine.
void hopperOverheads(Datasheet &d) {
  d.set(&Arch::issueCycles, 4, assumed("elected-lane instruction with its predicate"));
  d.set(&Arch::arriveCycles, 20, "bench/micro: mbarrier.arrive.expect_tx");
  d.set(&Arch::waitCycles, 68, "bench/micro: mbarrier.try_wait of a phase that is over");
  d.set(&Arch::tmaIssueCycles, 60, "bench/micro: cp.async.bulk.tensor");
  d.set(&Arch::launchCycles, 770, "bench/micro: 0.39 us between kernels, the second started early");
  d.set(&Arch::startCycles, 470,
        "bench/micro: 1199 clocks to the end of a CTA's first load, less the load's 730");
}

void hopperLatencies(Datasheet &d) {
  d.set(&Arch::loadLatency, 286, "bench/micro: a chain of loads from L2");
  d.set(&Arch::missLatency, 500, "bench/micro: TMA loads from HBM less those from L2");
  d.set(&Arch::tmaLatency, 232,
        "bench/micro: 342 clocks for 1 KB, less announcement, transfer and barrier");
  d.set(&Arch::tmaStoreLatency, 84, "bench/micro: until a store has arrived, less its bytes");
  d.set(&Arch::wgmmaLatency, 45,
        "bench/micro: a product alone takes N/2 + 55, with fence, commit and wait");
  d.set(&Arch::smemLatency, 29, "Luo et al., arXiv 2402.13499");
  d.set(&Arch::barrierLatency, 80, "bench/micro: arrival to the return of another warp's wait");
  d.set(&Arch::remoteArriveLatency, 79, "bench/micro: another CTA's wait returns so much later");
  d.set(&Arch::namedBarrierLatency, 33, "bench/micro: 128 threads");
  d.set(&Arch::clusterBarrierLatency, 350, "bench/micro, H200; 770 on the H100");
}

/// What the programming guide says of an SM of both generations.
void multiprocessor(Datasheet &d, const char *guide) {
  d.set(&Arch::sharedBytes, 232448, guide); // 227 KiB
  d.set(&Arch::sharedOfSm, 233472, guide);  // 228 KiB
  d.set(&Arch::sharedOfSystem, 1024, guide);
  d.set(&Arch::warpsPerSm, 64, guide);
  d.set(&Arch::registersPerSm, 65536, guide);
  d.set(&Arch::sfuPerCycle, 16, guide);
  d.set(&Arch::fp32PerCycle, 128, guide);
  d.set(&Arch::lineBytes, 128, guideMemory);
  d.set(&Arch::sectorBytes, 32, guideMemory);
}

/// What is the same on H100 and H200.
Datasheet hopper(std::string name) {
  Datasheet d(std::move(name), Target::sm_90a);
  d.set(&Arch::clockGhz, 1.98, "bench/micro: while power allows; large products run at 1.4 to 1.7");
  d.set(&Arch::cores, 132, "NVIDIA data sheet, SXM5");
  multiprocessor(d, guide90);
  d.set(&Arch::smemBytesPerCycle, 128,
        "bench/micro: stmatrix; Luo et al., arXiv 2402.13499: 127.9");
  d.set(&Arch::l2BytesAlone, 108, "bench/micro: TMA loads of 32 KB, four under way");
  d.set(&Arch::storeBytesAlone, 32, "bench/micro: TMA stores of one SM");
  constexpr const char *rows = "gemm 4096 x 4096 x 4090, H200: four warps 5.3 to 5.8, eight 8.2 to "
                               "8.8, 12 10.4, 16 9.5";
  d.set(&Arch::copyBytesOfWarp, 1.05, rows);
  d.set(&Arch::copyBytesPerCycle, 10, rows);
  d.set(&Arch::peerBytesPerCycle, 22, "bench/micro: cp.async.bulk between the CTAs of a cluster");
  d.set(&Arch::productBytes, 32, "PTX ISA, wgmma: K of .m64nNkK");
  d.set(&Arch::tensorPerCycle, 4096, "bench/micro: N/2 for 64 x N x 32");
  hopperLatencies(d);
  hopperOverheads(d);
  d.plannedBy(&hopperGemmCosts(), &rowsCostsOfH100());
  return d;
}

Datasheet h100() {
  Datasheet d = hopper("h100");
  d.set(&Arch::l2BytesPerCycle, 46.5, "bench/micro: 45.3 and 47.7, each part read by eleven SMs");
  d.set(&Arch::storeBytesPerCycle, 16.5, "bench/micro");
  d.set(&Arch::hbmBytesPerCycle, 11.7,
        "bench/micro: 3.06 TB/s at 1.98 GHz, of 3.35 (NVIDIA data sheet)");
  d.set(&Arch::l2Bytes, 50e6, nvidiaSheet);
  return d;
}

Datasheet h200() {
  Datasheet d = hopper("h200");
  d.set(&Arch::l2BytesPerCycle, 54.7, "bench/micro");
  d.set(&Arch::storeBytesPerCycle, 19.7, "bench/micro");
  d.set(&Arch::hbmBytesPerCycle, 16.5,
        "bench/micro: 4.31 TB/s at 1.98 GHz, of 4.8 (NVIDIA data sheet)");
  d.set(&Arch::l2Bytes, 50e6, nvidiaSheet);
  d.plannedBy(&hopperGemmCosts(), &rowsCostsOfH200());
  return d;
}

Datasheet b200() {
  Datasheet d = h100().standIn("b200", Target::sm_100a);
  d.plannedBy(nullptr, nullptr); // lib/Plan knows Hopper's designs
  multiprocessor(d, guide100);
  d.set(&Arch::clockGhz, 1.85, assumed("the clock at which the data sheet counts"));
  d.set(&Arch::cores, 148, nvidiaSheet);
  d.set(&Arch::tensorPerCycle, 4096 * 2, // multiply-adds a clock and SM, of 2 bytes
        "NVIDIA data sheet: 2.25 PFLOPS of dense f16 at 1.85 GHz, 4.5 of FP8, 9 of FP4");
  d.set(&Arch::tmemBytesPerCycle, 32 * 4, assumed("a warp reads its 32 lanes, a column a clock"));
  d.set(&Arch::l2Bytes, 126e6, nvidiaSheet);
  d.set(&Arch::hbmBytesPerCycle, 8e12 / 1.85e9 / 148, "NVIDIA data sheet: 8 TB/s at 1.85 GHz");
  return d;
}

/// Capacities of A2/A3, and the rates that the vendor publishes in its performance model: GiB/s a
/// core at 1.85 GHz. No latencies.
Datasheet publicA2a3() {
  Datasheet d("public-a2a3", Target::ascend910b);
  constexpr const char *pto = "pto-isa, arch_config.hpp (a2a3): GiB/s of a core at 1.85 GHz";
  constexpr double clock = 1.85, perCycle = gib / (clock * 1e9); // 1 GiB/s in bytes per cycle
  d.set(&Arch::clockGhz, clock, pto);
  d.set(&Arch::cores, 24, "vendor page, 910B2: 24 AIC and 48 AIV");
  d.set(&Arch::l1Bytes, 512 * 1024, catlass);
  d.set(&Arch::l0aBytes, 64 * 1024, catlass);
  d.set(&Arch::l0bBytes, 64 * 1024, catlass);
  d.set(&Arch::l0cBytes, 128 * 1024, catlass);
  d.set(&Arch::ubBytes, 192 * 1024, catlass);
  d.set(&Arch::gmToUb, 100.9 * perCycle, pto);
  d.set(&Arch::gmToL1, 135 * perCycle, pto);
  d.set(&Arch::ubToGm, 188.5 * perCycle, pto);
  d.set(&Arch::l0cToGm, 70 * perCycle, pto);
  d.set(&Arch::l0cToL1, 128 * perCycle, pto);
  d.set(&Arch::l1ToL0a, 441 * perCycle, pto);
  d.set(&Arch::l1ToL0b, 220.5 * perCycle, pto);
  d.set(&Arch::ubToUb, 1024 * perCycle, pto);
  d.set(&Arch::mmadSetup, 6, "pto-isa: cycles of Mmad = 6 + products of fractals");
  d.set(&Arch::vectorPerCycle, 64,
        "vendor page: 22 TFLOPS of f16 / 48 AIV / 1.8 GHz = 254 FLOP a clock = 64 lanes of f32");
  return d;
}

Datasheet ascend910b2() {
  Datasheet d = publicA2a3().sameAs("ascend910b2"); // the rates per cycle stay those
  d.set(&Arch::clockGhz, 1.8, "vendor page");
  d.set(&Arch::moveLatency, 64, assumed("not published: start of a transfer"));
  d.set(&Arch::flagLatency, 8, assumed("not published: set_flag to wait_flag"));
  return d;
}

/// What the vendor does not publish of it is 910B's.
Datasheet ascend950() {
  Datasheet d = ascend910b2().standIn("ascend950", Target::ascend950);
  constexpr const char *guide = "Ascend C, NPU architecture 3510";
  d.set(&Arch::clockGhz, 1.65, "vendor page, 950PR (Server)");
  d.set(&Arch::cores, 32, "vendor page, 950PR (Server): 32 AIC and 64 AIV");
  d.set(&Arch::l1Bytes, 512 * 1024, guide);
  d.set(&Arch::l0aBytes, 64 * 1024, guide);
  d.set(&Arch::l0bBytes, 64 * 1024, guide);
  d.set(&Arch::l0cBytes, 256 * 1024, guide);
  d.set(&Arch::ubBytes, 248 * 1024, "Ascend C, NPU architecture 3510: of 256 KiB, 8 are reserved");
  d.set(&Arch::l1ToL0a, 256, guide);
  d.set(&Arch::l1ToL0b, 256, guide);
  d.set(&Arch::l0cToL1, 128, guide);
  d.set(&Arch::l0cToUb, 128, guide);
  d.set(&Arch::ubToL1, 128, guide);
  d.set(&Arch::vectorPerCycle, 64, "Ascend C, NPU architecture 3510: 256 bytes a clock");
  return d;
}

} // namespace

const std::vector<Datasheet> &datasheets() {
  static const std::vector<Datasheet> sheets = {h100(),        h200(),       b200(),
                                                ascend910b2(), publicA2a3(), ascend950()};
  return sheets;
}

} // namespace sluice
