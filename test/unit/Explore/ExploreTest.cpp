#include "Explore/Explore.h"

#include "Verify/Core.h"
#include "Verify/Ring.h"

#include <gtest/gtest.h>

namespace sluice::test {
namespace {

std::string explored(Builder b) {
  b.place();
  const Exploration e = explore(b.program, b.launch);
  return e.kind == Exploration::clean     ? "clean"
         : e.kind == Exploration::bounded ? "bounded"
                                          : e.rule + ": " + e.fault;
}

RingOptions small() {
  RingOptions o;
  o.stages = 2;
  o.trips = 3;
  return o;
}

TEST(Explore, RingIsClean) {
  EXPECT_EQ(explored(ring(small())), "clean");
}

TEST(Explore, CoreIsClean) {
  CoreOptions o;
  o.trips = 3;
  EXPECT_EQ(explored(core(o)), "clean");
}

} // namespace
} // namespace sluice::test
