// Pairs of CTAs in a canonical run (R45): the two whose ranks in the cluster differ in the last
// bit.
#include "Verify/Conditions.h"
#include "Verify/Names.h"
#include "Verify/Run.h"

namespace sluice {

std::vector<int> RunTensorMemory::ctasOf(const Actor &a, bool pair) {
  return pair ? std::vector{a.cta & ~1, a.cta | 1} : std::vector{a.cta};
}

/// Whoever of the two comes first may wait for the other (PTX ISA 9.7.16.5, issue granularity). It
/// learns nothing of the other by that.
RunTensorMemory::Step RunTensorMemory::meetPeer(Actor &a) {
  if (a.arrived && a.released) {
    a.arrived = a.released = false;
    return Step::done;
  }
  const auto peer = waiting_.find(a.cta ^ 1);
  if (peer == waiting_.end() || actors_[peer->second].agent.current() != a.agent.current()) {
    a.arrived = true;
    waiting_[a.cta] = a.index;
    return Step::blocked;
  }
  std::vector<int32_t> woken{peer->second};
  actors_[peer->second].released = true;
  waiting_.erase(peer);
  wake(woken);
  return Step::done;
}

/// Tensor memory of the other CTA.
bool RunTensorMemory::mayUsePeers(Actor &a, const Stmt &s) {
  const int peer = a.cta ^ 1;
  const TensorMemoryState &m = tensorMemory_[peer];
  if (!conditions().columns || (m.allocated && !m.freed && strands(a, s).know(m.allocated->stamp)))
    return true;
  const std::string cta = "CTA " + coordinates(program_, ctas_[peer]);
  if (m.freed)
    about({m.freed->stamp, m.freed->stmt, m.freed->actor}, "frees tensor memory");
  refuse("R45",
         what(a, s) + (m.freed
                           ? " uses tensor memory of " + cta + " that " + what(*m.freed) +
                                 " may have freed. Free it when both CTAs have done with it"
                           : " uses tensor memory of " + cta +
                                 " and does not know that it is allocated. Put a cluster barrier "
                                 "between the allocations and the products of the pair"),
         s);
  return false;
}

/// The tiles of both CTAs are of one step along K.
bool RunOrigin::inStepWithPeer(Actor &a, const Stmt &s, const Tcgen05Mma &op) {
  for (const View *v : {&op.a, &op.b}) {
    const int64_t tags[2] = {tagIn(a, *v, a.cta), tagIn(a, *v, a.cta ^ 1)};
    if (op.anyTiles || tags[0] < 0 || tags[1] < 0 || tags[0] == tags[1])
      continue;
    const Origin &mine = context_.origins[tags[0]], &its = context_.origins[tags[1]];
    const size_t logical = v == &op.a ? 1 : 0;
    const size_t k = (v->transposed != mine.swapped) ? 1 - logical : logical;
    if (mine.tensor != its.tensor || mine.swapped != its.swapped || mine.gathered[k])
      continue;
    std::optional<int64_t> far = context_.places.distance(mine.place[k], its.place[k]);
    if (!context_.launch && !far)
      assumeInStep(a, s);
    if (!far && mine.at[k].term == its.at[k].term)
      far = its.at[k].constant - mine.at[k].constant;
    if (far.value_or(0) == 0)
      continue;
    refuse("R28",
           what(a, s) + " multiplies a tile of " + program_.tensors[mine.tensor].name +
               " in its CTA and one that lies " + std::to_string(*far) +
               " further along K in its peer: one of them is a stale or a wrong slot. Both CTAs "
               "fill the same slots for the same step",
           s, program_.buffers[v->object].name);
    return false;
  }
  return true;
}

} // namespace sluice
