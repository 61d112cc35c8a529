#include "Explore/Ahead.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace sluice::explorer {
namespace {

using L = Layout;

constexpr int64_t anyNumber = std::numeric_limits<int32_t>::max();

} // namespace

Ahead::Ahead(const Unrolled &u, const Layout &layout)
    : u_(u), layout_(layout), agents_(static_cast<int>(u.scripts.size())) {
  namedThreads_.assign(u.namedThreads.size(), anyNumber);
  for (const Script &s : u.scripts) {
    for (size_t i = 0; i < s.actions.size(); ++i) {
      const Action &a = s.actions[i];
      const auto self = static_cast<int32_t>(i);
      if (a.act == Act::data && s.id.pipe == Pipe::none) // else it lingers
        usable_ &= a.ends == self && a.endsForLanes == self;
      copies_ |= a.act == Act::copyAsync;
      if (a.act == Act::named)
        namedThreads_[a.objects[0]] = std::min(namedThreads_[a.objects[0]], a.count);
    }
  }
}

bool Ahead::isAlone(const State &s, const Step &step) {
  if (!usable_ || !lookAt(s, step))
    return false;
  start(s);
  for (bool moved = true; moved;) {
    moved = false;
    for (int agent = 0; agent < agents_; ++agent)
      for (const bool lanes : {false, true})
        while (canPass(s, agent, lanes)) {
          if (!pass(s, agent, lanes))
            return false;
          moved = true;
        }
  }
  return !dependsOnReach(s);
}

void Ahead::start(const State &s) {
  const size_t barriers = u_.mbarriers.size(), named = u_.namedThreads.size();
  const auto agents = static_cast<size_t>(agents_);
  position_.resize(2 * agents);
  arrived_.assign(barriers, 0);
  announced_ = landed_ = plain_ = arrived_;
  leastAnnounced_.assign(barriers, anyNumber);
  fresh_.assign(barriers, false);
  announcedAlone_ = looked_ = fresh_;
  phase_.assign(2 * agents * barriers, 0);
  meeting_.assign(named, 0);
  met_.assign(agents * named, 0);
  here_.assign(agents, false);
  clusterArrived_.assign(agents, 0);
  added_.assign(u_.counters.size(), 0);
  set_.assign(u_.flags.size(), 0);
  waited_ = set_;
  for (int agent = 0; agent < agents_; ++agent) {
    const int32_t standing = s[L::standing(agent)];
    position_[2 * agent] = s[L::elected(agent)];
    position_[2 * agent + 1] = s[L::lanes(agent)];
    here_[agent] = standing & (L::inBarrier | L::clusterHere);
    const bool pipe = u_.scripts[agent].id.pipe != Pipe::none;
    clusterArrived_[agent] = standing & (pipe ? L::inBarrier : L::clusterArrived) ? 1 : 0;
    if (u_.scripts[agent].id.pipe != Pipe::none) { // sets behind what is under way
      for (int32_t i = s[L::ended(agent)]; i < s[L::elected(agent)]; ++i)
        count(u_.scripts[agent].actions[i], agent, false);
      waited_.assign(u_.flags.size(), 0);
      continue;
    }
    for (const bool lanes : {false, true}) // copies that are still to arrive
      for (int32_t i = s[L::ended(agent, lanes)]; i < position_[2 * agent + lanes]; ++i)
        if (const Action &a = u_.scripts[agent].actions[i];
            a.act == Act::copyArrive && (!lanes || a.lanes) && !isFocus(agent, lanes, i))
          count(a, agent, lanes);
  }
  for (int32_t i = 0; i < static_cast<int32_t>(u_.loads.size()); ++i) {
    const Load &l = u_.loads[i];
    const int32_t at = s[l.byLanes ? L::lanes(l.agent) : L::elected(l.agent)];
    if (at > l.action && !layout_.landed(s, i))
      countLoad(i);
  }
}

bool Ahead::atEnd(int agent) const {
  const auto size = static_cast<int32_t>(u_.scripts[agent].actions.size());
  return position_[2 * agent] == size && position_[2 * agent + 1] == size;
}

bool Ahead::exits(int cta) const {
  for (int agent = 0; agent < agents_; ++agent)
    if (u_.scripts[agent].cta == cta && !atEnd(agent))
      return false;
  return true;
}

/// How many phases of a barrier can end. The first one takes the arrivals that are pending, and the
/// bytes that have been announced; where it takes an arrival that announces more, these too.
int64_t Ahead::phases(const State &s, int32_t barrier) const {
  if (fresh_[barrier])
    return anyNumber;
  const int32_t *words = &s[layout_.mbarrier(barrier)];
  const int64_t count = words[1], pending = words[2];
  const int64_t bytes = words[3] + (plain_[barrier] < pending ? leastAnnounced_[barrier] : 0);
  const bool bytesCanMeet = bytes > 0 ? landed_[barrier] >= bytes : announced_[barrier] >= -bytes;
  if (!(words[0] & L::valid) || arrived_[barrier] < pending || !bytesCanMeet)
    return 0;
  return 1 + (arrived_[barrier] - pending) / std::max<int64_t>(count, 1);
}

int64_t Ahead::meetings(const State &s, int32_t named) const {
  return (s[layout_.named(named) + 1] + meeting_[named]) / namedThreads_[named];
}

int64_t Ahead::clusterPhases() const {
  int64_t least = anyNumber;
  for (int agent = 0; agent < agents_; ++agent)
    if (!atEnd(agent))
      least = std::min(least, clusterArrived_[agent]);
  return least;
}

bool Ahead::canPass(const State &s, int agent, bool lanes) {
  const size_t strand = 2 * static_cast<size_t>(agent) + lanes;
  const Script &script = u_.scripts[agent];
  if (still_[strand] || position_[strand] == static_cast<int32_t>(script.actions.size()))
    return false;
  const Action &a = at(agent, lanes);
  if (a.joint && (lanes || still_[strand + 1] || position_[strand + 1] != position_[strand]))
    return false;
  switch (a.act) {
  case Act::wait:
    return canWait(s, agent, lanes, a);
  case Act::named:
    return canLeaveNamed(s, agent, a);
  case Act::clusterWait:
  case Act::clusterSync:
    return canLeaveCluster(s, agent, a);
  case Act::counterWait:
    return s[layout_.counter(a.objects[0])] + added_[a.objects[0]] >= a.count;
  case Act::lockMutex:
    return s[layout_.flag(a.objects[0])] + set_[a.objects[0]] >= a.count;
  case Act::waitFlag:
    return std::ranges::all_of(
        a.objects, [&](int32_t f) { return s[layout_.flag(f)] + set_[f] > waited_[f]; });
  case Act::allPipes:
    return canLeavePipes(agent);
  default:
    return true;
  }
}

bool Ahead::canLeavePipes(int agent) {
  if (!here_[agent])
    ++clusterArrived_[agent];
  here_[agent] = true;
  for (int other = 0; other < agents_; ++other)
    if (u_.scripts[other].cta == u_.scripts[agent].cta &&
        clusterArrived_[other] < clusterArrived_[agent])
      return false;
  here_[agent] = false;
  return true;
}

bool Ahead::canWait(const State &s, int agent, bool lanes, const Action &a) {
  const int32_t barrier = a.objects[0], flags = s[layout_.mbarrier(barrier)];
  const size_t strand = 2 * static_cast<size_t>(agent) + lanes;
  if (fresh_[barrier] || !(flags & L::valid) ||
      (a.lanes && position_[strand ^ 1] > position_[strand]))
    return true;
  int32_t &phase = phase_[strand * u_.mbarriers.size() + static_cast<size_t>(barrier)];
  const int parity = ((flags & L::parity) ? 1 : 0) ^ (phase & 1);
  const int32_t needed = phase + (parity != a.count ? 0 : 1);
  if (needed > phases(s, barrier))
    return false;
  phase = needed;
  if (a.joint)
    phase_[(strand | 1) * u_.mbarriers.size() + static_cast<size_t>(barrier)] = needed;
  return true;
}

bool Ahead::canLeaveNamed(const State &s, int agent, const Action &a) {
  const int32_t named = a.objects[0];
  if (!here_[agent])
    meeting_[named] += 32;
  here_[agent] = true;
  int64_t &met =
      met_[static_cast<size_t>(agent) * u_.namedThreads.size() + static_cast<size_t>(named)];
  if (!a.bytes && meetings(s, named) <= met)
    return false;
  met += a.bytes ? 0 : 1;
  here_[agent] = false;
  return true;
}

bool Ahead::canLeaveCluster(const State &s, int agent, const Action &a) {
  if (a.act == Act::clusterSync && !here_[agent])
    ++clusterArrived_[agent];
  here_[agent] = a.act == Act::clusterSync;
  if (clusterPhases() < clusterArrived_[agent])
    return false;
  here_[agent] = false;
  return true;
}

bool Ahead::pass(const State &s, int agent, bool lanes) {
  const Script &script = u_.scripts[agent];
  const Action &a = at(agent, lanes);
  if (dependsOn(s, agent, lanes, a))
    return false;
  count(a, agent, lanes);
  int32_t &position = position_[2 * agent + lanes];
  position = lanes ? script.nextLanes[position + 1] : position + 1;
  if (a.joint)
    position_[2 * agent + 1] = script.nextLanes[position];
  return true;
}

void Ahead::countLoad(int32_t load) {
  const Load &l = u_.loads[load];
  if (l.barrier < 0 || behindFocus_[load])
    return;
  landed_[l.barrier] += l.bytes;
  arrived_[l.barrier] += l.arrivals;
  plain_[l.barrier] += l.arrivals;
}

void Ahead::count(const Action &a, int agent, bool lanes) {
  const int64_t times = lanes ? 31 : 1;
  switch (a.act) {
  case Act::arrive:
    arrived_[a.objects[0]] += a.count * times;
    announced_[a.objects[0]] += std::max<int64_t>(a.bytes, 0) * times;
    if (a.bytes == 0)
      plain_[a.objects[0]] += a.count * times;
    else if (a.count > 0)
      leastAnnounced_[a.objects[0]] = std::min(leastAnnounced_[a.objects[0]], a.bytes * times);
    if (a.count == 0 || a.bytes < 0)
      announcedAlone_[a.objects[0]] = true;
    break;
  case Act::wait:
    looked_[a.objects[0]] = true;
    break;
  case Act::copyArrive:
    arrived_[a.objects[0]] += times;
    plain_[a.objects[0]] += times;
    break;
  case Act::load:
    for (const int32_t l : a.objects)
      if (u_.loads[l].byLanes == lanes)
        countLoad(l);
    break;
  case Act::initialise:
    for (const int32_t b : a.objects)
      fresh_[b] = true;
    break;
  case Act::clusterArrive:
    ++clusterArrived_[agent];
    break;
  case Act::setFlag:
    for (const int32_t f : a.objects)
      set_[f] += agent != focus_.ends; // its sets are behind what is under way
    break;
  case Act::waitFlag:
    for (const int32_t f : a.objects)
      ++waited_[f];
    break;
  case Act::counterAdd:
    added_[a.objects[0]] += std::max<int64_t>(a.count, 0) * times;
    break;
  default:
    break;
  }
}

} // namespace sluice::explorer
