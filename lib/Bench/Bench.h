// A kernel against the vendor's library, in one process, in turns.
#pragma once

#include "Bench/GpuState.h"
#include "Bench/VendorGemm.h"
#include "Emit/Emit.h"
#include "Support/HostTensor.h"

namespace sluice {

struct BenchOptions {
  int64_t l2Bytes = 0; // second-level cache of the machine
  int rounds = 30;
  double stateMs = 150;  // calls of either before clock and power are read
  double sustainMs = 0;  // calls of either at a stretch, twice in turns; 0: none
  double callsMs = 0.5;  // a measurement takes as many calls as fill this time, at most 20
  double graphMs = 0.05; // launches shorter than this are put into graphs of 20 calls
  double leadMs = 0.1;   // of calls before each that are not timed: the host queues the others
};

/// Median and quartiles.
struct Spread {
  double low = 0, median = 0, high = 0;
};
Spread spreadOf(std::vector<double> values);

struct BenchResult {
  Spread ms, vendorMs;                        // of one call
  Spread mhz, vendorMhz;                      // of the SMs meanwhile
  Spread ratio;                               // of speed, per round: above 1, the kernel is faster
  double difference = 0;                      // max |C - vendor's C| / max |vendor's C|
  std::optional<GpuState> state, vendorState; // after a while of nothing but either's calls
  std::optional<Sustained> sustained, vendorSustained; // where asked for
  int products = 0;   // of the vendor's that one call of the kernel stands for
  int algorithms = 0; // of each at most that were tried; the fastest is the peer
  std::string device, vendor;
  std::string withoutVendor; // why the kernel ran alone; empty: it did not
};

/// A kernel on a part of each tensor, or on all of it.
struct BenchLaunch {
  EmittedSource source;
  Launch launch;                // as it is passed: extents of the parts, strides of the tensors
  std::vector<int64_t> offsets; // bytes from the start of each tensor to the part
};

/// Launches, one after the other, and the vendor's products that write the same C, alone where the
/// vendor has no such product or none is given; tensors: those of the launches, of products C last.
/// Buffers rotate over more than four times the second-level cache, so that no call finds its
/// operands there by grace of the one before.
Result<BenchResult> benchProducts(const std::vector<BenchLaunch> &launches,
                                  const std::vector<HostTensor> &tensors,
                                  const std::vector<VendorProduct> &products,
                                  const BenchOptions &options);

} // namespace sluice
