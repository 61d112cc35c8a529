#include "Verify/Names.h"
#include "Verify/Run.h"

#include <algorithm>

namespace sluice {

/// Which cluster is given depends on all of them: for every launch it is an unknown of its own,
/// -1 where none is left.
Affine RunLaunches::nextNumber(const Actor &a) {
  const int64_t before = requests_++;
  context_.assumptions.insert("launched-once: every cluster of the grid is launched, or given to "
                              "one request, and that once (PTX ISA, clusterlaunchcontrol)");
  if (!context_.launch) {
    const int32_t path = a.agent.scalars().levels().back().path;
    return context_.terms.drawn(Terms::ofLaunches, path, before);
  }
  context_.assumptions.insert("draws-in-turn: all clusters are launched, or the first one is given "
                              "the next " +
                              std::to_string(mostGiven) +
                              " one after the other; other orders are not followed");
  std::vector<int64_t> grid = gridExtents(program_, *context_.launch);
  grid.resize(3, 1);
  const int64_t *size = program_.cluster;
  const int64_t clusters[3] = {grid[0] / size[0], grid[1] / size[1], grid[2] / size[2]};
  const int64_t next = before + 1;
  if (next > context_.mostGiven || next >= clusters[0] * clusters[1] * clusters[2])
    return {-1, -1};
  const int64_t x = next % clusters[0] * size[0], y = next / clusters[0] % clusters[1] * size[1],
                z = next / clusters[0] / clusters[1] * size[2];
  return {-1, x + grid[0] * (y + grid[1] * z)};
}

/// Whether a response is known to have given a cluster: by any answer about it, as in a launch in
/// which it has given none all answers say so.
bool RunLaunches::isGiven(Affine number) const {
  if (number.isConstant())
    return number.constant >= 0;
  const Instance least{number.term, INT32_MIN, INT32_MIN};
  const auto &known = facts_.instances();
  for (auto at = known.lower_bound(least); at != known.end() && at->first.term == number.term; ++at)
    if (at->second.lo + number.constant >= 0)
      return true;
  return false;
}

void RunLaunches::forgetGiven() {
  for (auto &[cta, asking] : asking_)
    std::erase_if(asking.open, [this](const auto &read) { return isGiven(read.first); });
  std::erase_if(races_, [this](const Race &race) { return isGiven(race.number); });
}

bool RunLaunches::refuseLate(const BarrierEvent &request, const BarrierEvent &query) {
  refuse("R46",
         what(request) + " may ask after " + what(query) +
             " of the same CTA has found that no cluster is left. Ask again only where the last "
             "response has given one",
         *request.stmt);
  return true;
}

/// What is shown of counters takes every CTA of the grid to add.
bool RunLaunches::everyCtaMayBeAbsent(const Actor &a, const Stmt &s) {
  const bool counts = std::ranges::find(context_.awaited, true) != context_.awaited.end() ||
                      !context_.counters.protocols.empty();
  if (counts)
    error_ = unsupportedError(what(a, s) + " keeps CTAs of the grid from being launched, and the "
                                           "proof takes all of them to add to counters that "
                                           "somebody waits for, or acquires with what he draws",
                              s.loc);
  return !counts;
}

/// As a TMA load brings a tile.
RunLaunches::Step RunLaunches::tryCancel(Actor &a, const Stmt &s, const ClcTryCancel &op) {
  const Strands who = strands(a, s);
  const BarrierEvent asked = event(a, s);
  const auto own = parts_.barriers.resolve(a, s, op.barrier);
  if (!own)
    return Step::stop;
  if (!everyCtaMayBeAbsent(a, s))
    return Step::stop;
  forgetGiven();
  Asking &asking = asking_[a.cta];
  if (!asking.open.empty())
    return refuseLate(asked, asking.open.begin()->second), Step::stop;
  asking.requests[a.index] = asked;
  const Affine number = nextNumber(a);
  for (int cta = 0; cta < static_cast<int>(ctas_.size()); ++cta) {
    if (!op.multicast && cta != a.cta)
      continue;
    const BarrierPlace place = op.multicast ? parts_.barriers.sameIn(cta, *own) : *own;
    if (!parts_.barriers.usable(a, s, place, true))
      return Step::stop;
    Access written{parts_.data.nextLoad(a, s, place), &s, a.index, true};
    written.isNumber = true;
    written.number = number;
    const Rows row{{{0, 1}}, 1};
    if (!parts_.data.access(a, s, {&op.response, true}, written, cta, who, row))
      return Step::stop;
    parts_.exit.owe(cta, {written.stamp, a.index, &s});
    if (cta != a.cta)
      parts_.exit.owe(a.cta, {written.stamp, a.index, &s});
    if (parts_.barriers.completeBytes(a, s, place, ClcTryCancel::responseBytes, written.stamp) ==
        Step::stop)
      return Step::stop;
  }
  return Step::done;
}

void RunLaunches::query(Actor &a, const Stmt &s, Affine number) {
  if (!context_.launch)
    context_.assumptions.insert("draws-end: loops that go on while requests are given clusters "
                                "come to an end");
  if (isGiven(number))
    return;
  const Strands who = strands(a, s);
  const BarrierEvent now = event(a, s);
  Asking &asking = asking_[a.cta];
  asking.open.emplace(number, now);
  for (const auto &[actor, request] : asking.requests)
    if (!who.know(request.stamp))
      races_.push_back({now, request, number});
}

bool RunLaunches::askedTooLate() {
  forgetGiven();
  return !races_.empty() && refuseLate(races_.front().request, races_.front().query);
}

} // namespace sluice
