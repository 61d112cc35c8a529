// Bounds waits where SLUICE_WATCHDOG, a number of nanoseconds, is defined; else nothing here makes
// an instruction. A wait that takes longer is written to memory that the host sees, then the kernel
// traps. Barriers of the hardware cannot be given up: who is inside one is noted instead.
#pragma once

#include <sluice/base.cuh>

namespace sluice {

/// What one warp waits on, in SLUICE_WATCHDOG_RECORDS records, CTA after CTA. The host reads them
/// after a trap.
struct WatchdogRecord {
  enum State : u32 { none, inside, expired };
  u32 sync, state;    // number of the synchronisation
  u32 cta[3], warp;   // of the CTA
  u32 offset, parity; // mbarriers: bytes in dynamic shared memory; the parity waited for
  u64 seen;           // mbarriers: the word; counters: the value
  u32 phase, awaited; // mbarriers: parity of the phase that runs; counters: the value waited for
};

#if defined(SLUICE_WATCHDOG) && !defined(SLUICE_HOST)

#ifndef SLUICE_WATCHDOG_RECORDS
#define SLUICE_WATCHDOG_RECORDS 65536
#endif
#ifndef SLUICE_WATCHDOG_REPORT
__device__ WatchdogRecord *watchdogReport; // the host sets it before the launch
#define SLUICE_WATCHDOG_REPORT watchdogReport
#endif

/// PTX ISA "%globaltimer": nanoseconds.
__device__ __forceinline__ u64 globalTime() {
  u64 time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time)::"memory");
  return time;
}

/// All lanes that wait write the same.
[[maybe_unused]] static __device__ __noinline__ void watchdogNote(const WatchdogRecord &note) {
  const u64 cta = blockIdx.x + u64(gridDim.x) * (blockIdx.y + u64(gridDim.y) * blockIdx.z);
  const u64 index = cta * (blockDim.x / 32) + threadIdx.x / 32;
  WatchdogRecord *report = (WatchdogRecord *)(SLUICE_WATCHDOG_REPORT);
  if (!report || index >= SLUICE_WATCHDOG_RECORDS)
    return;
  volatile WatchdogRecord *to = report + index;
  to->sync = note.sync;
  to->cta[0] = blockIdx.x;
  to->cta[1] = blockIdx.y;
  to->cta[2] = blockIdx.z;
  to->warp = threadIdx.x / 32;
  to->offset = note.offset;
  to->parity = note.parity;
  to->seen = note.seen;
  to->phase = note.phase;
  to->awaited = note.awaited;
  __threadfence_system();
  to->state = note.state;
  __threadfence_system();
}

/// Leaves the other warps half as much time again to tell what they wait on.
[[maybe_unused]] static __device__ __noinline__ void watchdogExpired(const WatchdogRecord &note) {
  watchdogNote(note);
  for (const u64 begin = globalTime(); globalTime() - begin < SLUICE_WATCHDOG / 2;)
    ;
  __trap();
}

/// Runs along with a wait that polls.
struct Deadline {
  u64 begin = globalTime();
  __device__ __forceinline__ bool passed() const { return globalTime() - begin > SLUICE_WATCHDOG; }
};

/// PTX ISA "mbarrier.test_wait": the phase of parity 0 has completed, so that of parity 1 runs.
[[maybe_unused]] static __device__ __noinline__ void mbarrierExpired(u32 sync, u32 barrier,
                                                                     u32 parity) {
  extern __shared__ __align__(1024) unsigned char sharedBytes[];
  u64 word;
  u32 phase;
  asm volatile("ld.shared.b64 %0, [%1];" : "=l"(word) : "r"(barrier) : "memory");
  asm volatile("{\n"
               ".reg .pred p;\n"
               "mbarrier.test_wait.parity.shared::cta.b64 p, [%1], 0;\n"
               "selp.u32 %0, 1, 0, p;\n"
               "}"
               : "=r"(phase)
               : "r"(barrier)
               : "memory");
  const u32 start = u32(__cvta_generic_to_shared(sharedBytes)); // a lane may be here alone
  WatchdogRecord note{sync, WatchdogRecord::expired, {}, 0, barrier - start, parity, word, phase,
                      0};
  watchdogExpired(note);
}

[[maybe_unused]] static __device__ __noinline__ void counterExpired(u32 sync, int seen, int value) {
  watchdogExpired({sync, WatchdogRecord::expired, {}, 0, 0, 0, u64(i64(seen)), 0, u32(value)});
}

/// Notes that the warp is inside a barrier of the hardware while it lives.
struct Watched {
  __device__ __forceinline__ explicit Watched(u32 sync) {
    watchdogNote({sync, WatchdogRecord::inside, {}, 0, 0, 0, 0, 0, 0});
  }
  __device__ __forceinline__ ~Watched() {
    watchdogNote({0, WatchdogRecord::none, {}, 0, 0, 0, 0, 0, 0});
  }
};

#else

struct Deadline {
  __device__ __forceinline__ bool passed() const { return false; }
};
struct Watched {
  __device__ __forceinline__ explicit Watched(u32) {}
};
__device__ __forceinline__ void mbarrierExpired(u32, u32, u32) {}
__device__ __forceinline__ void counterExpired(u32, int, int) {}

#endif

} // namespace sluice
