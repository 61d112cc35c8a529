#include "Campaign/Differential.h"

#include "Campaign/Chaos.h"
#include "Campaign/GridAccesses.h"
#include "Diagnose/LaunchFor.h"
#include "Diagnose/NearbyLaunches.h"
#include "Program/Agent.h"
#include "Program/CoreMeeting.h"

#include <algorithm>
#include <set>

namespace sluice {
namespace {

constexpr int64_t machineElements = 1 << 18, machineCtas = 64, machineEvents = 20'000;
constexpr double delay = 3000; // cycles

bool isAssumed(const Verdict &verdict, const std::set<std::string> &names) {
  return std::ranges::any_of(verdict.assumptions, [&](const std::string &a) {
    return names.contains(a.substr(0, a.find(':')));
  });
}

/// Whether a scalar load read outside of its tensor, whose name the violation has.
bool isScalarLoad(const Program &program, const std::optional<Violation> &v) {
  bool found = false;
  walk(program.body, [&](const Stmt &s) {
    auto *load = std::get_if<Scalar>(&s.op);
    found |= load && load->op == ScalarOp::load && v && v->rule == "R24" &&
             program.tensors[load->object].name == v->barrier;
  });
  return found;
}

} // namespace

void Differential::Counts::add(const Counts &other) {
  launches += other.launches;
  untold += other.untold;
  machineRuns += other.machineRuns;
  mostCtas = std::max(mostCtas, other.mostCtas);
  mostEvents = std::max(mostEvents, other.mostEvents);
}

std::string Differential::Counts::str() const {
  return std::to_string(launches) + " launches of up to " + std::to_string(mostCtas) +
         " CTAs and " + std::to_string(mostEvents) + " events, " + std::to_string(untold) +
         " too long, " + std::to_string(machineRuns) + " runs of the virtual machine";
}

Differential::Differential(const Program &program, const Arch &arch, const Verdict &verdict,
                           int64_t mostEvents)
    : program_(program), arch_(arch), mostEvents_(mostEvents),
      placesAssumed_(isAssumed(verdict, {"tiles-apart", "offsets-apart"})) {}

std::optional<std::string> Differential::disagreementAt(const Launch &launch, int machineRuns) {
  const auto fault = faultAt(launch, machineRuns);
  return fault ? std::optional("at " + launchText(program_, launch) + " " + *fault) : fault;
}

bool Differential::fitsMachine(const Launch &launch, int64_t ctas, int64_t events) const {
  if (ctas > machineCtas || events > machineEvents)
    return false;
  return std::ranges::all_of(launch.tensors, [](const Launch::Shape &shape) {
    int64_t elements = 1;
    for (size_t d = 0; d < shape.extents.size(); ++d)
      elements = std::max(elements, shape.extents[d] * shape.strides[d]);
    return elements <= machineElements;
  });
}

std::optional<std::string> Differential::faultAt(const Launch &launch, int machineRuns) {
  CheckOptions options;
  options.maxEvents = mostEvents_;
  options.violationsAlone = true; // who asks has a proof
  const Verdict at = check(program_, arch_, launch, options);
  const bool lacks = at.kind == Verdict::violated && lacksCounters(program_, at.violations.front());
  if (at.kind == Verdict::unsupported || lacks) { // more events, or idle rounds, than are followed
    ++counts_.untold;
    return {};
  }
  int64_t ctas = 1;
  for (const int64_t extent : gridExtents(program_, launch))
    ctas *= extent;
  ++counts_.launches;
  counts_.mostCtas = std::max(counts_.mostCtas, ctas);
  counts_.mostEvents = std::max(counts_.mostEvents, at.events);
  if (at.kind == Verdict::violated) {
    const Violation &v = at.violations.front();
    const bool ofPlaces = v.rule == "R22" || v.rule == "R26" || v.rule == "R27";
    if (placesAssumed_ && ofPlaces)
      return {};
    return v.rule + ": " + v.message;
  }
  if (placesAssumed_)
    return {};
  const bool joined = joinsGrid(program_); // run as one
  if (const auto conflict = joined ? std::nullopt : gridConflict(program_, launch))
    return *conflict;
  if (machineRuns == 0 || !fitsMachine(launch, ctas, at.events))
    return {};
  const bool inTime = std::ranges::any_of(
      at.assumptions, [](const std::string &a) { return a.starts_with("reads-in-time"); });
  Chaos chaos(program_, arch_, launch, delay, {}, !inTime);
  for (int run = 0; run < machineRuns; ++run, ++counts_.machineRuns)
    if (auto fault = chaos.run()) {
      if (!isAssumed(at, {"in-range"}) || !isScalarLoad(program_, chaos.violation()))
        return fault;
      ++counts_.untold; // no launch: the numbers drawn name elements that a tensor lacks
      return {};
    }
  return {};
}

} // namespace sluice
