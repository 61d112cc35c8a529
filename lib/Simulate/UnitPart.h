// What the parts of a unit have in common: its agents and CTAs, its clock, the first rule that was
// broken.
#pragma once

#include "Program/Agent.h"
#include "Program/BarrierState.h"
#include "Program/OperationFacts.h"
#include "Simulate/Engines.h"
#include "Simulate/EventQueue.h"
#include "Simulate/Groups.h"
#include "Simulate/Replay.h"
#include "Simulate/Storage.h"
#include "Simulate/Tile.h"

#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace sluice {

struct UnitParts;

/// What is to be done when asynchronous operations end, by number.
class Completions {
public:
  int add(std::function<void()> action);
  /// Gives the number back.
  std::function<void()> take(int number);

private:
  std::vector<std::function<void()>> actions_;
  std::vector<int> free_;
};

struct UnitState {
  using Coordinates = std::array<int64_t, 3>;

  UnitState(const World &theWorld, EventQueue &events, std::vector<SmEngines> &theEngines,
            Coordinates first);

  /// A copy to these registers (a buffer) whose values have not come.
  struct LateRead {
    int registers;
    bool ofTensor;
    TileCopy copy;
  };
  struct Actor {
    Actor(Agent walker, int number, int ctaInUnit)
        : agent(std::move(walker)), index(number), cta(ctaInUnit) {}
    Agent agent;
    int index, cta;
    double time = 0;
    enum State : uint8_t { running, finishing, blocked, done } state = running;
    double blockedAt = 0;
    bool released = false; // what it was blocked on has happened
    Groups wgmmas, bulk, copies;
    Groups products, tensorLoads, tensorStores; // tcgen05.mma, tcgen05.ld, tcgen05.st
    Groups &tensorGroups(bool stores) { return stores ? tensorStores : tensorLoads; }
    Groups &groups(GroupDeed::Queue queue) {
      Groups *const all[GroupDeed::queues] = {&bulk,     &copies,      &wgmmas,
                                              &products, &tensorLoads, &tensorStores};
      return *all[queue];
    }
    double lastCopyEnd = 0, lastWgmmaEnd = 0, lastProductEnd = 0;
    /// By bytes of lanes: of the last product with sums there.
    std::map<std::pair<int64_t, int64_t>, double> sumEnds;
    double arrivalsLand = 0;   // all of its arrivals at barriers of other CTAs, at the latest
    int64_t clusterPhase = -1; // phase of the cluster barrier that it arrived in
    double waitForSlot = 0;    // time blocked since the last data operation, for the recorder
    std::vector<LateRead> lateReads;
  };
  struct Cta {
    explicit Cta(const World &world) : memory(world) {}
    Coordinates at{0, 0, 0};
    std::string core;
    Storage memory;
    int live = 0, inFlight = 0;
  };

  const World &world;
  EventQueue &queue;
  std::vector<SmEngines> &engines; // of every CTA
  std::vector<Cta> ctas;
  std::vector<Actor> actors;
  Completions completions;
  double now = 0, end = 0; // when the last agent or operation ended
  int live = 0, inFlight = 0;
  uint64_t random;
  Replay *replay = nullptr;
  std::optional<Violation> violation;

private:
  void createWarps(Coordinates first);
  void createPipes(Coordinates first);
  void addActor(AgentId id, int cta);
};

/// What a part of a unit refers to.
struct UnitLinks {
  UnitState &state;
  UnitParts &parts;
  Unit &unit;
};

class UnitPart {
public:
  using Coordinates = UnitState::Coordinates;
  using Actor = UnitState::Actor;
  using Cta = UnitState::Cta;
  using LateRead = UnitState::LateRead;
  enum class Step { done, finishing, blocked };

  explicit UnitPart(const UnitLinks &links);
  UnitPart(const UnitPart &) = delete;

protected:
  ~UnitPart() = default;

  void push(double time, int actor);
  static constexpr int noCta = -1; // touches nothing of a CTA, which may end before
  void schedule(double time, int cta, std::function<void()> action);
  double delay(); // SimulateOptions::chaos
  bool follows() const { return replay_ && replay_->follows(); }
  void release(Actor &a, double time);
  Step block(Actor &a);
  void fail(std::string rule, std::string message, const Location &loc, std::string barrier = {});
  std::string agentName(const Actor &a) const;

  UnitState &state_;
  const World &world_;
  const Program &program_;
  std::vector<SmEngines> &engines_;
  std::vector<Cta> &ctas_;
  std::vector<Actor> &actors_;
  double &now_;
  int &live_;
  Replay *&replay_;
  std::optional<Violation> &violation_;
  UnitParts &parts_;
  Unit &unit_;
};

} // namespace sluice
