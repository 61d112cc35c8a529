#include "Diagnose/Journal.h"

#include <algorithm>

namespace sluice {

JournalEntry &Journal::open(int32_t actor, const Stmt &stmt) {
  JournalEntry &e = entries_.emplace_back();
  e.actor = actor;
  e.stmt = &stmt;
  if (const auto from = leaving_.find(actor); from != leaving_.end())
    e.comesAfter = phases_[from->second];
  arriving_.reset();
  return e;
}

void Journal::keep() {
  leaving_.erase(current().actor);
  if (arriving_)
    leaving_[current().actor] = *arriving_;
}

void Journal::drop() {
  entries_.pop_back();
}

void Journal::markLast(int32_t actor) {
  const auto last = std::find_if(entries_.rbegin(), entries_.rend(),
                                 [&](const JournalEntry &e) { return e.actor == actor; });
  if (last != entries_.rend())
    last->blocked = true;
}

void Journal::contributes(const Object &object, int64_t phase) {
  phases_[{object, phase}].push_back(static_cast<int32_t>(entries_.size()) - 1);
}

void Journal::awaits(const Object &object, int64_t phase) {
  const std::vector<int32_t> &all = contributors(object, phase);
  current().comesAfter.insert(current().comesAfter.end(), all.begin(), all.end());
}

void Journal::meets(const Object &object, int64_t phase, bool waits) {
  contributes(object, phase);
  const std::pair key{object, phase};
  current().rendezvous =
      meetings_.try_emplace(key, static_cast<int32_t>(meetings_.size())).first->second;
  if (waits)
    arriving_ = key;
}

void Journal::starts(Stamp end) {
  std::vector<Stamp> &known = current().async;
  if (known.empty() || known.back().component != end.component || known.back().count != end.count)
    known.push_back(end);
}

const std::vector<int32_t> &Journal::contributors(const Object &object, int64_t phase) const {
  static const std::vector<int32_t> none;
  const auto at = phases_.find({object, phase});
  return at == phases_.end() ? none : at->second;
}

std::vector<int32_t> Journal::sharedWith(int32_t entry) const {
  for (const auto &[key, members] : phases_)
    if (!members.empty() && members.back() == entry)
      return members;
  return {};
}

int32_t Journal::find(const BarrierEvent &event) const {
  const Stamp stamp = event.stamp;
  for (size_t i = entries_.size(); i-- > 0;) {
    const JournalEntry &e = entries_[i];
    if (e.actor != event.actor || e.stmt != event.stmt)
      continue;
    const bool own = stamp.component == e.lanes || stamp.component == e.elected;
    const bool started = std::any_of(e.async.begin(), e.async.end(), [&](Stamp s) {
      return s.component == stamp.component && s.count == stamp.count;
    });
    if (started || (own && e.stepsBefore < stamp.count && stamp.count <= e.stepsAfter))
      return static_cast<int32_t>(i);
  }
  return -1;
}

} // namespace sluice
