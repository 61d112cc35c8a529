// The meeting of all cores of a launch (Ascend): a cross-core flag of mode 0, which the cores of
// one kind set each once, and whose wait passes when all of them have.
#pragma once

#include "Program/Program.h"

#include <optional>
#include <string>

namespace sluice {

/// The mode of CrossCoreSetFlag that joins all cores of one kind.
constexpr int allCores = 0;

struct CoreMeeting {
  const Stmt *set = nullptr, *wait = nullptr;
  std::string kind; // "aic" or "aiv"
  int64_t id = 0;

  /// Of its kind in one block.
  int64_t coresOfBlock() const { return kind == "aic" ? 1 : 2; }
};

/// Of a program that keeps R47 the one meeting, where it has one.
std::optional<CoreMeeting> coreMeetingOf(const Program &program);

/// Whether CTAs or blocks of a grid wait for each other: for counters, or in a meeting of all
/// cores.
bool joinsGrid(const Program &program);

} // namespace sluice
