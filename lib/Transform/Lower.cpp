// The driver: the steps of the lowering in their order, each followed by a dump for those who
// asked.
#include "Dialect/Phases.h"
#include "Transform/Marks.h"
#include "Transform/Passes.h"
#include "Transform/Pipeline/HandedNumbers.h"
#include "Transform/Tile/OpenLoops.h"
#include "Transform/Uniform.h"
#include "Transform/Verify.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/MapVector.h"

namespace sluice {
namespace {

using mlir::LogicalResult;
using Loops = llvm::MapVector<mlir::Location, int>; // where, in the order of the text; how many

enum class Level : uint8_t { tile, placed, pipeline, barrier, allocated };
constexpr llvm::StringLiteral levelNames[] = {"tile", "placed", "pipeline", "barrier", "allocated"};

enum class On : uint8_t { all, nvidia, ascend };

/// A step as the list has it: it works on kernels that come at `level` or above, and where it ends
/// a level, the kernel enters the next one.
struct ListedStep {
  llvm::StringLiteral name, does;
  Level level;
  On on;
  Step *run; // null: MLIR's own pass of that name
  std::optional<Level> enters = std::nullopt;
};

constexpr ListedStep steps[] = {
    {"sluice-counting-loops", "loops that only count get bounds", Level::allocated, On::all,
     countLoops},

    {"sluice-open-loops", "loops that go on while a value holds, as if they had bounds",
     Level::tile, On::all, openLoops},
    {"sluice-turn-inputs", "what is read transposed alone is declared so", Level::tile, On::nvidia,
     turnInputs},
    {"sluice-map-grid",
     "which CTA or core computes which tiles; what a cluster shares or deals out", Level::tile,
     On::all, mapGrid},
    {"sluice-lifetimes", "a tile for every value that changes hands", Level::tile, On::all,
     separateLifetimes},
    {"sluice-zero-fills", "first products overwrite instead of zeros", Level::tile, On::all,
     foldZeroFills},
    {"sluice-tensor-memory", "sums of sm_100a go to tensor memory and are taken out", Level::tile,
     On::nvidia, nameTensorMemoryRoles},
    {"sluice-place-hopper", "memory and layout of every tile", Level::tile, On::nvidia,
     placeHopper},
    {"sluice-hold-inputs", "what element functions read is copied to registers", Level::tile,
     On::nvidia, holdInputs},
    {"sluice-stage-stores", "results go by way of shared memory", Level::tile, On::nvidia,
     stageStores, Level::placed},
    {"sluice-place-ascend", "memory of every tile; products in parts that fit", Level::tile,
     On::ascend, placeAscend, Level::placed},
    {"sluice-split-functions", "functions of elements become instructions", Level::placed,
     On::ascend, splitElementFunctions},

    {"sluice-agents", "who does what: a role or a pipe", Level::placed, On::all, assignAgents},
    {"sluice-hand-numbers", "old values of counters reach the roles that need them", Level::placed,
     On::nvidia, handNumbersOn},
    {"sluice-rings", "rings, cursors, the four verbs, and the products between them", Level::placed,
     On::all, insertRings},
    {"sluice-product-waits", "products are waited for where their results are needed",
     Level::placed, On::nvidia, sinkProductWaits},
    {"sluice-acquire-under-products", "room is waited for while products run", Level::placed,
     On::nvidia, acquireUnderProducts},
    {"sluice-order-vectors", "barriers between operations of the vector pipe", Level::placed,
     On::ascend, orderVectorOperations},
    {"sluice-mark-loop", "the loop that pictures count", Level::placed, On::all, markPipelinedLoop},
    {"sluice-load-ahead", "who computes loads, some steps ahead, where the grid asks for it",
     Level::placed, On::all, loadAhead, Level::pipeline},
    {"sluice-split-roles", "one body per role", Level::pipeline, On::nvidia, splitRoles},

    {"sluice-close-loops", "loops that go on while a value holds ask for it", Level::pipeline,
     On::all, closeLoops},
    {"sluice-products-of-roles", "products in roles of an author", Level::pipeline, On::nvidia,
     lowerProductsOfRoles},
    {"sluice-lower-to-mbarriers", "rings become mbarriers, loads and stores TMA's", Level::pipeline,
     On::nvidia, lowerToMbarriers, Level::barrier},
    {"sluice-pipes-of-roles", "which pipe does what in roles of an author, and in which order",
     Level::pipeline, On::ascend, pipesOfRoles},
    {"sluice-lower-to-flags", "rings become event ids and cross-core flags", Level::pipeline,
     On::ascend, lowerToFlags, Level::barrier},

    {"sluice-groups-in-turn", "warpgroups issue the products of a loop one after another",
     Level::barrier, On::nvidia, takeGroupTurns},
    {"sluice-leaders", "roles of the leader ask for the rank of their CTA", Level::allocated,
     On::all, askForLeaders},
    {"canonicalize", "", Level::allocated, On::all, nullptr},
    {"cse", "", Level::allocated, On::all, nullptr},
    {"sluice-allocate", "every address", Level::allocated, On::all, allocate, Level::allocated},
};

bool isFor(const ListedStep &step, Target target) {
  return step.on == On::all || (step.on == On::ascend) == isAscend(target);
}

/// `arch`, or the default machine of the kernel's target where that is another target.
const Arch &archFor(ir::KernelOp kernel, const Arch &arch) {
  auto target = kernel.getTarget() ? parseTarget(kernel.getTarget()->str()) : std::nullopt;
  // NOLINTNEXTLINE(bugprone-return-const-ref-from-parameter): machines outlive every compilation
  return target && *target != arch.target ? defaultArch(*target) : arch;
}

/// A step as MLIR runs it. On a kernel of another target it does nothing.
class StepPass : public mlir::PassWrapper<StepPass, mlir::OperationPass<ir::KernelOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StepPass)
  StepPass(const ListedStep &step, const Arch &arch) : step_(&step), arch_(&arch) {}
  llvm::StringRef getArgument() const override { return step_->name; }
  llvm::StringRef getDescription() const override { return step_->does; }

  void runOnOperation() override {
    ir::KernelOp kernel = getOperation();
    const Arch &arch = archFor(kernel, *arch_);
    if (!isFor(*step_, arch.target))
      return;
    if (mlir::failed(step_->run(kernel, arch)))
      return signalPassFailure();
    if (step_->enters)
      enterPhase(kernel, levelNames[size_t(*step_->enters)]);
  }

private:
  const ListedStep *step_;
  const Arch *arch_;
};

std::unique_ptr<mlir::Pass> passOf(const ListedStep &step, const Arch &arch) {
  if (step.run)
    return std::make_unique<StepPass>(step, arch);
  return step.name == "cse" ? mlir::createCSEPass() : mlir::createCanonicalizerPass();
}

/// The steps that a kernel at its phase still needs.
void addPasses(mlir::OpPassManager &pm, const Arch &arch, ir::KernelOp kernel) {
  const auto phase = Level(llvm::find(levelNames, kernel.getPhase()) - std::begin(levelNames));
  for (const ListedStep &step : steps)
    if (phase <= step.level && isFor(step, arch.target))
      pm.addPass(passOf(step, arch));
}

/// Calls the dump after every pass.
class Dump : public mlir::PassInstrumentation {
public:
  explicit Dump(const DumpFn &dump) : dump_(dump) {}
  void runAfterPass(mlir::Pass *pass, mlir::Operation *op) override {
    std::string text;
    llvm::raw_string_ostream(text) << *op;
    dump_(pass->getArgument().str(), text);
  }

private:
  const DumpFn &dump_;
};

/// Whether it might go on for ever: it has a condition, or a step that is no number.
bool mayNeverEnd(mlir::Operation *loop) {
  auto counted = llvm::dyn_cast<mlir::scf::ForOp>(loop);
  return llvm::isa<mlir::scf::WhileOp>(loop) ||
         (counted && !mlir::matchPattern(counted.getStep(), mlir::m_Constant()));
}

/// Finds such loops, once those that only count have bounds.
class FindEndless : public mlir::PassInstrumentation {
public:
  explicit FindEndless(Loops &found) : found_(found) {}
  void runAfterPass(mlir::Pass *pass, mlir::Operation *kernel) override {
    if (pass->getArgument() == steps[0].name)
      kernel->walk([this](mlir::LoopLikeOpInterface loop) {
        if (mayNeverEnd(loop))
          ++found_[loop.getLoc()];
      });
  }

private:
  Loops &found_;
};

/// A kernel in which such a loop has been left out would do more than the author's.
LogicalResult verifyKept(ir::KernelOp kernel, const Loops &loops) {
  Loops kept;
  kernel->walk([&kept](mlir::LoopLikeOpInterface loop) { ++kept[loop.getLoc()]; });
  for (const auto &[loop, count] : loops)
    if (kept.lookup(loop) < count)
      return mlir::emitError(loop, "unsupported: a loop that does nothing but compute what nobody "
                                   "needs, and may never end; leave it out");
  return mlir::success();
}

/// The steps to `level` from the one above, as one pass of sluice-opt.
void registerLevel(Level level) {
  const std::string name = "sluice-to-" + levelNames[size_t(level)].str();
  mlir::PassPipelineRegistration<>(name, "the steps to this level", [=](mlir::OpPassManager &pm) {
    const Arch &arch = defaultArch(Target::sm_90a);
    for (const ListedStep &step : steps)
      if (size_t(step.level) + 1 == size_t(level) || (level == Level::allocated && !step.run))
        pm.addPass(passOf(step, arch));
  });
}

} // namespace

LogicalResult lower(ir::KernelOp kernel, const Arch &arch, const DumpFn &dump) {
  const bool tiles = kernel.getPhase() == "tile", roles = kernel.getPhase() == "pipeline";
  const bool written = kernel.getPhase() == "barrier" || kernel.getPhase() == "allocated";
  const bool known = arch.target == Target::sm_90a || isAscend(arch.target) ||
                     (arch.target == Target::sm_100a && (tiles || roles)) || written;
  if (!known)
    return kernel.emitError("lowering to ")
           << name(arch.target).data() << " is not supported yet; write the kernel at the "
           << (arch.target == Target::sm_100a ? "tile, pipeline or " : "") << "barrier level";
  if (mlir::failed(mlir::verify(kernel)) || // the target may be new to it
      mlir::failed(ir::verifyPhase(kernel, kernel.getPhase())) ||
      mlir::failed(verifyScalarLoads(kernel)) || mlir::failed(verifyWritten(kernel, arch.target)) ||
      (written && mlir::failed(verifyUniform(kernel))))
    return mlir::failure();
  mlir::PassManager pm(kernel.getContext(), ir::KernelOp::getOperationName());
  if (dump)
    pm.addInstrumentation(std::make_unique<Dump>(dump));
  addPasses(pm, arch, kernel);
  Loops loops;
  pm.addInstrumentation(std::make_unique<FindEndless>(loops));
  if (mlir::failed(pm.run(kernel)) || mlir::failed(verifyKept(kernel, loops)))
    return mlir::failure();
  if (tiles && mlir::failed(verifyOutputs(kernel)))
    return mlir::failure();
  return written ? mlir::success() : verifyUniform(kernel);
}

void registerPasses() {
  for (const ListedStep &step : steps)
    if (step.run)
      mlir::registerPass([&step] { return passOf(step, defaultArch(Target::sm_90a)); });
  for (Level level : {Level::placed, Level::pipeline, Level::barrier, Level::allocated})
    registerLevel(level);
}

} // namespace sluice
