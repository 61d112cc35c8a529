// A kernel and the vendor's products that write the same, each put on the stream and timed in the
// same way.
#pragma once

#include "Bench/GpuState.h"
#include "Bench/Graph.h"
#include "Bench/VendorGemm.h"
#include "Runtime/DeviceKernel.h"
#include "Runtime/DeviceMemory.h"

#include <functional>
#include <optional>
#include <vector>

namespace sluice {

/// One copy of the tensors on the device; of the last, which the vendor writes too, another for it.
struct Buffers {
  std::vector<DeviceMemory> memories;
  std::optional<DeviceMemory> vendorResult = std::nullopt;

  std::vector<CUdeviceptr> at(bool vendor) const;
};

/// A product of the vendor's, and which of its algorithms is called.
struct VendorCall {
  VendorGemm product;
  int algorithm = 0;

  std::optional<Error> put(const std::vector<CUdeviceptr> &at, CUstream stream) const {
    return product.call(algorithm, at, stream);
  }
};

/// Every call takes the next set of buffers. Without products: the kernel alone.
class Duel {
public:
  static constexpr int callsOfGraph = 20;

  Duel(std::vector<VendorGemm> products, const std::vector<Buffers> &sets);

  std::vector<std::vector<BoundLaunch>> launches; // of a call, for each set

  int sides() const { return vendor_.empty() ? 1 : 2; } // ours, the vendor's
  std::vector<VendorCall> &vendor() { return vendor_; }

  /// Puts a call on a stream.
  std::optional<Error> call(bool vendor, CUstream stream = nullptr);
  /// From now on calls are put on the stream by graphs.
  std::optional<Error> useGraphs();
  int callsOfLaunch() const { return graphs_[0].empty() ? 1 : callsOfGraph; }
  /// One call, or a graph of them.
  std::optional<Error> launch(bool vendor);

  /// Milliseconds of a call; `after` follows on the stream at once.
  using After = std::function<std::optional<Error>()>;
  Result<double> time(bool vendor, int calls, const After &after = {});
  /// The same of one product of the vendor's.
  Result<double> timeProduct(const VendorCall &product, int calls);

  /// Clock and power in the middle of `ms` of calls.
  Result<std::optional<GpuState>> stateOf(bool vendor, double ms, double callMs);
  /// What a call takes over `ms` of nothing else.
  Result<Sustained> sustain(bool vendor, double ms, double callMs);

private:
  std::vector<VendorCall> vendor_;
  const std::vector<Buffers> &sets_;
  std::vector<Graph> graphs_[2]; // ours, the vendor's
  size_t turn_ = 0;
};

} // namespace sluice
