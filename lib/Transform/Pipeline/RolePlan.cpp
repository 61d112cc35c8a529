#include "Transform/Pipeline/RolePlan.h"

#include "Dialect/Marks.h"
#include "Program/Registers.h"
#include "Transform/Pipeline/LiveTiles.h"
#include "Transform/Placed/ReplacedTiles.h"
#include "Transform/Placed/WholeRows.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;

llvm::StringRef nameOf(Duty duty) {
  constexpr llvm::StringRef names[] = {"mma", "load", "store", "scheduler"};
  return names[static_cast<size_t>(duty)];
}

int RolePlan::warpsOf(Duty duty) const {
  for (const PlannedRole &role : roles)
    if (role.duty == duty)
      return role.warps();
  return 0;
}

bool loadsAhead(KernelOp kernel) {
  return llvm::any_of(kernel.getOps<GridOp>(),
                      [](GridOp grid) { return marks::loadAhead.on(grid); });
}

mlir::scf::ForOp dynamicLoopOf(mlir::Operation *around) {
  mlir::scf::ForOp found;
  around->walk([&](mlir::scf::ForOp loop) {
    if (marks::dynamic.on(loop))
      found = loop;
  });
  return found;
}

// ---- Who does what ----------------------------------------------------------------------------

/// Results of a loop's iterations are stored by a warp of their own, under the next products.
static bool isHandedOn(mlir::Operation *op, AllocOp staging) {
  if (isReplaced(staging))
    return true;
  return op->getParentOfType<mlir::scf::ForOp>() && isStaging(staging) &&
         staging.getBuffer().getType().getSlots() == 1;
}

std::optional<Duty> dutyOf(mlir::Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op)) {
    if (load.getDestination().getType().getSpace() != Space::smem)
      return Duty::compute;
    // That warp knows first when there is room for the tile that the next result will replace.
    const AllocOp tile = rootOf(load.getDestination());
    return isHandedOn(op, tile) && !isReplaced(tile) ? Duty::store : Duty::load;
  }
  if (auto store = dyn_cast<StoreOp>(op); store && isHandedOn(op, rootOf(store.getSource())))
    return Duty::store;
  const bool computes = isa<CopyOp, MmaOp, ClusterSumOp, ClusterGatherOp, StoreOp, MapOp, ReduceOp,
                            FillOp, PrintOp, RawOp, CounterAddOp, CounterWaitOp>(op);
  return computes ? std::optional(Duty::compute) : std::nullopt;
}

// ---- Warps ------------------------------------------------------------------------------------

/// Warps that hold an accumulator: 16 rows each; 32 where four warpgroups would have fewer
/// registers than a row of the accumulator takes, and of a group that takes turns.
static int warpsOfAccumulator(BufferType type, bool turns) {
  const int64_t rows = type.getShape()[0], columns = type.getShape()[1];
  const bool two = turns ? rows % 128 == 0 : rows == 256 && columns > 128;
  return static_cast<int>(rows / (two ? 32 : 16));
}

static int groupsOf(KernelOp kernel) {
  const auto found = kernel.walk([](mlir::scf::ForOp loop) {
    return marks::turns.on(loop) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return found.wasInterrupted() ? 2 : 1;
}

/// Four, or what the largest accumulator takes, or what shares whole rows.
static int computingWarps(KernelOp kernel, bool turns) {
  int warps = warpsOfWholeRows(kernel).value_or(4);
  kernel.walk([&](mlir::Operation *op) {
    if (auto mma = dyn_cast<MmaOp>(op))
      warps = std::max(warps, warpsOfAccumulator(mma.getD().getType(), turns));
    if (auto wgmma = dyn_cast<WgmmaOp>(op))
      warps = std::max(warps, warpsOfAccumulator(wgmma.getD().getType(), turns));
  });
  return warps;
}

/// Whether tiles are brought in for others.
static bool loads(KernelOp kernel) {
  const auto found = kernel.walk([](LoadOp load) {
    return dutyOf(load) == Duty::load ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return found.wasInterrupted();
}

static bool threadsLoad(KernelOp kernel) {
  const auto found = kernel.walk([](LoadOp load) {
    auto type = load.getDestination().getType();
    return type.getSpace() == Space::smem && !tmaCanLoad(load, type) ? mlir::WalkResult::interrupt()
                                                                     : mlir::WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// One that asks TMA for it, or three that store line by line.
static int storingWarps(KernelOp kernel) {
  int warps = 0;
  auto storing = mlir::StringAttr::get(kernel.getContext(), nameOf(Duty::store));
  kernel.walk([&](PipelineOp pipeline) {
    if (llvm::is_contained(pipeline.getConsumers(), storing))
      warps = isStoredByThreads(pipeline) ? 3 : 1;
  });
  return warps;
}

RolePlan planRoles(KernelOp kernel) {
  RolePlan plan;
  plan.groups = groupsOf(kernel);
  int loading = loads(kernel) ? 1 : 0, storing = storingWarps(kernel);
  const int scheduling = dynamicLoopOf(kernel) ? 1 : 0;
  if (scheduling) // all that computes nothing is one warpgroup
    storing = std::min(storing, 2);
  if (threadsLoad(kernel)) { // and all of it moves tiles
    storing = std::min(storing, 2);
    loading = 4 - storing - scheduling;
  }
  if (loadsAhead(kernel))
    loading = 0;
  const int computing = computingWarps(kernel, plan.groups > 1);
  plan.roles.push_back({Duty::compute, 0, computing});
  plan.warps = plan.groups * computing; // the second group comes with the barriers
  for (auto [duty, warps] :
       {std::pair(Duty::load, loading), {Duty::store, storing}, {Duty::schedule, scheduling}})
    if (warps > 0) {
      plan.roles.push_back({duty, plan.warps, plan.warps + warps});
      plan.warps += warps;
    }
  return plan;
}

// ---- Registers --------------------------------------------------------------------------------

// Of a thread. ptxas 13: a loop over products takes 28 beside its accumulators, and an epilogue
// with bias and activation up to 48.
constexpr int64_t besideAccumulators = 48;

/// What products read or add to in registers, and sums that a map adds to beside them.
static bool isHeldForProducts(AllocOp buffer) {
  auto type = buffer.getBuffer().getType();
  if (type.getSpace() != Space::reg || buffer->use_empty())
    return false;
  return llvm::any_of(accessesOf(buffer), [&](const TileAccess &access) {
    auto map = dyn_cast<MapOp>(access.op);
    return isa<MmaOp, WgmmaOp>(access.op) ||
           (map && type.getLayout() == Layout::acc && access.writes &&
            llvm::is_contained(map.getInputs(), access.view));
  });
}

/// Registers of a thread of the role that computes which these take at once.
static int64_t accumulatorsOf(KernelOp kernel, int computing) {
  std::vector<AllocOp> held;
  kernel.walk([&](AllocOp buffer) {
    if (isHeldForProducts(buffer))
      held.push_back(buffer);
  });
  return mostBytesAlive(kernel, held) / (4 * 32 * computing);
}

/// The same for whole rows: the most that one tile has, in f32 beside what it is loaded as.
static int64_t rowsHeld(KernelOp kernel, int computing) {
  int64_t elements = 0;
  kernel.walk([&](AllocOp buffer) {
    auto type = buffer.getBuffer().getType();
    if (type.getLayout() == Layout::blocked)
      elements = std::max(elements, type.getShape()[0] * type.getShape()[1]);
  });
  return elements * 3 / 2 / (32 * computing);
}

/// What a role gives away, several CTAs of an SM have no use for.
bool sharesSms(KernelOp kernel) {
  return llvm::any_of(kernel.getOps<GridOp>(), [](GridOp grid) {
    const auto count = marks::ctasPerSm.of(grid);
    return count && count.getInt() > 1;
  });
}

/// setmaxnreg takes registers from the warpgroup that loads and stores and gives them to those that
/// compute, where these would spill otherwise.
RolePlan planRoles(KernelOp kernel, const Arch &arch) {
  RolePlan plan = planRoles(kernel);
  if (sharesSms(kernel))
    return plan;
  const int64_t launched = registersAtLaunch(plan.warps, arch.registersPerSm);
  const int computing = plan.groups * plan.warpsOf(Duty::compute);
  const int moving = plan.warps - computing;
  const int each = plan.warpsOf(Duty::compute);
  const int64_t ofProducts = accumulatorsOf(kernel, each) + besideAccumulators;
  const int64_t wanted = std::max(ofProducts, rowsHeld(kernel, each) + besideAccumulators);
  if (wanted <= launched || moving == 0 || moving > 4)
    return plan;
  const int threads = computing * 32, others = 128;
  const auto left = [&](int64_t copies) {
    return (launched * (threads + others) - copies * others) / threads / 8 * 8;
  };
  int64_t copies = plan.warpsOf(Duty::load) > 1 ? registersOfCopying : registersForCopies;
  if (moving == 1 && copies == registersForCopies && ofProducts > left(copies))
    copies = leastRegistersOfARole;
  const int64_t mine = left(copies);
  for (PlannedRole &role : plan.roles)
    role.registers = role.duty == Duty::compute ? std::min(mine, mostRegistersOfARole) : copies;
  plan.warps = computing + 4;
  return plan;
}

} // namespace sluice
