// Roles among tiles: a kernel without rings in which an author says who does some of it.
#pragma once

#include "Dialect/Dialect.h"
#include "sluice/Pipeline.h"

#include <vector>

namespace sluice::lang::detail {

class Recorder;

/// What an author has written as a role, and its warps.
struct WrittenRole {
  ir::RoleOp op;
  Warps warps;
};

/// Whether these roles are among tiles, of a kernel without rings and buffers: some of it stands
/// beside or around them.
bool areAmongTiles(Recorder &recorder, const std::vector<WrittenRole> &roles);

/// Their statements say in which role they are, and the kernel which warps that has; the roles go.
void nameAmongTiles(Recorder &recorder, const std::vector<WrittenRole> &roles);

} // namespace sluice::lang::detail
