// Pipeline -> barrier for Ascend. A pipeline from pipe P to pipe C becomes one event id per slot
// for "full" (P to C) and one for "empty" (C to P). Empty flags are set before the stream (priming)
// and waited for after it (draining), so that every flag is zero at the end.
#include "Transform/Passes.h"
#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <map>

namespace sluice {
namespace {

using namespace ir;
using mlir::isa;

constexpr int64_t eventIds = 8; // per pair of pipes, A2/A3 (Ascend C API, SetFlag)

ir::Pipe pipeNamed(mlir::Attribute name) {
  return *symbolizePipe(mlir::cast<mlir::StringAttr>(name).getValue());
}

/// One lowered pipeline: its pipes and the first of its event ids in each direction.
struct Flags {
  ir::Pipe producer, consumer;
  int64_t slots, full, empty;
  bool reused; // slots are used more than once
};

class LowerToFlags : public mlir::PassWrapper<LowerToFlags, mlir::OperationPass<KernelOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerToFlags)
  explicit LowerToFlags(const Arch &) {}
  llvm::StringRef getArgument() const override { return "sluice-lower-to-flags"; }
  llvm::StringRef getDescription() const override { return "pipeline -> barrier for Ascend"; }
  void runOnOperation() override;

private:
  mlir::FailureOr<Flags> number(PipelineOp pipeline);
  void lowerVerb(mlir::Operation *verb, const Flags &flags);
  RoleOp wrap(KernelOp kernel);

  std::map<std::pair<ir::Pipe, ir::Pipe>, int64_t> nextId_;
};

mlir::FailureOr<Flags> LowerToFlags::number(PipelineOp pipeline) {
  Flags flags{pipeNamed(pipeline.getProducers()[0]),
              pipeNamed(pipeline.getConsumers()[0]),
              pipeline.getPipeline().getType().getSlots(),
              0,
              0,
              !pipeline.getEmpty()};
  int64_t &forward = nextId_[{flags.producer, flags.consumer}];
  int64_t &back = nextId_[{flags.consumer, flags.producer}];
  flags.full = forward;
  flags.empty = back;
  forward += flags.slots;
  back += flags.reused ? flags.slots : 0;
  if (std::max(forward, back) > eventIds)
    return pipeline.emitError("pipeline '")
           << pipeline.getName() << "': " << stringifyPipe(flags.producer) << " and "
           << stringifyPipe(flags.consumer) << " would need " << std::max(forward, back)
           << " event ids, there are " << eventIds << "; take fewer slots";
  return flags;
}

mlir::Value eventId(mlir::OpBuilder &b, mlir::Location loc, mlir::Value cursor, int64_t first) {
  if (mlir::cast<CursorType>(cursor.getType()).getSlots() == 1)
    return constantIndex(b, loc, first);
  mlir::Value slot = CursorSlotOp::create(b, loc, b.getIndexType(), cursor);
  if (first == 0)
    return slot;
  return mlir::arith::AddIOp::create(b, loc, slot, constantIndex(b, loc, first));
}

void LowerToFlags::lowerVerb(mlir::Operation *verb, const Flags &f) {
  mlir::OpBuilder b(verb);
  auto loc = verb->getLoc();
  mlir::Value cursor = verb->getOperand(1);
  if (isa<AcquireOp>(verb) && f.reused)
    WaitFlagOp::create(b, loc, f.consumer, f.producer, eventId(b, loc, cursor, f.empty));
  else if (isa<CommitOp>(verb))
    SetFlagOp::create(b, loc, f.producer, f.consumer, eventId(b, loc, cursor, f.full));
  else if (isa<WaitOp>(verb))
    WaitFlagOp::create(b, loc, f.producer, f.consumer, eventId(b, loc, cursor, f.full));
  else if (isa<ReleaseOp>(verb) && f.reused)
    SetFlagOp::create(b, loc, f.consumer, f.producer, eventId(b, loc, cursor, f.empty));
  verb->erase();
}

/// The stream becomes the role of the cube core.
RoleOp LowerToFlags::wrap(KernelOp kernel) {
  mlir::Block &body = kernel.getBody().front();
  std::vector<mlir::Operation *> stream;
  for (mlir::Operation &op : body)
    if (!isa<AllocOp, GridOp, AssumeOp>(op) && !mlir::isMemoryEffectFree(&op))
      stream.push_back(&op);
  auto b = mlir::OpBuilder::atBlockEnd(&body);
  auto role = RoleOp::create(b, kernel.getLoc(), b.getStringAttr("cube"), mlir::IntegerAttr(),
                             mlir::IntegerAttr(), b.getStringAttr("aic"), mlir::IntegerAttr());
  mlir::Block &inside = role.getBody().emplaceBlock();
  for (auto *op : stream)
    op->moveBefore(&inside, inside.end());
  return role;
}

void LowerToFlags::runOnOperation() {
  KernelOp kernel = getOperation();
  std::vector<std::pair<PipelineOp, Flags>> pipelines;
  for (PipelineOp pipeline : kernel.getBody().getOps<PipelineOp>()) {
    auto flags = number(pipeline);
    if (mlir::failed(flags))
      return signalPassFailure();
    pipelines.push_back({pipeline, *flags});
  }
  for (auto &[pipeline, flags] : pipelines) {
    for (mlir::Operation *verb : llvm::make_early_inc_range(pipeline->getUsers()))
      lowerVerb(verb, flags);
    pipeline.erase();
  }
  kernel.walk([](mlir::Operation *op) {
    auto agent = op->getAttrOfType<mlir::StringAttr>("sluice.agent");
    if (agent && isa<LoadOp, StoreOp, CopyOp, MapOp, ReduceOp, FillOp>(op))
      op->setAttr("pipe", PipeAttr::get(op->getContext(), pipeNamed(agent)));
    op->removeAttr("sluice.agent");
  });
  RoleOp role = wrap(kernel);
  mlir::Block &stream = role.getBody().front();
  auto loc = kernel.getLoc();
  auto prime = mlir::OpBuilder::atBlockBegin(&stream), drain = mlir::OpBuilder::atBlockEnd(&stream);
  for (auto &[pipeline, f] : pipelines)
    for (int64_t i = 0; f.reused && i < f.slots; ++i) {
      SetFlagOp::create(prime, loc, f.consumer, f.producer, constantIndex(prime, loc, f.empty + i));
      WaitFlagOp::create(drain, loc, f.consumer, f.producer,
                         constantIndex(drain, loc, f.empty + i));
    }
  kernel.setPhase("barrier");
}

} // namespace

std::unique_ptr<mlir::Pass> createLowerToFlagsPass(const Arch &arch) {
  return std::make_unique<LowerToFlags>(arch);
}

} // namespace sluice
