#include "Bench/Bench.h"

#include "Bench/ClockStamps.h"
#include "Bench/Duel.h"
#include "Runtime/Compile.h"

#include <algorithm>
#include <cmath>

namespace sluice {
namespace {

/// As the tensor is, or with nothing that is a number.
Result<DeviceMemory> onDevice(const Driver &d, const HostTensor &t, bool poisoned) {
  const std::vector<std::byte> bytes = bytesOfDevice(t);
  auto memory = DeviceMemory::allocate(int64_t(bytes.size()), "bench");
  if (!memory)
    return memory.error();
  const CUresult r = poisoned ? d.memsetD8(memory->address(), 0xff, bytes.size())
                              : d.copyToDevice(memory->address(), bytes.data(), bytes.size());
  if (r)
    return d.error("cuMemcpyHtoD", "bench", r);
  return memory;
}

/// `compared`: the last tensor is written by the vendor too.
Result<Buffers> makeBuffers(const Driver &d, const std::vector<HostTensor> &tensors,
                            bool compared) {
  Buffers buffers;
  for (const HostTensor &t : tensors) {
    auto memory = onDevice(d, t, compared && &t == &tensors.back());
    if (!memory)
      return memory.error();
    buffers.memories.push_back(std::move(*memory));
  }
  if (!compared)
    return buffers;
  auto result = onDevice(d, tensors.back(), true);
  if (!result)
    return result.error();
  buffers.vendorResult.emplace(std::move(*result));
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

int callsFor(double ms, const BenchOptions &options) {
  return std::clamp(static_cast<int>(std::ceil(options.callsMs / std::max(ms, 1e-3))), 1,
                    Duel::callsOfGraph);
}

/// Makes the fastest of a product's algorithms the peer.
std::optional<Error> chooseAlgorithm(Duel &duel, VendorCall &vendor, const BenchOptions &options) {
  double best = HUGE_VAL;
  int chosen = 0;
  for (vendor.algorithm = 0; vendor.algorithm < vendor.product.algorithms(); ++vendor.algorithm) {
    auto warm = duel.timeProduct(vendor, 2);
    if (!warm)
      return warm.error();
    std::vector<double> times;
    for (int i = 0; i < 5; ++i) {
      auto ms = duel.timeProduct(vendor, callsFor(*warm, options));
      if (!ms)
        return ms.error();
      times.push_back(*ms);
    }
    if (const double median = spreadOf(times).median; median < best)
      best = median, chosen = vendor.algorithm;
  }
  vendor.algorithm = chosen;
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

/// Both on every set of buffers: the difference of their results, and the vendor's best algorithms.
std::optional<Error> compare(Duel &duel, const std::vector<Buffers> &sets, const HostTensor &c,
                             const BenchOptions &options, BenchResult &result) {
  if (auto warm = duel.time(true, int(sets.size())); !warm)
    return warm.error();
  const Driver &d = **Driver::get();
  auto ours = fetch(d, c, sets[0].at(false).back());
  auto theirs = fetch(d, c, sets[0].at(true).back());
  if (!ours || !theirs)
    return ours ? theirs.error() : ours.error();
  result.difference = differenceOf(*ours, *theirs);
  result.products = static_cast<int>(duel.vendor().size());
  result.vendor = duel.vendor().front().product.version();
  for (VendorCall &vendor : duel.vendor()) {
    result.algorithms = std::max(result.algorithms, vendor.product.algorithms());
    if (auto failed = chooseAlgorithm(duel, vendor, options))
      return failed;
  }
  return std::nullopt;
}

/// As many copies of the buffers as keep the second-level cache from holding them.
Result<std::vector<Buffers>> makeSets(const Driver &d, const std::vector<HostTensor> &tensors,
                                      bool compared, int64_t l2Bytes) {
  constexpr size_t most = 64;
  int64_t bytes = 0;
  for (const HostTensor &t : tensors)
    bytes += bytesInTensors(t.type, int64_t(t.bytes.size()) / byteSize(t.type));
  std::vector<Buffers> sets;
  for (int64_t held = 0; held <= 4 * l2Bytes && sets.size() < most;
       held += std::max<int64_t>(bytes, 1)) {
    auto set = makeBuffers(d, tensors, compared);
    if (!set)
      return set.error();
    sets.push_back(std::move(*set));
  }
  return sets;
}

Result<DeviceKernel> loadKernel(const EmittedSource &source) {
  auto cubin = compileCuda(source.text, source.plan.kernel);
  if (!cubin)
    return cubin.error();
  return DeviceKernel::load(source.plan, *cubin);
}

/// One of the launches of every set's call.
std::optional<Error> bindLaunch(const DeviceKernel &kernel, const BenchLaunch &how,
                                const std::vector<Buffers> &sets, Duel &duel) {
  duel.launches.resize(sets.size());
  for (size_t set = 0; set < sets.size(); ++set) {
    auto at = sets[set].at(false);
    for (size_t i = 0; i < at.size(); ++i)
      at[i] += how.offsets[i];
    auto bound =
        kernel.bind({tensorArguments(kernel.plan(), how.launch, at), how.launch.arguments});
    if (!bound)
      return bound.error();
    duel.launches[set].push_back(*bound);
  }
  return std::nullopt;
}

/// In turns, so that both have a warm board.
std::optional<Error> sustain(Duel &duel, const BenchOptions &options, BenchResult &result) {
  constexpr int turns = 2;
  std::optional<Sustained> *of[] = {&result.sustained, &result.vendorSustained};
  for (int turn = 0; turn < turns; ++turn)
    for (int side = 0; side < duel.sides(); ++side) {
      const double ms = (side ? result.vendorMs : result.ms).median;
      auto now = duel.sustain(side == 1, options.sustainMs, ms);
      if (!now)
        return now.error();
      std::optional<Sustained> &mean = *of[side];
      if (!mean)
        mean = Sustained{0, now->joules ? std::optional(0.0) : std::nullopt};
      mean->ms += now->ms / turns;
      if (mean->joules && now->joules)
        *mean->joules += *now->joules / turns;
    }
  return std::nullopt;
}

/// The rounds, when all is in place.
std::optional<Error> measure(Duel &duel, const BenchOptions &options, BenchResult &result) {
  auto one = duel.time(false, 3);
  if (!one)
    return one.error();
  if (*one / std::max(result.products, 1) < options.graphMs)
    if (auto failed = duel.useGraphs())
      return failed;
  const int calls = callsFor(*one, options);
  const int lead = static_cast<int>(std::ceil(options.leadMs / std::max(*one, 1e-3)));
  if (auto failed = fight(duel, calls, lead, options.rounds, result))
    return failed;
  for (int side = 0; side < duel.sides(); ++side) {
    const double ms = (side ? result.vendorMs : result.ms).median;
    auto state = duel.stateOf(side == 1, options.stateMs, ms);
    if (!state)
      return state.error();
    (side ? result.vendorState : result.state) = *state;
  }
  return options.sustainMs > 0 ? sustain(duel, options, result) : std::nullopt;
}

} // namespace

Spread spreadOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double part) { return values[size_t(part * double(values.size() - 1))]; };
  return {at(0.25), at(0.5), at(0.75)};
}

Result<BenchResult> benchProducts(const std::vector<BenchLaunch> &launches,
                                  const std::vector<HostTensor> &tensors,
                                  const std::vector<VendorProduct> &products,
                                  const BenchOptions &options) {
  auto vendor = products.empty() ? Result<std::vector<VendorGemm>>(
                                       unsupportedError("cuBLASLt computes nothing of the kind"))
                                 : VendorGemm::prepare(products);
  if (!vendor && vendor.error().kind != Error::unsupported)
    return vendor.error();
  std::vector<DeviceKernel> kernels;
  for (const BenchLaunch &launch : launches) {
    auto kernel = loadKernel(launch.source);
    if (!kernel)
      return kernel.error();
    kernels.push_back(std::move(*kernel));
  }
  auto sets = makeSets(**Driver::get(), tensors, bool(vendor), options.l2Bytes);
  if (!sets)
    return sets.error();
  Duel duel(vendor ? std::move(*vendor) : std::vector<VendorGemm>{}, *sets);
  for (size_t i = 0; i < launches.size(); ++i)
    if (auto failed = bindLaunch(kernels[i], launches[i], *sets, duel))
      return *failed;
  if (auto first = duel.time(false, int(sets->size())); !first)
    return first.error();
  BenchResult result;
  if (!vendor)
    result.withoutVendor = vendor.error().message;
  else if (auto failed = compare(duel, *sets, tensors.back(), options, result))
    return *failed;
  if (auto failed = measure(duel, options, result))
    return *failed;
  result.device = cudaDevice()->name;
  return result;
}

} // namespace sluice
