#include "Bench/Duel.h"

#include "Runtime/Timing.h"

#include <algorithm>

namespace sluice {

std::vector<CUdeviceptr> Buffers::at(bool vendor) const {
  std::vector<CUdeviceptr> addresses;
  for (const DeviceMemory &memory : memories)
    addresses.push_back(memory.address());
  if (vendor)
    addresses.back() = vendorResult->address();
  return addresses;
}

Duel::Duel(std::vector<VendorGemm> products, const std::vector<Buffers> &sets) : sets_(sets) {
  for (VendorGemm &product : products)
    vendor_.push_back({std::move(product)});
}

std::optional<Error> Duel::call(bool vendor, CUstream stream) {
  const size_t set = turn_++ % sets_.size();
  if (!vendor) {
    for (const BoundLaunch &launch : launches[set])
      if (auto failed = launch.launch(stream))
        return failed;
    return std::nullopt;
  }
  const auto at = sets_[set].at(true);
  for (const VendorCall &product : vendor_)
    if (auto failed = product.put(at, stream))
      return failed;
  return std::nullopt;
}

std::optional<Error> Duel::useGraphs() {
  for (int side = 0; side < sides(); ++side)
    for (size_t held = 0; held < sets_.size(); held += callsOfGraph) {
      auto graph = Graph::capture([&](CUstream stream) {
        std::optional<Error> failed;
        for (int i = 0; i < callsOfGraph && !failed; ++i)
          failed = call(side == 1, stream);
        return failed;
      });
      if (!graph)
        return graph.error();
      graphs_[side].push_back(std::move(*graph));
    }
  return std::nullopt;
}

std::optional<Error> Duel::launch(bool vendor) {
  if (graphs_[vendor].empty())
    return call(vendor);
  return graphs_[vendor][turn_++ % graphs_[vendor].size()].launch();
}

Result<double> Duel::time(bool vendor, int calls, const After &after) {
  const int count = (calls + callsOfLaunch() - 1) / callsOfLaunch();
  auto ms = timeCalls([&] { return launch(vendor); }, count, after);
  return ms ? Result<double>(*ms / callsOfLaunch()) : ms;
}

Result<double> Duel::timeProduct(const VendorCall &product, int calls) {
  return timeCalls([&] { return product.put(sets_[turn_++ % sets_.size()].at(true), nullptr); },
                   calls);
}

Result<std::optional<GpuState>> Duel::stateOf(bool vendor, double ms, double callMs) {
  const Driver &d = **Driver::get();
  const int calls = std::clamp(static_cast<int>(ms / std::max(callMs, 1e-3)), 2, 20000);
  CUevent half = nullptr;
  if (CUresult r = d.eventCreate(&half, 0))
    return d.error("cuEventCreate", "bench", r);
  std::optional<Error> failed;
  CUresult r = 0;
  for (int i = 0; i < calls && !failed && r == 0; ++i) {
    if (i == calls / 2)
      r = d.eventRecord(half, nullptr);
    failed = call(vendor);
  }
  if (!failed && r == 0)
    r = d.eventSynchronize(half);
  const auto state = gpuState();
  if (!failed && r == 0)
    r = d.contextSynchronize();
  d.eventDestroy(half);
  if (failed || r)
    return failed ? *failed : d.error("cuEventSynchronize", "bench", r);
  return state;
}

Result<Sustained> Duel::sustain(bool vendor, double ms, double callMs) {
  const int calls = std::max(static_cast<int>(ms / std::max(callMs, 1e-3)), 1);
  const auto before = boardEnergy();
  auto each = time(vendor, calls);
  const auto after = boardEnergy();
  if (!each)
    return each.error();
  const double joules = before && after ? *after - *before : 0;
  const int made = (calls + callsOfLaunch() - 1) / callsOfLaunch() * callsOfLaunch();
  return Sustained{*each, before && after ? std::optional(joules / made) : std::nullopt};
}

} // namespace sluice
