#include "Measured.h"

#include "Flights.h"

#include "Program/Agent.h"
#include "Simulate/EventNames.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace sluice::tool {
namespace {

/// The parts of a timeline as the stamps of one warp after the other come in.
class Measuring {
public:
  Measuring(const Program &program, uint64_t origin) : program_(program), origin_(origin) {
    for (const Stmt *s : stampedStatements(program))
      numbers_.emplace(s, uint32_t(numbers_.size()) + 1);
  }

  std::optional<Error> warp(Agent agent, std::span<const Stamp> stamps);
  Timeline finish();

private:
  /// What one warp has on its way.
  struct Warp {
    FlyingGroups products, stores, copies;
    PhaseCounter phases;
  };

  double time(uint64_t clock) const { return double(int64_t(clock - origin_)); }
  int row(TimelineRow::Kind kind, const std::string &name);
  TimelineEvent eventOf(const Agent &agent, const Stmt &s, const Stamp &stamp) const;
  void take(const Agent &agent, const Stmt &s, const Stamp &stamp, Warp &warp);
  void wait(const Agent &agent, const Stmt &s, TimelineEvent event, Warp &warp);
  void issue(const Agent &agent, const Stmt &s, TimelineEvent event, Warp &warp);
  void work(const Agent &agent, const Stmt &s, TimelineEvent event);
  void unstamped(const Agent &agent, const Stmt &s, Warp &warp);
  void onEngine(const std::string &engine, std::vector<TimelineEvent> events);
  void onRole(const Agent &agent, TimelineEvent event);
  void setPace();

  const Program &program_;
  uint64_t origin_;
  std::map<const Stmt *, uint32_t> numbers_;
  Timeline timeline_;
  FlyingLoads loads_;
  std::map<std::pair<std::string, std::string>, Stall> stalls_;
  double epoch_ = 0, end_ = 0;
  int64_t kept_ = 0, lost_ = 0; // events that a warp has room for; those that found none
};

std::string warpName(const Agent &agent) {
  const Role *role = agent.role();
  return (role ? role->name + " " : "") + "warp " + std::to_string(agent.id().warp);
}

int Measuring::row(TimelineRow::Kind kind, const std::string &name) {
  auto &rows = timeline_.rows;
  const auto found = std::ranges::find_if(
      rows, [&](const TimelineRow &r) { return r.kind == kind && r.name == name; });
  const int index = int(found - rows.begin());
  if (found == rows.end())
    rows.push_back({kind, name});
  return index;
}

void Measuring::onEngine(const std::string &engine, std::vector<TimelineEvent> events) {
  for (TimelineEvent &event : events) {
    event.row = row(TimelineRow::engine, engine);
    timeline_.events.push_back(std::move(event));
  }
}

void Measuring::onRole(const Agent &agent, TimelineEvent event) {
  const std::string name = rowName(agent);
  if (name.empty())
    return;
  event.row = row(TimelineRow::role, name);
  timeline_.events.push_back(std::move(event));
}

TimelineEvent Measuring::eventOf(const Agent &agent, const Stmt &s, const Stamp &stamp) const {
  const double begin = time(stamp.begin);
  const View *ring = ringOf(program_, s.op);
  return {TimelineEvent::work,
          0,
          begin,
          begin + stamp.cycles,
          label(program_, s.op),
          ring ? ringSlot(program_, agent, *ring) : -1,
          agent.pipelinedIteration(),
          s.loc};
}

void Measuring::wait(const Agent &agent, const Stmt &s, TimelineEvent event, Warp &warp) {
  const Awaited what = awaited(program_, agent, s.op);
  event.kind = TimelineEvent::wait;
  event.name = what.text;
  event.slot = what.slot;
  if (auto *o = std::get_if<MbarrierWait>(&s.op)) {
    const int64_t phase = warp.phases.awaited(o->barrier.object, what.slot, agent.value(o->parity));
    loads_.seen({o->barrier.object, what.slot, phase}, event.end);
  } else if (auto *o = std::get_if<WgmmaWait>(&s.op)) {
    auto ended = warp.products.ended(o->pending, event.end);
    if (agent.id().warp % 4 == 0)
      onEngine("tensor core", std::move(ended));
  } else if (auto *o = std::get_if<BulkWait>(&s.op)) {
    onEngine("TMA store", warp.stores.ended(o->pending, event.end));
  } else if (auto *o = std::get_if<CpAsyncWait>(&s.op)) {
    auto ended = warp.copies.ended(o->pending, event.end);
    if (agent.warpInRole() == 0)
      onEngine("cp.async", std::move(ended));
  }
  if (const std::string name = rowName(agent); !name.empty()) {
    Stall &stall =
        stalls_.try_emplace({name, what.barrier}, name, what.barrier, 0, 0).first->second;
    stall.cycles += event.end - event.begin;
    ++stall.count;
  }
  onRole(agent, std::move(event));
}

/// The bytes that a load fills, as a key: who fills them once a phase.
std::vector<int64_t> bytesOf(const Agent &agent, const TmaLoad &load) {
  std::vector<int64_t> key = {load.destination.object, agent.value(load.destination.slot)};
  for (const Index &i : load.destination.offset)
    key.push_back(agent.value(i));
  return key;
}

/// The engine's part begins with the issue; its end is known later.
void Measuring::issue(const Agent &agent, const Stmt &s, TimelineEvent event, Warp &warp) {
  if (auto *load = std::get_if<TmaLoad>(&s.op)) {
    const int64_t slot = agent.value(load->barrier.slot);
    event.row = row(TimelineRow::engine, "TMA load");
    loads_.issue({load->barrier.object, slot, warp.phases.filled(bytesOf(agent, *load))}, event);
  } else if (std::holds_alternative<TmaStore>(s.op)) {
    warp.stores.issue(event);
  } else if (std::holds_alternative<Wgmma>(s.op)) {
    warp.products.issue(event);
  } else {
    warp.copies.issue(event);
  }
  event.name = "issue " + event.name;
  onRole(agent, std::move(event));
}

void Measuring::work(const Agent &agent, const Stmt &s, TimelineEvent event) {
  if (!std::holds_alternative<Copy>(s.op) && agent.id().warp % 4 == 0)
    onEngine("SIMT", {event});
  onRole(agent, std::move(event));
}

void Measuring::take(const Agent &agent, const Stmt &s, const Stamp &stamp, Warp &warp) {
  TimelineEvent event = eventOf(agent, s, stamp);
  auto *copy = std::get_if<Copy>(&s.op);
  if (std::holds_alternative<Epoch>(s.op))
    epoch_ = std::max(epoch_, event.end);
  else if (std::holds_alternative<TmaLoad>(s.op) || std::holds_alternative<TmaStore>(s.op) ||
           std::holds_alternative<Wgmma>(s.op) || (copy && copy->async))
    issue(agent, s, std::move(event), warp);
  else if (copy || std::holds_alternative<Fill>(s.op) || std::holds_alternative<Map>(s.op) ||
           std::holds_alternative<Reduce>(s.op))
    work(agent, s, std::move(event));
  else
    wait(agent, s, std::move(event), warp);
}

/// Group boundaries, and copies that an mbarrier is to count.
void Measuring::unstamped(const Agent &agent, const Stmt &s, Warp &warp) {
  if (std::holds_alternative<BulkCommit>(s.op))
    warp.stores.commit();
  else if (std::holds_alternative<WgmmaCommit>(s.op))
    warp.products.commit();
  else if (std::holds_alternative<CpAsyncCommit>(s.op))
    warp.copies.commit();
  else if (auto *o = std::get_if<CpAsyncArrive>(&s.op)) {
    const int64_t slot = agent.value(o->barrier.slot);
    const int64_t phase = warp.phases.filled({-1, o->barrier.object, slot});
    for (TimelineEvent &event : warp.copies.handOver()) {
      event.row = row(TimelineRow::engine, "cp.async");
      if (agent.warpInRole() == 0)
        loads_.issue({o->barrier.object, slot, phase}, std::move(event));
    }
  }
}

/// Walks the warp along its stamps. An error where they are not those of the program.
std::optional<Error> Measuring::warp(Agent agent, std::span<const Stamp> stamps) {
  const std::string name = "warp " + std::to_string(agent.id().warp);
  const Stamp &whole = stamps[0];
  kept_ = int64_t(stamps.size()) - 1;
  const int64_t kept = std::min<int64_t>(whole.event, kept_);
  int64_t events = 0;
  Warp flying;
  for (; const Stmt *s = agent.current(); agent.advance()) {
    const auto number = numbers_.find(s);
    if (number == numbers_.end()) {
      unstamped(agent, *s, flying);
    } else if (++events <= kept) {
      if (stamps[events].event != number->second)
        return inputError("the stamps of " + name + " do not belong to kernel " + program_.name +
                              ": stamp " + std::to_string(events) + " is of event " +
                              std::to_string(stamps[events].event) + ", " + warpName(agent) +
                              " is at " + std::to_string(number->second),
                          s->loc);
      take(agent, *s, stamps[events], flying);
    }
  }
  if (events != whole.event)
    return inputError("the stamps of " + name + " do not belong to kernel " + program_.name + ": " +
                      std::to_string(whole.event) + " events, not " + std::to_string(events));
  lost_ += events - kept;
  end_ = std::max(end_, time(whole.begin) + whole.cycles);
  timeline_.iterations = std::max(timeline_.iterations, agent.pipelinedIterations());
  return {};
}

/// The interval of the engine that tells most iterations apart.
void Measuring::setPace() {
  Timeline &t = timeline_;
  size_t most = 1;
  for (size_t r = 0; r < t.rows.size(); ++r) {
    std::set<int64_t> iterations;
    for (const TimelineEvent &e : t.events)
      if (e.row == int(r) && e.kind == TimelineEvent::work && e.iteration >= 0)
        iterations.insert(e.iteration);
    if (t.rows[r].kind == TimelineRow::engine && iterations.size() > most) {
      most = iterations.size();
      t.initiationInterval = intervalOn(t, int(r));
    }
  }
}

Timeline Measuring::finish() {
  Timeline &t = timeline_;
  std::ranges::move(loads_.ended(), std::back_inserter(t.events));
  std::erase_if(t.events, [&](const TimelineEvent &e) { return e.end < epoch_; });
  for (TimelineEvent &e : t.events) {
    e.begin = std::max(0.0, e.begin - epoch_);
    e.end -= epoch_;
  }
  std::ranges::stable_sort(t.events, {}, &TimelineEvent::begin);
  for (auto &[key, stall] : stalls_)
    t.stalls.push_back(stall);
  std::ranges::sort(t.stalls, std::greater(), &Stall::cycles);
  t.leadIn = epoch_;
  t.cycles = end_ - epoch_;
  setPace();
  t.notes.push_back("engines: from the issue until a warp has seen the end, which may be later "
                    "than the end itself");
  if (lost_ > 0)
    t.notes.push_back(std::to_string(lost_) + " events of all warps came after the first " +
                      std::to_string(kept_) + " of their warp and are not shown");
  return std::move(t);
}

} // namespace

std::optional<Error> unmeasurable(const Program &program) {
  if (!readsNumbers(program) && std::ranges::count(scalarTensors(program), true) == 0)
    return {};
  return unsupportedError("unsupported: what the warps of kernel " + program.name +
                          " do depends on numbers that they read, so that nobody can tell which "
                          "operation a stamp is of");
}

Result<std::array<int64_t, 3>> ctaAt(const Program &program, const Launch &launch, int64_t number) {
  std::vector<int64_t> grid = gridExtents(program, launch);
  grid.resize(3, 1);
  if (const int64_t ctas = grid[0] * grid[1] * grid[2]; number >= ctas)
    return inputError("--cta " + std::to_string(number) + ": the launch has " +
                      std::to_string(ctas) + (ctas == 1 ? " CTA" : " CTAs") +
                      ", counted from 0 with x fastest");
  return std::array<int64_t, 3>{number % grid[0], number / grid[0] % grid[1],
                                number / grid[0] / grid[1]};
}

Result<Timeline> measuredTimeline(const Program &program, const Launch &launch,
                                  const std::array<int64_t, 3> &cta,
                                  std::span<const Stamp> stamps) {
  const size_t each = stamps.size() / size_t(program.warps);
  uint64_t origin = ~uint64_t(0);
  for (int w = 0; w < program.warps; ++w) {
    const Stamp &whole = stamps[size_t(w) * each];
    if (whole.cycles == 0)
      return inputError("kernel " + program.name + " left no stamps of warp " + std::to_string(w));
    origin = std::min(origin, whole.begin);
  }
  Measuring measuring(program, origin);
  for (int w = 0; w < program.warps; ++w)
    if (auto wrong = measuring.warp(Agent(program, launch, {cta, w, "", Pipe::none}),
                                    stamps.subspan(size_t(w) * each, each)))
      return *wrong;
  return measuring.finish();
}

} // namespace sluice::tool
