// Instructions and parts that a target lacks.
#include "Dialect/Marks.h"
#include "Transform/Refusal.h"
#include "Transform/Verify.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::failed;
using mlir::failure;
using mlir::isa;
using mlir::LogicalResult;
using mlir::success;

static LogicalResult verifyText(RawOp raw, Target target) {
  const std::string name(sluice::name(target));
  if (!raw.getTexts().contains(name))
    return unsupported(raw, "raw text for ") << name << " is missing; there is one for "
                                             << raw.getTexts().begin()->getName().strref();
  if (target != Target::sm_90a)
    return unsupported(raw, "raw text for ") << name << " is not executed yet; sm_90a's is";
  return success();
}

/// The first CTA of a cluster.
static LogicalResult verifyLeader(RoleOp role, Target target) {
  if (!role.getLeader())
    return success();
  if (isAscend(target))
    return unsupported(role, "role '")
           << role.getName() << "': cores have no leader; leave `leader` out";
  if (role->getParentOfType<KernelOp>().getCluster())
    return success();
  return role.emitError("role '") << role.getName()
                                  << "' is of the leader CTA, but the kernel has no cluster";
}

/// A flag is of two pipes of cores, and one set lets one wait pass.
static LogicalResult verifyFlags(PipelineOp pipeline) {
  const std::pair<const char *, bool> options[] = {{"leader", pipeline.getLeader()},
                                                   {"merge", bool(pipeline.getMerge())},
                                                   {"arrive", bool(pipeline.getArrive())}};
  for (auto [name, given] : options)
    if (given)
      return pipeline.emitError("pipeline '")
             << pipeline.getName() << "': flags of Ascend cores have no '" << name
             << "'; leave it out";
  return success();
}

/// Cluster launch control is of Blackwell.
static LogicalResult verifyLaunchControl(mlir::Operation *op, Target target) {
  if (target == Target::sm_100a || !isa<ClcTryCancelOp, ClcQueryOp>(op))
    return success();
  return unsupported(op, isAscend(target)
                             ? "the grid of an Ascend kernel is dealt to its cores, and none of "
                               "them waits to be launched; leave it out"
                             : "cluster launch control begins with sm_100a; draw tiles from a "
                               "counter (sluice.counter.add)");
}

/// Factors of blocks are of Blackwell's products.
static LogicalResult verifyUnscaled(mlir::Operation *op, Target target) {
  auto product = dyn_cast<MmaOp>(op);
  if (target == Target::sm_100a || !product || !product.getScalesA())
    return success();
  return unsupported(op, "block-scaled products begin with sm_100a; multiply by the factors in an "
                         "element function, or leave `scales` out");
}

/// Cores of Ascend meet; CTAs have counters.
static LogicalResult verifyUnmet(mlir::Operation *op, Target target) {
  if (isAscend(target) || !isa<MeetOp>(op))
    return success();
  return unsupported(op, "a meeting of all cores is of Ascend; CTAs of a grid meet by a counter "
                         "(sluice.counter.add, sluice.counter.wait)");
}

/// Units are of L0C.
static LogicalResult verifyUnits(mlir::Operation *op, Target target) {
  if (isAscend(target) || !marks::byUnits.on(op))
    return success();
  return unsupported(op, "sluice.by_units: sums come unit by unit from L0C, which is of Ascend's "
                         "cores; leave it out");
}

static LogicalResult verifyOnAscend(mlir::Operation *op) {
  if (isa<TryAcquireOp, TryWaitOp>(op))
    return unsupported(op, "a flag of an Ascend core is waited for, not asked; leave the test and "
                           "its token out");
  if (isa<CounterAddOp, CounterWaitOp>(op))
    return unsupported(op,
                       "counters in global memory are of NVIDIA GPUs; cores of Ascend tell each "
                       "other by flags");
  if (isa<PrefetchOp>(op))
    return unsupported(op, "pipes of Ascend cores have no prefetch into L2; leave it out");
  auto pipeline = dyn_cast<PipelineOp>(op);
  return pipeline ? verifyFlags(pipeline) : success();
}

LogicalResult verifyTargetHas(KernelOp kernel, Target target) {
  if (marks::mutexes.on(kernel) && target != Target::ascend950)
    return unsupported(kernel, "sluice.mutexes: ")
           << name(target) << " has no mutexes, ascend950 has; leave it out";
  const auto wrong = kernel.walk([&](mlir::Operation *op) {
    auto role = dyn_cast<RoleOp>(op);
    auto raw = dyn_cast<RawOp>(op);
    return (role && failed(verifyLeader(role, target))) ||
                   (raw && failed(verifyText(raw, target))) || failed(verifyUnits(op, target)) ||
                   failed(verifyLaunchControl(op, target)) || failed(verifyUnscaled(op, target)) ||
                   failed(verifyUnmet(op, target)) ||
                   (isAscend(target) && failed(verifyOnAscend(op)))
               ? mlir::WalkResult::interrupt()
               : mlir::WalkResult::advance();
  });
  return failure(wrong.wasInterrupted());
}

} // namespace sluice
