#include "Verify/Names.h"

#include "Program/WorkspaceCounters.h"

namespace sluice {

std::string coordinates(const Program &program, const std::array<int64_t, 3> &cta) {
  std::string text = "(";
  const int rank = std::clamp(program.gridRank, 1, 3);
  for (int d = 0; d < rank; ++d)
    text += (d ? "," : "") + std::to_string(cta[d]);
  return text + ")";
}

std::string agentName(const Program &program, const AgentId &id, const std::string &role) {
  if (isAscend(program.target)) {
    std::string text = "pipe " + std::string(name(id.pipe)) + " of " + id.core;
    if (id.cta != std::array<int64_t, 3>{0, 0, 0})
      text += " of block " + coordinates(program, id.cta);
    return text;
  }
  return (role.empty() ? "" : role + " ") + "warp " + std::to_string(id.warp) + " of CTA " +
         coordinates(program, id.cta);
}

std::string place(const Location &loc) {
  return loc.line == 0 ? "" : " at " + loc.str();
}

std::string zeroAtLaunch(const Tensor &counters) {
  return "counters-zero: " + counters.name + " holds zeros at launch" +
         (holdsCounters(counters) ? ", and again at the end (looked at by the virtual machine)"
                                  : "");
}

std::string spaceName(Space space) {
  switch (space) {
  case Space::smem:
    return "shared memory";
  case Space::reg:
    return "registers";
  case Space::tmem:
    return "tensor memory";
  case Space::l1:
    return "L1";
  case Space::l0a:
    return "L0A";
  case Space::l0b:
    return "L0B";
  case Space::l0c:
    return "L0C";
  case Space::ub:
    return "UB";
  default:
    return "global memory";
  }
}

} // namespace sluice
