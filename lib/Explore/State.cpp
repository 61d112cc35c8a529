#include "Explore/State.h"

#include <algorithm>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sluice::explorer {

Layout::Layout(const Unrolled &u) : u_(u) {
  mbarriers_ = static_cast<int>(u.scripts.size()) * agentWords;
  named_ = mbarriers_ + static_cast<int>(u.mbarriers.size()) * mbarrierWords;
  flags_ = named_ + static_cast<int>(u.namedThreads.size()) * namedWords;
  tiles_ = flags_ + static_cast<int>(u.flags.size());
  counters_ = tiles_ + static_cast<int>(u.tiles.size());
  columns_ = counter(static_cast<int32_t>(u.counters.size()));
  loads_ = columns(u.columns ? u.ctas : 0);
  setWords_ = static_cast<int>(u.writes.size() + 30) / 31;
  views_ = loads_ + static_cast<int>(u.loads.size() + 30) / 31;
  phaseViews_ = view(static_cast<int>(u.scripts.size()), false);
  namedViews_ = phaseView(static_cast<int32_t>(u.mbarriers.size()), forCta);
  clusterViews_ = namedView(static_cast<int32_t>(u.namedThreads.size()));
  counterViews_ = clusterViews_ + 2 * viewWords();
  hashed_ = counterView(static_cast<int32_t>(u.counters.size()), 0);
  cellWrites_.resize(u.memory.count(), -1);
  for (size_t c = 0; c < cellWrites_.size(); ++c)
    if (!u.privateCell[c] && setWords_) {
      cellWrites_[c] = hashed_;
      hashed_ += setWords_;
    }
  cellWord_.resize(u.memory.count());
  for (size_t c = 0; c < cellWord_.size(); ++c)
    if (!u.privateCell[c])
      cellWord_[c] = hashed_++;
  size_ = hashed_;
  for (size_t c = 0; c < cellWord_.size(); ++c)
    if (u.privateCell[c])
      cellWord_[c] = size_++;
  for (size_t i = 0; i < u.scripts.size(); ++i) {
    const auto symmetry = static_cast<size_t>(u.scripts[i].symmetry);
    if (u.scripts[i].symmetry < 0)
      continue;
    if (alike_.size() <= symmetry)
      alike_.resize(symmetry + 1);
    alike_[symmetry].push_back(static_cast<int>(i));
  }
  alike_.erase(std::remove_if(alike_.begin(), alike_.end(), [](auto &c) { return c.size() < 2; }),
               alike_.end());
  for (size_t i = 0; i < u.scripts.size(); ++i) {
    const auto has = [&](auto &c) { return std::find(c.begin(), c.end(), int(i)) != c.end(); };
    if (std::none_of(alike_.begin(), alike_.end(), has))
      single_.push_back(static_cast<int>(i));
  }
}

State Layout::initial() const {
  State s(size_, 0);
  for (size_t i = 0; i < u_.scripts.size(); ++i)
    s[lanes(static_cast<int>(i))] = u_.scripts[i].nextLanes[0];
  for (size_t c = 0; c < cellWord_.size(); ++c)
    if (u_.memory.memoryOf(static_cast<int32_t>(c)).kind == MemoryId::tensor)
      s[cellWord_[c]] = 2; // as if written by somebody before the launch
  return s;
}

/// Of the words from `from` on, and of what was hashed before.
static uint64_t hashOf(const State &s, int from, int to, uint64_t before) {
  return XXH3_64bits_withSeed(s.data() + from, sizeof(State::value_type) * size_t(to - from),
                              before);
}

uint64_t Layout::hash(const State &s) const {
  const auto ofAgent = [&](int agent, uint64_t before) {
    const uint64_t words = hashOf(s, elected(agent), elected(agent + 1), before);
    return hashOf(s, view(agent, false), view(agent + 1, false), words);
  };
  uint64_t h = 0;
  for (const int agent : single_)
    h = ofAgent(agent, h);
  std::vector<uint64_t> &members = scratch_;
  for (const std::vector<int> &agents : alike_) {
    members.clear();
    for (const int agent : agents)
      members.push_back(ofAgent(agent, 0));
    std::sort(members.begin(), members.end());
    h = XXH3_64bits_withSeed(members.data(), sizeof(uint64_t) * members.size(), h);
  }
  h = hashOf(s, mbarriers_, views_, h);
  return hashOf(s, phaseViews_, hashed_, h);
}

} // namespace sluice::explorer
