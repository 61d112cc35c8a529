// The conditions of the proof (docs/proof.md). The checker asks for all of them; only the test that
// none can be spared, which links its own `conditions` instead of this library's, leaves one out.
#pragma once

namespace sluice {

struct Conditions {
  bool c1 = true;           // contributions know those to the phase before
  bool c2 = true;           // waits know the phase before the awaited one
  bool c3 = true;           // the next phase cannot complete before a wait has looked
  bool c4 = true;           // bytes are announced before the phase can complete
  bool c5 = true;           // flags are set again after their wait
  bool c6 = true;           // counts stay in their range
  bool c7 = true;           // nothing is left at exit
  bool observed = true;     // some wait sees each phase
  bool named = true;        // phases of named barriers
  bool cluster = true;      // arrive, wait, in turn
  bool lives = true;        // initialised, fenced, alive
  bool progress = true;     // the run ends
  bool order = true;        // of two accesses that conflict
  bool lanes = true;        // of one warp are told of each other's parts
  bool sight = true;        // what is read is visible
  bool proxies = true;      // a fence between generic writes and asynchronous accesses
  bool ownFence = true;     // wgmma.fence; barriers of one pipe
  bool counters = true;     // counters of a grid
  bool tokens = true;       // a test, and the wait that its token spares, are of one phase
  bool kernelBefore = true; // griddepcontrol.wait before its tensors
  bool columns = true;      // of tensor memory are allocated, and free of uses when they are freed
  bool columnFences = true; // between uses of tensor memory
  bool units = true;        // of L0C: all of a sum take them, and they come back
  bool mutexes = true;      // locks of one id and the unlocks of their pipes take turns
};

const Conditions &conditions();

} // namespace sluice
