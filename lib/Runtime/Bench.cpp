#include "Runtime/Bench.h"

#include "Runtime/ClockStamps.h"
#include "Runtime/Compile.h"
#include "Runtime/DeviceMemory.h"
#include "Runtime/Graph.h"
#include "Runtime/Timing.h"
#include "Runtime/VendorGemm.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace sluice {
namespace {

/// One copy of the inputs on the device, and a C for each of the two.
struct Buffers {
  std::vector<DeviceMemory> memories; // inputs, C, the vendor's C

  std::vector<CUdeviceptr> at(bool vendor) const {
    std::vector<CUdeviceptr> addresses;
    for (size_t i = 0; i + 2 < memories.size(); ++i)
      addresses.push_back(memories[i].address());
    addresses.push_back(memories[memories.size() - (vendor ? 1 : 2)].address());
    return addresses;
  }
};

Result<Buffers> makeBuffers(const Driver &d, const std::vector<HostTensor> &tensors) {
  Buffers buffers;
  const size_t inputs = tensors.size() - 1;
  for (size_t i = 0; i < inputs + 2; ++i) {
    const HostTensor &t = tensors[std::min(i, inputs)];
    auto memory = DeviceMemory::allocate(int64_t(t.bytes.size()), "bench");
    if (!memory)
      return memory.error();
    const CUresult r = i < inputs
                           ? d.copyToDevice(memory->address(), t.bytes.data(), t.bytes.size())
                           : d.memsetD8(memory->address(), 0xff, t.bytes.size());
    if (r)
      return d.error("cuMemcpyHtoD", "bench", r);
    buffers.memories.push_back(std::move(*memory));
  }
  return buffers;
}

Result<HostTensor> fetch(const Driver &d, const HostTensor &like, CUdeviceptr from) {
  HostTensor t = like;
  if (CUresult r = d.copyToHost(t.bytes.data(), from, t.bytes.size()))
    return d.error("cuMemcpyDtoH", "bench", r);
  return t;
}

/// max |x - y| / max |y|; infinite where x holds what no number is.
double differenceOf(const HostTensor &x, const HostTensor &y) {
  const int64_t count = x.elements(), chunk = 4096;
  std::vector<float> a(chunk), b(chunk);
  double most = 0, largest = 0;
  for (int64_t i = 0; i < count; i += chunk) {
    const int64_t n = std::min(chunk, count - i), offset = i * byteSize(x.type);
    loadElements(x.type, x.bytes.data() + offset, n, a.data());
    loadElements(y.type, y.bytes.data() + offset, n, b.data());
    for (int64_t e = 0; e < n; ++e) {
      const double difference = std::abs(double(a[e]) - double(b[e]));
      most = std::isfinite(difference) ? std::max(most, difference) : HUGE_VAL;
      largest = std::max(largest, std::abs(double(b[e])));
    }
  }
  return largest > 0 ? most / largest : most;
}

constexpr int callsOfGraph = 20;

/// The two products, each on the next set of buffers with every call. Without a vendor: ours alone.
class Duel {
public:
  Duel(const VendorGemm *vendor, const std::vector<Buffers> &sets) : vendor_(vendor), sets_(sets) {}

  std::vector<BoundLaunch> launches; // one a set
  int algorithm = 0;

  int sides() const { return vendor_ ? 2 : 1; } // ours, the vendor's

  /// Puts a call on a stream.
  std::optional<Error> call(bool vendor, CUstream stream = nullptr) {
    const size_t set = turn_++ % sets_.size();
    return vendor ? vendor_->call(algorithm, sets_[set].at(true), stream)
                  : launches[set].launch(stream);
  }
  /// From now on calls are put on the stream by graphs of twenty.
  std::optional<Error> useGraphs() {
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
  int callsOfLaunch() const { return graphs_[0].empty() ? 1 : callsOfGraph; }
  /// One call, or a graph of them.
  std::optional<Error> launch(bool vendor) {
    if (graphs_[vendor].empty())
      return call(vendor);
    return graphs_[vendor][turn_++ % graphs_[vendor].size()].launch();
  }

  /// Milliseconds of a call; `after` follows on the stream at once.
  using After = std::function<std::optional<Error>()>;
  Result<double> time(bool vendor, int calls, const After &after = {}) {
    const int count = (calls + callsOfLaunch() - 1) / callsOfLaunch();
    auto ms = timeCalls([&] { return launch(vendor); }, count, after);
    return ms ? Result<double>(*ms / callsOfLaunch()) : ms;
  }

  /// Clock and power in the middle of `ms` of calls.
  Result<std::optional<GpuState>> stateOf(bool vendor, double ms, double callMs) {
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

private:
  const VendorGemm *vendor_;
  const std::vector<Buffers> &sets_;
  std::vector<Graph> graphs_[2]; // ours, the vendor's
  size_t turn_ = 0;
};

int callsFor(double ms, const BenchOptions &options) {
  return std::clamp(static_cast<int>(std::ceil(options.callsMs / std::max(ms, 1e-3))), 1,
                    callsOfGraph);
}

/// Makes the fastest of the vendor's algorithms the peer.
std::optional<Error> chooseAlgorithm(Duel &duel, const VendorGemm &vendor,
                                     const BenchOptions &options) {
  double best = HUGE_VAL;
  int chosen = 0;
  for (duel.algorithm = 0; duel.algorithm < vendor.algorithms(); ++duel.algorithm) {
    auto warm = duel.time(true, 2);
    if (!warm)
      return warm.error();
    std::vector<double> times;
    for (int i = 0; i < 5; ++i) {
      auto ms = duel.time(true, callsFor(*warm, options));
      if (!ms)
        return ms.error();
      times.push_back(*ms);
    }
    if (const double median = spreadOf(times).median; median < best)
      best = median, chosen = duel.algorithm;
  }
  duel.algorithm = chosen;
  return std::nullopt;
}

/// Turn by turn, ours in the first span of the clock of every round. SMs without work do not count
/// clocks: calls that are not timed lead over to those that are.
std::optional<Error> fight(Duel &duel, int calls, int lead, int rounds, BenchResult &result) {
  const int sides = duel.sides();
  auto clock = ClockStamps::create(sides * rounds);
  if (!clock)
    return clock.error();
  std::vector<double> ms[2], mhz[2], ratios;
  for (int span = 0; span < sides * rounds; ++span) {
    const bool vendor = span % sides == 1;
    for (int i = 0; i < lead; i += duel.callsOfLaunch())
      if (auto failed = duel.launch(vendor))
        return failed;
    if (auto failed = clock->begin(span))
      return failed;
    auto time = duel.time(vendor, calls, [&] { return clock->end(span); });
    if (!time)
      return time.error();
    ms[vendor].push_back(*time);
    if (vendor)
      ratios.push_back(ms[1].back() / ms[0].back());
  }
  auto clocks = clock->megahertz();
  if (!clocks)
    return clocks.error();
  for (int span = 0; span < sides * rounds; ++span)
    mhz[span % sides].push_back((*clocks)[span]);
  result.ms = spreadOf(ms[0]), result.mhz = spreadOf(mhz[0]);
  if (sides == 2)
    result.vendorMs = spreadOf(ms[1]), result.vendorMhz = spreadOf(mhz[1]),
    result.ratio = spreadOf(ratios);
  return std::nullopt;
}

/// Both on every set of buffers: the difference of their results, and the vendor's best algorithm.
std::optional<Error> compare(Duel &duel, const VendorGemm &vendor, const std::vector<Buffers> &sets,
                             const HostTensor &c, const BenchOptions &options,
                             BenchResult &result) {
  if (auto warm = duel.time(true, int(sets.size())); !warm)
    return warm.error();
  const Driver &d = **Driver::get();
  auto ours = fetch(d, c, sets[0].at(false).back());
  auto theirs = fetch(d, c, sets[0].at(true).back());
  if (!ours || !theirs)
    return ours ? theirs.error() : ours.error();
  result.difference = differenceOf(*ours, *theirs);
  result.algorithms = vendor.algorithms();
  result.vendor = vendor.version();
  return chooseAlgorithm(duel, vendor, options);
}

} // namespace

Spread spreadOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double part) { return values[size_t(part * double(values.size() - 1))]; };
  return {at(0.25), at(0.5), at(0.75)};
}

Result<BenchResult> benchGemm(const EmittedSource &source, const std::vector<int64_t> &arguments,
                              const std::vector<HostTensor> &tensors, const BenchOptions &options) {
  auto vendor = VendorGemm::prepare(tensors, options.epilogue);
  if (!vendor && vendor.error().kind != Error::unsupported)
    return vendor.error();
  const Driver &d = **Driver::get();
  auto cubin = compileCuda(source.text, source.plan.kernel);
  if (!cubin)
    return cubin.error();
  auto kernel = DeviceKernel::load(source.plan, *cubin);
  if (!kernel)
    return kernel.error();
  int64_t bytes = 0;
  Launch launch{{}, arguments};
  for (const HostTensor &t : tensors)
    bytes += int64_t(t.bytes.size()), launch.tensors.push_back(t.shape());
  std::vector<Buffers> sets;
  for (int64_t held = 0; held <= 4 * options.l2Bytes && sets.size() < 64;
       held += std::max<int64_t>(bytes, 1)) {
    auto set = makeBuffers(d, tensors);
    if (!set)
      return set.error();
    sets.push_back(std::move(*set));
  }
  Duel duel(vendor ? &*vendor : nullptr, sets);
  for (const Buffers &set : sets) {
    const auto at = set.at(false);
    auto bound = kernel->bind({tensorArguments(source.plan, launch, at), launch.arguments});
    if (!bound)
      return bound.error();
    duel.launches.push_back(*bound);
  }
  if (auto first = duel.time(false, int(sets.size())); !first)
    return first.error();
  BenchResult result;
  if (!vendor)
    result.withoutVendor = vendor.error().message;
  else if (auto failed = compare(duel, *vendor, sets, tensors.back(), options, result))
    return *failed;
  auto one = duel.time(false, 3);
  if (!one)
    return one.error();
  if (*one < options.graphMs)
    if (auto failed = duel.useGraphs())
      return *failed;
  const int calls = callsFor(*one, options);
  const int lead = static_cast<int>(std::ceil(options.leadMs / std::max(*one, 1e-3)));
  if (auto failed = fight(duel, calls, lead, options.rounds, result))
    return *failed;
  for (int side = 0; side < duel.sides(); ++side) {
    const double ms = (side ? result.vendorMs : result.ms).median;
    auto state = duel.stateOf(side == 1, options.stateMs, ms);
    if (!state)
      return state.error();
    (side ? result.vendorState : result.state) = *state;
  }
  result.device = cudaDevice()->name;
  return result;
}

} // namespace sluice
