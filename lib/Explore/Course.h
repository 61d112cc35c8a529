// The course of one agent at one launch: what it executes, in order. A plain interpreter of the
// structured program; the explorer has it for itself, so that a mistake in how the checker walks a
// program (Program/Walker.h) does not hide from it.
#pragma once

#include "Program/Program.h"

#include <array>
#include <functional>

namespace sluice::explorer {

/// A warp of a CTA, or a pipe of an Ascend core.
struct Who {
  std::array<int64_t, 3> cta{0, 0, 0}; // coordinates in the grid
  int warp = 0;                        // of the CTA; Ascend: the AIV's number
  std::string core = {};               // Ascend: "aic", "aiv0", "aiv1"
  Pipe pipe = Pipe::none;              // Ascend
};

/// Where an agent stands: its role, and the numbers that it has computed so far.
struct Standpoint {
  const Program &program;
  const Launch &launch;
  Who who;
  const Role *role = nullptr; // null outside roles
  std::vector<int64_t> numbers;

  int64_t value(const Index &i) const {
    return i.constant + (i.isConstant() ? 0 : numbers[i.value]);
  }
  /// Counted from the role's first warp, and how many share its code.
  int warpInRole() const { return role ? who.warp - role->firstWarp : who.warp; }
  int warpsInRole() const { return role ? role->warps : program.warps; }
};

/// The pipe that an Ascend statement is for; Pipe::all: every pipe of the core.
Pipe pipeOf(const Stmt &s);

/// The number of a token is that of the test which gave it, from 1 on; what the test says is not of
/// the course.
using Visit = std::function<bool(const Stmt &, const Standpoint &)>;
/// Calls `visit` for every operation that the agent executes (no scalars, loops, branches or
/// roles), for all on mutexes of its core and, on 910B, all waits of it for others, until it
/// returns false. False: the agent goes round loops without an operation, too often to follow.
bool followCourse(const Program &program, const Launch &launch, const Who &who, const Visit &visit);

/// Extents of the grid.
std::vector<int64_t> gridOf(const Program &program, const Launch &launch);

/// Whether some statement of the block, or within one, is like that.
bool anyStatement(const Block &block, const std::function<bool(const Stmt &)> &isLikeThat);

} // namespace sluice::explorer
