// Failing schedules: what they contain, in which order, and where nothing is missing.
#include "Core.h"
#include "Ring.h"

#include "Verify/Counterexample.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

std::string show(Builder b) {
  const Verdict v = b.check();
  const auto s = failingSchedule(b.program, defaultArch(b.program.target), b.launch, v);
  if (!s)
    return s.error().message;
  std::string t = s->rule + " " + s->missing + "\n";
  for (auto &x : s->steps)
    t += std::to_string(x.column) + " " + x.agent + ": " + x.operation + " " + (x.state == 1 ? "LATE" : x.state == 2 ? "BLOCKED" : "") + (x.mark ? x.mark == 1 ? " <1>" : " <2>" : "") + " [" + x.before + " -> " + x.after + "] " + std::to_string(x.follows) + "\n";
  return t;
}

TEST(Schedule, Print) {
  for (auto o : {RingOptions{.waitEmpty = false}, RingOptions{.stages=2, .trips=3, .waitBeforeRelease = false}, RingOptions{.stages=1,.trips=2,.emptyCount=5}, RingOptions{.emptyCount = 3}, RingOptions{.producerPhase = 0}, RingOptions{.trips=1,.drain=false}})
    printf("%s\n", show(ring(o)).c_str());
  printf("%s\n", show(core({.primed=false})).c_str());
  printf("%s\n", show(core({.credit=false})).c_str());
}

} // namespace
} // namespace sluice::test
