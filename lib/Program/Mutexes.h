// Mutexes of Ascend 950 (Mutex::Lock, Mutex::Unlock): a lock waits until every unlock of its id
// that stands before it in the core's stream has been executed, by whatever pipe.
#pragma once

#include "Program/Program.h"

namespace sluice {

/// Pipe::all: a bit for each.
uint32_t bitOf(Pipe pipe);
/// A bit for each pipe of what an Ascend statement is a step of: the one that executes it, all, or,
/// of a mutex, every pipe that has to know how often its id has been unlocked.
uint32_t pipesOf(const Stmt &s);
/// A mutex statement of another pipe: who comes to it counts it, and no more.
bool onlyCounts(const Stmt &s, Pipe pipe);

/// Notes on every mutex statement who counts it: the pipes of the core that may lock the same id,
/// or one that shares an id with it. Others need not go through loops for its sake.
void findWatchers(Program &program);

} // namespace sluice
