// A Timeline made ready for drawing: sane events, rows split into lanes, the loop's iterations.
#pragma once

#include "Simulate/Timeline.h"
#include "Trace/TimeScale.h"

#include <string>
#include <utility>
#include <vector>

namespace sluice::trace {

/// What a work event does. Decides its colour.
enum class WorkKind { load, move, mma, vector, store, other };
constexpr int kWorkKinds = 6;
const char *label(WorkKind kind);

/// Guessed from the event's name, else from its row's: "load a" on "TMA", "mma", "exp" ...
WorkKind workKind(const TimelineEvent &event, const TimelineRow &row);

struct Bar {
  const TimelineEvent *event;
  WorkKind kind; // of work
  int lane;      // line inside the row: events that overlap in time lie in different lanes
};

struct SceneRow {
  const TimelineRow *row;
  std::vector<Bar> bars; // by begin
  int lanes = 1;
};

/// Begin of an iteration on the row that sets the pace.
struct Mark {
  int64_t iteration;
  double begin;
};

struct Scene {
  const Timeline *timeline;
  std::vector<SceneRow> rows; // roles, then engines along the flow of data
  std::vector<Mark> marks;    // by begin and by iteration; empty: no pipelined loop
  double begin = 0, end = 0;  // of all events
  double interval = 0;        // median distance of two marks; 0 with fewer than two
};

/// Events with a row that does not exist or a time that is no number are left out.
Scene makeScene(const Timeline &timeline);
/// Drops the bars that lie in no window of the scale and gives the others their lanes.
void keepVisible(Scene &scene, const TimeScale &scale);
/// Utilisation by engine, in the order of the picture's rows, engines without a row last.
std::vector<std::pair<std::string, double>> utilisationInOrder(const Timeline &timeline);

} // namespace sluice::trace
