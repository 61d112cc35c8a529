// Groups of asynchronous operations of one warp: wgmma, bulk stores, cp.async.
#pragma once

#include <cstdint>
#include <deque>

namespace sluice {

class Groups {
public:
  /// Adds an operation to the open group; the number to report its progress with.
  int64_t issue() {
    Group &open = groups_.back();
    ++open.issued, ++open.reading, ++open.running;
    return first_ + static_cast<int64_t>(groups_.size()) - 1;
  }
  void commit() { groups_.emplace_back(); }
  void readDone(int64_t group) { --at(group).reading; }
  void done(int64_t group) { --at(group).running; }

  /// At most `pending` committed groups are unfinished (`read`: still read their sources).
  bool passes(int64_t pending, bool read) const {
    for (int64_t i = 0; i < committed() - pending; ++i)
      if ((read ? groups_[i].reading : groups_[i].running) > 0)
        return false;
    return true;
  }
  /// Somebody waited until at most `pending` groups were left.
  void waited(int64_t pending) {
    for (int64_t i = 0; i < committed() - pending; ++i)
      groups_[i].waited = true;
    while (committed() > 0 && groups_.front().waited && groups_.front().running == 0) {
      groups_.pop_front();
      ++first_;
    }
  }
  /// Another object has taken over the duty to wait for everything issued so far.
  void handOver() {
    for (Group &g : groups_)
      g.waited = true;
  }
  /// Operations that nobody waited for.
  int64_t unwaited() const {
    int64_t n = 0;
    for (const Group &g : groups_)
      n += g.waited ? 0 : g.issued;
    return n;
  }
  int64_t unfinished() const {
    int64_t n = 0;
    for (const Group &g : groups_)
      n += g.running;
    return n;
  }

private:
  struct Group {
    int64_t issued = 0, reading = 0, running = 0;
    bool waited = false;
  };
  Group &at(int64_t group) { return groups_[group - first_]; }
  int64_t committed() const { return static_cast<int64_t>(groups_.size()) - 1; }

  std::deque<Group> groups_{1}; // the last one is open
  int64_t first_ = 0;
};

} // namespace sluice
