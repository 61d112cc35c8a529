// The operations of one run in the order in which they happened, and what each had to come after.
// Kept on request only: the source of failing schedules.
#pragma once

#include "Program/Walker.h"
#include "Verify/TrackedMbarrier.h"

#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace sluice {

/// CTA, mbarrier array, slot; or something else that agents synchronise with.
using JournalObject = std::tuple<int, int, int64_t>;

/// What an operation does to an mbarrier.
struct BarrierEffect {
  JournalObject object;
  enum Kind { init, arrive, expect, complete } kind;
  int64_t amount; // count, arrivals, bytes
};

struct JournalEntry {
  int32_t actor = -1;
  const Stmt *stmt = nullptr;
  AgentId id;
  std::string agent, operation; // "mma warp 0 of CTA (0)", "wait full[0] parity 0"
  std::string barrier;          // of an mbarrier
  std::optional<JournalObject> object;
  int64_t phase = 0;   // of it, before the operation
  int64_t parity = -1; // that a wait waits for
  std::vector<BarrierEffect> effects;
  int32_t lanes = -1, elected = -1;         // components of the actor
  uint32_t stepsBefore = 0, stepsAfter = 0; // Actor::steps
  std::vector<int32_t> comesAfter;          // entries of other agents that let it happen
  std::vector<Stamp> async;                 // ends of what it has started
  int32_t rendezvous = -1;                  // number of the meeting that it is an arrival at
  bool blocked = false;                     // tried, and not got past
};

class Journal {
public:
  using Object = JournalObject;

  /// Opens an entry for what an agent does next.
  JournalEntry &open(int32_t actor, const Stmt &stmt);
  JournalEntry &current() { return entries_.back(); }
  /// The current entry has happened, or has not.
  void keep();
  void drop();
  /// The newest entry of an actor is where it is stuck.
  void markLast(int32_t actor);
  /// The current entry counts for a phase of an object.
  void contributes(const Object &object, int64_t phase);
  /// It comes after everything that counted for that phase.
  void awaits(const Object &object, int64_t phase);
  /// It is an arrival at a meeting; all who take part go on only after every arrival.
  void meets(const Object &object, int64_t phase, bool waits);
  /// Phase of an object that counts its phases here.
  int64_t &phaseOf(const Object &object) { return counters_[object]; }
  /// The current operation starts something that ends with this stamp.
  void starts(Stamp end);

  const std::vector<JournalEntry> &entries() const { return entries_; }
  const std::vector<int32_t> &contributors(const Object &object, int64_t phase) const;
  /// All that counted for the phase that this entry counted for, itself included.
  std::vector<int32_t> sharedWith(int32_t entry) const;
  /// The entry of an event; -1: none.
  int32_t find(const BarrierEvent &event) const;

private:
  std::vector<JournalEntry> entries_;
  std::map<std::pair<Object, int64_t>, std::vector<int32_t>> phases_;
  std::map<std::pair<Object, int64_t>, int32_t> meetings_; // number
  std::map<int32_t, std::pair<Object, int64_t>> leaving_;  // actor -> meeting it comes from
  std::optional<std::pair<Object, int64_t>> arriving_;     // of the current entry
  std::map<Object, int64_t> counters_;
};

} // namespace sluice
