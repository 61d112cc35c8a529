// Mutants of a program: one synchronisation operation dropped, doubled, moved or bent. What a
// checker is worth shows in how many of them it refuses, and that it proves none that can fail.
#pragma once

#include "Program/Program.h"

#include <string>
#include <vector>

namespace sluice {

/// What the mutated operation is for; says which rules a refusal may name.
enum class Purpose : uint8_t {
  initialisation, // mbarrier.init, inval
  initFence,
  arrival, // arrive, expect_tx
  phaseWait,
  test,     // of an mbarrier
  transfer, // TMA load: its bytes complete a phase
  meeting,  // named, warp and cluster barriers
  proxyFence,
  bulkGroup,    // of TMA stores
  copyGroup,    // of cp.async
  wgmmaGroup,   // fence, commit, wait
  product,      // wgmma, Mmad
  flag,         // also cross-core
  counter,      // in global memory
  kernelBefore, // griddepcontrol
  pipeBarrier,
  ring,        // slots of buffers, mbarriers and cursors
  access,      // a synchronous access
  columns,     // tensor memory: allocated, addressed, freed
  productEnd,  // tcgen05.commit
  columnFence, // tcgen05.fence
  lanes,       // tcgen05.ld and its wait
  units,       // products and stores with the flags of L0C's units
};

struct Mutation {
  enum Kind : uint8_t {
    drop,
    duplicate,
    earlier, // before the operation before it in its block
    later,
    count, // by `amount`: arrivals, threads / 32, groups that may stay pending
    bytes, // by `amount`
    parity,
    slot,      // the next one of the ring
    otherId,   // of a flag or named barrier
    swap,      // ids with the next flag operation of the same direction
    narrow,    // all threads -> one lane; one lane of every warp -> one lane
    scope,     // one level narrower; an arrival at the cluster barrier: relaxed
    otherWarp, // the arrival is made by the role's second warp
    otherRole, // the arrival is made by another role, after its statement number `place`
    stages,    // `amount`: every ring of statement's length has one slot less or more
    cursor,    // one cursor counts `amount` slots more
    mask,      // a multicast leaves out the last of its CTAs
    unitFlags, // of L0C become `amount`
  } kind;
  static constexpr int kinds = unitFlags + 1;
  int statement; // number in the order of walk()
  int64_t amount = 0;
  int place = -1;
  Purpose purpose = Purpose::arrival;
  std::string operation; // "arrive"
  Location loc;
  std::string str() const; // "drop arrive", "count +1 of mbarrier init"
  std::string_view kindName() const;
};

/// All mutations that leave a well-formed program.
std::vector<Mutation> mutations(const Program &program);
Program mutated(const Program &program, const Mutation &mutation);

/// Rules that may refuse a mutant of an operation with this purpose; a refusal with another rule is
/// suspicious.
const std::vector<std::string> &rulesOf(Purpose purpose);
std::string_view name(Purpose purpose);

} // namespace sluice
