// Which rules may refuse a mutant, and why. Effects spread: what is done too early or too often on
// a barrier can show as a phase that is missed (R5), never completes (R9) or lets data be touched
// too early (R21, R22); what is listed is what the purpose of the operation makes likely.
#include "Explore/Mutate.h"

namespace sluice {
namespace {

using Rules = std::vector<std::string>;

struct Entry {
  Purpose purpose;
  const char *name;
  Rules rules;
};

const Rules phases{"R4", "R5", "R6", "R7", "R9", "R14", "R41"};

Rules with(Rules rules, const Rules &more) {
  rules.insert(rules.end(), more.begin(), more.end());
  return rules;
}

const std::vector<Entry> &table() {
  static const std::vector<Entry> entries{
      // Not initialised, twice, or with a count that is not the number of arrivals: then phases
      // complete too early or never.
      {Purpose::initialisation, "initialisation", with({"R1", "R2", "R3", "R21", "R22"}, phases)},
      // Without it, or before what it fences: the proxy or the peer may not see the barrier.
      {Purpose::initFence, "initialisation fence", {"R1", "R2"}},
      // One too few, too many, too early or by the wrong one: phases, then data; a remote one also
      // meets exited CTAs. By too many lanes: R13.
      {Purpose::arrival, "arrival",
       with({"R1", "R2", "R8", "R10", "R13", "R21", "R22", "R36", "R42", "R44"}, phases)},
      // Whoever does not wait signals out of turn (R4), touches too early (R21, R22), meets
      // unpublished writes (R23, R36) or unfenced ones of tensor memory (R42, R44), multiplies
      // tiles of two rounds (R28), leaves before the end
      // or meets the end of the barrier's life (R3).
      {Purpose::phaseWait, "wait",
       with({"R1", "R3", "R10", "R21", "R22", "R23", "R28", "R36", "R42", "R44"}, phases)},
      // Asked too early, for another phase, by others than who waits.
      {Purpose::test, "test", {"R1", "R24", "R41"}},
      // Its bytes complete a phase: fewer or more of them, and the slot that they fill. It may come
      // before the kernel before has ended.
      {Purpose::transfer, "transfer",
       with({"R1", "R2", "R10", "R13", "R21", "R22", "R23", "R24", "R28", "R37"}, phases)},
      // Publishes barriers, their end, registers and data, also through the proxy; keeps peers
      // alive.
      {Purpose::meeting, "meeting",
       with({"R1", "R2", "R3", "R10", "R11", "R12", "R13", "R21", "R22", "R23", "R26", "R36", "R42",
             "R44", "R45"},
            phases)},
      {Purpose::proxyFence, "proxy fence", {"R23"}},
      // Stores that nobody waits for: their source is written again, or the CTA exits.
      {Purpose::bulkGroup, "bulk group", {"R10", "R13", "R21", "R22", "R23", "R26"}},
      {Purpose::copyGroup, "cp.async group", with({"R10", "R21", "R22", "R23", "R36"}, phases)},
      // The fence is about registers; the groups about registers and the slots that they read.
      {Purpose::wgmmaGroup, "wgmma group", {"R10", "R21", "R22", "R25"}},
      {Purpose::product, "product", {"R21", "R22", "R24", "R28", "R36", "R44"}},
      // Flags pair one set with one wait: a circle, a second set, a leftover, or data too early.
      {Purpose::flag,
       "flag",
       {"R9", "R21", "R22", "R26", "R28", "R31", "R32", "R33", "R34", "R35", "R47", "R49"}},
      // A turn too early or too late, or data that it does not hand on.
      {Purpose::counter, "counter", {"R9", "R22", "R26", "R27", "R36", "R38"}},
      {Purpose::kernelBefore, "kernel before", {"R37"}},
      {Purpose::pipeBarrier, "pipe barrier", {"R9", "R22", "R33"}},
      // Producer and consumer count differently, the address leaves the ring or the memory, or the
      // tail does not wait for all slots.
      {Purpose::ring, "ring",
       with({"R10", "R16", "R21", "R22", "R24", "R28", "R32", "R35", "R49"}, phases)},
      // Used before it is allocated, known or visible, or when it is freed; freed while it is used,
      // or not at all.
      {Purpose::columns, "tensor memory", {"R9", "R13", "R21", "R22", "R36", "R42", "R44", "R45"}},
      // Ends of products that come too early, too late or to another barrier.
      {Purpose::productEnd, "end of products",
       with({"R1", "R2", "R10", "R21", "R22", "R36", "R42", "R44"}, phases)},
      {Purpose::columnFence, "fence of tensor memory", {"R42", "R44"}},
      // Registers before they have come, columns that are freed or written meanwhile.
      {Purpose::lanes, "lanes", {"R10", "R21", "R22", "R24", "R36", "R42", "R44"}},
      // Units that never come, are taken by some of a sum alone, or are left with FIX; another
      // slot.
      {Purpose::units, "units", {"R9", "R21", "R22", "R24", "R26", "R28", "R33", "R48"}},
      // Another slot, or one lane where all were meant.
      {Purpose::access, "access", {"R13", "R21", "R22", "R23", "R24", "R26", "R28", "R33"}},
  };
  return entries;
}

const Entry &entryOf(Purpose purpose) {
  for (const Entry &e : table())
    if (e.purpose == purpose)
      return e;
  return table().front();
}

} // namespace

const std::vector<std::string> &rulesOf(Purpose purpose) {
  return entryOf(purpose).rules;
}

std::string_view name(Purpose purpose) {
  return entryOf(purpose).name;
}

} // namespace sluice
