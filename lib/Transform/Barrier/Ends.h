// The two sides of a ring, and what follows from them: who waits, who signals and how often, what
// is announced, fenced and sent to peers. Plain arithmetic: it knows no kernel.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sluice {

/// By what an end touches the slots.
enum class Means : uint8_t {
  tma,        // copies that one thread asks for; a barrier counts the bytes that they bring
  boxes,      // the same box by box: the end itself waits for each
  threads,    // loads and stores of all lanes
  copies,     // cp.async of all lanes, which go on; a barrier may count when they have ended
  peers,      // st.async of all CTAs of the cluster; a barrier counts the bytes that it brings
  remote,     // copies to slots of another CTA, whose barrier counts the bytes that they bring
  responses,  // to requests for clusters, which come to every CTA of the cluster as bytes
  numbers,    // of the leader, in its own slot and copied from there to those of all others
  tensorCore, // products that the warps wait for
  commits,    // tcgen05.mma, .cp of one thread: a barrier counts when they have ended
  lanes,      // tcgen05.ld or tcgen05.st of all lanes, which they wait for
};

/// Which lanes of an end's warps wait or signal: all, one of each warp, one of each warpgroup, one
/// alone.
enum class Lanes : uint8_t { all, ofWarps, ofGroups, one };

/// CTAs of a cluster that have tiles in common: those along dimension `along` of its extents (x
/// fastest in the rank). Each brings a part, for all of them.
struct Share {
  std::vector<int64_t> cluster;
  size_t along = 0;

  int64_t count() const { return cluster[along]; }
  /// Distance of neighbours in the rank.
  int64_t stride() const;
  /// The CTAs that share with the one of rank `first`, whose place among them is 0.
  int64_t mask(int64_t first) const;
};

/// Whose slots the producers of a CTA fill: those of the one `by` places further on around these
/// CTAs of the cluster, or of the one whose place among them differs in the bits of `by`.
struct Peer {
  int64_t by = 0; // 0: the own CTA
  bool flips = false;
  Share among = {}; // all CTAs of the cluster, or those along one of its coordinates

  bool isOther() const { return by != 0; }
  /// Distance to it, or, `back`, to the one that fills the slots of this CTA: 1 to as many as there
  /// are. Of a peer that is no matter of bits.
  int64_t distance(bool back) const;
};

/// What one role does on one side of a ring.
struct End {
  std::string agent;
  std::set<Means> means;
  int64_t warps = 1;
  int64_t bytes = 0; // a producer's TMA or copies, or all peers, bring so many at most to a slot
  std::vector<Share> shares = {}; // a producer's: with whom it fills, one for each direction
  bool touches = false;           // a consumer's threads read or write the slot beside its means
  bool leader = false;            // of the first CTA of a cluster alone

  bool by(Means m) const { return means.contains(m); }
};

struct Ends {
  std::vector<End> producers, consumers;
  bool returns = true;   // slots are filled again, so that somebody waits for room in them
  bool announces = true; // consumers wait until slots are full; else they know it another way
  int64_t slots = 1;
  int64_t ctas = 1;                  // of the cluster
  Peer peer = {};                    // whose slots producers fill
  int64_t primed = 0;                // slots that start full: the first ones
  std::optional<int64_t> empty = {}; // those that start empty, behind them; the others start with
                                     // the consumers. Absent: all
  std::optional<Lanes> arrive = {};  // of threads and products, where the author says it
};

/// Whose barrier is signalled: that of the own CTA, of the leader, of each CTA of the cluster, of
/// the CTA whose slots a producer fills, of the one that fills those of a consumer; of each but the
/// leader.
enum class Across : uint8_t { own, leader, all, filled, filling, others };

/// How an end hands a slot on, in this order.
struct Signal {
  bool ended = false;    // waits until its copies have ended
  bool read = false;     // waits until TMA has read what it stores from the slot
  bool fence = false;    // what its threads did comes before what TMA and products do
  bool together = false; // those for whom one lane signals meet: a warp, or more
  Lanes by = Lanes::ofWarps;
  bool byCopies = false; // comes by itself when they have, of each lane
  bool byCommit = false; // comes by itself when the thread's products have ended
  bool ofLanes = false;  // behind the fence of what it has loaded from tensor memory, or stored
  Across to = Across::own;
  bool orders = false; // what threads of one CTA wrote comes before what those of another do
};

/// What one end does at the barriers of its ring.
struct Part {
  std::string agent;
  Lanes waits = Lanes::all; // for the other side
  int64_t free = 0;         // slots whose first wait passes, the first ones: nobody has used them
  int64_t bytes = 0;        // at most, that it announces, with an arrival, when it has a slot
  std::optional<Signal> signal; // none: the bytes that it announced are the signal
  bool fromAfar = false;        // the other side signals what threads of another CTA wrote
  Across fills = Across::own;   // a producer: whose slots, and so at whose barrier
};

struct Protocol {
  int64_t full = 0, empty = 0; // arrivals per phase; no such barrier where there are none
  int64_t primed = 0;          // slots whose first phase has all its arrivals when roles begin
  std::vector<Part> producers, consumers;
  std::vector<Share> peers; // who releases tells these too
  bool tail = false;        // no CTA leaves before its slots have come back: peers signal them
};

Protocol protocolOf(const Ends &ends);

/// Whether the two sides are of different CTAs. Who asks for clusters reads the responses beside
/// the others.
bool crosses(const Ends &ends);

/// Whether copies to another CTA fill the slots.
bool filledFromAfar(const Ends &ends);

/// The part of a role, on one side; null where it has none.
const Part *partOf(const std::vector<Part> &side, const std::string &agent);

} // namespace sluice
