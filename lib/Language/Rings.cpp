// Rings of the middle level: what is asked of them, their ends, and who takes part.
#include "Language/Recorder.h"
#include "Transform/Cores.h"

using namespace mlir;

namespace sluice::lang::detail {

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
                   Kind kind, SourceLocation at, const RingOptions &options) {
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
  Ring ring{name, slots, {}, kind, at, options};
  if (std::string wrong = wrongOptions(ring); !wrong.empty())
    return r_.fail(at, who + ": " + wrong), -1;
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

std::string Roles::wrongOptions(const Ring &ring) const {
  const RingOptions &o = ring.options;
  const int64_t left = ring.slots - o.primed;
  const std::string of = " of " + std::to_string(ring.slots) + " slots";
  if (!o.full && !o.empty)
    return "neither side has a barrier; use the buffers without a pipeline";
  if (o.primed < 0 || left < 0)
    return std::to_string(o.primed) + of + " start full";
  if (o.first < -1 || o.first > left)
    return std::to_string(o.first) + of + " start empty" +
           (o.primed ? ", and " + std::to_string(o.primed) + " full" : "");
  if (o.primed && !o.full)
    return "slots that start full, and nobody waits until they are";
  if (o.first >= 0 && !o.empty)
    return "slots that start empty, and nobody waits until they are";
  for (const bool full : {true, false}) {
    const auto &names = full ? o.fullNames : o.emptyNames;
    const bool has = full ? o.full && o.merge.empty() : o.empty;
    if (!names.empty() && (!has || int64_t(names.size()) != ring.slots))
      return std::to_string(names.size()) + " names for " + std::to_string(has ? ring.slots : 0) +
             " barriers of its " + (full ? "full" : "empty") + " side";
  }
  if (o.merge.empty())
    return "";
  const auto other =
      llvm::find_if(rings_, [&](const Ring &r) { return r.op && r.name == o.merge; });
  if (other == rings_.end())
    return "merges with '" + o.merge + "'; no pipeline of that name is declared before";
  if (!o.full || !other->options.full)
    return "merges the full side, which one of the two does not have";
  if (!other->options.merge.empty())
    return "merges with '" + o.merge + "', which merges with '" + other->options.merge +
           "'; name that one";
  return other->slots == ring.slots ? "" : "merges with '" + o.merge + "' of other stages";
}

/// Who takes part is told at the end.
ir::PipelineOp Roles::createPipeline(const Ring &ring) {
  auto &b = r_.builder;
  const RingOptions &o = ring.options;
  auto nobody = b.getStrArrayAttr({});
  auto op =
      ir::PipelineOp::create(b, r_.at(ring.at), ir::PipelineType::get(b.getContext(), ring.slots),
                             b.getStringAttr(ring.name), ring.buffers, nobody, nobody, StringAttr(),
                             StringAttr(), IntegerAttr(), IntegerAttr(), o.leader, StringAttr(),
                             StringAttr(), IntegerAttr(), IntegerAttr(), IntegerAttr());
  if (!o.full)
    op.setFull("none");
  if (!o.empty)
    op.setEmpty("none");
  if (o.primed)
    op.setPrimed(o.primed);
  if (o.first >= 0)
    op.setFirst(o.first);
  if (!o.merge.empty())
    op.setMerge(o.merge);
  if (o.peer)
    op.setPeer(o.peer);
  if (o.partner)
    op.setPartner(o.partner);
  if (o.along >= 0)
    op.setAlong(o.along);
  const auto name = [&](const ir::Mark<ArrayAttr> &mark, const std::vector<std::string> &names) {
    if (!names.empty())
      mark.set(op, b.getStrArrayAttr(SmallVector<StringRef>(names.begin(), names.end())));
  };
  name(ir::marks::fullNames, o.fullNames);
  name(ir::marks::emptyNames, o.emptyNames);
  constexpr const char *arrive[] = {"thread", "warp", "warpgroup", "one"};
  if (o.arrive != Arrive::warp)
    op.setArrive(arrive[static_cast<size_t>(o.arrive)]);
  return op;
}

bool Roles::loadsByCpAsync(Value tile) const {
  const Value buffer = rootOf(tile).getBuffer();
  return current_ && llvm::any_of(rings_, [&](const Ring &ring) {
           return ring.kind == Kind::cpAsync && llvm::is_contained(ring.buffers, buffer);
         });
}

int Roles::begin(int number, bool produces, Pipe pipe, SourceLocation at) {
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
  if (!checkPipe(ring, end, pipe, at))
    return -1;
  const std::string role = current_.getName().str();
  if (!(produces ? ring.producers : ring.consumers).insert(role).second)
    return r_.fail(at, "a second " + end + " in role '" + role +
                           "', which would begin at the first slot again; go on with the first, or "
                           "copy it"),
           -1;
  auto type = ir::CursorType::get(r_.builder.getContext(), ring.slots);
  Value start = ir::CursorOp::create(r_.builder, r_.at(at), type);
  if (const int64_t primed = produces ? ring.options.primed : 0)
    start = ir::CursorAdvanceOp::create(r_.builder, r_.at(at), start, primed);
  return cursors.add(start);
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

/// Half of a pair hangs, in this role or in others; a side without a barrier needs no pair.
void Roles::checkVerbs(Ring &ring) {
  const std::string name = "'" + ring.name + "'";
  for (Role &role : roles_) {
    const std::string who = "role '" + role.op.getName().str() + "' ";
    auto acquire = firstIn<ir::AcquireOp>(role.op, ring.op);
    auto commit = firstIn<ir::CommitOp>(role.op, ring.op);
    auto wait = firstIn<ir::WaitOp>(role.op, ring.op);
    auto release = firstIn<ir::ReleaseOp>(role.op, ring.op);
    for (Ring &other : rings_) // whose full side is the same
      if (!wait && other.op && ring.fullSide() == other.fullSide())
        wait = firstIn<ir::WaitOp>(role.op, other.op);
    if (auto ask = firstIn<ir::TryAcquireOp>(role.op, ring.op); ask && !acquire)
      r_.fail(ask, who + "asks for slots of " + name + " and acquires none");
    if (auto ask = firstIn<ir::TryWaitOp>(role.op, ring.op); ask && !wait)
      r_.fail(ask, who + "asks for slots of " + name + " and waits for none");
    if (acquire && !commit && ring.options.full)
      r_.fail(acquire, who + "acquires slots of " + name + " and commits none");
    if (commit && !acquire && ring.options.empty)
      r_.fail(commit, who + "commits a slot of " + name + " that it has not acquired");
    if (release && !wait && ring.options.full)
      r_.fail(release, who + "releases a slot of " + name + " that it has not waited for");
  }
}

/// A role, or the pipe of its core that says the verb; empty: no verb.
template <typename Verb> static std::string agentOf(ir::RoleOp role, Verb verb) {
  if (!verb)
    return "";
  if (!role.getCore())
    return role.getName().str();
  return (role.getCore() == "aiv" ? vectorPrefix.str() : "") +
         ir::stringifyPipe(verb.getPipe()).str();
}

/// Who says the verbs of one side.
template <typename Verb, typename Other>
static ArrayAttr agentsWith(ir::KernelOp kernel, ir::PipelineOp ring) {
  SmallVector<std::string> names;
  for (auto role : kernel.getOps<ir::RoleOp>()) {
    std::string name = agentOf(role, firstIn<Verb>(role, ring));
    if (name.empty())
      name = agentOf(role, firstIn<Other>(role, ring));
    if (!name.empty())
      names.push_back(name);
  }
  return Builder(kernel.getContext())
      .getStrArrayAttr(SmallVector<StringRef>(names.begin(), names.end()));
}

/// Who waits for one of merged rings waits for all.
void Roles::nameParticipants(Ring &ring) {
  const std::string name = "pipeline '" + ring.name + "' has no ";
  ring.op.setProducersAttr(agentsWith<ir::AcquireOp, ir::CommitOp>(r_.kernel(), ring.op));
  ring.op.setConsumersAttr(agentsWith<ir::WaitOp, ir::ReleaseOp>(r_.kernel(), ring.op));
  for (const Ring &other : rings_)
    if (ring.op.getConsumers().empty() && other.op && other.fullSide() == ring.fullSide())
      ring.op.setConsumersAttr(agentsWith<ir::WaitOp, ir::ReleaseOp>(r_.kernel(), other.op));
  if (ring.op.getProducers().empty())
    r_.fail(ring.at, name + "producer; no role commits its slots");
  if (ring.op.getConsumers().empty())
    r_.fail(ring.at, name + "consumer; no role waits for its slots");
}

} // namespace sluice::lang::detail
