#include "Simulate/UnitPart.h"

#include "Program/AscendCores.h"
#include "Simulate/Unit.h"

#include <algorithm>

namespace sluice {

int Completions::add(std::function<void()> action) {
  if (free_.empty()) {
    actions_.push_back(std::move(action));
    return static_cast<int>(actions_.size()) - 1;
  }
  const int number = free_.back();
  free_.pop_back();
  actions_[number] = std::move(action);
  return number;
}

std::function<void()> Completions::take(int number) {
  free_.push_back(number);
  return std::move(actions_[number]);
}

UnitState::UnitState(const World &theWorld, EventQueue &events, std::vector<SmEngines> &theEngines,
                     Coordinates first)
    : world(theWorld), queue(events), engines(theEngines),
      random((world.options.seed * 1000003 + first[0]) * 1000003 + first[1] * 1009 + first[2]) {
  if (isAscend(world.program.target))
    createPipes(first);
  else
    createWarps(first);
  live = static_cast<int>(actors.size());
}

void UnitState::createWarps(Coordinates first) {
  const int64_t *c = world.program.cluster;
  for (int64_t rank = 0; rank < world.clusterSize(); ++rank) {
    Cta cta(world);
    cta.at = {first[0] + rank % c[0], first[1] + rank / c[0] % c[1], first[2] + rank / c[0] / c[1]};
    ctas.push_back(std::move(cta));
    for (int warp = 0; warp < world.program.warps; ++warp) {
      AgentId id;
      id.cta = ctas.back().at;
      id.warp = warp;
      addActor(id, static_cast<int>(rank));
    }
  }
}

void UnitState::createPipes(Coordinates first) {
  for (AgentId id : ascendPipes(world.program)) {
    if (ctas.empty() || ctas.back().core != id.core) {
      Cta cta(world);
      cta.at = first;
      cta.core = id.core;
      ctas.push_back(std::move(cta));
    }
    id.cta = first;
    addActor(std::move(id), static_cast<int>(ctas.size()) - 1);
  }
}

void UnitState::addActor(AgentId id, int cta) {
  actors.emplace_back(Agent(world.program, world.launch, std::move(id)),
                      static_cast<int>(actors.size()), cta);
  ++ctas[cta].live;
}

UnitPart::UnitPart(const UnitLinks &links)
    : state_(links.state), world_(state_.world), program_(world_.program), engines_(state_.engines),
      ctas_(state_.ctas), actors_(state_.actors), now_(state_.now), live_(state_.live),
      replay_(state_.replay), violation_(state_.violation), parts_(links.parts), unit_(links.unit) {
}

void UnitPart::push(double time, int actor) {
  state_.queue.push(time, &unit_, actor, -1);
}

void UnitPart::schedule(double time, int cta, std::function<void()> action) {
  ++state_.inFlight;
  if (cta != noCta)
    ++ctas_[cta].inFlight;
  const int number = state_.completions.add([this, cta, action = std::move(action)] {
    --state_.inFlight;
    if (cta != noCta)
      --ctas_[cta].inFlight;
    action();
  });
  if (!follows())
    state_.queue.push(time, &unit_, -1, number);
  else if (replay_->late)
    replay_->held.push_back(number);
  else
    state_.queue.push(now_, &unit_, -1, number);
}

/// Three of four operations go undelayed: long delays next to none bring out more orders than equal
/// ones. Knuth's linear congruential generator.
double UnitPart::delay() {
  if (world_.options.chaos <= 0)
    return 0;
  state_.random = state_.random * 6364136223846793005u + 1442695040888963407u;
  double x = static_cast<double>(state_.random >> 40) * 0x1p-24;
  return std::max(0.0, x - 0.75) * 4 * world_.options.chaos;
}

UnitPart::Step UnitPart::block(Actor &a) {
  a.state = Actor::blocked;
  a.blockedAt = a.time;
  return Step::blocked;
}

void UnitPart::release(Actor &a, double time) {
  a.released = true;
  a.time = std::max(a.time, time);
  parts_.report.recordWait(a, a.time);
  push(a.time, a.index);
}

void UnitPart::fail(std::string rule, std::string message, const Location &loc,
                    std::string barrier) {
  if (!violation_)
    violation_ = Violation{std::move(rule), std::move(message), loc, std::move(barrier), {}};
}

} // namespace sluice
