#include "Slots.h"

#include "Emit/Checksums.h"

#include <algorithm>
#include <tuple>

namespace sluice::tool {

SlotWatch::SlotWatch(const Program &program, const Launch &launch)
    : program_(program), read_(slotsRead(program)), grid_(gridExtents(program, launch)) {
  grid_.resize(3, 1);
}

void SlotWatch::see(const Agent &agent, const Stmt &wait, const SlotBytes &bytes) {
  const auto buffers = read_.find(&wait);
  if (buffers == read_.end() || agent.warpInRole() != 0)
    return;
  const auto &at = agent.id().cta;
  const int64_t cta = at[0] + grid_[0] * (at[1] + grid_[1] * at[2]);
  const int64_t slot = agent.value(std::get<MbarrierWait>(wait.op).barrier.slot);
  std::vector<SeenSlot> found;
  for (int buffer : buffers->second) {
    const Buffer &b = program_.buffers[buffer];
    found.push_back({buffer, slot, agent.pipelinedIteration(), agent.role(),
                     b.loc.line > 0 ? b.loc : wait.loc,
                     checksum(bytes(buffer, slot).first(size_t(checksumBytes(b))))});
  }
  std::lock_guard lock(seeing_);
  std::ranges::move(found, std::back_inserter(seen_[{cta, agent.id().warp}]));
}

int64_t SlotWatch::most() const {
  size_t most = 0;
  for (const auto &[who, slots] : seen_)
    most = std::max(most, slots.size());
  return int64_t(most);
}

int64_t SlotWatch::slots() const {
  size_t all = 0;
  for (const auto &[who, slots] : seen_)
    all += slots.size();
  return int64_t(all);
}

namespace {

std::string text(const Program &program, const SeenSlot &seen, int64_t cta, size_t turn) {
  const std::string when = seen.iteration >= 0 ? "iteration " + std::to_string(seen.iteration)
                                               : "slot number " + std::to_string(turn);
  return "buffer " + program.buffers[seen.buffer].name + ", slot " + std::to_string(seen.slot) +
         ", " + when + (seen.role ? " of role " + seen.role->name : "") + ", CTA " +
         std::to_string(cta) + " at " + seen.loc.str();
}

} // namespace

SlotComparison compareSlots(const Program &program, const SlotWatch &watch, int64_t kept,
                            std::span<const uint64_t> words) {
  SlotComparison result;
  result.slots = watch.slots();
  auto first = std::tuple(SIZE_MAX, int64_t(0), 0); // turn of the warp, CTA, warp
  for (const auto &[who, slots] : watch.seen()) {
    const auto [cta, warp] = who;
    const auto of = words.subspan(size_t((cta * program.warps + warp) * (1 + kept)));
    for (size_t n = 0; n < slots.size(); ++n) {
      if (n < of[0] && of[1 + n] == slots[n].sum)
        continue;
      ++result.different;
      if (const auto here = std::tuple(n, cta, warp); here < first) {
        first = here;
        result.first = text(program, slots[n], cta, n);
      }
    }
  }
  return result;
}

} // namespace sluice::tool
