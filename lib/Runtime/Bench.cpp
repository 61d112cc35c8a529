#include "Runtime/Bench.h"

#include "Runtime/ClockStamps.h"
#include "Runtime/Compile.h"
#include "Runtime/DeviceMemory.h"
#include "Runtime/Timing.h"
#include "Runtime/VendorGemm.h"

#include <algorithm>
#include <cmath>

namespace sluice {
namespace {

/// One copy of A and B on the device, and a C for each of the two.
struct Buffers {
  std::vector<DeviceMemory> memories; // A, B, C, the vendor's C

  std::vector<CUdeviceptr> at(bool vendor) const {
    return {memories[0].address(), memories[1].address(), memories[vendor ? 3 : 2].address()};
  }
};

Result<Buffers> makeBuffers(const Driver &d, const std::vector<HostTensor> &tensors) {
  Buffers buffers;
  for (size_t i = 0; i < 4; ++i) {
    const HostTensor &t = tensors[std::min<size_t>(i, 2)];
    auto memory = DeviceMemory::allocate(int64_t(t.bytes.size()), "bench");
    if (!memory)
      return memory.error();
    const CUresult r = i < 2 ? d.copyToDevice(memory->address(), t.bytes.data(), t.bytes.size())
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

/// The two products, each on the next set of buffers with every call.
class Duel {
public:
  Duel(const VendorGemm &vendor, const std::vector<Buffers> &sets) : vendor_(vendor), sets_(sets) {}

  std::vector<BoundLaunch> launches; // one a set
  int algorithm = 0;

  Result<double> ours(int calls) {
    return timeCalls([&] { return launches[next()].launch(); }, calls);
  }
  Result<double> theirs(int calls) {
    return timeCalls([&] { return vendor_.call(algorithm, sets_[next()].at(true)); }, calls);
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
      failed = vendor ? vendor_.call(algorithm, sets_[next()].at(true)) : launches[next()].launch();
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
  size_t next() { return turn_++ % sets_.size(); }

  const VendorGemm &vendor_;
  const std::vector<Buffers> &sets_;
  size_t turn_ = 0;
};

int callsFor(double ms, const BenchOptions &options) {
  return std::clamp(static_cast<int>(std::ceil(options.callsMs / std::max(ms, 1e-3))), 1, 20);
}

/// Makes the fastest of the vendor's algorithms the peer.
std::optional<Error> chooseAlgorithm(Duel &duel, const VendorGemm &vendor,
                                     const BenchOptions &options) {
  double best = HUGE_VAL;
  int chosen = 0;
  for (duel.algorithm = 0; duel.algorithm < vendor.algorithms(); ++duel.algorithm) {
    auto warm = duel.theirs(2);
    if (!warm)
      return warm.error();
    std::vector<double> times;
    for (int i = 0; i < 5; ++i) {
      auto ms = duel.theirs(callsFor(*warm, options));
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

/// Turn by turn, ours in the even spans of the clock.
std::optional<Error> fight(Duel &duel, int calls, int rounds, BenchResult &result) {
  auto clock = ClockStamps::create(2 * rounds);
  if (!clock)
    return clock.error();
  std::vector<double> ms[2], mhz[2], ratios;
  for (int span = 0; span < 2 * rounds; ++span) {
    if (auto failed = clock->begin(span))
      return failed;
    auto time = span % 2 == 0 ? duel.ours(calls) : duel.theirs(calls);
    if (!time)
      return time.error();
    if (auto failed = clock->end(span))
      return failed;
    ms[span % 2].push_back(*time);
    if (span % 2 == 1)
      ratios.push_back(ms[1].back() / ms[0].back());
  }
  auto clocks = clock->megahertz();
  if (!clocks)
    return clocks.error();
  for (int span = 0; span < 2 * rounds; ++span)
    mhz[span % 2].push_back((*clocks)[span]);
  result.ms = spreadOf(ms[0]), result.vendorMs = spreadOf(ms[1]), result.ratio = spreadOf(ratios);
  result.mhz = spreadOf(mhz[0]), result.vendorMhz = spreadOf(mhz[1]);
  return std::nullopt;
}

} // namespace

Spread spreadOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double part) { return values[size_t(part * double(values.size() - 1))]; };
  return {at(0.25), at(0.5), at(0.75)};
}

Result<BenchResult> benchGemm(const EmittedSource &source, const std::vector<int64_t> &arguments,
                              const std::vector<HostTensor> &tensors, const BenchOptions &options) {
  auto vendor = VendorGemm::prepare(tensors);
  if (!vendor)
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
  Duel duel(*vendor, sets);
  for (const Buffers &set : sets) {
    const auto at = set.at(false);
    auto bound = kernel->bind({tensorArguments(source.plan, launch, at), launch.arguments});
    if (!bound)
      return bound.error();
    duel.launches.push_back(std::move(*bound));
  }
  auto first = duel.ours(static_cast<int>(sets.size())), warm = duel.theirs(int(sets.size()));
  if (!first || !warm)
    return first ? warm.error() : first.error();
  auto ours = fetch(d, tensors[2], sets[0].at(false)[2]);
  auto theirs = fetch(d, tensors[2], sets[0].at(true)[2]);
  if (!ours || !theirs)
    return ours ? theirs.error() : ours.error();
  BenchResult result;
  result.difference = differenceOf(*ours, *theirs);
  if (auto failed = chooseAlgorithm(duel, *vendor, options))
    return *failed;
  auto one = duel.ours(3);
  if (!one)
    return one.error();
  const int calls = callsFor(*one, options);
  if (auto failed = fight(duel, calls, options.rounds, result))
    return *failed;
  auto state = duel.stateOf(false, options.stateMs, result.ms.median);
  auto vendorState = duel.stateOf(true, options.stateMs, result.vendorMs.median);
  if (!state || !vendorState)
    return state ? vendorState.error() : state.error();
  result.state = *state, result.vendorState = *vendorState;
  result.algorithms = vendor->algorithms();
  result.device = cudaDevice()->name;
  result.vendor = vendor->version();
  return result;
}

} // namespace sluice
