#include "Language/Roles.h"

#include "Dialect/Marks.h"
#include "Language/Recorder.h"
#include "Language/RolesOfTiles.h"
#include "Transform/Placed/HopperTiles.h"

using namespace mlir;

namespace sluice::lang::detail {

// ---- Roles ------------------------------------------------------------------------------------

/// What is wrong with a role's warps; empty: nothing.
static std::string wrongWarps(Warps warps) {
  if (warps.count < 1 || warps.count > 32)
    return std::to_string(warps.count) + " warps; a CTA has 1 to 32";
  if (warps.each && (warps.each < 24 || warps.each > 256 || warps.each % 8))
    return std::to_string(warps.each) +
           " registers a thread; setmaxnreg takes 24 to 256 in steps of 8";
  return "";
}

bool Roles::mayBegin(const std::string &name, SourceLocation at) {
  if (!r_.open(at) || !r_.checkName(name, "role", at))
    return false;
  const std::string who = "role '" + name + "'";
  if (current_)
    r_.fail(at, who + " inside role '" + current_.getName().str() + "'; roles stand side by side");
  else
    return true;
  return false;
}

void Roles::begin(const std::string &name, Warps warps, SourceLocation at) {
  const bool good = mayBegin(name, at);
  if (std::string wrong = wrongWarps(warps); good && !wrong.empty())
    r_.fail(at, "role '" + name + "': " + wrong);
  for (Role &other : roles_)
    if (good && other.op.getCore())
      r_.fail(at, "role '" + name + "' of warps beside role '" + other.op.getName().str() +
                      "' of a core; a kernel is of one machine");
  auto &b = r_.builder;
  auto role = ir::RoleOp::create(b, r_.at(at), b.getStringAttr(name), IntegerAttr(), IntegerAttr(),
                                 StringAttr(), IntegerAttr(), warps.leads);
  if (warps.each)
    role.setRegisters(warps.each);
  enter(role, warps);
}

void Roles::enter(ir::RoleOp role, Warps warps) {
  roles_.push_back({role, warps});
  r_.builder.setInsertionPointToEnd(&role.getBody().emplaceBlock());
  current_ = role;
}

void Roles::end() {
  auto &b = r_.builder;
  auto role = cast<ir::RoleOp>(b.getInsertionBlock()->getParentOp());
  b.setInsertionPointAfter(role);
  current_ = role->getParentOfType<ir::RoleOp>();
  cursors.end();
}

bool Roles::inRole(const std::string &what, SourceLocation at) {
  if (!current_)
    r_.fail(at, what + " outside of the roles; it belongs to one");
  return bool(current_);
}

/// Whole warpgroups first, as products and setmaxnreg want them; then the others, in their order.
void Roles::placeWarps() {
  int64_t next = 0;
  bool asks = false;
  const auto place = [&](bool whole) {
    for (Role &role : roles_)
      if (!role.op.getCore() && (role.warps.count % 4 == 0) == whole) {
        role.op.setFirst(next);
        role.op.setEnd(next += role.warps.count);
        asks |= role.warps.each > 0;
      }
  };
  place(true);
  place(false);
  if (asks) // of all the warps of a warpgroup
    next = (next + 3) / 4 * 4;
  if (next > 32)
    r_.fail(roles_.front().op, "the roles have " + std::to_string(next) + " warps; a CTA has 32");
  else if (next)
    r_.kernel().setWarps(next);
}

/// With roles of their own the CTAs of a cluster share what these say; the grid is a launch's.
void Roles::placeCluster() {
  for (auto grid : r_.kernel().getOps<ir::GridOp>())
    if (auto extents = grid.getCluster()) {
      SmallVector<int64_t> cluster(*extents);
      cluster.resize(3, 1);
      r_.kernel().setCluster(cluster);
      grid.removeClusterAttr();
      ir::marks::pair.remove(grid);
    }
  const bool clustered = r_.kernel().getCluster().has_value();
  for (const Ring &ring : rings_)
    if ((ring.options.peer || ring.options.partner || ring.options.along >= 0) && !clustered)
      r_.fail(ring.at, "pipeline '" + ring.name + "' goes to peers, but the grid has no cluster");
    else if (ring.options.leader && !clustered)
      r_.fail(ring.at, "pipeline '" + ring.name +
                           "' has its barriers on the leader CTA, but the grid has no cluster");
  for (Role &role : roles_)
    if (role.op.getLeader() && !clustered)
      r_.fail(role.op, "role '" + role.op.getName().str() +
                           "' is of the leader CTA, but the grid has no cluster");
}

void Roles::meet(SourceLocation at) {
  auto &b = r_.builder;
  Role &role = roles_.back();
  if (role.warps.count == 1) {
    ir::WarpSyncOp::create(b, r_.at(at));
    return;
  }
  if (!role.barrier && ++barriers_ > 15)
    return r_.fail(at, "the threads of more than 15 roles meet; a CTA has no more barriers");
  if (!role.barrier)
    role.barrier = barriers_;
  ir::BarSyncOp::create(b, r_.at(at), role.barrier, 32 * role.warps.count);
}

// ---- Tiles of roles ----------------------------------------------------------------------------

/// What is multiplied lies as fragments do.
static bool isMultiplied(ir::AllocOp tile) {
  return llvm::any_of(accessesOf(tile), [](const TileAccess &access) {
    return isa<ir::MmaOp, ir::WgmmaOp>(access.op) && access.op->getOperand(1) == access.view;
  });
}

void Roles::placeTiles() {
  r_.kernel().walk([&](ir::AllocOp tile) {
    auto type = tile.getBuffer().getType();
    auto role = tile->getParentOfType<ir::RoleOp>();
    if (type.getSpace() != Space::unplaced)
      return;
    if (role && role.getCore() == "aiv")
      retype(tile, type.in(Space::ub, Layout::row));
    else if (role && role.getCore())
      r_.fail(tile, "tile '" + tile.getName().str() +
                        "' in a role of the cube core, which has several memories; declare it with "
                        "buffer(), which says where it is");
    else if (!tile->getParentOfType<ir::RoleOp>())
      r_.fail(tile, "tile '" + tile.getName().str() +
                        "' outside of the roles: registers are of one role; make it there, or "
                        "declare a buffer with shared()");
    else
      retype(tile, type.in(Space::reg,
                           isMultiplied(tile)
                               ? Layout::fragA
                               : registerLayout(tile->getParentOfType<ir::KernelOp>(), type)));
  });
}

/// With rings roles stand side by side, directly in the kernel.
static void verifySideBySide(Recorder &recorder, ArrayRef<WrittenRole> roles) {
  for (auto [i, written] : llvm::enumerate(roles)) {
    ir::RoleOp role = written.op;
    const std::string who = "role '" + role.getName().str() + "'";
    if (role->getParentOp() != recorder.kernel())
      recorder.fail(role, who + " inside a loop or branch; beside pipelines it stands directly in "
                                "the kernel");
    else if (llvm::any_of(roles.take_front(i),
                          [&](WrittenRole other) { return other.op.getName() == role.getName(); }))
      recorder.fail(role, "a second " + who + "; pipelines tell roles by their names");
  }
}

void Roles::finish() {
  if (!any())
    return;
  std::vector<WrittenRole> written;
  for (Role &role : roles_)
    written.push_back({role.op, role.warps});
  if (rings_.empty() && buffers_.empty() && areAmongTiles(r_, written))
    return nameAmongTiles(r_, written);
  verifySideBySide(r_, written);
  r_.kernel().setPhase("pipeline");
  if (llvm::any_of(buffers_, isInTensorMemory)) // no other machine has it
    r_.kernel().setTarget(llvm::StringRef(name(Target::sm_100a)));
  placeWarps();
  placeCluster();
  placeTiles();
  placeOver();
  placeOnCores();
  for (Ring &ring : rings_)
    if (ring.op) {
      checkVerbs(ring);
      nameParticipants(ring);
      checkKind(ring);
    }
}

} // namespace sluice::lang::detail
