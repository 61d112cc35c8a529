// What never mattered in any run of a proof: waits that never block, barriers and fences that bring
// nothing new, slots of a ring that are never in use together.
#pragma once

#include "Program/Program.h"

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace sluice {

class Observations {
public:
  explicit Observations(const Program &program) : mostSlots_(program.buffers.size(), 0) {}

  /// Whether it is still open if an operation ever matters; notes that it has run.
  bool open(const Stmt &s) { return !mattered_.try_emplace(&s, false).first->second; }
  void matters(const Stmt &s) { mattered_[&s] = true; }

  /// Whether more slots of a buffer than seen so far may be in use together.
  bool openSlots(const Program &program, int buffer) const {
    return mostSlots_[buffer] < program.buffers[buffer].slots;
  }
  /// So many slots were, as far as the one who fills them knows.
  void slotsInUse(int buffer, int64_t slots) {
    mostSlots_[buffer] = std::max(mostSlots_[buffer], slots);
  }

  /// In words, in the order of the program.
  std::vector<std::string> notes(const Program &program) const;

private:
  std::unordered_map<const Stmt *, bool> mattered_;
  std::vector<int64_t> mostSlots_; // by buffer; 0: never filled
};

} // namespace sluice
