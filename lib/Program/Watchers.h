// Statements of one pipe of an Ascend core that others of it come to, too: all pipes walk one
// stream. A mutex of 950 (Mutex::Lock, Mutex::Unlock), where a lock waits until every unlock of its
// id that stands before it in the stream has been executed, by whatever pipe; and a wait for other
// cores on 910B (CrossCoreWaitFlag), where the scalar unit stands until it passes and hands nothing
// to any pipe.
#pragma once

#include "Program/Program.h"

namespace sluice {

/// Pipe::all: a bit for each.
uint32_t bitOf(Pipe pipe);
/// A bit for each pipe of what an Ascend statement is a step of: the one that executes it, all, or
/// every pipe that watches it.
uint32_t pipesOf(const Stmt &s);
/// A mutex, or a wait for another core, of another pipe: who comes to it counts it, or stands there
/// until it has passed, and no more.
bool onlyWatches(const Stmt &s, Pipe pipe);

/// Notes on every mutex statement who counts it: the pipes of the core that may lock the same id,
/// or one that shares an id with it. Others need not go through loops for its sake. A wait for
/// other cores is watched by all pipes of its core, on 910B.
void findWatchers(Program &program);

} // namespace sluice
