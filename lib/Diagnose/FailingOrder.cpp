#include "Diagnose/FailingOrder.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace sluice {
namespace {

/// A set of entries that contains with each entry all that it comes after.
class Cut {
public:
  explicit Cut(const std::vector<JournalEntry> &entries)
      : entries_(entries), in_(entries.size(), false), before_(entries.size(), -1) {
    std::map<int32_t, int32_t> last;
    for (size_t i = 0; i < entries.size(); ++i) {
      const auto [at, isNew] = last.try_emplace(entries[i].actor, static_cast<int32_t>(i));
      before_[i] = isNew ? -1 : std::exchange(at->second, static_cast<int32_t>(i));
    }
  }

  bool has(int32_t entry) const { return entry >= 0 && in_[entry]; }
  void include(int32_t entry) {
    for (std::vector<int32_t> open{entry}; !open.empty();) {
      const int32_t e = open.back();
      open.pop_back();
      if (e < 0 || in_[e])
        continue;
      in_[e] = true;
      addPast(e, open);
    }
  }
  void includePast(int32_t entry) {
    std::vector<int32_t> past;
    if (entry >= 0)
      addPast(entry, past);
    for (const int32_t e : past)
      include(e);
  }
  /// The members, in the order of the run.
  std::vector<int32_t> members() const {
    std::vector<int32_t> all;
    for (size_t i = 0; i < in_.size(); ++i)
      if (in_[i])
        all.push_back(static_cast<int32_t>(i));
    return all;
  }

private:
  void addPast(int32_t entry, std::vector<int32_t> &to) const {
    to.push_back(before_[entry]);
    const std::vector<int32_t> &others = entries_[entry].comesAfter;
    to.insert(to.end(), others.begin(), others.end());
  }

  const std::vector<JournalEntry> &entries_;
  std::vector<bool> in_;
  std::vector<int32_t> before_; // of the same agent
};

class Ordering {
public:
  Ordering(const Journal &journal, const Offence &offence)
      : journal_(journal), entries_(journal.entries()), offence_(offence), cut_(entries_) {
    order_.first = offence.other.stmt ? journal.find(offence.other) : -1;
    order_.second = offence.second ? journal.find(*offence.second) : size() - 1;
  }

  FailingOrder run() {
    switch (offence_.kind) {
    case Offence::stuck:
    case Offence::atExit:
      order_.entries.resize(entries_.size());
      std::iota(order_.entries.begin(), order_.entries.end(), 0);
      order_.second = -1;
      if (offence_.kind == Offence::atExit)
        order_.late = startedBy(order_.first) && !followed(order_.first) ? order_.first : -1;
      else
        order_.first = newestOf(offence_.actor);
      break;
    case Offence::misread:
      misread();
      break;
    case Offence::overlap:
      overlap();
      break;
    case Offence::overtaken:
      overtaken();
      break;
    case Offence::plain:
    case Offence::tooEarly:
      tooEarly();
      break;
    }
    return std::move(order_);
  }

private:
  int32_t size() const { return static_cast<int32_t>(entries_.size()); }

  /// What counted for the phase of the offending operation without needing `but`.
  void includePhase(int32_t but) {
    for (const int32_t c : contributions()) {
      Cut own(entries_);
      own.include(c);
      if (!own.has(but) && c != order_.second)
        cut_.include(c);
    }
  }

  std::vector<int32_t> contributions() const { return journal_.sharedWith(order_.second); }

  void tooEarly() {
    if (offence_.wholePhase)
      includePhase(order_.first);
    cut_.includePast(order_.second);
    order_.entries = cut_.members();
    order_.entries.push_back(order_.second);
    if (order_.first < 0)
      return;
    if (cut_.has(order_.first)) {
      if (offence_.kind == Offence::tooEarly && startedBy(order_.first)) {
        order_.late = order_.first;
        order_.missing = "nothing makes it end first";
      }
      return;
    }
    addTail();
    order_.missing = "nothing makes it come first";
  }

  /// The first event after all, with what it needs.
  void addTail() {
    Cut more(entries_);
    more.include(order_.first);
    for (const int32_t e : more.members())
      if (!cut_.has(e) && e != order_.second)
        order_.entries.push_back(e);
  }

  /// A wait that was to see phase g - 2 has come so late that it sees g; or one that was to see g
  /// comes so early that it takes g - 2 for it.
  void misread() {
    const JournalEntry &wait = entries_[order_.second];
    const int64_t seen = wait.phase - 1;
    cut_.includePast(order_.second);
    if (seen > expectedBy(wait)) {
      for (const int32_t c : journal_.contributors(*wait.object, seen))
        cut_.include(c);
      std::swap(order_.first, order_.second);
      order_.entries = cut_.members();
      order_.entries.push_back(order_.first);
      order_.missing = "nothing makes it look first";
      return;
    }
    for (const int32_t c : journal_.contributors(*wait.object, seen - 2))
      cut_.include(c);
    order_.entries = cut_.members();
    order_.entries.push_back(order_.second);
    if (cut_.has(order_.first))
      order_.late = order_.first;
    else
      addTail();
    order_.missing = "nothing makes it come first";
  }

  /// The next phase of that parity after the one that the agent has last waited for. Phases count
  /// from 0, and a barrier that nobody has used passes for parity 1.
  int64_t expectedBy(const JournalEntry &wait) const {
    const int64_t seen = wait.phase - 1;
    for (size_t i = entries_.size() - 1; i-- > 0;) {
      const JournalEntry &e = entries_[i];
      if (e.actor == wait.actor && e.object == wait.object && e.stmt &&
          std::holds_alternative<MbarrierWait>(e.stmt->op))
        return e.phase + ((e.phase ^ seen) & 1);
    }
    return seen % 2 == 0 ? 0 : -1;
  }

  bool startedBy(int32_t entry) const {
    const Stamp s = offence_.other.stamp;
    return entry >= 0 && s.component != entries_[entry].lanes &&
           s.component != entries_[entry].elected;
  }

  /// Some other agent has gone on because of it.
  bool followed(int32_t entry) const {
    return std::any_of(entries_.begin(), entries_.end(), [&](const JournalEntry &e) {
      return std::find(e.comesAfter.begin(), e.comesAfter.end(), entry) != e.comesAfter.end();
    });
  }

  int32_t newestOf(int32_t actor) const {
    for (int32_t i = size() - 1; i >= 0; --i)
      if (entries_[i].actor == actor)
        return i;
    return -1;
  }

  void overtaken() {
    includePhase(order_.first);
    cut_.includePast(order_.second);
    cut_.includePast(order_.first);
    order_.entries = cut_.members();
    order_.entries.push_back(order_.second);
    order_.entries.push_back(order_.first);
    order_.stuck = order_.first;
    order_.missing = "nothing makes it look first";
  }

  void overlap() {
    cut_.includePast(order_.first);
    cut_.includePast(order_.second);
    order_.entries = cut_.members();
    if (!cut_.has(order_.first))
      order_.entries.push_back(order_.first);
    order_.entries.push_back(order_.second);
    order_.late = order_.first;
    order_.missing = "nothing makes it end first";
  }

  const Journal &journal_;
  const std::vector<JournalEntry> &entries_;
  const Offence &offence_;
  Cut cut_;
  FailingOrder order_;
};

} // namespace

FailingOrder failingOrder(const Journal &journal, const Offence &offence) {
  return Ordering(journal, offence).run();
}

} // namespace sluice
