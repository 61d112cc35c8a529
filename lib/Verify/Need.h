// What two states must share of a scalar to behave alike.
#pragma once

#include <cstdint>

namespace sluice {

/// A scalar matters up to this. Nothing set: only global coordinates depend on it. Two values that
/// are told apart by none of it are alike for everything that is computed from them.
struct Need {
  bool exact = false;
  int64_t modulus = 1; // its remainder by this, in [0, modulus)
  int64_t head = -1;   // its value up to here, if >= 0; all above are alike
  bool order = false;  // of a number: its distance from the loop variable around it
  bool bound = false;  // exactly where it is a number, else the term
  bool slot = false;   // of a cursor: its slot, without its phase
  bool drawn = false;  // which numbers drawn from counters it is computed from

  bool any() const { return bound || order || drawn || value(); }
  /// Something of the value itself, whatever it is computed from.
  bool value() const { return exact || modulus > 1 || head >= 0 || slot; }
  /// True when it grew.
  bool join(const Need &other);

  static Need exactly() { return {.exact = true}; }
  static Need remainder(int64_t modulus) { return {.modulus = modulus}; }
  static Need upTo(int64_t head) { return {.head = head < 0 ? 0 : head}; }
  static Need ofOrder() { return {.order = true}; }
  static Need ofBound() { return {.bound = true}; }
  static Need ofSlot() { return {.slot = true}; }
  static Need ofDrawn() { return {.drawn = true}; }
};

} // namespace sluice
