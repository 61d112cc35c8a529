// Which stretches of a long run a picture shows: its start, its steady state and its end.
#pragma once

#include "Trace/Scene.h"

namespace sluice::trace {

struct WindowRequest {
  double room;         // pixels or columns for the whole axis
  double perEvent;     // of them that an event of the busiest row wants ...
  double perIteration; // ... and an iteration at least
  bool everything = false;
};

/// One window when all of it can be read in the room, else two or three with cuts between them.
std::vector<Window> chooseWindows(const Scene &scene, const WindowRequest &request);

/// "iterations 4 - 9 of 64": those that begin inside; empty when there are none.
std::string iterationsIn(const Scene &scene, const Window &window);

} // namespace sluice::trace
