#include "Simulate/Simulate.h"

#include "Program/Assumption.h"
#include "Program/GridLimits.h"
#include "Program/OperationFacts.h"
#include "Program/TensorShape.h"
#include "Simulate/Place.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

namespace sluice {
namespace {

std::optional<Error> checkTarget(const Program &program, const Arch &arch) {
  if (isAscend(program.target) != isAscend(arch.target))
    return inputError("program " + program.name + " is for " + std::string(name(program.target)) +
                      ", the machine " + arch.name + " is not");
  std::optional<Error> error;
  walk(program.body, [&](const Stmt &s) {
    const MachineKind other = isAscend(program.target) ? MachineKind::nvidia : MachineKind::ascend;
    if (!error && factsOf(s.op).machine == other)
      error = inputError("an operation of the other kind of machine", s.loc);
    auto *cross = std::get_if<CrossSet>(&s.op);
    if (!error && cross && cross->mode != 2 && cross->mode != allCores)
      error = unsupportedError("cross-core flags in mode " + std::to_string(cross->mode) +
                                   " are not simulated, only modes 2 (AIC and its AIVs) and 0 (all "
                                   "cores of a kind)",
                               s.loc);
  });
  return error;
}

std::optional<Error> checkLaunch(const Program &program, const Launch &launch) {
  if (launch.tensors.size() != program.tensors.size())
    return inputError("kernel " + program.name + " takes " +
                      std::to_string(program.tensors.size()) + " tensors, " +
                      std::to_string(launch.tensors.size()) + " are given");
  if (launch.arguments.size() != program.arguments.size())
    return inputError("kernel " + program.name + " takes " +
                      std::to_string(program.arguments.size()) + " scalars, " +
                      std::to_string(launch.arguments.size()) + " are given");
  for (size_t i = 0; i < program.tensors.size(); ++i)
    if (static_cast<int>(launch.tensors[i].extents.size()) != program.tensors[i].rank)
      return inputError("tensor " + program.tensors[i].name + " has rank " +
                        std::to_string(program.tensors[i].rank) + ", not " +
                        std::to_string(launch.tensors[i].extents.size()));
  return brokenAssumption(program, launch);
}

/// As a launcher refuses it.
std::string gridRefusal(const Program &program, const std::vector<int64_t> &grid) {
  for (size_t d = 0; d < grid.size() && d < 3; ++d)
    if (const int64_t cluster = program.cluster[d]; grid[d] % cluster)
      return "side " + std::to_string(d) + " of the grid is " + std::to_string(grid[d]) +
             ", no multiple of the cluster's " + std::to_string(cluster);
  return gridFault(program, grid);
}

/// The grid in units: clusters of CTAs, or cores.
struct Grid3 {
  explicit Grid3(const World &world) : world(world) {
    for (int d = 0; d < 3; ++d)
      units[d] = (world.grid[d] + world.program.cluster[d] - 1) / world.program.cluster[d];
  }
  int64_t count() const { return units[0] * units[1] * units[2]; }
  Unit::Coordinates first(int64_t unit) const {
    const int64_t *c = world.program.cluster;
    return {unit % units[0] * c[0], unit / units[0] % units[1] * c[1],
            unit / units[0] / units[1] * c[2]};
  }
  /// The unit and the rank in it of a CTA's linear number (x fastest).
  std::pair<int64_t, int> unitOf(int64_t cta) const {
    const int64_t *c = world.program.cluster;
    int64_t at[3] = {cta % world.grid[0], cta / world.grid[0] % world.grid[1],
                     cta / world.grid[0] / world.grid[1]};
    int64_t unit = at[0] / c[0] + units[0] * (at[1] / c[1] + units[1] * (at[2] / c[2]));
    return {unit, static_cast<int>(at[0] % c[0] + c[0] * (at[1] % c[1] + c[1] * (at[2] % c[2])))};
  }
  const World &world;
  int64_t units[3];
};

int64_t bytesOf(const Launch::Shape &shape, DType type) {
  int64_t n = byteSize(type);
  for (int64_t e : shape.extents)
    n *= e;
  return n;
}

std::vector<Unit::Coordinates> allUnits(const Grid3 &grid) {
  std::vector<Unit::Coordinates> units;
  for (int64_t unit = 0; unit < grid.count(); ++unit)
    units.push_back(grid.first(unit));
  return units;
}

/// Clusters that the machine runs side by side.
int64_t placesOf(const World &world) {
  return std::max<int64_t>(1, world.arch.cores / world.clusterSize());
}

/// What joins the CTAs of a grid: counters, clusters that take the place of others, a meeting of
/// all cores. Then all of them run on one clock.
const char *whatJoinsGrid(const Program &program) {
  return usesCounters(program)      ? "counters"
         : cancelsLaunches(program) ? "requests for clusters"
         : coreMeetingOf(program)   ? "meeting of all cores"
                                    : nullptr;
}
bool runsOnOneClock(const Program &program) {
  return whatJoinsGrid(program) != nullptr;
}

Seats wholeMachine(const World &world) {
  return {residency(world.program, world.arch) * placesOf(world), placesOf(world)};
}

/// Runs one unit for its traffic and derives which part of it misses L2: all bytes of a tensor come
/// from (or go to) HBM once; repeated traffic hits, and so do outputs that fit.
void estimateMisses(World &world, const Grid3 &grid) {
  if (isAscend(world.program.target) || world.program.tensors.empty())
    return;
  const bool joined = runsOnOneClock(world.program);
  PlaceResult probe =
      joined ? runPlace(world, allUnits(grid), wholeMachine(world), std::nullopt, [] {})
             : runPlace(world, {grid.first(grid.count() / 2)}, {1}, std::nullopt, [] {});
  int64_t written = 0;
  for (size_t i = 0; i < world.program.tensors.size(); ++i)
    written += world.program.tensors[i].output
                   ? bytesOf(world.launch.tensors[i], world.program.tensors[i].type)
                   : 0;
  for (size_t i = 0; i < world.program.tensors.size(); ++i) {
    const Tensor &tensor = world.program.tensors[i];
    double all = probe.traffic[i] * static_cast<double>(joined ? 1 : grid.count());
    double size = static_cast<double>(bytesOf(world.launch.tensors[i], tensor.type));
    world.missShare[i] = all > 0 ? std::min(1.0, size / all) : 0;
    if (tensor.output && !tensor.input && written <= world.arch.l2Bytes)
      world.missShare[i] = 0; // write-back: the lines leave L2 after the kernel
  }
}

bool mayRunInParallel(const World &world) {
  if (!world.values())
    return true;
  bool alone = true;
  walk(world.program.body, [&](const Stmt &s) {
    auto *store = std::get_if<TmaStore>(&s.op);
    alone = alone && !(store && store->add); // sums in a fixed order
  });
  for (const Tensor &t : world.program.tensors)
    alone = alone && !(t.input && t.output) && (t.input || t.output);
  return alone;
}

/// Units are dealt to the SMs or cores in turn.
std::vector<std::vector<Unit::Coordinates>> deal(const World &world, const Grid3 &grid) {
  std::vector<std::vector<Unit::Coordinates>> queues(std::min(placesOf(world), grid.count()));
  for (int64_t unit = 0; unit < grid.count(); ++unit)
    queues[unit % queues.size()].push_back(grid.first(unit));
  return queues;
}

Result<SimulateResult> runAll(const World &world, const Grid3 &grid) {
  auto [tracedUnit, tracedRank] = grid.unitOf(world.options.onlyCta.value_or(0));
  std::vector<std::vector<Unit::Coordinates>> queues = {{grid.first(tracedUnit)}};
  const bool joined = runsOnOneClock(world.program);
  int64_t count = world.options.onlyCta && !joined ? 1 : grid.count();
  if (joined)
    queues = {allUnits(grid)};
  else if (!world.options.onlyCta)
    queues = deal(world, grid);
  if (const Schedule *schedule = world.options.schedule) { // its unit gets a place of its own
    for (std::vector<Unit::Coordinates> &queue : queues)
      std::erase(queue, schedule->first);
    queues.push_back({schedule->first});
  }
  std::optional<Traced> traced;
  if (world.options.timeline)
    traced = Traced{grid.first(tracedUnit), tracedRank};
  const Seats seats = joined ? wholeMachine(world) : Seats{residency(world.program, world.arch)};

  std::vector<PlaceResult> results(queues.size());
  std::atomic<size_t> next{0};
  std::atomic<int64_t> finished{0};
  std::atomic<bool> stop{false};
  auto work = [&](bool reports) {
    std::function<void()> unitDone = [&, reports] {
      double share = static_cast<double>(++finished) / static_cast<double>(count);
      if (reports && world.options.progress)
        world.options.progress(std::min(share, 1.0));
    };
    for (size_t p; !stop && (p = next++) < queues.size();) {
      results[p] = runPlace(world, queues[p], seats, traced, unitDone);
      if (results[p].violation)
        stop = true;
    }
  };
  if (mayRunInParallel(world) && queues.size() > 1) {
    std::thread second(work, false);
    work(true);
    second.join();
  } else {
    work(true);
  }
  SimulateResult result;
  for (PlaceResult &r : results) {
    if (r.error)
      return *r.error;
    if (r.followed)
      result.followed = r.followed;
    result.cycles = std::max(result.cycles, r.end);
    result.events += r.events;
    if (r.violation && !result.violation)
      result.violation = r.violation;
    if (r.timeline)
      result.timeline = std::move(*r.timeline);
  }
  return result;
}

Result<SimulateResult> simulateWorld(const Program &program, const Arch &arch, const Launch &launch,
                                     std::vector<HostTensor> *tensors,
                                     const SimulateOptions &options) {
  if (auto error = checkTarget(program, arch))
    return *error;
  if (auto error = checkLaunch(program, launch))
    return *error;
  if (const std::string fault = gridRefusal(program, gridExtents(program, launch)); !fault.empty())
    return inputError("kernel " + program.name + ": " + fault);
  if (options.schedule && runsOnOneClock(program))
    return inputError("a schedule is followed by one CTA or cluster, and the " +
                      std::string(whatJoinsGrid(program)) + " of kernel " + program.name +
                      " join the CTAs of its grid. Run it without the schedule");
  World world(program, arch, launch, tensors, options);
  if (world.ctas() == 0)
    return SimulateResult{};
  if (options.onlyCta && (*options.onlyCta < 0 || *options.onlyCta >= world.ctas()))
    return inputError("CTA " + std::to_string(*options.onlyCta) + " is outside of the grid of " +
                      std::to_string(world.ctas()));
  Grid3 grid(world);
  SimulateOptions quiet; // the probe has no values and no trace
  quiet.values = false;
  World probing(program, arch, launch, nullptr, quiet);
  estimateMisses(probing, grid);
  world.missShare = probing.missShare;
  return runAll(world, grid);
}

} // namespace

World::World(const Program &p, const Arch &a, const Launch &l, std::vector<HostTensor> *t,
             const SimulateOptions &o)
    : program(p), arch(a), launch(l), tensors(t), options(o), meeting(coreMeetingOf(p)),
      grid(gridExtents(p, l)), missShare(p.tensors.size(), 1.0) {
  grid.resize(3, 1);
  for (const Buffer &b : p.buffers)
    maps.push_back(LayoutMap::of(b));
  double active = static_cast<double>(std::clamp<int64_t>(ctas(), 1, std::max(a.cores, 1)));
  l2Rate = std::min(a.l2BytesAlone, a.l2BytesPerCycle * a.cores / active);
  storeRate = std::min(a.storeBytesAlone, a.storeBytesPerCycle * a.cores / active);
  hbmRate = std::min(a.l2BytesAlone, a.hbmBytesPerCycle * a.cores / active);
}

double World::missDelay(int tensor) const {
  const double together = std::sqrt(std::min<double>(static_cast<double>(ctas()), arch.cores));
  return arch.missLatency * std::min(1.0, missShare[tensor] * together);
}

/// The tensor's extents and strides by which a launch passes it, or the kernel sees it.
static void reshape(HostTensor &tensor, Launch::Shape shape) {
  tensor.extents = std::move(shape.extents), tensor.strides = std::move(shape.strides);
}

static Error otherJoined(const Tensor &tensor, const HostTensor &given) {
  std::string extents;
  for (const int64_t extent : given.extents)
    extents += (extents.empty() ? "" : "x") + std::to_string(extent);
  if (tensor.isLine)
    return inputError("tensor " + tensor.name + " of " + extents +
                          " is passed as one line of numbers, and its elements do not lie side "
                          "by side",
                      tensor.loc);
  return inputError(
      "tensor " + tensor.name + " is " + extents + "; its dimension " +
          std::to_string(tensor.joined) + " is " + std::to_string(tensor.extents[tensor.joined]) +
          " parts of " + std::to_string(tensor.extents[tensor.joined + 1]) +
          (hasShortParts(tensor) ? ", " + std::to_string(tensor.joinedExtent) + " elements together"
                                 : ""),
      tensor.loc);
}

/// Extents, strides and integers of what is given, as the kernel sees it.
static Result<Launch> launchOf(const Program &program, const std::vector<int64_t> &arguments,
                               const std::vector<HostTensor> &tensors) {
  Launch launch{{}, arguments};
  const std::vector<bool> scalars = scalarTensors(program);
  for (size_t i = 0; i < tensors.size(); ++i) {
    launch.tensors.push_back(shapeOf(tensors[i]));
    if (i >= program.tensors.size())
      continue;
    const Tensor &tensor = program.tensors[i];
    if (tensors[i].type != tensor.type)
      return inputError("tensor " + tensor.name + " is " + std::string(name(tensor.type)) +
                        ", not " + std::string(name(tensors[i].type)));
    launch.tensors[i] = seen(tensor, shapeOf(tensors[i]));
    if (tensor.joined >= 0 ? launch.tensors[i].extents.size() == tensors[i].extents.size()
                           : tensor.isLine && launch.tensors[i].given.empty())
      return otherJoined(tensor, tensors[i]);
    if (scalars[i])
      launch.tensors[i].integers = integersOf(tensors[i]);
  }
  return launch;
}

Result<SimulateResult> simulate(const Program &program, const Arch &arch,
                                const std::vector<int64_t> &arguments,
                                std::vector<HostTensor> &tensors, const SimulateOptions &options) {
  auto launch = launchOf(program, arguments, tensors);
  if (!launch)
    return launch.error();
  const size_t known = std::min(tensors.size(), program.tensors.size());
  std::vector<Launch::Shape> whole;
  for (size_t i = 0; i < known; ++i) {
    whole.push_back(shapeOf(tensors[i]));
    reshape(tensors[i], seen(program.tensors[i], whole.back()));
  }
  auto result = simulateWorld(program, arch, *launch, &tensors, options);
  for (size_t i = 0; i < known; ++i)
    reshape(tensors[i], std::move(whole[i]));
  return result;
}

Result<SimulateResult> simulateTime(const Program &program, const Arch &arch, const Launch &launch,
                                    const SimulateOptions &options) {
  return simulateWorld(program, arch, launch, nullptr, options);
}

} // namespace sluice
