#include "Transform/Barrier/Ends.h"

#include <algorithm>

namespace sluice {

int64_t Share::stride() const {
  int64_t stride = 1;
  for (size_t d = 0; d < along; ++d)
    stride *= cluster[d];
  return stride;
}

int64_t Share::mask(int64_t first) const {
  int64_t mask = 0;
  for (int64_t i = 0; i < count(); ++i)
    mask |= int64_t{1} << (first + i * stride());
  return mask;
}

namespace {

/// The one of several warps that issues copies waits for room alone: the others go on, and would
/// miss phases that nobody hears of their having seen.
Lanes waitsForRoom(const End &end) {
  const bool one = !end.by(Means::threads) && !end.by(Means::commits) && !end.by(Means::copies) &&
                   !end.by(Means::boxes) && !end.by(Means::remote) && !end.by(Means::lanes);
  return one && end.warps > 1 ? Lanes::one : Lanes::all;
}

/// So does the one of several warps that asks TMA for stores, for the slot to be full.
Lanes waitsForTiles(const End &end) {
  return end.means == std::set<Means>{Means::tma} && !end.touches && end.warps > 1 ? Lanes::one
                                                                                   : Lanes::all;
}

/// Threads read through caches that TMA and products pass by.
bool readByThreadsAlone(const std::vector<End> &consumers) {
  return std::ranges::all_of(
      consumers, [](const End &end) { return end.means == std::set<Means>{Means::threads}; });
}

/// Bytes signal themselves, and so do copies that the lanes have no more to do with: who fills goes
/// on to the next slot. A fence comes behind their end, which the lanes then wait for, as for
/// copies to others' barriers. Whatever else fills a slot is signalled when it lies there.
std::optional<Signal> commitOf(const End &end, const Ends &ends) {
  const bool fence = !readByThreadsAlone(ends.consumers);
  if (end.by(Means::commits))
    return Signal{.by = Lanes::one, .byCommit = true};
  if (end.means == std::set<Means>{Means::copies} && !fence && !ends.arrive && !crosses(ends))
    return Signal{.by = Lanes::all, .byCopies = true};
  if (end.by(Means::threads) || end.by(Means::copies) || end.by(Means::lanes))
    return Signal{.ended = end.by(Means::copies),
                  .fence = fence && end.means != std::set<Means>{Means::lanes},
                  .together = true,
                  .by = Lanes::ofWarps,
                  .ofLanes = end.by(Means::lanes)};
  if (end.by(Means::numbers))
    return Signal{.together = true, .by = Lanes::ofWarps};
  if (end.by(Means::boxes))
    return Signal{.by = Lanes::one};
  return std::nullopt;
}

bool filledByTma(const std::vector<End> &producers) {
  return std::ranges::any_of(producers, [](const End &end) {
    return end.by(Means::tma) || end.by(Means::boxes) || end.by(Means::responses);
  });
}

bool filledByPeers(const std::vector<End> &producers) {
  return std::ranges::any_of(producers, [](const End &end) { return end.by(Means::peers); });
}

/// Products have read a slot when the warps that wait for them go on, TMA when its one thread
/// knows. TMA, or copies of peers, fill what threads read or wrote when their fence has passed:
/// without it a copy overtakes reads whose values have not come (R39).
Signal releaseOf(const End &end, const Ends &ends) {
  if (end.by(Means::commits))
    return {.by = Lanes::one, .byCommit = true};
  if (end.by(Means::lanes))
    return {.together = true, .by = Lanes::ofWarps, .ofLanes = true};
  const bool copies = end.means == std::set<Means>{Means::tma};
  const bool refilled = (ends.returns && (filledByTma(ends.producers) || filledFromAfar(ends))) ||
                        filledByPeers(ends.producers);
  return {.read = end.by(Means::tma),
          .fence = (end.by(Means::threads) || end.touches) && refilled,
          .together = end.by(Means::threads),
          .by = copies ? Lanes::one : Lanes::ofWarps};
}

/// How the author wants it: of copies one thread knows, whatever is asked. Lanes that signal for
/// others do so when all of them have come.
Signal as(Signal signal, const End &end, std::optional<Lanes> arrive) {
  const bool known = end.by(Means::threads) || end.by(Means::copies) || end.by(Means::tensorCore) ||
                     end.by(Means::lanes);
  if (!arrive || !known)
    return signal;
  signal.by = *arrive;
  signal.together = *arrive == Lanes::ofWarps ? signal.together : *arrive != Lanes::all;
  return signal;
}

int64_t arrivalsOf(const Signal &signal, const End &end) {
  switch (signal.by) {
  case Lanes::all:
    return 32 * end.warps;
  case Lanes::ofWarps:
    return end.warps;
  case Lanes::ofGroups:
    return end.warps / 4;
  case Lanes::one:
    return 1;
  }
  return 0;
}

bool asks(const End &end) {
  return end.by(Means::responses);
}

/// One role of the leader makes its whole side the leader's. Of responses, which go to the slots of
/// every CTA, roles of the leader may read beside others, who asks among them.
bool producersLead(const Ends &ends) {
  return std::ranges::any_of(ends.producers, &End::leader);
}
bool consumersLead(const Ends &ends) {
  return std::ranges::any_of(ends.producers, asks)
             ? std::ranges::all_of(ends.consumers, &End::leader)
             : std::ranges::any_of(ends.consumers, &End::leader);
}

/// Where those who wait for an end are.
Across acrossTo(const End &end, bool leaderWaits) {
  if (end.leader == leaderWaits)
    return Across::own;
  return end.leader ? Across::all : Across::leader;
}
Across fromProducer(const End &end, const Ends &ends) {
  if (end.by(Means::numbers))
    return Across::own;
  return ends.peer.isOther() ? Across::filled : acrossTo(end, consumersLead(ends));
}
Across fromConsumer(const End &end, const Ends &ends) {
  return ends.peer.isOther() ? Across::filling : acrossTo(end, producersLead(ends));
}

/// Whether a barrier hears of what a producer has filled, and nothing of threads is handed on.
bool tellsOfItself(const End &end) {
  return end.means == std::set<Means>{Means::tma} || end.by(Means::commits);
}
bool endsByCommits(const std::vector<End> &consumers) {
  return std::ranges::all_of(consumers, [](const End &end) { return end.by(Means::commits); });
}

/// CTAs that signal each barrier that such a signal reaches.
int64_t signallers(Across to, const Ends &ends) {
  return to == Across::leader ? ends.ctas : 1;
}

/// Directions in which slots are shared, each once.
std::vector<Share> peersOf(const std::vector<End> &producers) {
  std::vector<Share> peers;
  for (const End &end : producers)
    for (const Share &share : end.shares)
      if (std::ranges::find(peers, share.along, &Share::along) == peers.end())
        peers.push_back(share);
  return peers;
}

} // namespace

int64_t Peer::distance(bool back) const {
  const int64_t count = among.count(), on = back ? -by : by;
  return (on % count + count) % count;
}

bool crosses(const Ends &ends) {
  return ends.peer.isOther() || producersLead(ends) != consumersLead(ends);
}

bool filledFromAfar(const Ends &ends) {
  const bool far = crosses(ends);
  return std::ranges::any_of(ends.producers, [far](const End &end) {
    return end.by(Means::remote) || end.by(Means::numbers) || (far && asks(end));
  });
}

Protocol protocolOf(const Ends &ends) {
  Protocol protocol;
  protocol.primed = ends.primed;
  // A slot that starts full is filled next when its release has completed the first phase.
  const int64_t free = ends.empty ? ends.primed + *ends.empty : ends.slots;
  // The bytes of copies tell of what these brought, commits of products; else threads tell of what
  // they wrote or read.
  const bool copied = filledFromAfar(ends), hands = crosses(ends) && !copied;
  const bool filled = hands && !std::ranges::all_of(ends.producers, tellsOfItself);
  const bool freed = hands && !endsByCommits(ends.consumers);
  for (const End &end : ends.producers) {
    auto commit = commitOf(end, ends);
    if (commit) {
      commit = as(*commit, end, ends.arrive);
      commit->to = fromProducer(end, ends);
      commit->orders = filled;
      protocol.full += signallers(commit->to, ends) * arrivalsOf(*commit, end);
    }
    const int64_t bytes = ends.announces ? end.bytes : 0;
    // Numbers are told of by a signal in the leader, by bytes in the others.
    const bool numbers = end.by(Means::numbers);
    const bool far = copied || (crosses(ends) && end.by(Means::tma));
    const Across fills = numbers ? Across::others : far ? fromProducer(end, ends) : Across::own;
    protocol.producers.push_back({end.agent, waitsForRoom(end), free, bytes, commit, freed, fills});
    protocol.full += bytes > 0 && !numbers ? signallers(fills, ends) : 0;
  }
  if (!ends.announces)
    protocol.full = 0;
  protocol.peers = peersOf(ends.producers);
  int64_t ctas = 1; // whose slots this one fills, and that fill its own
  for (const Share &share : protocol.peers)
    ctas += share.count() - 1;
  for (const End &end : ends.consumers) {
    Signal release = as(releaseOf(end, ends), end, ends.arrive);
    release.to = fromConsumer(end, ends);
    release.orders = freed;
    protocol.consumers.push_back({end.agent, waitsForTiles(end), 0, 0, release, filled});
    const int64_t arrivals = signallers(release.to, ends) * arrivalsOf(release, end);
    protocol.empty += ends.returns ? ctas * arrivals : 0;
  }
  const bool byCommits =
      std::ranges::any_of(ends.consumers, [](const End &end) { return end.by(Means::commits); });
  protocol.tail = ends.returns && (ctas > 1 || copied || byCommits);
  return protocol;
}

const Part *partOf(const std::vector<Part> &side, const std::string &agent) {
  const auto part = std::ranges::find(side, agent, &Part::agent);
  return part == side.end() ? nullptr : &*part;
}

} // namespace sluice
