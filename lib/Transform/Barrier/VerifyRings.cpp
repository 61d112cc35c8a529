// Rings of an author on NVIDIA: options, ends and slots that fit each other.
#include "Transform/Barrier/RingEnds.h"
#include "Transform/Refusal.h"
#include "Transform/Tiles.h"
#include "Transform/Verify.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::dyn_cast;
using mlir::failed;
using mlir::failure;
using mlir::isa;
using mlir::LogicalResult;
using mlir::success;

/// Bytes complete a phase of a full barrier, and nothing else tells that they have come.
LogicalResult verifyFull(PipelineOp pipeline, const Ends &ends) {
  for (const End &end : ends.producers)
    if (!ends.announces && (end.by(Means::tma) || end.by(Means::peers) || end.by(Means::remote) ||
                            end.by(Means::responses)))
      return pipeline.emitError("pipeline '")
             << pipeline.getName() << "': "
             << (end.by(Means::tma)         ? "TMA"
                 : end.by(Means::remote)    ? "a copy to another CTA"
                 : end.by(Means::responses) ? "a response to a request"
                                            : "st.async")
             << " of role '" << end.agent
             << "' fills it, whose bytes complete a full side; leave `full` out";
  return success();
}

/// Arrivals are of threads, in groups that a role has.
LogicalResult verifyArrive(PipelineOp pipeline, const Ends &ends) {
  if (!ends.arrive)
    return success();
  bool any = false;
  for (const auto *side : {&ends.producers, &ends.consumers})
    for (const End &end : *side) {
      const bool signals = end.by(Means::threads) || end.by(Means::copies) ||
                           end.by(Means::tensorCore) || end.by(Means::lanes);
      any |= signals;
      if (signals && *ends.arrive == Lanes::ofGroups && end.warps % 4)
        return pipeline.emitError("pipeline '")
               << pipeline.getName() << "': arrives by warpgroup, but role '" << end.agent
               << "' has " << end.warps << " warps; a warpgroup has 4";
    }
  if (!any)
    return pipeline.emitError("pipeline '")
           << pipeline.getName()
           << "': only TMA fills and reads it, of which one thread knows; leave `arrive` out";
  return success();
}

/// A wait is for a barrier of the own CTA.
LogicalResult verifyLeaders(PipelineOp pipeline, const Ends &ends) {
  const auto refuse = [&](const std::string &why) {
    return pipeline.emitError("pipeline '") << pipeline.getName() << "': " << why;
  };
  const bool ofRequests = // whose responses go to every CTA
      llvm::any_of(ends.producers, [](const End &end) { return end.by(Means::responses); });
  for (const auto *side : {&ends.producers, &ends.consumers})
    for (const End &end : *side) {
      if (end.leader != side->front().leader && !ofRequests)
        return refuse("role '" + side->front().agent + "' and role '" + end.agent +
                      "' are on one side, and one of them alone is of the leader CTA");
      const bool waits = side == &ends.producers ? ends.returns : ends.announces;
      if (pipeline.getLeader() && waits && !end.leader)
        return refuse("its barriers are on the leader CTA, and role '" + end.agent +
                      "' waits on every CTA, each for its own; make the role a leader");
    }
  if (ends.peer.isOther() && (ends.producers.front().leader || ends.consumers.front().leader))
    return refuse(std::string("goes from every CTA to its peer, and a role is of the leader CTA; "
                              "leave `") +
                  (ends.peer.flips ? "partner" : "peer") + "` or `leader` out");
  return success();
}

/// A copy moves 16 bytes at least.
bool isAloneInSlot(ScalarWriteOp number) {
  const auto first = [](mlir::Value offset) { return mlir::getConstantIntValue(offset) == 0; };
  return number.getDestination().getType().getShape() == llvm::ArrayRef<int64_t>{1, 4} &&
         llvm::all_of(number.getOffsets(), first);
}

/// Why a producer of a ring from CTA to CTA may not fill a slot so; null: it may.
const char *wrongFill(const TileAccess &access, const End &producer) {
  const int64_t warps = warpsOf(access.op->getParentOfType<RoleOp>());
  if (auto number = dyn_cast<ScalarWriteOp>(access.op))
    return !producer.leader             ? "a number goes from the leader CTA to all, not to a peer"
           : producer.by(Means::remote) ? "a role puts numbers into its slots, or tiles"
           : warps > 1                  ? "a number is of a role of one warp"
           : !isAloneInSlot(number)     ? "a number is the first element of a slot of 1x4 i32"
                                        : nullptr;
  if (isa<ClcTryCancelOp>(access.op))
    return producer.leader ? nullptr : "the leader CTA asks for clusters, for all of its own";
  auto copy = dyn_cast<CopyOp>(access.op);
  if (!copy)
    return "sluice.copy does that, from registers or shared memory";
  return copy.getSource().getType().getSpace() != Space::reg && warps > 1
             ? "a copy from shared memory is of a role of one warp, one from registers of any role"
             : nullptr;
}

/// Slots of another CTA are filled by copies that its barrier hears of.
LogicalResult verifyFar(PipelineOp pipeline, const Ends &ends) {
  if (!crosses(ends) || isOfPair(pipeline))
    return success();
  for (mlir::Value buffer : pipeline.getBuffers())
    for (const TileAccess &access : accessesOf(rootOf(buffer))) {
      const auto producer =
          llvm::find_if(ends.producers, [&](const End &e) { return e.agent == roleOf(access.op); });
      const char *why = access.writes && producer != ends.producers.end()
                            ? wrongFill(access, *producer)
                            : nullptr;
      if (why)
        return access.op->emitError("fills pipeline '")
               << pipeline.getName() << "', whose slots are of another CTA; " << why;
    }
  return success();
}

} // namespace

LogicalResult verifyRings(KernelOp kernel) {
  return forEach<PipelineOp>(kernel, [](PipelineOp pipeline) -> LogicalResult {
    const Ends ends = endsOf(pipeline);
    return failure(failed(verifyFull(pipeline, ends)) || failed(verifyArrive(pipeline, ends)) ||
                   failed(verifyLeaders(pipeline, ends)) || failed(verifyFar(pipeline, ends)));
  });
}

} // namespace sluice
