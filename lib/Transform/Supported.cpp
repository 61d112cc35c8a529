// The gate in front of the passes below the pipeline level.
#include "Transform/Supported.h"
#include "Dialect/Marks.h"
#include "Transform/Barrier/Pace.h"
#include "Transform/Barrier/RingEnds.h"
#include "Transform/Cores.h"
#include "Transform/Marks.h"
#include "Transform/NamedRoles.h"
#include "Transform/Refusal.h"
#include "Transform/Tiles.h"

#include "llvm/ADT/StringSet.h"

#include <cmath>

namespace sluice {
namespace {

using namespace ir;
using mlir::dyn_cast;
using mlir::failure;
using mlir::isa;
using mlir::LogicalResult;
using mlir::success;

constexpr const char *wayOut = "; write this part at the barrier level";

/// A flag is of two pipes of cores, and one set lets one wait pass.
LogicalResult verifyFlagOptions(PipelineOp pipeline) {
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

// ---- NVIDIA ----

/// Who takes part in rings is a role, and one: it has warps to count.
LogicalResult verifyRoles(KernelOp kernel) {
  llvm::StringSet<> names;
  for (RoleOp role : kernel.getOps<RoleOp>()) {
    if (!role.getFirst())
      return role.emitError("role '") << role.getName() << "' has no warps; write `warps 0 to 4`";
    if (!names.insert(role.getName()).second)
      return role.emitError("a second role '")
             << role.getName() << "'; pipelines tell roles by their names";
  }
  return success();
}

/// Bytes complete a phase of a full barrier, and nothing else tells that they have come.
LogicalResult verifyFull(PipelineOp pipeline, const Ends &ends) {
  for (const End &end : ends.producers)
    if (!ends.announces && (end.by(Means::tma) || end.by(Means::peers) || end.by(Means::remote)))
      return pipeline.emitError("pipeline '")
             << pipeline.getName() << "': "
             << (end.by(Means::tma)      ? "TMA"
                 : end.by(Means::remote) ? "a copy to another CTA"
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
      const bool signals =
          end.by(Means::threads) || end.by(Means::copies) || end.by(Means::tensorCore);
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
  for (const auto *side : {&ends.producers, &ends.consumers})
    for (const End &end : *side) {
      if (end.leader != side->front().leader)
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
  auto copy = dyn_cast<CopyOp>(access.op);
  if (!copy)
    return "sluice.copy does that, from registers or shared memory";
  return copy.getSource().getType().getSpace() != Space::reg && warps > 1
             ? "a copy from shared memory is of a role of one warp, one from registers of any role"
             : nullptr;
}

/// Slots of another CTA are filled by copies that its barrier hears of.
LogicalResult verifyFar(PipelineOp pipeline, const Ends &ends) {
  if (!crosses(ends))
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

/// What TMA moves one thread asks for, whoever else is named.
LogicalResult verifyWhoMoves(mlir::Operation *op) {
  const auto namesOthers = [](Exec exec) { return exec != Exec::threads && exec != Exec::one; };
  if (auto load = dyn_cast<LoadOp>(op); load && (load.getAsync() || namesOthers(load.getExec())) &&
                                        load.getDestination().getType().getSpace() == Space::smem &&
                                        tmaCanLoad(load, load.getDestination().getType()))
    return load.emitError("TMA loads this tile, which one thread asks for; leave `async` and `by` "
                          "out");
  if (auto store = dyn_cast<StoreOp>(op); store && namesOthers(store.getExec()) &&
                                          store.getSource().getType().getSpace() == Space::smem &&
                                          !isStoredByThreads(store) &&
                                          tmaCanStore(store, store.getSource().getType()))
    return store.emitError("TMA stores this tile, which one thread asks for; leave `by` out");
  return success();
}

LogicalResult verifyHopper(KernelOp kernel, llvm::ArrayRef<PipelineOp> pipelines) {
  if (failed(verifyRoles(kernel)))
    return failure();
  for (PipelineOp pipeline : pipelines) {
    const Ends ends = endsOf(pipeline);
    if (failed(verifyFull(pipeline, ends)) || failed(verifyArrive(pipeline, ends)) ||
        failed(verifyLeaders(pipeline, ends)) || failed(verifyFar(pipeline, ends)))
      return failure();
  }
  auto result = kernel.walk([&](mlir::Operation *op) {
    if (isa<MmaOp, StoreOp, AcquireOp, TryAcquireOp, CommitOp, WaitOp, TryWaitOp, ReleaseOp,
            TailOp>(op) &&
        !op->getParentOfType<RoleOp>())
      unsupported(op, "stands outside the roles; move it into the role whose it is");
    else if (succeeded(verifyWhoMoves(op)))
      return mlir::WalkResult::advance();
    return mlir::WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

// ---- Ascend ----

/// A role is the stream of a core, of which each has one.
LogicalResult verifyCores(KernelOp kernel) {
  llvm::StringSet<> cores;
  for (RoleOp role : kernel.getOps<RoleOp>()) {
    if (!role.getCore())
      return role.emitError("role '") << role.getName() << "' has no core; write `core \"aic\"` or "
                                      << "`core \"aiv\"`";
    if (!cores.insert(*role.getCore()).second)
      return role.emitError("a second role of core '")
             << *role.getCore() << "'; a core runs one stream";
  }
  const auto outside = kernel.walk([&](mlir::Operation *op) {
    if (cores.empty() ||
        !isa<MmaOp, MmadOp, LoadOp, StoreOp, CopyOp, MapOp, ReduceOp, FillOp, AcquireOp, CommitOp,
             WaitOp, ReleaseOp, TailOp>(op) ||
        op->getParentOfType<RoleOp>())
      return mlir::WalkResult::advance();
    unsupported(op, "stands outside the roles; move it into the role whose it is");
    return mlir::WalkResult::interrupt();
  });
  return failure(outside.wasInterrupted());
}

/// The core of a pipe runs a stream.
LogicalResult verifyPipe(KernelOp kernel, PipelineOp pipeline, llvm::StringRef agent) {
  if (!isPipe(agent))
    return pipeline.emitError("pipeline '")
           << pipeline.getName() << "': '" << agent << "' is no pipe";
  auto roles = kernel.getOps<RoleOp>();
  if (roles.empty() ||
      llvm::any_of(roles, [&](RoleOp role) { return role.getCore() == coreOf(agent); }))
    return success();
  return pipeline.emitError("pipeline '") << pipeline.getName() << "' names '" << agent
                                          << "', and no role is of core '" << coreOf(agent) << "'";
}

LogicalResult verifyNothingAsked(KernelOp kernel) {
  auto result = kernel.walk([](mlir::Operation *op) {
    if (!isa<TryAcquireOp, TryWaitOp>(op))
      return mlir::WalkResult::advance();
    unsupported(op, "a flag of an Ascend core is waited for, not asked; leave the test and its "
                    "token out");
    return mlir::WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

LogicalResult verifyAscend(KernelOp kernel, llvm::ArrayRef<PipelineOp> pipelines) {
  if (failed(verifyCores(kernel)))
    return failure();
  for (PipelineOp pipeline : pipelines) {
    if (failed(verifyFlagOptions(pipeline)))
      return failure();
    for (auto agents : {pipeline.getProducers(), pipeline.getConsumers()}) {
      if (agents.size() != 1)
        return unsupported(pipeline, "pipeline '")
               << pipeline.getName()
               << "': a ring with several producers or consumers is not lowered yet" << wayOut;
      if (failed(verifyPipe(kernel, pipeline, mlir::cast<mlir::StringAttr>(agents[0]).getValue())))
        return failure();
    }
  }
  return verifyNothingAsked(kernel);
}

} // namespace

mlir::LogicalResult verifyRawTexts(KernelOp kernel, Target target) {
  const std::string name(sluice::name(target));
  auto result = kernel.walk([&](RawOp raw) {
    if (!raw.getTexts().contains(name))
      unsupported(raw, "raw text for ")
          << name << " is missing; there is one for " << raw.getTexts().begin()->getName().strref();
    else if (target != Target::sm_90a)
      unsupported(raw, "raw text for ") << name << " is not executed yet; sm_90a's is";
    else
      return mlir::WalkResult::advance();
    return mlir::WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// A clipped tensor counts for the whole.
static bool isAccessed(mlir::Value tensor) {
  return llvm::any_of(tensor.getUsers(), [](mlir::Operation *user) {
    auto clip = dyn_cast<ClipOp>(user);
    return clip ? isAccessed(clip.getResult()) : !isa<DimOp>(user);
  });
}

/// Nothing but a write reaches a tensor that is marked sluice.out.
LogicalResult verifyOutputs(KernelOp kernel) {
  for (auto argument : kernel.getBody().getArguments())
    if (marks::out.on(kernel, argument.getArgNumber()) && !isAccessed(argument))
      return kernel.emitError("output ")
             << kernel.argumentName(argument.getArgNumber()) << " is never written";
  return success();
}

static bool isStored(mlir::Value tensor) {
  return llvm::any_of(tensor.getUsers(), [](mlir::Operation *user) {
    auto clip = dyn_cast<ClipOp>(user);
    return clip ? isStored(clip.getResult()) : isa<StoreOp, CounterAddOp>(user);
  });
}

/// Warps are there for tiles.
static LogicalResult verifyDoesAnything(KernelOp kernel) {
  const auto touching = kernel.walk([](mlir::Operation *op) {
    const bool touches = llvm::any_of(op->getOperandTypes(), llvm::IsaPred<BufferType>);
    return touches ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  if (touching.wasInterrupted())
    return success();
  return unsupported(kernel, "kernel '")
         << kernel.getSymName() << "' touches no tile; there is nothing to launch";
}

/// Marks of what is written, without a write. What a launch makes has nothing in it before.
static LogicalResult verifyWritten(KernelOp kernel) {
  for (auto argument : kernel.getBody().getArguments())
    for (llvm::StringRef mark : {"workspace", "inout"})
      if (kernel.getArgAttr(argument.getArgNumber(), ("sluice." + mark).str()) &&
          !isStored(argument))
        return kernel.emitError() << mark << " " << kernel.argumentName(argument.getArgNumber())
                                  << " is never written; a tensor that is read alone has no mark";
  return success();
}

/// A number that the tile's integers are not would become another one.
static LogicalResult verifyFill(FillOp fill) {
  auto element = fill.getDestination().getType().getElementType();
  if (!element.isInteger())
    return success();
  const double value = fill.getValue().convertToDouble();
  const int bits = static_cast<int>(element.getIntOrFloatBitWidth());
  const int64_t least = bits == 1 ? 0 : -(int64_t{1} << (bits - 1));
  const int64_t most = bits == 1 ? 1 : (int64_t{1} << (bits - 1)) - 1;
  if (value == std::trunc(value) && value >= double(least) && value <= double(most))
    return success();
  return fill.emitError("fills a tile of ")
         << element << "; it takes an integer from " << least << " to " << most;
}

/// On NVIDIA the passes would drop an epoch between the roles.
static LogicalResult verifyEpoch(EpochOp epoch, bool ascend) {
  const llvm::StringRef phase = epoch->getParentOfType<KernelOp>().getPhase();
  if (ascend || phase == "barrier" || phase == "allocated")
    return success();
  return unsupported(epoch, "epochs are lowered for Ascend cores alone; leave it out here");
}

static bool dynamicOrInTurn(KernelOp kernel) {
  const auto found = kernel.walk([](mlir::Operation *op) {
    return marks::turns.on(op) || marks::dynamic.on(op) ? mlir::WalkResult::interrupt()
                                                        : mlir::WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// Above the pipeline level who computes adds and waits, and hands no old value on.
static LogicalResult verifyCounters(KernelOp kernel, Target target) {
  const llvm::StringRef phase = kernel.getPhase();
  if (phase != "tile" && phase != "placed")
    return success();
  const auto wrong = kernel.walk([&](mlir::Operation *op) {
    auto add = dyn_cast<CounterAddOp>(op);
    if (!add && !isa<CounterWaitOp>(op))
      return mlir::WalkResult::advance();
    if (isAscend(target))
      unsupported(op, "stands among tiles for Ascend cores; write it at the barrier level");
    else if (add && (!add.getOld().use_empty() || add.getExec() != Exec::one))
      unsupported(op, "stands among tiles, where one thread adds and nobody takes the old value; "
                      "draw numbers in a role");
    else if (dynamicOrInTurn(kernel))
      unsupported(op, "stands beside sluice.turns or sluice.dynamic, of which several roles take "
                      "tiles");
    else
      return mlir::WalkResult::advance();
    return mlir::WalkResult::interrupt();
  });
  return failure(wrong.wasInterrupted());
}

LogicalResult verifyNothingIgnored(KernelOp kernel, Target target) {
  const auto result = kernel.walk([&](mlir::Operation *op) {
    if (auto role = dyn_cast<RoleOp>(op); role && role.getLeader() && !kernel.getCluster())
      role.emitError("role '") << role.getName()
                               << "' is of the leader CTA, but the kernel has no cluster";
    else if (role && role.getLeader() && isAscend(target))
      unsupported(role, "role '") << role.getName()
                                  << "': cores have no leader; leave `leader` out";
    else if (isa<RandomOp>(op) && isAscend(target))
      unsupported(op, "vector cores have no products of 32 bits for random numbers");
    else if (isa<PrefetchOp>(op))
      unsupported(op, "prefetches into L2 are not lowered yet; leave it out");
    else if (auto fill = dyn_cast<FillOp>(op); fill && failed(verifyFill(fill)))
      return mlir::WalkResult::interrupt();
    else if (auto epoch = dyn_cast<EpochOp>(op);
             !epoch || succeeded(verifyEpoch(epoch, isAscend(target))))
      return mlir::WalkResult::advance();
    return mlir::WalkResult::interrupt();
  });
  if (result.wasInterrupted() || failed(verifyCounters(kernel, target)) ||
      failed(verifyMarksAreRead(kernel)) || failed(verifyNamedRoles(kernel, target)))
    return failure();
  // What is written by hand may be a part of a kernel: there it is a note of the verdict.
  if (kernel.getPhase() != "tile")
    return success();
  return failed(verifyOutputs(kernel)) || failed(verifyDoesAnything(kernel)) ||
                 failed(verifyWritten(kernel))
             ? failure()
             : verifyPace(kernel);
}

bool isUndivided(KernelOp kernel) {
  if (kernel.getPhase() != "pipeline" || !kernel.getOps<RoleOp>().empty())
    return false;
  auto result = kernel.walk([](mlir::Operation *op) {
    return agentOf(op).empty() ? mlir::WalkResult::advance() : mlir::WalkResult::interrupt();
  });
  return result.wasInterrupted();
}

mlir::LogicalResult verifySupported(KernelOp kernel) {
  const auto target = kernel.getTarget() ? parseTarget(kernel.getTarget()->str()) : std::nullopt;
  const bool ascend = target && isAscend(*target);
  if (kernel.getPhase() != "pipeline" || (!ascend && isUndivided(kernel)))
    return success();
  std::vector<PipelineOp> pipelines;
  kernel.walk([&](PipelineOp op) { pipelines.push_back(op); });
  return ascend ? verifyAscend(kernel, pipelines) : verifyHopper(kernel, pipelines);
}

} // namespace sluice
