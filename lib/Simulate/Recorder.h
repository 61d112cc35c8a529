// Collects the timeline of one CTA or core.
#pragma once

#include "Simulate/World.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sluice {

class Recorder {
public:
  explicit Recorder(const World &world) : world_(&world) {}

  int row(TimelineRow::Kind kind, const std::string &name);
  void add(TimelineEvent event);
  /// A wait that ended, and what it was for.
  void addWait(TimelineEvent event, const std::string &barrier);
  /// Ascend: row `row` waited for data that pipe `source` makes.
  void addDataWait(int row, Pipe source, int64_t iteration, double cycles);
  /// Row `row` waited for a free slot of a buffer.
  void addSlotWait(int row, int buffer, int64_t iteration, double cycles);
  /// A slot is written or read from `begin` to `end`; `refill`: it starts a new filling.
  void use(int buffer, int64_t slot, double begin, double end, bool refill);
  void epoch(double at);

  /// The whole timeline, with everything derived from it. `end`: when the last agent ended.
  /// `sharedMemory`: cycles that its port was busy; 0 where there is none.
  Timeline finish(double end, int64_t iterations, double sharedMemory);

private:
  struct Use {
    double begin, ready, end;
  };
  struct Wait {
    int row, object; // Pipe or buffer
    int64_t iteration;
    double cycles;
  };
  void noteSharedMemory(Timeline &t, double busy) const;
  void deriveEngines(Timeline &t, Steady steady) const;
  double serial(const Timeline &t, Steady steady) const;
  std::vector<Filling> fillings() const;
  void noteRings(Timeline &t) const;
  void noteSlots(Timeline &t, Steady steady) const;
  std::string placeOf(int buffer) const;

  const World *world_;
  double epoch_ = 0;
  std::vector<TimelineRow> rows_;
  std::vector<TimelineEvent> events_;
  std::map<std::pair<int, std::string>, Stall> stalls_;
  std::vector<Wait> dataWaits_, slotWaits_;
  std::map<int, std::vector<std::vector<Use>>> uses_; // buffer -> slot -> fillings
};

} // namespace sluice
