#include "Language/Roles.h"

#include "Language/Recorder.h"
#include "Transform/HopperTiles.h"

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

void Roles::begin(const std::string &name, Warps warps, SourceLocation at) {
  bool good = r_.open(at) && r_.checkName(name, "role", at);
  if (std::string wrong = wrongWarps(warps); good && !wrong.empty())
    r_.fail(at, "role '" + name + "': " + wrong);
  else if (good && current_)
    r_.fail(at, "role '" + name + "' inside role '" + current_.getName().str() +
                    "'; roles stand side by side");
  else if (good && !r_.inKernelBlock())
    r_.fail(at, "role '" + name + "' inside a loop or branch; it stands directly in the kernel");
  for (Role &other : roles_)
    if (good && other.op.getName() == name)
      r_.fail(at, "a second role '" + name + "'; pipelines tell roles by their names");
  auto &b = r_.builder;
  auto role = ir::RoleOp::create(b, r_.at(at), b.getStringAttr(name), IntegerAttr(), IntegerAttr(),
                                 StringAttr(), IntegerAttr(), /*leader=*/false);
  if (warps.each)
    role.setRegisters(warps.each);
  roles_.push_back({role, warps});
  // After a mistake the body is still followed, for the mistakes in it.
  b.setInsertionPointToEnd(&role.getBody().emplaceBlock());
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
      if ((role.warps.count % 4 == 0) == whole) {
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

/// Lowering gives the warps that stage and store a barrier, and does not look for those of theirs.
void Roles::checkMeetings(Role role) {
  if (role.barrier)
    role.op.walk([&](ir::StoreOp store) {
      if (store.getSource().getType().getSpace() == Space::smem)
        r_.fail(store,
                "role '" + role.op.getName().str() +
                    "' meets at a barrier of its own, and this store from shared memory needs "
                    "another; store by PipelineTmaStore, from registers or in a role of its "
                    "own");
    });
}

// ---- Buffers ----------------------------------------------------------------------------------

/// The widest swizzle whose span divides the contiguous extent, of eight lines or more.
static Layout sharedLayout(DType type, Shape shape, int minor) {
  const auto [lines, line] =
      minor ? std::pair(shape.rows, shape.cols) : std::pair(shape.cols, shape.rows);
  const Layout swizzle = lines % 8 == 0 ? swizzleFor(line * byteSize(type)) : Layout::none;
  return swizzle == Layout::none ? Layout::row : swizzle;
}

Value Roles::addBuffer(DType type, Shape shape, int minor, const std::string &name,
                       SourceLocation at) {
  if (!r_.open(at))
    return {};
  if (minor != 0 && minor != 1)
    return r_.fail(at, "buffer '" + name + "': minor = " + std::to_string(minor) +
                           "; 0: its columns are contiguous, 1: its rows"),
           Value();
  if (current_ || !r_.inKernelBlock())
    return r_.fail(at, "buffer '" + name +
                           "' inside a role, loop or branch; roles share it, so it stands directly "
                           "in the kernel"),
           Value();
  Value buffer = r_.buffer(type, shape, minor, name, "shared", at);
  if (!buffer)
    return {};
  auto alloc = buffer.getDefiningOp<ir::AllocOp>();
  retype(alloc, alloc.getBuffer().getType().in(Space::smem, sharedLayout(type, shape, minor)));
  buffers_.push_back(alloc);
  return buffer;
}

/// What is multiplied lies as fragments do.
static bool isMultiplied(ir::AllocOp tile) {
  return llvm::any_of(accessesOf(tile), [](const TileAccess &access) {
    return isa<ir::MmaOp, ir::WgmmaOp>(access.op) && access.op->getOperand(1) == access.view;
  });
}

void Roles::placeTiles() {
  r_.kernel().walk([&](ir::AllocOp tile) {
    auto type = tile.getBuffer().getType();
    if (type.getSpace() != Space::unplaced)
      return;
    if (!tile->getParentOfType<ir::RoleOp>())
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

// ---- Rings ------------------------------------------------------------------------------------

Value Roles::giveSlots(const Buffer &buffer, const std::string &pipeline, int64_t slots,
                       SourceLocation at) {
  Value value = r_.useRing(buffer.handle(), at);
  if (!value)
    return {};
  auto alloc = value.getDefiningOp<ir::AllocOp>();
  const std::string over =
      "pipeline '" + pipeline + "' over '" + alloc.getName().str() + "', which ";
  const int64_t own = alloc.getBuffer().getType().getSlots();
  for (Operation *user : value.getUsers()) {
    auto other = dyn_cast<ir::PipelineOp>(user);
    if (!other)
      return r_.fail(at, over + "is used before; declare the pipeline first"), Value();
    if (own != slots)
      return r_.fail(at, over + "has " + std::to_string(own) + " slots in pipeline '" +
                             other.getName().str() + "'; stages are as many"),
             Value();
  }
  retype(alloc, alloc.getBuffer().getType().withSlots(slots));
  return value;
}

int Roles::addRing(const std::string &name, int64_t slots, const std::vector<Buffer> &over,
                   Kind kind, SourceLocation at) {
  if (!r_.open(at) || !r_.checkName(name, "pipeline", at))
    return -1;
  const std::string who = "pipeline '" + name + "'";
  if (current_ || !r_.inKernelBlock())
    return r_.fail(at, who + " inside a role, loop or branch; it stands directly in the kernel"),
           -1;
  if (slots < 1 || slots > 64)
    return r_.fail(at, who + ": " + std::to_string(slots) + " stages; 1 to 64 is possible"), -1;
  for (Ring &other : rings_)
    if (other.name == name)
      return r_.fail(at, "a second " + who), -1;
  Ring ring{name, slots, {}, kind, at};
  for (const Buffer &buffer : over) {
    ring.buffers.push_back(giveSlots(buffer, name, slots, at));
    if (!ring.buffers.back())
      return -1;
  }
  if (kind != Kind::tmaStore)
    ring.op = createPipeline(ring);
  rings_.push_back(std::move(ring));
  return int(rings_.size()) - 1;
}

/// Who takes part is told at the end.
ir::PipelineOp Roles::createPipeline(const Ring &ring) {
  auto &b = r_.builder;
  auto nobody = b.getStrArrayAttr({});
  return ir::PipelineOp::create(b, r_.at(ring.at),
                                ir::PipelineType::get(b.getContext(), ring.slots),
                                b.getStringAttr(ring.name), ring.buffers, nobody, nobody,
                                StringAttr(), StringAttr(), IntegerAttr(), IntegerAttr(),
                                /*leader=*/false, StringAttr(), StringAttr());
}

bool Roles::loadsByCpAsync(Value tile) const {
  const Value buffer = rootOf(tile).getBuffer();
  return current_ && llvm::any_of(rings_, [&](const Ring &ring) {
           return ring.kind == Kind::cpAsync && llvm::is_contained(ring.buffers, buffer);
         });
}

int Roles::begin(int number, bool produces, SourceLocation at) {
  if (number < 0 || !r_.open(at))
    return -1;
  Ring &ring = rings_[number];
  const std::string end = (produces ? "producer of '" : "consumer of '") + ring.name + "'";
  if (!inRole("a " + end, at))
    return -1;
  if (r_.builder.getInsertionBlock() != &current_.getBody().front())
    return r_.fail(at,
                   "a " + end +
                       " inside a loop or branch, where it would begin at the first slot again; "
                       "make it before"),
           -1;
  const std::string role = current_.getName().str();
  if (!(produces ? ring.producers : ring.consumers).insert(role).second)
    return r_.fail(at, "a second " + end + " in role '" + role +
                           "', which would begin at the first slot again; go on with the first, or "
                           "copy it"),
           -1;
  auto type = ir::CursorType::get(r_.builder.getContext(), ring.slots);
  return cursors.add(ir::CursorOp::create(r_.builder, r_.at(at), type));
}

/// The first verb of each kind that a role says to a ring.
template <typename Verb> static Verb firstIn(ir::RoleOp role, ir::PipelineOp ring) {
  Verb found;
  role.walk([&](Verb verb) {
    if (!found && verb.getPipeline() == ring.getPipeline())
      found = verb;
  });
  return found;
}

/// Half of a pair hangs, in this role or in others.
void Roles::checkVerbs(Ring &ring) {
  const std::string name = "'" + ring.name + "'";
  for (Role &role : roles_) {
    const std::string who = "role '" + role.op.getName().str() + "' ";
    auto acquire = firstIn<ir::AcquireOp>(role.op, ring.op);
    auto commit = firstIn<ir::CommitOp>(role.op, ring.op);
    auto wait = firstIn<ir::WaitOp>(role.op, ring.op);
    auto release = firstIn<ir::ReleaseOp>(role.op, ring.op);
    if (acquire && !commit)
      r_.fail(acquire, who + "acquires slots of " + name + " and commits none");
    if (commit && !acquire)
      r_.fail(commit, who + "commits a slot of " + name + " that it has not acquired");
    if (release && !wait)
      r_.fail(release, who + "releases a slot of " + name + " that it has not waited for");
  }
}

/// Roles in which the verbs of one side stand.
template <typename Verb> static ArrayAttr rolesWith(ir::KernelOp kernel, ir::PipelineOp ring) {
  SmallVector<StringRef> names;
  for (auto role : kernel.getOps<ir::RoleOp>())
    if (firstIn<Verb>(role, ring))
      names.push_back(role.getName());
  return Builder(kernel.getContext()).getStrArrayAttr(names);
}

void Roles::nameParticipants(Ring &ring) {
  const std::string name = "pipeline '" + ring.name + "' has no ";
  ring.op.setProducersAttr(rolesWith<ir::CommitOp>(r_.kernel(), ring.op));
  ring.op.setConsumersAttr(rolesWith<ir::WaitOp>(r_.kernel(), ring.op));
  if (ring.op.getProducers().empty())
    r_.fail(ring.at, name + "producer; no role commits its slots");
  if (ring.op.getConsumers().empty())
    r_.fail(ring.at, name + "consumer; no role waits for its slots");
}

void Roles::finish() {
  if (!any())
    return;
  r_.kernel().setPhase("pipeline");
  placeWarps();
  placeTiles();
  for (Role &role : roles_)
    checkMeetings(role);
  for (Ring &ring : rings_)
    if (ring.op) {
      checkVerbs(ring);
      nameParticipants(ring);
      checkKind(ring);
    }
}

} // namespace sluice::lang::detail
