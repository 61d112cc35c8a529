#include "Transform/NamedRoles.h"

#include "Dialect/Marks.h"
#include "Transform/Cores.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Refusal.h"
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
  if (name.empty() || isPipe(name))
    return kernel.emitError("sluice.roles: '")
           << name << (name.empty() ? "' is no name of a role" : "' is a pipe of Ascend cores")
           << "; take another name";
  return success();
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

/// What decides who does what in another way.
static llvm::StringRef otherPlan(mlir::Operation *op) {
  if (isa<RoleOp>(op))
    return "roles that are written by hand, with their warps";
  if (isa<CounterAddOp, CounterWaitOp>(op))
    return "counters, which one role adds to when all of it has been done";
  for (const llvm::StringRef mark :
       {marks::turns.name, marks::loadAhead.name, marks::stream.name, marks::split.name})
    if (op->hasAttr(mark))
      return mark;
  return "";
}

LogicalResult verifyNamedRoles(KernelOp kernel, Target target) {
  const auto roles = marks::roles.of(kernel);
  if (roles && isAscend(target))
    return unsupported(kernel,
                       "sluice.roles: an Ascend core has pipes, each with its own work, and "
                       "no warps; leave it out");
  for (mlir::NamedAttribute role :
       roles ? roles.getValue() : llvm::ArrayRef<mlir::NamedAttribute>())
    if (failed(verifyName(kernel, role.getName().strref())))
      return failure();
  const auto wrong = kernel.walk([&](mlir::Operation *op) {
    if (failed(verifyDeclared(op, roles)))
      return mlir::WalkResult::interrupt();
    const llvm::StringRef other = roles ? otherPlan(op) : "";
    if (other.empty())
      return mlir::WalkResult::advance();
    unsupported(op, "sluice.roles beside ") << other << "; leave one of them out";
    return mlir::WalkResult::interrupt();
  });
  return failure(wrong.wasInterrupted());
}

// ---- Who acts ---------------------------------------------------------------------------------

LogicalResult verifyRolesAct(KernelOp kernel) {
  const auto roles = marks::roles.of(kernel);
  if (!roles)
    return success();
  for (mlir::NamedAttribute role : roles) {
    const auto acts = kernel.walk([&](mlir::Operation *op) {
      return agentOf(op) == role.getName() ? mlir::WalkResult::interrupt()
                                           : mlir::WalkResult::advance();
    });
    if (!acts.wasInterrupted())
      return kernel.emitError("sluice.roles: role '")
             << role.getName().strref()
             << "' has nothing to do; put statements there with sluice.in_role, or leave it out";
  }
  return success();
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
             << "stores it: it takes what TMA can store, or a clipped tensor, as a whole "
                "by way of shared memory; leave the store to role '"
             << holder << "'";
    return diagnostic << "reads it; put what fills it there too";
  }
  return success();
}

static LogicalResult verifyLoader(AllocOp tile) {
  LoadOp load;
  for (const TileAccess &access : accessesOf(tile))
    if (auto found = dyn_cast<LoadOp>(access.op))
      load = found;
  for (const TileAccess &access : accessesOf(tile))
    if (load && access.op != load && roleFor(access.op) == roleFor(load))
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
