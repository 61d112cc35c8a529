#include "Explore/State.h"

#include <algorithm>

namespace sluice::explorer {

Layout::Layout(const Unrolled &u) : u_(u) {
  mbarriers_ = static_cast<int>(u.scripts.size()) * agentWords;
  named_ = mbarriers_ + static_cast<int>(u.mbarriers.size()) * mbarrierWords;
  flags_ = named_ + static_cast<int>(u.namedThreads.size()) * namedWords;
  counters_ = flags_ + static_cast<int>(u.flags.size());
  loads_ = counter(static_cast<int32_t>(u.counters.size()));
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

uint64_t Layout::hash(const State &s) const {
  uint64_t h = 0x9e3779b97f4a7c15u;
  auto mix = [&h](int32_t word) {
    h = (h ^ static_cast<uint32_t>(word)) * 0xff51afd7ed558ccdu;
    h ^= h >> 32;
  };
  if (alike_.empty()) {
    for (int i = 0; i < hashed_; ++i)
      mix(s[i]);
    return h;
  }
  using Block = std::vector<int32_t>; // of an agent: its words and its views
  std::vector<int32_t> agents(s.begin(), s.begin() + mbarriers_);
  std::vector<int32_t> views(s.begin() + views_, s.begin() + phaseViews_);
  std::vector<Block> sorted;
  for (const std::vector<int> &members : alike_) {
    sorted.clear();
    for (int m : members) {
      Block &b = sorted.emplace_back(s.begin() + elected(m), s.begin() + elected(m) + agentWords);
      b.insert(b.end(), s.begin() + view(m, false), s.begin() + view(m + 1, false));
    }
    std::sort(sorted.begin(), sorted.end());
    for (size_t i = 0; i < members.size(); ++i) {
      const auto middle = sorted[i].begin() + agentWords;
      std::copy(sorted[i].begin(), middle, agents.begin() + elected(members[i]));
      std::copy(middle, sorted[i].end(), views.begin() + view(members[i], false) - views_);
    }
  }
  for (int32_t word : agents)
    mix(word);
  for (int i = mbarriers_; i < views_; ++i)
    mix(s[i]);
  for (int32_t word : views)
    mix(word);
  for (int i = phaseViews_; i < hashed_; ++i)
    mix(s[i]);
  return h;
}

} // namespace sluice::explorer
