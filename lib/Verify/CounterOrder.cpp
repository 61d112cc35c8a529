#include "Verify/CounterOrder.h"

#include "Program/OperationFacts.h"

#include <algorithm>

namespace sluice {

/// What no run has come to is made nowhere.
Bracket CounterOrder::bracket(int counter, const AccessSite &site) const {
  const auto at = brackets.find({site.stmt, counter});
  return at == brackets.end() ? Bracket{} : at->second;
}

/// The one CTA adds after its access, then the other passes its wait.
bool CounterOrder::handsOn(int counter, const AccessSite &earlier, const AccessSite &later) const {
  const Bracket before = bracket(counter, earlier), after = bracket(counter, later);
  const bool fences =
      !factsOf(earlier.stmt->op).byAsyncProxy && factsOf(later.stmt->op).byAsyncProxy;
  return before.beforeAdd && after.afterWait &&
         (!fences || before.fencedBefore || after.fencedAfter);
}

bool CounterOrder::orders(int counter, const AccessSite &a, const AccessSite &b) const {
  const bool inPlace =
      a.view->object != b.view->object; // what is read comes before what is written
  const bool before = !(inPlace && a.write) && handsOn(counter, a, b);
  const bool behind = !(inPlace && b.write) && handsOn(counter, b, a);
  const CounterProtocol &protocol = protocols.at(counter);
  switch (protocol.kind) {
  case CounterProtocol::turns: // either CTA may be the first
    return before && behind;
  case CounterProtocol::meeting: // every add comes before every wait that has passed
    return before || behind;
  case CounterProtocol::arrivals: { // all have added before the last goes on; there is one
    const bool ofLast = isUnder(a, protocol.ofLast), otherOfLast = isUnder(b, protocol.ofLast);
    return (ofLast && otherOfLast) || (before && otherOfLast) || (behind && ofLast);
  }
  case CounterProtocol::none:
    break;
  }
  return false;
}

bool CounterOrder::addFollows(int waited, int added) {
  std::set<int> before{waited}, after{added};
  for (const auto &[first, second] : follows) {
    if (second == waited)
      before.insert(first);
    if (first == added)
      after.insert(second);
  }
  for (const int first : before)
    for (const int second : after)
      follows.insert({first, second});
  return std::ranges::none_of(follows, [](const auto &pair) { return pair.first == pair.second; });
}

} // namespace sluice
