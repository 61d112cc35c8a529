// The barriers of a kernel as its code uses them: count, bytes, who arrives, who waits.
#pragma once

#include "Program/Program.h"
#include "Support/JsonMembers.h"

#include <map>
#include <string>
#include <vector>

namespace sluice {

/// One mbarrier of an array, one named barrier, or one Ascend flag.
struct BarrierRow {
  std::string name;  // "full"; "named"; "MTE1->M"
  int64_t index = 0; // slot of the array, or id
  int64_t count = 0; // arrivals of a phase; named barriers: threads
  int64_t bytes = 0; // announced per phase
  bool isMbarrier = false;
  std::vector<std::string> arrives, waits; // "mma warps 0-3", "TMA of load warp 4", "pipe M of aic"
};

/// From what the first cluster or core does at these extents.
std::vector<BarrierRow> barrierTable(const Program &program, const Launch &launch);

/// Rows of arrays that `names` knows are called so, by slot; the mbarriers of a kernel with such
/// names are then numbered as they lie, one after the other.
void nameBarriers(std::vector<BarrierRow> &rows,
                  const std::map<std::string, std::vector<std::string>> &names);

/// One object a row; `more` adds members to each.
std::string barrierTableJson(const std::vector<BarrierRow> &rows, const MoreMembers &more = {});
/// Aligned columns under a heading.
std::string barrierTableText(const std::vector<BarrierRow> &rows);

} // namespace sluice
