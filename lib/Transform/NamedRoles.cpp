#include "Transform/NamedRoles.h"

#include "Dialect/Marks.h"
#include "Transform/Cores.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Refusal.h"
#include "Transform/Tile/Pairs.h"
#include "Transform/Tiles.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::failure;
using mlir::isa;
using mlir::LogicalResult;
using mlir::success;

// ---- Names ------------------------------------------------------------------------------------

/// The names with their warps, for messages.
static std::string list(mlir::DictionaryAttr roles) {
  std::string text;
  for (mlir::NamedAttribute role : roles)
    text += (text.empty() ? "" : ", ") + role.getName().str();
  return text;
}

static LogicalResult verifyName(KernelOp kernel, llvm::StringRef name) {
  if (name == nameOf(Duty::schedule))
    return kernel.emitError("sluice.roles: role '")
           << name << "' is the one that draws tiles; take another name";
  if (name == nameOf(Duty::load) && loadsAhead(kernel))
    return kernel.emitError("sluice.roles: role '")
           << name << "' beside sluice.load_ahead, with which no role loads; leave one of them out";
  if (name.empty() || isPipe(name))
    return kernel.emitError("sluice.roles: '")
           << name << (name.empty() ? "' is no name of a role" : "' is a pipe of Ascend cores")
           << "; take another name";
  return success();
}

/// The first CTA of a cluster is there where there are clusters.
static LogicalResult verifyLeader(KernelOp kernel, llvm::StringRef name) {
  const bool clusters =
      llvm::any_of(kernel.getOps<GridOp>(), [](GridOp grid) { return grid.getCluster(); });
  if (clusters || !marks::givenRole(kernel, name)->leader)
    return success();
  return kernel.emitError("sluice.roles: role '")
         << name << "' is of the leader CTA, but the grid has no cluster";
}

/// A statement's role is one of the kernel's.
static LogicalResult verifyDeclared(mlir::Operation *op, mlir::DictionaryAttr roles) {
  auto role = marks::inRole.of(op);
  if (!role || (roles && roles.contains(role.getValue())))
    return success();
  auto diagnostic = op->emitError("sluice.in_role: no role is called '") << role.getValue() << "'";
  if (roles)
    return diagnostic << "; sluice.roles of the kernel has " << list(roles);
  return diagnostic << "; sluice.roles of the kernel gives roles their warps: {" << role.getValue()
                    << " = 4}";
}

// ---- What they stand beside -------------------------------------------------------------------

/// Who computes loads: no role does.
static LogicalResult verifyLoadsAhead(KernelOp kernel, LoadOp load) {
  auto role = marks::inRole.of(load);
  if (!role || !loadsAhead(kernel))
    return success();
  return load.emitError("is a load of role '")
         << role.getValue()
         << "', and with sluice.load_ahead who computes with a tile loads it, some steps ahead; "
            "leave one of them out";
}

/// The argument that a load or store is of; null: it is none.
static mlir::Value tensorOf(mlir::Operation *op) {
  if (auto load = dyn_cast<LoadOp>(op))
    return load.getSource();
  auto store = dyn_cast<StoreOp>(op);
  mlir::Value tensor = store ? mlir::Value(store.getDestination()) : mlir::Value();
  while (auto clip = tensor ? tensor.getDefiningOp<ClipOp>() : ClipOp())
    tensor = clip.getTensor();
  return tensor;
}

/// What a counter orders: tensors that CTAs hand on, which are loaded and stored.
static bool isHandedToCtas(KernelOp kernel, mlir::Value tensor) {
  bool loaded = false, stored = false;
  kernel.walk([&](mlir::Operation *op) {
    loaded |= tensorOf(op) == tensor && isa<LoadOp>(op);
    stored |= tensorOf(op) == tensor && isa<StoreOp>(op);
  });
  return loaded && stored;
}

/// All of a role have done what stands before when one adds to a counter: of the role, that is.
static LogicalResult verifyOrdered(KernelOp kernel, mlir::Operation *counter) {
  const auto wrong = kernel.walk([&](mlir::Operation *op) {
    const mlir::Value tensor = tensorOf(op);
    if (!tensor || roleFor(op) == roleFor(counter) || !isHandedToCtas(kernel, tensor))
      return mlir::WalkResult::advance();
    unsupported(op, "is of role '")
        << roleFor(op) << "' and of a tensor that CTAs hand on, and counters of role '"
        << roleFor(counter) << "' say what that role has done; put both into one role";
    return mlir::WalkResult::interrupt();
  });
  return failure(wrong.wasInterrupted());
}

static LogicalResult verifyBeside(KernelOp kernel, mlir::Operation *op) {
  if (isa<RoleOp>(op))
    return unsupported(op, "sluice.roles beside roles that are written by hand, with their warps; "
                           "leave one of them out");
  if (auto load = dyn_cast<LoadOp>(op))
    return verifyLoadsAhead(kernel, load);
  return isa<CounterAddOp, CounterWaitOp>(op) ? verifyOrdered(kernel, op) : success();
}

LogicalResult verifyNamedRoles(KernelOp kernel, Target target) {
  const auto roles = marks::roles.of(kernel);
  if (roles && isAscend(target))
    return unsupported(kernel,
                       "sluice.roles: an Ascend core has pipes, each with its own work, and "
                       "no warps; leave it out");
  for (mlir::NamedAttribute role :
       roles ? roles.getValue() : llvm::ArrayRef<mlir::NamedAttribute>())
    if (failed(verifyName(kernel, role.getName())) || failed(verifyLeader(kernel, role.getName())))
      return failure();
  const auto wrong = kernel.walk([&](mlir::Operation *op) {
    return failed(verifyDeclared(op, roles)) || (roles && failed(verifyBeside(kernel, op)))
               ? mlir::WalkResult::interrupt()
               : mlir::WalkResult::advance();
  });
  return failure(wrong.wasInterrupted());
}

// ---- Who acts ---------------------------------------------------------------------------------

static bool acts(KernelOp kernel, llvm::StringRef role) {
  const auto found = kernel.walk([&](mlir::Operation *op) {
    return agentOf(op) == role ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// Two groups of the role that nobody need name take turns, the first warpgroups of the CTA.
static LogicalResult verifyTurns(KernelOp kernel) {
  if (acts(kernel, nameOf(Duty::compute)) &&
      planRoles(kernel).warpsOf(nameOf(Duty::compute)) % 4 == 0)
    return success();
  return forEach<mlir::scf::ForOp>(kernel, [](mlir::scf::ForOp loop) -> LogicalResult {
    if (!marks::turns.on(loop))
      return success();
    return loop.emitError("sluice.turns: two groups of role '")
           << nameOf(Duty::compute)
           << "' take turns: it is to have whole warpgroups, and something to do; leave it out, or "
              "leave statements to that role";
  });
}

LogicalResult verifyRolesAct(KernelOp kernel) {
  const auto roles = marks::roles.of(kernel);
  if (!roles)
    return success();
  for (mlir::NamedAttribute role : roles)
    if (!acts(kernel, role.getName()))
      return kernel.emitError("sluice.roles: role '")
             << role.getName().strref()
             << "' has nothing to do; put statements there with sluice.in_role, or leave it out";
  return verifyTurns(kernel);
}

// ---- Tiles ------------------------------------------------------------------------------------

/// Beside loads, which another role may do.
static LogicalResult verifyComputer(AllocOp tile) {
  TileAccess first = {};
  for (const TileAccess &access : accessesOf(tile)) {
    if (!access.writes || isa<LoadOp>(access.op))
      continue;
    if (!first.op)
      first = access;
    if (roleFor(access.op) != roleFor(first.op))
      return unsupported(access.op, "tile '")
             << tile.getName() << "' is written by role '" << roleFor(first.op) << "' and by role '"
             << roleFor(access.op)
             << "', and registers are of one role; let one of them write it, or hand on a tile of "
                "its own";
  }
  return success();
}

LogicalResult verifyComputers(KernelOp kernel) {
  return hasNamedRoles(kernel) ? forEach<AllocOp>(kernel, verifyComputer) : success();
}

/// Nothing takes a tile of registers from another role.
static LogicalResult verifyInRegisters(AllocOp tile) {
  const llvm::StringRef holder = holderOf(tile);
  for (const TileAccess &access : accessesOf(tile)) {
    const llvm::StringRef role = roleFor(access.op);
    if (role == holder)
      continue;
    auto diagnostic = unsupported(access.op, "tile '")
                      << tile.getName() << "' waits in registers of role '" << holder
                      << "', and role '" << role << "' ";
    if (isa<StoreOp>(access.op))
      return diagnostic
             << "stores it, whose rows the tensor does not have as rows: as a whole by way of "
                "shared memory it takes such; leave the store to role '"
             << holder << "'";
    return diagnostic << "reads it; put what fills it there too";
  }
  return success();
}

/// Slots are of one CTA, and so is who hands tiles on through them.
static LogicalResult verifyLeaders(AllocOp tile) {
  auto kernel = tile->getParentOfType<KernelOp>();
  const auto leads = [&](const TileAccess &access) {
    const auto role = marks::givenRole(kernel, roleFor(access.op));
    return role && role->leader;
  };
  const auto accesses = accessesOf(tile);
  for (const TileAccess &access : accesses)
    if (leads(access) != leads(accesses.front()) && !isOfPairs(kernel))
      return unsupported(access.op, "tile '")
             << tile.getName() << "' goes from role '" << roleFor(accesses.front().op)
             << "' to role '" << roleFor(access.op)
             << "', of which one alone is of the leader CTA: what goes from role to role stays on "
                "its CTA; make both leaders, or none";
  return success();
}

static LogicalResult verifyLoader(AllocOp tile) {
  LoadOp load;
  for (const TileAccess &access : accessesOf(tile))
    if (auto found = dyn_cast<LoadOp>(access.op))
      load = found;
  for (const TileAccess &access : accessesOf(tile))
    if (load && !isa<LoadOp>(access.op) && roleFor(access.op) == roleFor(load))
      return unsupported(load, "role '")
             << roleFor(load) << "' loads tile '" << tile.getName()
             << "' into shared memory and reads it itself; leave the load to role 'load', or name "
                "another role for it";
  return success();
}

LogicalResult verifyPlacesOfRoles(KernelOp kernel) {
  if (!hasNamedRoles(kernel))
    return success();
  return forEach<AllocOp>(kernel, [](AllocOp tile) {
    const Space space = tile.getBuffer().getType().getSpace();
    if (space == Space::smem && failed(verifyLeaders(tile)))
      return failure();
    return space == Space::reg    ? verifyInRegisters(tile)
           : space == Space::smem ? verifyLoader(tile)
                                  : success();
  });
}

// ---- Warps ------------------------------------------------------------------------------------

/// Where a role has its rows: a tile that it holds in registers, or the result of its product.
static LogicalResult verifyWhole(AllocOp tile, const RolePlan &plan) {
  const BufferType type = tile.getBuffer().getType();
  if (type.getSpace() != Space::reg || type.getLayout() == Layout::colVector)
    return success();
  const llvm::StringRef role = holderOf(tile);
  const int warps = plan.warpsOf(role);
  if (warps % 4 == 0)
    return success();
  return unsupported(tile, "role '")
         << role << "' has " << warps << (warps == 1 ? " warp" : " warps") << " and holds tile '"
         << tile.getName()
         << "' in registers, where a warpgroup of 4 holds 64 rows; take a multiple of 4";
}

LogicalResult verifyWarpsOfRoles(KernelOp kernel) {
  if (!hasNamedRoles(kernel))
    return success();
  const RolePlan plan = planRoles(kernel);
  return forEach<AllocOp>(kernel, [&](AllocOp tile) { return verifyWhole(tile, plan); });
}

} // namespace sluice
