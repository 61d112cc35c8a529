#include "Simulate/Place.h"

#include <algorithm>
#include <map>
#include <set>

namespace sluice {
namespace {

int64_t bytesOf(const Buffer &b) {
  return b.slots * b.shape[0] * b.shape[1] * byteSize(b.type);
}

/// Register tiles that a map computes from one at least as large, whose place they take.
std::set<int> takingPlaces(const Program &p) {
  std::set<int> found;
  walk(p.body, [&](const Stmt &s) {
    auto *map = std::get_if<Map>(&s.op);
    if (!map)
      return;
    const auto inRegisters = [&](const View &v) {
      return v.kind == View::buffer && p.buffers[v.object].space == Space::reg;
    };
    for (const View &out : map->outs)
      for (const View &in : map->ins)
        if (inRegisters(out) && inRegisters(in) && in.object != out.object &&
            bytesOf(p.buffers[in.object]) >= bytesOf(p.buffers[out.object]))
          found.insert(out.object);
  });
  return found;
}

/// Registers of a thread: what its roles ask for, or their tiles and some for addresses.
int64_t registersOfCta(const Program &p) {
  std::map<std::string, int64_t> tileBytes;
  const std::set<int> placed = takingPlaces(p);
  for (size_t i = 0; i < p.buffers.size(); ++i)
    if (p.buffers[i].space == Space::reg && !placed.contains(static_cast<int>(i)))
      tileBytes[p.buffers[i].role] += bytesOf(p.buffers[i]);
  constexpr int64_t others = 28; // ptxas: 90 registers for an accumulator of 64
  int64_t most = others, asked = 0;
  walk(p.body, [&](const Stmt &s) {
    auto *role = std::get_if<Role>(&s.op);
    if (!role || role->warps == 0)
      return;
    asked += role->registers * role->warps * 32;
    most = std::max(most, others + tileBytes[role->name] / (4 * 32 * role->warps));
  });
  // Without setmaxnreg all warps get what the largest needs.
  return std::max(asked, asked ? 0 : std::min<int64_t>(most, 255) * p.warps * 32);
}

class Place {
public:
  Place(const World &world, const std::vector<Unit::Coordinates> &units, int64_t places,
        const std::optional<Traced> &traced, const std::function<void()> &unitDone)
      : world_(world), launches_(units), traced_(traced), unitDone_(unitDone), recorder_(world),
        counters_(world) {
    for (int64_t p = 0; p < places; ++p)
      engines_.emplace_back(std::max<int64_t>(3, world.clusterSize()));
    const Schedule *schedule = world.options.schedule;
    if (schedule && units.size() == 1 && units.front() == schedule->first)
      replay_.emplace(*schedule);
    result_.traffic.assign(world.program.tensors.size(), 0);
  }

  PlaceResult run(int64_t resident) {
    for (int64_t i = 0; i < resident; ++i)
      startNext(0);
    while (!result_.violation && (!events_.empty() || followOn())) {
      if (events_.empty())
        continue;
      Event e = events_.pop();
      bool ran = e.unit->live() > 0;
      e.unit->handle(e);
      if (ran && e.unit->live() == 0)
        startNext(e.unit->end());
      if (e.unit->finished())
        retire(e.unit);
      else if (e.unit->violation())
        result_.violation = e.unit->violation();
    }
    if (replay_) {
      result_.followed = replay_->followed;
      result_.error = replay_->mismatch;
    }
    if (result_.error)
      return std::move(result_);
    for (auto &unit : units_)
      if (!result_.violation && unit->live() > 0)
        result_.violation = unit->hang();
    while (!units_.empty())
      retire(units_.front().get());
    if (!result_.violation)
      result_.violation = counters_.leftBehind();
    return std::move(result_);
  }

private:
  /// Nothing is due: the schedule says what comes next. False: there is none, or it is over.
  bool followOn() {
    if (!replay_ || units_.empty())
      return false;
    Unit &unit = *units_.front();
    const bool took = unit.followOn();
    if (unit.violation())
      result_.violation = unit.violation();
    return took && !result_.violation;
  }

  void startNext(double time) {
    const auto next = result_.violation ? std::nullopt : launches_.take();
    if (!next)
      return;
    const Unit::Coordinates first = *next;
    bool records = traced_ && traced_->unit == first;
    std::vector<SmEngines> &engines = engines_[started_++ % engines_.size()];
    units_.push_back(std::make_unique<Unit>(world_, events_, counters_, launches_, engines, first,
                                            records ? &recorder_ : nullptr,
                                            records ? traced_->cta : -1));
    if (replay_)
      units_.back()->follow(*replay_);
    units_.back()->start(time + world_.arch.startCycles);
    if (units_.back()->finished()) // no warps at all
      retire(units_.back().get());
  }

  void retire(Unit *unit) {
    if (!result_.violation)
      result_.violation = unit->exitChecks();
    result_.end = std::max(result_.end, unit->drained());
    result_.events += unit->events();
    for (size_t i = 0; i < result_.traffic.size(); ++i)
      result_.traffic[i] += unit->traffic()[i];
    if (unit->recorded())
      result_.timeline =
          recorder_.finish(unit->end(), unit->iterations(), unit->sharedMemoryBusy());
    std::erase_if(units_, [&](auto &u) { return u.get() == unit; });
    unitDone_();
  }

  const World &world_;
  Launches launches_;
  const std::optional<Traced> &traced_;
  const std::function<void()> &unitDone_;
  Recorder recorder_;
  Counters counters_;
  // Of every place: of every CTA of a cluster, of the cores of a block.
  std::vector<std::vector<SmEngines>> engines_;
  EventQueue events_;
  size_t started_ = 0;
  std::vector<std::unique_ptr<Unit>> units_;
  PlaceResult result_;
  std::optional<Replay> replay_;
};

} // namespace

int64_t residency(const Program &program, const Arch &arch) {
  if (isAscend(program.target) || program.warps == 0)
    return 1;
  int64_t bySharedMemory = 228 * 1024 / (program.sharedBytes + 1024);
  int64_t byWarps = 64 / program.warps;
  const int64_t registers = arch.registersPerSm / std::max<int64_t>(registersOfCta(program), 1);
  const int64_t byRegisters = std::max<int64_t>(registers, program.ctasPerSm); // held to these
  return std::clamp<int64_t>(std::min({bySharedMemory, byWarps, byRegisters}), 1, 32);
}

PlaceResult runPlace(const World &world, const std::vector<Unit::Coordinates> &units,
                     const Seats &seats, const std::optional<Traced> &traced,
                     const std::function<void()> &unitDone) {
  return Place(world, units, seats.places, traced, unitDone).run(seats.resident);
}

} // namespace sluice
