#include "Simulate/Unit.h"

#include <cstring>

namespace sluice {

/// In the grid, x fastest.
int64_t UnitLaunches::nextNumber() {
  const std::optional<Coordinates> next = launches_.take();
  if (!next)
    return -1;
  const auto &[x, y, z] = *next;
  return x + world_.grid[0] * (y + world_.grid[1] * z);
}

std::vector<UnitLaunches::Receiver> UnitLaunches::receivers(Actor &a, const Stmt &s,
                                                            const ClcTryCancel &op) {
  const UnitBarriers::BarrierPlace own = parts_.barriers.place(a, s, op.barrier);
  if (!own.slot || !wellFormed(a, s))
    return {};
  std::vector<Receiver> found;
  for (int cta = 0; cta < static_cast<int>(ctas_.size()); ++cta) {
    if (!op.multicast && cta != a.cta)
      continue;
    if (ctas_[cta].live == 0)
      fail("R10", agentName(a) + " has a response sent to a CTA of the cluster that has ended",
           s.loc);
    found.push_back({cta, op.multicast ? parts_.barriers.placeAt(cta, own) : own, {}});
    if (world_.values())
      found.back().response = resolve(a, op.response, cta);
  }
  return found;
}

/// The first number of a response is what its query says; the others nobody reads.
static void write(const Tile &response, int64_t number) {
  const int32_t words[4] = {static_cast<int32_t>(number), 0, 0, 0};
  std::byte bytes[sizeof words];
  std::memcpy(bytes, words, sizeof words);
  response.scatter({0, 1}, bytes);
}

/// Answered after a trip to whoever launches, which is taken to be as far as L2.
UnitLaunches::Step UnitLaunches::tryCancel(Actor &a, const Stmt &s, const ClcTryCancel &op) {
  if (sawNone_.contains(a.cta))
    fail("R46", agentName(a) + " asks for a cluster although its CTA has seen that none is left",
         s.loc);
  std::vector<Receiver> to = receivers(a, s, op);
  if (violation_ || to.empty())
    return Step::done;
  const double end = a.time + world_.arch.loadLatency + delay();
  parts_.report.recordUse(a, op.response, a.time, end, true);
  const UnitNumbers::NumberKey key = parts_.numbers.numberKey(a, op.response);
  const Stmt *at = &s;
  schedule(end, a.cta, [this, to = std::move(to), key, at] {
    const int64_t number = nextNumber();
    for (const Receiver &r : to) {
      if (world_.values())
        write(r.response, number);
      else
        parts_.numbers.put(r.cta, {{key, number}});
      parts_.barriers.settle(r.barrier,
                             r.barrier.slot->state.completeTx(ClcTryCancel::responseBytes), *at);
    }
  });
  return parts_.report.issued(a, s, world_.arch.issueCycles);
}

} // namespace sluice
