#include "Arch/Datasheet.h"

#include "Arch/Limits.h"
#include "Program/BarrierState.h"
#include "Program/GridLimits.h"
#include "Program/Registers.h"
#include "Program/TensorMemory.h"
#include "Support/Json.h"

#include <algorithm>
#include <cstdio>

namespace sluice {
namespace {

/// What a number of Arch is called.
struct Entry {
  Number number;
  Fact::Group group;
  const char *name, *unit;
};

const Entry kEntries[] = {
    {&Arch::clockGhz, Fact::machine, "clock", "GHz"},
    {&Arch::cores, Fact::machine, "SMs or AI cores", ""},
    {&Arch::sharedBytes, Fact::capacity, "shared memory of a CTA", "bytes"},
    {&Arch::sharedOfSm, Fact::capacity, "shared memory of an SM", "bytes"},
    {&Arch::sharedOfSystem, Fact::capacity, "of it taken by the system, a CTA", "bytes"},
    {&Arch::registersPerSm, Fact::capacity, "registers of an SM", "of 32 bits"},
    {&Arch::warpsPerSm, Fact::capacity, "warps of an SM", ""},
    {&Arch::l2Bytes, Fact::capacity, "L2", "bytes"},
    {&Arch::lineBytes, Fact::capacity, "line of L2", "bytes"},
    {&Arch::sectorBytes, Fact::capacity, "sector of L2", "bytes"},
    {&Arch::l1Bytes, Fact::capacity, "L1", "bytes"},
    {&Arch::l0aBytes, Fact::capacity, "L0A", "bytes"},
    {&Arch::l0bBytes, Fact::capacity, "L0B", "bytes"},
    {&Arch::l0cBytes, Fact::capacity, "L0C", "bytes"},
    {&Arch::ubBytes, Fact::capacity, "UB of an AIV", "bytes"},
    {&Arch::hbmBytesPerCycle, Fact::rate, "HBM, while all SMs load", "bytes/cycle"},
    {&Arch::l2BytesPerCycle, Fact::rate, "L2, while all SMs load", "bytes/cycle"},
    {&Arch::l2BytesAlone, Fact::rate, "L2, while one SM loads", "bytes/cycle"},
    {&Arch::storeBytesPerCycle, Fact::rate, "stores, while all SMs store", "bytes/cycle"},
    {&Arch::storeBytesAlone, Fact::rate, "stores, while one SM stores", "bytes/cycle"},
    {&Arch::smemBytesPerCycle, Fact::rate, "shared memory", "bytes/cycle"},
    {&Arch::peerBytesPerCycle, Fact::rate, "to the shared memory of a peer", "bytes/cycle"},
    {&Arch::copyBytesOfWarp, Fact::rate, "copies by a warp, rows anywhere", "bytes/cycle"},
    {&Arch::copyBytesPerCycle, Fact::rate, "copies by all warps, rows anywhere", "bytes/cycle"},
    {&Arch::tmemBytesPerCycle, Fact::rate, "tensor memory, a warp", "bytes/cycle"},
    {&Arch::tensorPerCycle, Fact::rate, "tensor core, rows x columns x bytes of K", "/cycle"},
    {&Arch::productBytes, Fact::rate, "K of one product", "bytes"},
    {&Arch::fp32PerCycle, Fact::rate, "operations of f32", "/cycle"},
    {&Arch::sfuPerCycle, Fact::rate, "exp, log, sqrt and the like", "/cycle"},
    {&Arch::gmToL1, Fact::rate, "GM to L1", "bytes/cycle"},
    {&Arch::gmToUb, Fact::rate, "GM to UB", "bytes/cycle"},
    {&Arch::ubToGm, Fact::rate, "UB to GM", "bytes/cycle"},
    {&Arch::l1ToL0a, Fact::rate, "L1 to L0A", "bytes/cycle"},
    {&Arch::l1ToL0b, Fact::rate, "L1 to L0B", "bytes/cycle"},
    {&Arch::l0cToGm, Fact::rate, "L0C to GM", "bytes/cycle"},
    {&Arch::l0cToL1, Fact::rate, "L0C to L1", "bytes/cycle"},
    {&Arch::l0cToUb, Fact::rate, "L0C to UB", "bytes/cycle"},
    {&Arch::ubToL1, Fact::rate, "UB to L1", "bytes/cycle"},
    {&Arch::ubToUb, Fact::rate, "UB to UB", "bytes/cycle"},
    {&Arch::vectorPerCycle, Fact::rate, "elements of f32, an AIV", "/cycle"},
    {&Arch::tmaLatency, Fact::latency, "TMA load of what L2 holds", "cycles"},
    {&Arch::tmaStoreLatency, Fact::latency, "TMA store", "cycles"},
    {&Arch::loadLatency, Fact::latency, "load by threads of what L2 holds", "cycles"},
    {&Arch::missLatency, Fact::latency, "more, of what L2 does not hold", "cycles"},
    {&Arch::smemLatency, Fact::latency, "shared memory", "cycles"},
    {&Arch::wgmmaLatency, Fact::latency, "product, to its result", "cycles"},
    {&Arch::barrierLatency, Fact::latency, "mbarrier, arrival to wait", "cycles"},
    {&Arch::remoteArriveLatency, Fact::latency, "more, at a peer", "cycles"},
    {&Arch::namedBarrierLatency, Fact::latency, "named barrier", "cycles"},
    {&Arch::clusterBarrierLatency, Fact::latency, "cluster barrier", "cycles"},
    {&Arch::issueCycles, Fact::latency, "issue by an elected lane", "cycles"},
    {&Arch::arriveCycles, Fact::latency, "issue of an arrival", "cycles"},
    {&Arch::waitCycles, Fact::latency, "wait that does not block", "cycles"},
    {&Arch::tmaIssueCycles, Fact::latency, "issue of a TMA copy", "cycles"},
    {&Arch::startCycles, Fact::latency, "start of a CTA", "cycles"},
    {&Arch::launchCycles, Fact::latency, "between two kernels", "cycles"},
    {&Arch::moveLatency, Fact::latency, "start of a transfer", "cycles"},
    {&Arch::flagLatency, Fact::latency, "set_flag to wait_flag", "cycles"},
    {&Arch::mmadSetup, Fact::latency, "set-up of Mmad", "cycles"},
};

Fact limit(const char *name, int64_t value, const char *source) {
  return {Fact::limit, name, static_cast<double>(value), "", {source}};
}

std::vector<Fact> nvidiaLimits(Target target) {
  constexpr const char *guide = "CUDA C++ Programming Guide, compute capabilities";
  std::vector<Fact> all = {
      limit("CTAs of an SM", mostCtasOfSm, guide),
      limit("CTAs of a grid, x", mostCtas(target, 0), guide),
      limit("CTAs of a grid, y and z", mostCtas(target, 1), guide),
      limit("registers of a thread", mostRegisters, "PTX ISA, .maxnreg"),
      limit("named barriers of a CTA", NamedBarrier::ids, "PTX ISA, barrier"),
      limit("arrivals of an mbarrier", MbarrierState::maxCount, "PTX ISA, mbarrier"),
      limit("elements along a side of a TMA box", mostOfABox, "cuTensorMapEncodeTiled"),
      limit("dimensions of a tensor map", mostDimensionsOfAMap, "cuTensorMapEncodeTiled")};
  if (target == Target::sm_100a) {
    all.push_back(limit("lanes of tensor memory", TensorMemory::lanes, "PTX ISA 9.7.16.1"));
    all.push_back(
        limit("columns of tensor memory, of 4 bytes", TensorMemory::columns, "PTX ISA 9.7.16.1"));
  }
  return all;
}

std::vector<Fact> ascendLimits() {
  return {limit("event ids of a pair of pipes", mostEventIds,
                "Ascend C, static tensor programming: 8, of which it keeps two"),
          limit("cross-core flags", mostCrossFlags, "Ascend C, CrossCoreSetFlag"),
          limit("sets of a cross-core flag not waited for", CrossFlagState::maxCount,
                "Ascend C, CrossCoreSetFlag")};
}

/// "232448", "46.5", "29.22"
std::string text(double value) {
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.2f", value);
  std::string shown = digits;
  shown.erase(shown.find_last_not_of('0') + 1);
  if (shown.back() == '.')
    shown.pop_back();
  return shown;
}

std::string padded(std::string word, size_t width) {
  word.resize(std::max(width, word.size()), ' ');
  return word;
}

std::string told(const Source &source) {
  return (source.assumed ? "assumed: " : "") + source.text;
}

std::string line(const Fact &fact) {
  const std::string value = text(fact.value);
  return "  " + padded(fact.name, 42) + std::string(11 - std::min<size_t>(value.size(), 11), ' ') +
         value + " " + padded(fact.unit, 13) + told(fact.source) + "\n";
}

} // namespace

std::string_view name(Fact::Group group) {
  constexpr const char *names[] = {"machine", "capacities", "rates", "latencies", "limits"};
  return names[group];
}

void Datasheet::set(Number number, double value, Source source) {
  const auto put = [&]<typename T>(T Arch::*member) { arch_.*member = static_cast<T>(value); };
  std::visit(put, number);
  std::erase_if(sources_, [&](const auto &entry) { return entry.first == number; });
  sources_.emplace_back(number, std::move(source));
}

double Datasheet::value(Number number) const {
  return std::visit([&](auto member) { return static_cast<double>(arch_.*member); }, number);
}

const Source *Datasheet::source(Number number) const {
  const auto found = std::ranges::find(sources_, number, &std::pair<Number, Source>::first);
  return found == sources_.end() ? nullptr : &found->second;
}

Datasheet Datasheet::sameAs(std::string name) const {
  Datasheet same = *this;
  same.arch_.name = std::move(name);
  return same;
}

Datasheet Datasheet::standIn(std::string name, Target target) const {
  Datasheet other = sameAs(std::move(name));
  other.arch_.target = target;
  for (auto &[number, source] : other.sources_)
    source = {"as on " + arch_.name + " (" + told(source) + ")", true};
  return other;
}

std::vector<Fact> facts(const Arch &arch) {
  const auto sheet =
      std::ranges::find(datasheets(), arch.name, [](const Datasheet &d) { return d.arch().name; });
  std::vector<Fact> all;
  for (const Entry &e : kEntries)
    if (const Source *source = sheet->source(e.number))
      all.push_back({e.group, e.name, sheet->value(e.number), e.unit, *source});
  for (Fact &fact : isAscend(arch.target) ? ascendLimits() : nvidiaLimits(arch.target))
    all.push_back(std::move(fact));
  return all;
}

std::string factsText(const Arch &arch) {
  const std::vector<Fact> all = facts(arch);
  std::string result = arch.name + ", a machine of " + std::string(name(arch.target)) + "\n";
  for (size_t i = 0; i < all.size(); ++i) {
    if (i == 0 || all[i].group != all[i - 1].group)
      result += std::string(name(all[i].group)) + "\n";
    result += line(all[i]);
  }
  const auto assumed = std::ranges::count_if(all, [](auto &f) { return f.source.assumed; });
  return result + "assumed: " + std::to_string(assumed) + " of " + std::to_string(all.size()) +
         " numbers\n";
}

std::string factsJson(const Arch &arch) {
  JsonWriter json;
  json.beginObject().member("machine", arch.name).member("target", name(arch.target));
  json.key("facts").beginArray();
  for (const Fact &fact : facts(arch)) {
    json.beginObject().member("group", name(fact.group)).member("name", fact.name);
    json.member("value", fact.value).member("unit", fact.unit);
    json.member("source", fact.source.text).member("assumed", fact.source.assumed).endObject();
  }
  json.endArray().endObject();
  return json.str();
}

} // namespace sluice
