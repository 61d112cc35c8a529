// A failing schedule made ready for drawing: rows of like agents, columns, phases of barriers.
#pragma once

#include "Simulate/Schedule.h"

#include <string>
#include <vector>

namespace sluice::trace {

/// Agents that do the same in the same columns, drawn once.
struct ScheduleRow {
  std::string name;       // "mma warps 0-3"
  std::vector<int> steps; // of the first of them
};

/// A barrier is in phase `phase` in these columns, half-open.
struct PhaseSpan {
  int64_t phase;
  int begin, end;
  std::string last; // state after the last step that touched it
};

struct PhaseRow {
  std::string barrier;
  std::vector<PhaseSpan> spans;
};

struct ScheduleScene {
  const Schedule *schedule;
  std::vector<ScheduleRow> rows; // those with a mark first
  std::vector<PhaseRow> phases;  // of the barriers that the marked steps and their neighbours use
  std::vector<int> rowOf;        // of every step; -1: drawn as another agent's
  int begin = 0, end = 0;        // columns that are drawn
  int hidden = 0;                // steps in the columns before
};

/// Draws at most the last `columns` columns.
ScheduleScene makeScene(const Schedule &schedule, int columns = 40);

} // namespace sluice::trace
