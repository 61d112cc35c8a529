// A protocol of random size, with up to three random faults.
#pragma once

#include "AskedAhead.h"
#include "Explore/Mutate.h"
#include "Protocols.h"
#include "Verify/Core.h"
#include "Verify/Ring.h"

#include <random>

namespace sluice::test {

struct RandomProtocol {
  Program program;
  Launch launch;
  std::string name;
};

inline void addFaults(RandomProtocol &out, std::mt19937_64 &random) {
  for (uint64_t faults = random() % 4; faults > 0; --faults) {
    const std::vector<Mutation> list = mutations(out.program);
    const Mutation &m = list[random() % list.size()];
    out.name += "; " + m.str() + " at " + m.loc.str();
    out.program = mutated(out.program, m);
  }
}

/// What a builder has made, with up to three random faults.
inline RandomProtocol withFaults(Builder b, uint64_t seed, std::mt19937_64 &random) {
  b.place();
  RandomProtocol out{std::move(b.program), std::move(b.launch), "seed " + std::to_string(seed)};
  addFaults(out, random);
  return out;
}

inline Builder anyProtocol(std::mt19937_64 &random, std::string &name) {
  auto pick = [&](int n) { return static_cast<int>(random() % static_cast<uint64_t>(n)); };
  ProtocolOptions o;
  o.stages = 1 + pick(3);
  o.trips = pick(4);
  o.consumers = 1 + pick(2);
  RingOptions r;
  r.stages = 1 + pick(2);
  r.trips = pick(4);
  CoreOptions c;
  c.slots = 1 + pick(3);
  c.trips = 1 + pick(4);
  c.n = pick(2) ? 16 : 64;
  const int which = pick(20);
  name = "stages " + std::to_string(o.stages) + " trips " + std::to_string(o.trips) + " ";
  if (which < 6)
    return name += "readers", readersRing(o);
  if (which < 9)
    return name += "change and store", changeAndStore(o);
  if (which < 12)
    return name += "cp.async", copyRing(o);
  if (which < 14)
    return name += "hand over", handOver(o);
  if (which < 17)
    return name += "core", core(c);
  if (which < 18)
    return name += "wgmma ring", ring(r);
  o.stages = std::min<int64_t>(o.stages, 2);
  o.trips = std::min<int64_t>(o.trips, 2);
  return name += "multicast", multicastRing(o);
}

/// `asks`: some waits may be spared (AskedAhead).
inline RandomProtocol randomProtocol(uint64_t seed, bool asks = false) {
  std::mt19937_64 random(seed);
  RandomProtocol out;
  Builder b = anyProtocol(random, out.name);
  b.place();
  out.program = std::move(b.program);
  out.launch = std::move(b.launch);
  out.name = "seed " + std::to_string(seed) + ", " + out.name;
  if (asks)
    AskedAhead(out.program, seed).ask();
  addFaults(out, random);
  return out;
}

} // namespace sluice::test
