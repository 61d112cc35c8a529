#include "Program/Agent.h"
#include "Verify/Conditions.h"
#include "Verify/Names.h"
#include "Verify/Run.h"

#include <algorithm>

namespace sluice {

namespace {

/// The same lanes go on after their own access; an accumulator is handed on from wgmma to wgmma.
bool goesOn(const Actor &a, const Access &prior, const Access &now) {
  const int32_t strand = prior.stamp.component;
  return strand == now.stamp.component &&
         (strand == a.lanesComponent || strand == a.electedComponent ||
          (prior.queued && now.queued));
}

/// Each lane uses its registers in program order: a load of tensor memory comes after what it did.
bool isOwnRegister(const Actor &a, const Access &prior, const Access &now) {
  return prior.stamp.component == a.lanesComponent && now.stmt &&
         std::holds_alternative<TmemLoad>(now.stmt->op);
}

} // namespace

bool RunOrder::ordered(const Actor &a, const Access &prior, const Access &now,
                       const Strands &who) const {
  return !conditions().order ||
         ((who.know(prior) || goesOn(a, prior, now) || isOwnRegister(a, prior, now)) &&
          lanesKnow(a, prior, now));
}

bool RunOrder::behindFences(const Actor &a, const Access &prior, const Access &now,
                            const Strands &who) const {
  return who.knowBehindFence(prior) || goesOn(a, prior, now);
}

bool RunOrder::visible(const Actor &a, const Access &prior, const Access &now,
                       const Strands &who) const {
  return !conditions().sight || who.see(prior, &Sight::memory) || goesOn(a, prior, now);
}

RunOrder::Step RunOrder::invisible(const Actor &a, const Stmt &s, const std::string &bytes,
                                   const Access &write, const std::string &object) {
  const bool sameCta = actors_[write.actor].cta == a.cta;
  about(write, "writes " + bytes);
  return refuse(
      "R36",
      what(a, s) + " reads " + bytes + " that " + what(write) +
          " wrote before, but what leads from there to here hands on no memory" +
          (sameCta ? ": the end of a copy carries the bytes of that copy alone. Let an arrive "
                     "after the write count for the phase too, or put a barrier between"
           : joinedGrid()
               ? " between CTAs. Let the add and the wait of the counter that joins them have "
                 "`scope gpu`, and the add release"
               : " between CTAs. Give the arrive and the wait that join the two CTAs "
                 "`scope cluster`, or put a cluster barrier between"),
      s, object);
}

RunOrder::Step RunOrder::unfenced(const Actor &a, const Stmt &s, const std::string &bytes,
                                  const Access &write, bool writes, const std::string &object,
                                  const char *fence) {
  about(write, "writes " + bytes);
  return refuse("R23",
                what(a, s) + (writes ? " overwrites " : " reads ") + bytes + " that " +
                    what(write) + " wrote through the generic proxy, and no " + fence +
                    " lies between. Put the fence after the write, before the barrier that "
                    "publishes it",
                s, object);
}

/// Of a tensor.
bool RunOrder::mayOvertake(const Access &prior, bool priorWrites, const Access &now, bool writes,
                           const Strands &who) {
  return !priorWrites && writes && now.async && !prior.async && !who.see(prior, &Sight::global);
}

bool RunOrder::overtakes(const Actor &a, const Stmt &s, const Access &read,
                         const std::string &bytes, const std::string &object, const char *fence) {
  if (!context_.strict) {
    context_.assumptions.insert(
        "reads-in-time: what " + operationName(read.stmt->op) + place(read.stmt->loc) +
        " reads of " + object + " has come before " + operationName(s.op) + place(s.loc) +
        " overwrites it, without " + fence +
        " between (R39; an H100 has overtaken such reads of shared memory, --strict refuses it)");
    return false;
  }
  about(read, "reads " + bytes);
  refuse("R39",
         what(a, s) + " overwrites " + bytes + " that " + what(read) +
             " has read through the generic proxy, and no " + fence +
             " lies between. Put the fence after the read, before the arrive that releases the "
             "bytes",
         s, object);
  return true;
}

} // namespace sluice
