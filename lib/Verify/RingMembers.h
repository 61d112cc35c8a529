// What belongs to one ring, by the text of a program, and which statements tell its slots apart.
#pragma once

#include "Program/Program.h"

#include <map>
#include <set>
#include <vector>

namespace sluice {

/// Groups of values, buffers and mbarriers; each of them is a member, by number.
class RingMembers {
public:
  explicit RingMembers(const Program &program);

  enum class Kind : uint8_t {
    none,
    start, // a cursor at slot 0: every ring begins there, so that it is of none
    cursor,
    slot,
    parity,
  };
  Kind kind(ValueId v) const { return kinds_[v]; }
  /// Of a slot or parity: the cursor that it is taken from.
  ValueId cursor(ValueId v) const { return cursors_[v]; }
  int member(ValueId v) const { return v; }
  int ofBuffer(int buffer) const { return program_.values + buffer; }
  int ofBarrier(int array, int64_t slot) const { return places_[array] + static_cast<int>(slot); }
  /// One member that stands for its group.
  int group(int member) const;
  int64_t slots(int member) const { return slots_[group(member)]; }
  /// Whether the slots of the group may never be turned.
  bool isFixed(int member) const { return fixed_[group(member)]; }
  /// Members that a statement names in another way than by a cursor.
  const std::map<const Stmt *, std::set<int>> &named() const { return named_; }

private:
  bool findKinds();
  bool findKinds(const Scalar &s);
  bool becomes(ValueId v, Kind kind, ValueId from = kNone);
  bool isCursor(ValueId v) const;
  void unite(int a, int b);
  void flow(const Stmt &s, ValueId from, ValueId to, bool once);
  void uses(const Stmt &s);
  void scalar(const Stmt &s, const Scalar &op);
  void loop(const Stmt &s, const For &op);
  void branch(const Stmt &s, const If &op);
  void view(const Stmt &s, const View &v);
  void barrier(const Stmt &s, const MbarrierRef &ref);
  void parity(const Stmt &s, const MbarrierRef &ref, const Index &parity);
  bool isSlotOf(const Index &i, int64_t slots) const;
  std::vector<int> placesOf(const MbarrierRef &ref) const;
  void hasSlots(int member, int64_t slots);
  void findShared();

  const Program &program_;
  std::vector<const Stmt *> stmts_;
  std::map<ValueId, int64_t> constants_;
  std::vector<Kind> kinds_;
  std::vector<ValueId> cursors_;
  std::vector<int> places_; // of arrays: the member of slot 0
  std::vector<int> parent_;
  std::vector<int64_t> slots_; // of groups; 0: not known
  std::vector<bool> fixed_;
  std::multiset<ValueId> allowed_; // uses of the statement that keep the symmetry
  std::map<const Stmt *, std::set<int>> named_, numbered_;
};

} // namespace sluice
