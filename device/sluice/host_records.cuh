// The host side of a kernel printed with stamps or checksums: memory for what it writes down, and
// that as a short table. Goes with host.cuh.
#pragma once

#include <sluice/checksums.cuh>
#include <sluice/host.cuh>
#include <sluice/stamps.cuh>

namespace sluice {
namespace host {

/// Device memory, all zero.
template <class Record> class Records {
public:
  Records(const char *name, i64 count) : name_(name), count_(size_t(count)) {
    const cudaError_t result = cudaMalloc(&device_, bytes());
    if (result != cudaSuccess)
      fail("no %.1f MB of device memory for %s: %s", bytes() / 1e6, name,
           cudaGetErrorString(result));
    check(cudaMemset(device_, 0, bytes()), "cudaMemset", name);
  }
  Records(const Records &) = delete;
  ~Records() { cudaFree(device_); }

  Record *data() const { return device_; }
  std::vector<Record> download() const {
    std::vector<Record> records(count_);
    check(cudaMemcpy(records.data(), device_, bytes(), cudaMemcpyDeviceToHost),
          "cudaMemcpy from the device", name_);
    return records;
  }

private:
  size_t bytes() const { return count_ * sizeof(Record); }
  const char *name_;
  size_t count_;
  Record *device_ = nullptr;
};

/// Of one event, over all warps.
struct EventTotal {
  i64 times = 0, cycles = 0, longest = 0;
};

/// A line for every warp of the CTA and for every event; `names` are those of the events, from 1.
inline void printStamps(const Records<Stamp> &memory, int warps, i64 kept, i64 cta,
                        const std::vector<const char *> &names) {
  const std::vector<Stamp> all = memory.download();
  u64 first = ~u64(0);
  for (int w = 0; w < warps; ++w)
    if (const Stamp &whole = all[size_t(w * (1 + kept))]; whole.cycles)
      first = std::min(first, whole.begin);
  std::vector<EventTotal> totals(names.size());
  std::printf("CTA %lld, clocks of its SM\n  %-40s %10s %10s %10s\n", cta, "", "from", "cycles",
              "events");
  for (int w = 0; w < warps; ++w) {
    const Stamp *own = &all[size_t(w * (1 + kept))];
    if (!own->cycles)
      continue;
    std::printf("  warp %-35d %10llu %10u %10u\n", w, own->begin - first, own->cycles, own->event);
    for (i64 e = 1; e <= std::min<i64>(own->event, kept); ++e) {
      if (own[e].event == 0 || own[e].event > totals.size())
        continue;
      EventTotal &total = totals[own[e].event - 1];
      ++total.times;
      total.cycles += own[e].cycles;
      total.longest = std::max<i64>(total.longest, own[e].cycles);
    }
  }
  std::printf("  %-40s %10s %10s %10s\n", "", "times", "cycles", "longest");
  for (size_t e = 0; e < names.size(); ++e)
    if (totals[e].times)
      std::printf("  %-40s %10lld %10lld %10lld\n", names[e], totals[e].times, totals[e].cycles,
                  totals[e].longest);
}

/// A line for each of the first warps that took sums, and one for all. `together` is of a warp's
/// sums in their order.
inline void printChecksums(const Records<u64> &memory, i64 ctas, int warps, i64 kept) {
  constexpr int shown = 8;
  const std::vector<u64> all = memory.download();
  i64 sums = 0, summing = 0;
  u64 everything = 0;
  std::printf("  %-30s %10s %20s %20s\n", "", "sums", "first", "together");
  for (i64 w = 0; w < ctas * warps; ++w) {
    const u64 *own = &all[size_t(w * (1 + kept))];
    u64 together = 0;
    for (i64 i = 1; i <= std::min<i64>(i64(own[0]), kept); ++i)
      together = together * 31 + own[i];
    if (own[0] && ++summing <= shown)
      std::printf("  CTA %-6lld warp %-14lld %10llu   0x%016llx   0x%016llx\n", w / warps,
                  w % warps, own[0], own[1], together);
    sums += i64(own[0]);
    everything += together;
  }
  std::printf("  all %-10lld warps            %10lld %20s   0x%016llx\n", summing, sums, "",
              everything);
}

} // namespace host
} // namespace sluice
