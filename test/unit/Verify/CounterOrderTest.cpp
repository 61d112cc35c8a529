// What turns and meetings at a counter order, from where accesses lie beside the wait and the add.
#include "Verify/CounterOrder.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

constexpr int counter = 0;

/// Two statements that touch a tensor, and a counter.
struct Two {
  explicit Two(CounterProtocol::Kind kind) {
    first.op = second.op = Copy{};
    order.protocols[counter].kind = kind;
  }

  bool ordered() const { return order.orders(counter, a, b); }
  static AccessSite site(const Stmt &stmt, bool write) {
    static const View tensor{};
    AccessSite s{};
    s.stmt = &stmt;
    s.view = &tensor;
    s.write = write;
    return s;
  }
  Bracket &of(const AccessSite &site) { return order.brackets[{site.stmt, counter}]; }

  Stmt first{}, second{};
  AccessSite a = site(first, true), b = site(second, false);
  CounterOrder order;
};

TEST(CounterOrder, TurnsHaveBothBehindTheWaitAndBeforeTheAdd) {
  for (bool Bracket::*part : {&Bracket::afterWait, &Bracket::beforeAdd})
    for (const bool ofFirst : {true, false}) {
      Two two(CounterProtocol::turns);
      EXPECT_TRUE(two.ordered());
      two.of(ofFirst ? two.a : two.b).*part = false;
      EXPECT_FALSE(two.ordered());
    }
}

TEST(CounterOrder, AMeetingHasOneBeforeTheAddAndTheOtherBehindTheWait) {
  Two two(CounterProtocol::meeting);
  two.of(two.a).afterWait = two.of(two.b).beforeAdd = false;
  EXPECT_TRUE(two.ordered());
  two.of(two.b).afterWait = false; // both before
  EXPECT_FALSE(two.ordered());
  two.of(two.b).afterWait = two.of(two.a).afterWait = true; // both behind
  two.of(two.b).beforeAdd = two.of(two.a).beforeAdd = false;
  EXPECT_FALSE(two.ordered());
}

/// What is written in the place of what is read comes after it.
TEST(CounterOrder, AMeetingOrdersAReadBeforeAWriteInItsPlace) {
  View other{};
  other.object = 1;
  Two two(CounterProtocol::meeting);
  two.a.view = &other;
  two.of(two.b).afterWait = two.of(two.a).beforeAdd = false; // read, met, written
  EXPECT_TRUE(two.ordered());
  two.of(two.b).afterWait = two.of(two.a).beforeAdd = true;
  two.of(two.a).afterWait = two.of(two.b).beforeAdd = false; // written, met, read
  EXPECT_FALSE(two.ordered());
}

TEST(CounterOrder, NothingIsOrderedWithoutAProtocol) {
  EXPECT_FALSE(Two(CounterProtocol::none).ordered());
}

TEST(CounterOrder, AFenceLiesBetweenAGenericWriteAndTma) {
  for (const bool before : {true, false}) {
    Two two(CounterProtocol::turns);
    two.second.op = TmaLoad{};
    two.of(two.a).fencedBefore = two.of(two.b).fencedAfter = false;
    EXPECT_FALSE(two.ordered());
    (before ? two.of(two.a).fencedBefore : two.of(two.b).fencedAfter) = true;
    EXPECT_TRUE(two.ordered());
  }
}

TEST(CounterOrder, NoCircleOfCountersIsFollowed) {
  CounterOrder order;
  EXPECT_TRUE(order.addFollows(0, 1));
  EXPECT_TRUE(order.addFollows(2, 3));
  EXPECT_TRUE(order.addFollows(1, 2));
  EXPECT_TRUE(order.addFollows(0, 3));
  EXPECT_FALSE(order.addFollows(3, 0));
}

} // namespace
} // namespace sluice
