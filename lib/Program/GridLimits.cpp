#include "Program/GridLimits.h"

#include "Program/Agent.h"

namespace sluice {

std::string gridFault(const Program &program, const std::vector<int64_t> &extents) {
  if (std::string fault = gridFault(extents); !fault.empty())
    return fault;
  for (size_t d = 0; d < extents.size(); ++d)
    if (const int64_t most = mostCtas(program.target, d); extents[d] > most)
      return "the launch has " + std::to_string(extents[d]) + " CTAs in dimension " +
             std::to_string(d) + "; 0 to " + std::to_string(most) + " are possible";
  return "";
}

} // namespace sluice
