// Pipeline -> barrier for Ascend. A pipeline from pipe P to pipe C becomes one event id per slot
// for "full" (P to C) and one for "empty" (C to P); with several producers or consumers it does so
// between each and each, since a flag is of two pipes. Before the streams the flags of slots that
// start empty, or full (`primed`), are set; after them all empty ones are waited for (draining), so
// that every flag is zero at the end. A pipeline from one core to the other becomes two cross-core
// flags, which count. Mutexes (Barrier/Mutexes.h) and units of L0C (HandOver.h) are no flags.
#include "Arch/Limits.h"
#include "Dialect/Marks.h"
#include "Program/BarrierState.h"
#include "Transform/Barrier/HandOver.h"
#include "Transform/Barrier/Mutexes.h"
#include "Transform/Cores.h"
#include "Transform/Passes.h"
#include "Transform/Refusal.h"
#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <map>

namespace sluice {
namespace {

using namespace ir;
using mlir::isa;

constexpr int64_t allOfAKind = 0;     // mode of CrossCoreSetFlag: all cores of a kind
constexpr int64_t cubeAndVectors = 2; // AIC <-> its two AIVs

ir::Pipe pipeNamed(mlir::Attribute name) {
  return *symbolizePipe(pipeNameOf(mlir::cast<mlir::StringAttr>(name).getValue()));
}

/// Two pipes of one lowered pipeline and the first of its event ids in each direction; between
/// cores one counting flag in each.
struct Flags {
  std::string producerAgent, consumerAgent;
  ir::Pipe producer, consumer;
  int64_t slots, full, empty;
  bool signalled; // that a slot is full
  bool reused;    // slots are used more than once: it is said that one is empty
  int64_t primed; // slots that start full, from 0
  int64_t free;   // behind them, slots that start empty
  bool crosses() const { return coreOf(producerAgent) != coreOf(consumerAgent); }
};

class LowerToFlags {
public:
  explicit LowerToFlags(const Arch &arch) : arch_(arch) {}
  mlir::LogicalResult run(KernelOp kernel);

private:
  mlir::FailureOr<std::vector<Flags>> number(PipelineOp pipeline);
  mlir::FailureOr<Flags> number(PipelineOp pipeline, mlir::Attribute from, mlir::Attribute to);
  mlir::LogicalResult numberCross(PipelineOp pipeline, Flags &flags);
  mlir::LogicalResult meet(MeetOp meeting);

  const Arch &arch_;
  std::map<std::tuple<std::string, ir::Pipe, ir::Pipe>, int64_t> nextId_;
  int64_t nextCrossId_ = 0;
};

mlir::LogicalResult LowerToFlags::numberCross(PipelineOp pipeline, Flags &flags) {
  flags.full = flags.signalled ? nextCrossId_++ : 0;
  flags.empty = flags.reused ? nextCrossId_++ : 0;
  if (nextCrossId_ > mostCrossFlags)
    return breaks("R34", pipeline, "pipeline '")
           << pipeline.getName() << "': the cores would need " << nextCrossId_
           << " cross-core flags, there are " << mostCrossFlags << "; hand over fewer accumulators";
  if (flags.slots > CrossFlagState::maxCount)
    return breaks("R34", pipeline, "pipeline '")
           << pipeline.getName() << "' has " << flags.slots
           << " slots; a cross-core flag counts to " << CrossFlagState::maxCount;
  return mlir::success();
}

/// Each producer with each consumer.
mlir::FailureOr<std::vector<Flags>> LowerToFlags::number(PipelineOp pipeline) {
  std::vector<Flags> pairs;
  for (mlir::Attribute producer : pipeline.getProducers())
    for (mlir::Attribute consumer : pipeline.getConsumers()) {
      auto flags = number(pipeline, producer, consumer);
      if (mlir::failed(flags))
        return mlir::failure();
      pairs.push_back(*flags);
    }
  return pairs;
}

mlir::FailureOr<Flags> LowerToFlags::number(PipelineOp pipeline, mlir::Attribute from,
                                            mlir::Attribute to) {
  Flags flags{mlir::cast<mlir::StringAttr>(from).getValue().str(),
              mlir::cast<mlir::StringAttr>(to).getValue().str(),
              pipeNamed(from),
              pipeNamed(to),
              pipeline.getPipeline().getType().getSlots(),
              0,
              0,
              !pipeline.getFull(),
              !pipeline.getEmpty(),
              static_cast<int64_t>(pipeline.getPrimed().value_or(0)),
              0};
  flags.free = static_cast<int64_t>(pipeline.getFirst().value_or(flags.slots - flags.primed));
  if (flags.crosses()) {
    if (failed(numberCross(pipeline, flags)))
      return mlir::failure();
    return flags;
  }
  std::string core = coreOf(flags.producerAgent).str();
  int64_t &forward = nextId_[{core, flags.producer, flags.consumer}];
  int64_t &back = nextId_[{core, flags.consumer, flags.producer}];
  flags.full = forward;
  flags.empty = back;
  forward += flags.signalled ? flags.slots : 0;
  back += flags.reused ? flags.slots : 0;
  if (std::max(forward, back) > mostEventIds)
    return breaks("R31", pipeline, "pipeline '")
           << pipeline.getName() << "': " << stringifyPipe(flags.producer) << " and "
           << stringifyPipe(flags.consumer) << " need " << std::max(forward, back)
           << " event ids; there are " << mostEventIds
           << " in static-tensor mode, which keeps 6 and 7; take fewer slots";
  return flags;
}

/// What `agent` does to hand a slot on, or to get one: a flag between pipes or between cores.
void createSet(mlir::OpBuilder &b, mlir::Location loc, const Flags &f, bool full, mlir::Value id) {
  mlir::Operation *set;
  ir::Pipe from = full ? f.producer : f.consumer, to = full ? f.consumer : f.producer;
  if (f.crosses())
    set = CrossSetOp::create(b, loc, cubeAndVectors, from,
                             constantIndex(b, loc, full ? f.full : f.empty));
  else
    set = SetFlagOp::create(b, loc, from, to, id);
  setAgent(set, full ? f.producerAgent : f.consumerAgent);
}

void createWait(mlir::OpBuilder &b, mlir::Location loc, const Flags &f, bool full, mlir::Value id) {
  mlir::Operation *wait;
  ir::Pipe from = full ? f.producer : f.consumer, to = full ? f.consumer : f.producer;
  if (f.crosses())
    wait = CrossWaitOp::create(b, loc, to, constantIndex(b, loc, full ? f.full : f.empty));
  else
    wait = WaitFlagOp::create(b, loc, from, to, id);
  setAgent(wait, full ? f.consumerAgent : f.producerAgent);
}

/// Towards each pipe of the other side.
void lowerVerb(mlir::Operation *verb, llvm::ArrayRef<Flags> pairs) {
  mlir::OpBuilder b(verb);
  auto loc = verb->getLoc();
  const bool full = isa<CommitOp, WaitOp>(verb), sets = isa<CommitOp, ReleaseOp>(verb);
  const std::string pipe = pipeOfVerb(verb);
  for (const Flags &f : pairs) {
    const bool own = pipe == (full == sets ? f.producerAgent : f.consumerAgent);
    if (isa<TailOp>(verb) || !own || !(full ? f.signalled : f.reused))
      continue;
    mlir::Value id = f.crosses() ? mlir::Value()
                                 : idOfSlot(b, loc, verb->getOperand(1), full ? f.full : f.empty);
    (sets ? createSet : createWait)(b, loc, f, full, id);
  }
  verb->erase();
}

mlir::Block &streamOf(llvm::ArrayRef<RoleOp> roles, llvm::StringRef agent) {
  RoleOp role =
      *llvm::find_if(roles, [&](RoleOp role) { return *role.getCore() == coreOf(agent); });
  return role.getBody().front();
}

/// Of slots `first` to `end`, the sets or the waits of one side.
void createFlags(mlir::OpBuilder b, mlir::Location loc, const Flags &f, bool full, bool set,
                 int64_t first, int64_t end) {
  if (!(full ? f.signalled : f.reused))
    return;
  for (int64_t i = first; i < end; ++i) {
    mlir::Value id =
        f.crosses() ? mlir::Value() : constantIndex(b, loc, (full ? f.full : f.empty) + i);
    (set ? createSet : createWait)(b, loc, f, full, id);
  }
}

/// Before their streams the consumer sets what starts empty, the producer what starts full.
void prime(llvm::ArrayRef<RoleOp> roles, mlir::Location loc, const Flags &f) {
  createFlags(mlir::OpBuilder::atBlockBegin(&streamOf(roles, f.producerAgent)), loc, f,
              /*full=*/true, /*set=*/true, 0, f.primed);
  createFlags(mlir::OpBuilder::atBlockBegin(&streamOf(roles, f.consumerAgent)), loc, f,
              /*full=*/false, /*set=*/true, f.primed, f.primed + f.free);
}

/// Vector cores meet, once they know what their cube core has stored; then they load. Who stores in
/// front of it tells, and who loads behind it is told.
mlir::LogicalResult LowerToFlags::meet(MeetOp meeting) {
  bool cubeStores = false;
  mlir::Operation *behind = nullptr;
  for (mlir::Operation &op : *meeting->getBlock())
    op.walk([&](mlir::Operation *inner) {
      if (agentOf(inner).empty() || onVectorCore(agentOf(inner)))
        return;
      cubeStores |= isa<StoreOp>(inner);
      if (meeting->isBeforeInBlock(&op))
        behind = behind ? behind : inner;
    });
  if (behind)
    return unsupported(behind, "is of the cube core, and stands behind a meeting of all cores, of "
                               "which vector cores alone are told");
  mlir::OpBuilder b(meeting);
  const auto loc = meeting.getLoc();
  const std::string stores = vectorPrefix.str() + "MTE3", loads = vectorPrefix.str() + "MTE2";
  if (cubeStores) {
    mlir::Value stored = constantIndex(b, loc, nextCrossId_++);
    setAgent(CrossSetOp::create(b, loc, cubeAndVectors, ir::Pipe::FIX, stored), "FIX");
    setAgent(CrossWaitOp::create(b, loc, ir::Pipe::MTE3, stored), stores);
  }
  mlir::Value all = constantIndex(b, loc, nextCrossId_++);
  setAgent(CrossSetOp::create(b, loc, allOfAKind, ir::Pipe::MTE3, all), stores);
  setAgent(CrossWaitOp::create(b, loc, ir::Pipe::MTE2, all), loads);
  if (nextCrossId_ > mostCrossFlags)
    return breaks("R34", meeting, "the cores would need ")
           << nextCrossId_ << " cross-core flags, there are " << mostCrossFlags;
  meeting.erase();
  return mlir::success();
}

/// No ring of L0C has what they store.
mlir::LogicalResult verifyNoUnitsLeft(KernelOp kernel) {
  return forEach<StoreOp>(kernel, [](StoreOp store) -> mlir::LogicalResult {
    if (!marks::byUnits.on(store))
      return mlir::success();
    return unsupported(store, "a store by units takes sums as M hands them over in L0C, and stores "
                              "no result of the vector cores; leave units out");
  });
}

mlir::LogicalResult LowerToFlags::run(KernelOp kernel) {
  std::vector<Flags> all;
  if (mlir::failed(lowerToMutexes(kernel)))
    return mlir::failure();
  for (PipelineOp pipeline : llvm::make_early_inc_range(kernel.getBody().getOps<PipelineOp>())) {
    if (StoreOp store = storeByUnits(pipeline)) {
      if (mlir::failed(handOverByUnits(pipeline, store)))
        return mlir::failure();
      pipeline.erase();
      continue;
    }
    auto pairs = number(pipeline);
    if (mlir::failed(pairs))
      return mlir::failure();
    for (mlir::Operation *verb : llvm::make_early_inc_range(pipeline->getUsers()))
      lowerVerb(verb, *pairs);
    pipeline.erase();
    llvm::append_range(all, *pairs);
  }
  for (MeetOp meeting : llvm::make_early_inc_range(kernel.getBody().getOps<MeetOp>()))
    if (mlir::failed(meet(meeting)))
      return mlir::failure();
  if (mlir::failed(verifyNoUnitsLeft(kernel)) || mlir::failed(lowerWorkspaces(kernel, arch_.cores)))
    return mlir::failure();
  auto roles = llvm::to_vector(kernel.getOps<RoleOp>()); // an author's
  if (roles.empty())
    roles = splitCores(kernel);
  for (const Flags &flags : llvm::reverse(all)) // each goes in front of the ones before
    prime(roles, kernel.getLoc(), flags);
  for (const Flags &flags : all)
    createFlags(mlir::OpBuilder::atBlockEnd(&streamOf(roles, flags.producerAgent)), kernel.getLoc(),
                flags, /*full=*/false, /*set=*/false, 0, flags.slots);
  kernel.walk([](mlir::Operation *op) {
    auto agent = marks::agent.of(op);
    if (agent && isa<LoadOp, StoreOp, CopyOp, MapOp, ReduceOp, FillOp>(op))
      op->setAttr("pipe", PipeAttr::get(op->getContext(), pipeNamed(agent)));
  });
  return mlir::success();
}

} // namespace

mlir::LogicalResult lowerToFlags(KernelOp kernel, const Arch &arch) {
  return LowerToFlags(arch).run(kernel);
}

} // namespace sluice
