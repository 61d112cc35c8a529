// Protocols whose loops run as often as an argument says, against the proof for every trip count.
#pragma once

#include "Compare.h"
#include "RandomProtocol.h"

namespace sluice::test {

/// Makes the upper bound of every loop the argument n.
inline void takeTripsFromArgument(Program &program, Launch &launch, int64_t trips) {
  program.arguments.push_back({"n", DType::index});
  launch.arguments = {trips};
  std::set<ValueId> bounds;
  walk(program.body, [&](const Stmt &s) {
    if (auto *loop = std::get_if<For>(&s.op))
      bounds.insert(loop->upper);
  });
  walk(program.body, [&](const Stmt &s) {
    auto *scalar = std::get_if<Scalar>(&s.op);
    if (scalar && bounds.count(scalar->result))
      *const_cast<Scalar *>(scalar) = Scalar{ScalarOp::argument, scalar->result, {}, 0, 0};
  });
}

inline RandomProtocol randomLoop(uint64_t seed, bool asks = false) {
  std::mt19937_64 random(seed);
  auto pick = [&](int n) { return static_cast<int>(random() % static_cast<uint64_t>(n)); };
  ProtocolOptions o{1 + pick(3), 4, 1 + pick(2)};
  RingOptions r;
  r.stages = 1 + pick(2);
  CoreOptions c;
  c.slots = 1 + pick(3);
  c.n = pick(2) ? 16 : 64;
  c.k = 16;
  RandomProtocol out;
  const int which = pick(12);
  Builder b = which < 4    ? readersRing(o)
              : which < 6  ? changeAndStore(o)
              : which < 8  ? copyRing(o)
              : which < 9  ? handOver(o)
              : which < 11 ? core(c)
                           : ring(r);
  b.place();
  out.program = std::move(b.program);
  out.launch = std::move(b.launch);
  takeTripsFromArgument(out.program, out.launch, 4);
  static const char *const names[] = {"readers",
                                      "readers",
                                      "readers",
                                      "readers",
                                      "change and store",
                                      "change and store",
                                      "cp.async",
                                      "cp.async",
                                      "hand over",
                                      "core",
                                      "core",
                                      "wgmma ring"};
  out.name =
      "seed " + std::to_string(seed) + ", stages " + std::to_string(o.stages) + " " + names[which];
  if (asks)
    AskedAhead(out.program, seed).ask();
  for (uint64_t faults = random() % 3; faults > 0; --faults) {
    const std::vector<Mutation> list = mutations(out.program);
    const Mutation &m = list[random() % list.size()];
    out.name += "; " + m.str() + " at " + m.loc.str();
    out.program = mutated(out.program, m);
  }
  return out;
}

/// Explores what is proven for all trip counts at 0 .. most of them.
struct AllTrips {
  int64_t proven = 0, refused = 0, unsupported = 0, bounded = 0, nothing = 0;
  std::vector<std::string> unsound;
  std::map<std::string, int64_t> why; // unsupported

  void add(const RandomProtocol &p, int64_t most, int64_t maxStates) {
    const Verdict v = prove(p.program, defaultArch(p.program.target), p.launch);
    if (v.kind != Verdict::violated && !v.provenForEveryLaunch()) {
      ++unsupported;
      ++why[v.notes.empty() ? "" : v.notes[0]];
      return;
    }
    if (v.kind == Verdict::violated) {
      ++refused;
      const Launch &shown = v.witness ? *v.witness : p.launch;
      const Exploration e = explore(p.program, shown, {maxStates, {0, 0, 0}, false});
      nothing += e.kind == Exploration::clean;
      return;
    }
    ++proven;
    for (int64_t n = 0; n <= most; ++n) {
      Launch launch = p.launch;
      launch.arguments = {n};
      const Exploration e = explore(p.program, launch, {maxStates, {0, 0, 0}, true});
      if (e.kind == Exploration::bounded) {
        ++bounded;
        return;
      }
      if (e.kind == Exploration::faulty) {
        unsound.push_back(p.name +
                          ": proven for all trip counts, but with n = " + std::to_string(n) + " " +
                          e.rule + ": " + e.fault + "\n" + dump(p.program, launch));
        return;
      }
    }
  }
  std::string summary() const {
    std::string text = "proven " + std::to_string(proven) + ", refused " + std::to_string(refused) +
                       ", UNSOUND " + std::to_string(unsound.size()) + ", unsupported " +
                       std::to_string(unsupported) + ", bounded " + std::to_string(bounded) +
                       ", refused and nothing found " + std::to_string(nothing);
    for (const auto &[reason, n] : why)
      text += "\n  " + std::to_string(n) + ": " + reason;
    return text;
  }
};

} // namespace sluice::test
