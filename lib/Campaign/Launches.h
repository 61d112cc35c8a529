// Launches that make a program's loops run differently often: what the explorer tries a mutant at.
#pragma once

#include "Program/Program.h"

#include <vector>

namespace sluice {

/// `given`, and launches in which one extent or argument that the program reads varies so that
/// loops of the first cluster (core) run from 0 times up to twice as often as its longest ring has
/// slots; the others allow one tile. No two of them let the first cluster do the same statements;
/// the shortest run first.
std::vector<Launch> launchesOf(const Program &program, const Launch &given);

} // namespace sluice
