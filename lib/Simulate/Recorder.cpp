#include "Simulate/Recorder.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace sluice {
namespace {

std::string rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f", value);
  return text;
}

} // namespace

int Recorder::row(TimelineRow::Kind kind, const std::string &name) {
  for (size_t i = 0; i < rows_.size(); ++i)
    if (rows_[i].kind == kind && rows_[i].name == name)
      return static_cast<int>(i);
  rows_.push_back({kind, name});
  return static_cast<int>(rows_.size()) - 1;
}

void Recorder::add(TimelineEvent event) {
  events_.push_back(std::move(event));
}

void Recorder::addWait(TimelineEvent event, const std::string &barrier) {
  Stall &stall = stalls_[{event.row, barrier}];
  stall.row = rows_[event.row].name;
  stall.barrier = barrier;
  stall.cycles += event.end - event.begin;
  ++stall.count;
  add(std::move(event));
}

void Recorder::addDataWait(int row, Pipe source, int64_t iteration, double cycles) {
  dataWaits_.push_back({row, static_cast<int>(source), iteration, cycles});
}

void Recorder::addSlotWait(int row, int buffer, int64_t iteration, double cycles) {
  slotWaits_.push_back({row, buffer, iteration, cycles});
}

void Recorder::use(int buffer, int64_t slot, double begin, double end, bool refill) {
  auto &slots = uses_[buffer];
  slots.resize(std::max<size_t>(slots.size(), world_->program.buffers[buffer].slots));
  auto &fillings = slots[slot];
  if (refill || fillings.empty())
    fillings.push_back({begin, end, end});
  fillings.back().end = std::max(fillings.back().end, end);
}

void Recorder::epoch(double at) {
  epoch_ = at;
  events_.clear();
  stalls_.clear();
  dataWaits_.clear();
  slotWaits_.clear();
  uses_.clear();
}

Timeline Recorder::finish(double end, int64_t iterations, double sharedMemory) {
  Timeline t;
  t.rows = rows_;
  t.events = std::move(events_);
  for (TimelineEvent &e : t.events) {
    e.begin = std::max(0.0, e.begin - epoch_);
    e.end = std::max(0.0, e.end - epoch_);
  }
  std::stable_sort(t.events.begin(), t.events.end(),
                   [](auto &a, auto &b) { return a.begin < b.begin; });
  t.leadIn = epoch_;
  t.cycles = end - epoch_;
  t.iterations = iterations;
  for (auto &[key, stall] : stalls_)
    t.stalls.push_back(stall);
  std::sort(t.stalls.begin(), t.stalls.end(), [](auto &a, auto &b) { return a.cycles > b.cycles; });
  t.fillings = fillings();
  const Steady steady = steadyOf(iterations);
  deriveEngines(t, steady);
  noteSharedMemory(t, sharedMemory);
  t.serialInterval = serial(t, steady);
  noteRings(t);
  noteSlots(t, steady);
  if (t.critical == "TMA load")
    t.notes.push_back("TMA load: an SM has " + rounded(world_->l2Rate) +
                      " bytes a cycle of L2 and " + rounded(world_->hbmRate) + " of HBM while " +
                      std::to_string(std::min<int64_t>(world_->ctas(), world_->arch.cores)) +
                      " SMs run; larger tiles or a cluster with multicast load fewer bytes");
  return t;
}

/// Utilisation of every engine, the critical one, and the interval at which it starts iterations.
void Recorder::deriveEngines(Timeline &t, Steady steady) const {
  int critical = -1;
  std::vector<double> busy(t.rows.size(), 0), inSteady(t.rows.size(), 0);
  for (const TimelineEvent &e : t.events) {
    if (e.kind != TimelineEvent::work)
      continue;
    busy[e.row] += e.end - e.begin;
    inSteady[e.row] += steady.has(e.iteration) ? e.end - e.begin : 0;
  }
  for (size_t r = 0; r < t.rows.size(); ++r) {
    if (t.rows[r].kind != TimelineRow::engine)
      continue;
    t.utilisation[t.rows[r].name] = t.cycles > 0 ? busy[r] / t.cycles : 0;
    const auto &measure = t.iterations > 0 ? inSteady : busy;
    if (critical < 0 || measure[r] > measure[critical])
      critical = static_cast<int>(r);
  }
  if (critical < 0)
    return;
  t.critical = t.rows[critical].name;
  if (t.iterations > 0) {
    t.criticalBusy = inSteady[critical] / steady.count();
    t.initiationInterval = intervalOn(t, critical);
  }
}

/// Its port has no row of its own: what passes it stands in those of TMA, tensor core and warps.
void Recorder::noteSharedMemory(Timeline &t, double busy) const {
  if (busy <= 0 || t.cycles <= 0)
    return;
  const double share = t.utilisation["shared memory"] = busy / t.cycles;
  if (share > 0.9)
    t.notes.push_back("shared memory: its port moves " + rounded(world_->arch.smemBytesPerCycle) +
                      " bytes a cycle for TMA, wgmma and warps together and is busy " +
                      rounded(100 * share) +
                      " % of the time; larger tiles move fewer bytes for a product");
}

/// The engines' work of one iteration one after another, with the latencies that then show.
double Recorder::serial(const Timeline &t, Steady steady) const {
  double sum = 0;
  std::vector<bool> works(t.rows.size(), false);
  for (const TimelineEvent &e : t.events)
    if (e.kind == TimelineEvent::work && t.rows[e.row].kind == TimelineRow::engine &&
        steady.has(e.iteration)) {
      sum += (e.end - e.begin) / steady.count();
      works[e.row] = true;
    }
  const Arch &a = world_->arch;
  double missDelay = 0;
  for (size_t i = 0; i < world_->program.tensors.size(); ++i)
    if (!world_->program.tensors[i].output)
      missDelay = std::max(missDelay, world_->missDelay(static_cast<int>(i)));
  for (size_t r = 0; r < t.rows.size(); ++r)
    if (works[r])
      sum += t.rows[r].name == "TMA load"      ? a.tmaLatency + missDelay + a.barrierLatency
             : t.rows[r].name == "TMA store"   ? a.tmaStoreLatency
             : t.rows[r].name == "cp.async"    ? a.loadLatency
             : t.rows[r].name == "tensor core" ? a.wgmmaLatency
                                               : 0;
  return sum;
}

std::string Recorder::placeOf(int buffer) const {
  const Buffer &b = world_->program.buffers[buffer];
  std::string space(name(b.space));
  if (isAscend(world_->program.target))
    std::transform(space.begin(), space.end(), space.begin(), ::toupper);
  return b.name + " (" + space + ")";
}

std::vector<Filling> Recorder::fillings() const {
  std::vector<Filling> all;
  for (const auto &[buffer, slots] : uses_)
    for (size_t slot = 0; slot < slots.size(); ++slot)
      for (const Use &u : slots[slot])
        all.push_back({buffer, static_cast<int64_t>(slot), std::max(0.0, u.begin - epoch_),
                       std::max(0.0, u.ready - epoch_), std::max(0.0, u.end - epoch_)});
  std::ranges::stable_sort(all, {}, &Filling::begin);
  return all;
}

/// How many slots of a ring ever hold something at the same time.
void Recorder::noteRings(Timeline &t) const {
  for (const auto &[buffer, slots] : uses_) {
    const Buffer &b = world_->program.buffers[buffer];
    if (b.slots < 2 || b.space == Space::reg)
      continue;
    std::vector<std::pair<double, int>> edges;
    for (const auto &fillings : slots)
      for (const Use &u : fillings)
        edges.insert(edges.end(), {{u.begin, 1}, {u.end, -1}});
    std::sort(edges.begin(), edges.end());
    int now = 0, most = 0;
    for (auto [time, step] : edges)
      most = std::max(most, now += step);
    std::string text = "ring " + b.name + ": slots " + std::to_string(b.slots) + ", at most " +
                       std::to_string(most) + " in use";
    if (most < b.slots)
      text += ", " + std::to_string(b.slots - most) + " never needed in this run";
    t.notes.push_back(text);
  }
}

/// Which buffer's slots hold up the critical engine: from that engine upstream along the waits for
/// data to the first pipe that waits for a free slot.
void Recorder::noteSlots(Timeline &t, Steady steady) const {
  if (t.iterations == 0 || t.initiationInterval <= 0)
    return;
  auto total = [&](const std::vector<Wait> &waits, int row, int &object) {
    std::map<int, double> sums;
    for (const Wait &w : waits)
      if (w.row == row && steady.has(w.iteration))
        sums[w.object] += w.cycles / steady.count();
    double most = 0;
    for (auto [o, cycles] : sums)
      if (cycles > most) {
        most = cycles;
        object = o;
      }
    return most;
  };
  double noticeable = 0.02 * t.initiationInterval;
  std::string at = t.critical;
  std::string chain;
  for (size_t hop = 0; hop < t.rows.size(); ++hop) {
    auto found = std::find_if(t.rows.begin(), t.rows.end(), [&](auto &r) { return r.name == at; });
    if (found == t.rows.end())
      return;
    int row = static_cast<int>(found - t.rows.begin()), object = -1;
    if (double cycles = total(slotWaits_, row, object); cycles > noticeable) {
      const Buffer &b = world_->program.buffers[object];
      t.notes.push_back("slots of " + placeOf(object) + ": " + std::to_string(b.slots) + ", " + at +
                        " waits " + rounded(cycles) + " cycles an iteration for a free one" +
                        chain + "; one more is what would pay");
      return;
    }
    double cycles = total(dataWaits_, row, object);
    if (cycles <= noticeable) {
      if (hop == 0 && isAscend(world_->program.target))
        t.notes.push_back("slots: " + at + " is busy all the time, more slots do not pay");
      return;
    }
    std::string source(name(static_cast<Pipe>(object)));
    chain += ", and " + at + " waits " + rounded(cycles) + " for " + source;
    at = source;
  }
}

} // namespace sluice
