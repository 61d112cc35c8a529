#include "Transform/Pipeline/RolePlan.h"

#include "Dialect/Marks.h"
#include "Program/Registers.h"
#include "Transform/Pipeline/LiveTiles.h"
#include "Transform/Placed/ReplacedTiles.h"
#include "Transform/Placed/TensorMemory.h"
#include "Transform/Placed/WholeRows.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;

llvm::StringRef nameOf(Duty duty) {
  constexpr llvm::StringRef names[] = {"mma", "load", "store", "scheduler"};
  return names[static_cast<size_t>(duty)];
}

int RolePlan::warpsOf(llvm::StringRef name) const {
  for (const PlannedRole &role : roles)
    if (role.name == name)
      return role.warps();
  return 0;
}

bool hasNamedRoles(KernelOp kernel) {
  return marks::roles.on(kernel);
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
  return op->getParentOfType<mlir::scf::ForOp>() && isWrittenThenStored(staging) &&
         staging.getBuffer().getType().getSlots() == 1;
}

static std::optional<Duty> dutyOf(mlir::Operation *op);

/// It goes on in step with what it is ahead of: with loads, where a role loads.
static Duty dutyOfPrefetch(KernelOp kernel) {
  const auto loads = kernel.walk([](LoadOp load) {
    return dutyOf(load) == Duty::load ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return loads.wasInterrupted() && !loadsAhead(kernel) ? Duty::load : Duty::compute;
}

/// Of an operation that nobody names a role for; nothing: nobody's.
static std::optional<Duty> dutyOf(mlir::Operation *op) {
  if (isa<PrefetchOp>(op))
    return dutyOfPrefetch(op->getParentOfType<KernelOp>());
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

/// Roles that the data flow asks for; an author may give them their warps, and more to do.
static bool isDerived(llvm::StringRef role) {
  return role == nameOf(Duty::compute) || role == nameOf(Duty::load) || role == nameOf(Duty::store);
}

/// The role of the first other access to the tile of which `asks` is true; empty: there is none.
static llvm::StringRef roleOfOther(AllocOp tile, mlir::Operation *op,
                                   llvm::function_ref<bool(const TileAccess &)> asks) {
  if (tile)
    for (const TileAccess &access : accessesOf(tile))
      if (access.op != op && asks(access))
        return roleFor(access.op);
  return "";
}

static bool computes(const TileAccess &access) {
  return isa<CopyOp, MmaOp, MapOp, ReduceOp, RawOp, ClusterSumOp>(access.op);
}

/// Beside roles with names, what only begins or ends a tile is done by who computes with it: a
/// fill, a load to registers, a store, a print.
static llvm::StringRef roleOfCompany(mlir::Operation *op) {
  const auto fills = [](const TileAccess &access) { return access.writes && computes(access); };
  if (auto fill = dyn_cast<FillOp>(op)) {
    const llvm::StringRef filler = roleOfOther(rootOf(fill.getDestination()), op, fills);
    return filler.empty() ? roleOfOther(rootOf(fill.getDestination()), op, computes) : filler;
  }
  if (auto load = dyn_cast<LoadOp>(op))
    return roleOfOther(rootOf(load.getDestination()), op,
                       [](const TileAccess &access) { return access.reads && computes(access); });
  mlir::Value source;
  if (auto store = dyn_cast<StoreOp>(op))
    source = store.getSource();
  else if (auto print = dyn_cast<PrintOp>(op))
    source = print.getSource();
  else
    return "";
  const llvm::StringRef filler = roleOfOther(rootOf(source), op, fills);
  return filler.empty() && isa<PrintOp>(op) ? roleOfOther(rootOf(source), op, computes) : filler;
}

llvm::StringRef roleFor(mlir::Operation *op) {
  if (const llvm::StringRef agent = agentOf(op); !agent.empty())
    return agent;
  if (auto named = marks::inRole.of(op))
    return named.getValue();
  const auto duty = dutyOf(op);
  if (duty == Duty::compute && hasNamedRoles(op->getParentOfType<KernelOp>()))
    if (const llvm::StringRef role = roleOfCompany(op); !role.empty())
      return role;
  return duty ? nameOf(*duty) : "";
}

llvm::StringRef holderOf(AllocOp tile) {
  const auto accesses = accessesOf(tile);
  return accesses.empty() ? nameOf(Duty::compute) : roleFor(accesses.front().op);
}

void putInRole(mlir::Operation *op, llvm::StringRef role) {
  auto roles = marks::roles.of(op->getParentOfType<KernelOp>());
  if (roles && roles.contains(role))
    marks::inRole.set(op, role);
}

bool isOfLeader(LoadOp load) {
  auto named = marks::inRole.of(load);
  const auto role = marks::givenRole(load->getParentOfType<KernelOp>(),
                                     named ? named.getValue() : nameOf(Duty::load));
  return role && role->leader;
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
    if (roleFor(op) != nameOf(Duty::compute))
      return;
    if (auto mma = dyn_cast<MmaOp>(op))
      warps = std::max(warps, warpsOfAccumulator(mma.getD().getType(), turns));
    if (auto wgmma = dyn_cast<WgmmaOp>(op))
      warps = std::max(warps, warpsOfAccumulator(wgmma.getD().getType(), turns));
  });
  return warps;
}

/// Whether a role does anything.
static bool hasWork(KernelOp kernel, llvm::StringRef role) {
  const auto found = kernel.walk([&](mlir::Operation *op) {
    return roleFor(op) == role ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// Whether threads of a role that `asks` is true for load tiles for others.
static bool threadsLoad(KernelOp kernel, llvm::function_ref<bool(llvm::StringRef)> asks) {
  const auto found = kernel.walk([&](LoadOp load) {
    auto type = load.getDestination().getType();
    return type.getSpace() == Space::smem && !tmaCanLoad(load, type) && asks(roleFor(load))
               ? mlir::WalkResult::interrupt()
               : mlir::WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// Whether a role holds tiles in registers, all placed.
static bool holdsTiles(KernelOp kernel, llvm::StringRef role) {
  const auto found = kernel.walk([&](AllocOp tile) {
    const bool holds =
        tile.getBuffer().getType().getSpace() == Space::reg && holderOf(tile) == role;
    return holds ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// One that asks TMA for it, or those that store line by line: all but one of a warpgroup, or,
/// where nothing multiplies, a warpgroup.
static int storingWarps(KernelOp kernel) {
  const int byThreads = hasProducts(kernel) ? 3 : 4;
  int warps = 0;
  auto storing = mlir::StringAttr::get(kernel.getContext(), nameOf(Duty::store));
  kernel.walk([&](PipelineOp pipeline) {
    if (llvm::is_contained(pipeline.getConsumers(), storing))
      warps = isStoredByThreads(pipeline) ? byThreads : 1;
  });
  return warps;
}

/// Roles of a kernel and their warps, in any order: those of its author, and those that the data
/// flow asks for beside them.
static std::vector<PlannedRole> rolesOf(KernelOp kernel, int groups) {
  std::vector<PlannedRole> roles;
  const auto named = marks::roles.of(kernel);
  const auto add = [&](llvm::StringRef name, int warps, bool computes) {
    const auto given = marks::givenRole(kernel, name).value_or(marks::GivenRole{warps});
    if (given.warps > 0)
      roles.push_back({.name = name.str(),
                       .computes = computes,
                       .end = int(given.warps),
                       .registers = given.registers,
                       .leader = given.leader});
  };
  int loading = hasWork(kernel, nameOf(Duty::load)) ? 1 : 0, storing = storingWarps(kernel);
  const int scheduling = dynamicLoopOf(kernel) ? 1 : 0;
  if (scheduling) // all that computes nothing is one warpgroup
    storing = std::min(storing, 2);
  const bool byThreads = threadsLoad(kernel, [](auto role) { return role == nameOf(Duty::load); });
  if (byThreads && hasProducts(kernel)) { // and all of it moves tiles
    storing = std::min(storing, 2);
    loading = 4 - storing - scheduling;
  } else if (byThreads) {
    loading = 4 - scheduling;
  }
  if (loadsAhead(kernel))
    loading = 0;
  if (!named || hasWork(kernel, nameOf(Duty::compute)))
    add(nameOf(Duty::compute), computingWarps(kernel, groups > 1), !isForTensorMemory(kernel));
  for (mlir::NamedAttribute role :
       named ? named.getValue() : llvm::ArrayRef<mlir::NamedAttribute>())
    if (const auto name = role.getName().strref(); !isDerived(name))
      add(name, 0, holdsTiles(kernel, name));
  add(nameOf(Duty::load), loading, false);
  add(nameOf(Duty::store), storing, named && holdsTiles(kernel, nameOf(Duty::store)));
  add(nameOf(Duty::schedule), scheduling, false);
  return roles;
}

/// Whole warpgroups first, as products and setmaxnreg want them.
RolePlan planRoles(KernelOp kernel) {
  RolePlan plan;
  plan.groups = groupsOf(kernel);
  const auto roles = rolesOf(kernel, plan.groups);
  const auto place = [&](bool whole) {
    for (PlannedRole role : roles)
      if ((role.warps() % 4 == 0) == whole) {
        const int warps = role.warps();
        role.first = plan.warps;
        role.end = plan.warps + warps;
        // The second group of the role that computes comes with the barriers.
        plan.warps += role.name == nameOf(Duty::compute) ? plan.groups * warps : warps;
        plan.roles.push_back(role);
      }
  };
  place(true);
  place(false);
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

static bool multiplies(KernelOp kernel, llvm::StringRef role) {
  const auto found = kernel.walk([&](WgmmaOp product) {
    return roleFor(product) == role ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// Registers of a thread of a role which these take at once. A role of its author that multiplies
/// nothing holds all its tiles in the layout of an accumulator.
static int64_t accumulatorsOf(KernelOp kernel, const PlannedRole &role) {
  const bool named = hasNamedRoles(kernel), all = named && !multiplies(kernel, role.name);
  std::vector<AllocOp> held;
  kernel.walk([&](AllocOp buffer) {
    const bool counts =
        all ? buffer.getBuffer().getType().getSpace() == Space::reg : isHeldForProducts(buffer);
    if (counts && (!named || holderOf(buffer) == role.name))
      held.push_back(buffer);
  });
  return mostBytesAlive(kernel, held) / (4 * 32 * role.warps());
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
static bool sharesSms(KernelOp kernel) {
  return llvm::any_of(kernel.getOps<GridOp>(), [](GridOp grid) {
    const auto count = marks::ctasPerSm.of(grid);
    return count && count.getInt() > 1;
  });
}

namespace {
/// Registers of a thread that a role which computes would have, or that its author gives it.
struct Wish {
  PlannedRole *role;
  int64_t ofProducts, all;
  int warps; // of all groups

  int64_t rounded() const { return std::max((all + 7) / 8 * 8, leastRegistersOfARole); }
};
} // namespace

static std::vector<Wish> wishesOf(KernelOp kernel, RolePlan &plan) {
  std::vector<Wish> wishes;
  for (PlannedRole &role : plan.roles) {
    if (!role.computes)
      continue;
    const int warps = role.warps() * (role.name == nameOf(Duty::compute) ? plan.groups : 1);
    if (role.registers) {
      wishes.push_back({&role, 0, *role.registers, warps});
      continue;
    }
    const int64_t products = accumulatorsOf(kernel, role) + besideAccumulators;
    const int64_t rows = rowsHeld(kernel, role.warps()) + besideAccumulators;
    wishes.push_back({&role, products, std::max(products, rows), warps});
  }
  return wishes;
}

/// What the author gives the warpgroup that moves tiles: the most of its roles. 0: nothing.
static int64_t givenToMovers(const RolePlan &plan) {
  int64_t given = 0;
  for (const PlannedRole &role : plan.roles)
    given = role.computes ? given : std::max(given, role.registers.value_or(0));
  return given;
}

/// Of threads that copy tiles themselves, or ask for copies.
static int64_t registersOfMovers(KernelOp kernel, const RolePlan &plan) {
  const bool copying =
      plan.warpsOf(nameOf(Duty::load)) > 1 ||
      (hasNamedRoles(kernel) && threadsLoad(kernel, [](llvm::StringRef) { return true; }));
  return copying ? registersOfCopying : registersForCopies;
}

/// setmaxnreg takes registers from the warpgroup that loads and stores, and from those that compute
/// with few, and gives them to the others, where these would spill otherwise.
static void moveRegisters(KernelOp kernel, const Arch &arch, RolePlan &plan) {
  const int64_t launched = registersAtLaunch(plan.warps, arch.registersPerSm);
  const auto wishes = wishesOf(kernel, plan);
  const auto isNeedy = [&](const Wish &wish) {
    return !wish.role->registers && wish.all > launched;
  };
  const auto withoutNeed = [&](const Wish &wish) {
    return wish.role->registers.value_or(std::min(wish.rounded(), launched));
  };
  int64_t computing = 0, needy = 0, content = 0; // warps; registers of a thread times warps
  for (const Wish &wish : wishes) {
    computing += wish.warps;
    (isNeedy(wish) ? needy : content) += wish.warps * (isNeedy(wish) ? 1 : withoutNeed(wish));
  }
  const int64_t moving = plan.warps - computing, others = moving > 0 ? 4 : 0;
  const bool whole = llvm::all_of(wishes, [](const Wish &wish) { return wish.warps % 4 == 0; });
  const bool more = llvm::any_of(wishes, [&](const Wish &wish) { return wish.all > launched; });
  if (!more || !whole || moving > 4 || (moving == 0 && needy == computing))
    return;
  const auto left = [&](int64_t copies) {
    const int64_t all = launched * (computing + others) - copies * others - content;
    return needy ? all / needy / 8 * 8 : launched;
  };
  const int64_t given = givenToMovers(plan);
  int64_t copies = given ? given : registersOfMovers(kernel, plan);
  const auto spills = [&](const Wish &wish) { return wish.ofProducts > left(copies); };
  if (moving == 1 && !given && copies == registersForCopies && llvm::any_of(wishes, spills))
    copies = leastRegistersOfARole;
  if (left(copies) < launched) // what the author gives leaves fewer
    return;
  for (const Wish &wish : wishes)
    wish.role->registers =
        isNeedy(wish) ? std::min(left(copies), mostRegistersOfARole) : withoutNeed(wish);
  for (PlannedRole &role : plan.roles)
    role.registers = role.registers.value_or(copies);
  plan.warps = int(computing + others);
}

RolePlan planRoles(KernelOp kernel, const Arch &arch) {
  RolePlan plan = planRoles(kernel);
  if (!sharesSms(kernel))
    moveRegisters(kernel, arch, plan);
  if (llvm::any_of(plan.roles, [](const PlannedRole &role) { return role.registers; }))
    plan.warps = (plan.warps + 3) / 4 * 4; // warpgroups change them
  return plan;
}

} // namespace sluice
