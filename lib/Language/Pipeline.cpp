// Statements of the middle level: roles, buffers, pipelines and what their ends do.
#include "sluice/Pipeline.h"

#include "Language/Recorder.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace sluice::lang {

using detail::Recorder;

void KernelBuilder::beginRole(const std::string &name, Warps warps, SourceLocation at) {
  recorder_->roles.begin(name, warps, at);
}
void KernelBuilder::beginRole(const std::string &name, Core core, SourceLocation at) {
  recorder_->roles.begin(name, core, at);
}
void KernelBuilder::endRole() {
  recorder_->roles.end();
}

Buffer KernelBuilder::shared(DType type, Shape shape, std::string name, BufferOptions options,
                             SourceLocation at) {
  auto &r = *recorder_;
  Value value = r.roles.addBuffer(type, shape, Space::smem, options, name, at);
  return Buffer(value ? r.handleOf(value) : r.poison(), shape, type);
}

Buffer KernelBuilder::tensorMemory(DType type, Shape shape, std::string name, BufferOptions options,
                                   SourceLocation at) {
  auto &r = *recorder_;
  Value value = r.roles.addBuffer(type, shape, Space::tmem, options, name, at);
  return Buffer(value ? r.handleOf(value) : r.poison(), shape, type);
}

Buffer KernelBuilder::buffer(DType type, Shape shape, Space space, std::string name,
                             BufferOptions options, SourceLocation at) {
  auto &r = *recorder_;
  Value value = r.roles.addBuffer(type, shape, space, options, name, at);
  return Buffer(value ? r.handleOf(value) : r.poison(), shape, type);
}

Index KernelBuilder::subblock(SourceLocation at) {
  auto &r = *recorder_;
  if (!r.open(at) || !r.roles.inCore("the number of a vector core", at))
    return Index(r.poison());
  return Index(r.handleOf(ir::SubblockOp::create(r.builder, r.at(at), r.builder.getIndexType())));
}

Pipeline KernelBuilder::pipeline(std::string name, const LoopOptions &stages,
                                 std::vector<Buffer> over, const RingOptions &options,
                                 SourceLocation at) {
  return Pipeline(*this, name, stages, over, detail::Kind::any, at, options);
}

Pipeline::Pipeline(KernelBuilder &k, const std::string &name, const LoopOptions &stages,
                   const std::vector<Buffer> &over, detail::Kind kind, SourceLocation at,
                   const RingOptions &options)
    : owner_(&k.recorder()), ring_(-1) {
  if (detail::takesStagesAlone(*owner_, name, stages, at))
    ring_ = owner_->roles.addRing(name, stages.stages, over, kind, at, options);
}

bool detail::takesStagesAlone(Recorder &r, const std::string &pipeline, const LoopOptions &stages,
                              SourceLocation at) {
  const bool alone = stages.slots.empty() && stages.ctas == 1 && !stages.alternate &&
                     !stages.turns && !stages.ahead;
  if (!alone)
    r.fail(at, "pipeline '" + pipeline + "': it takes stages(n) alone");
  return alone;
}

// ---- Ends -------------------------------------------------------------------------------------

Producer Pipeline::producer(SourceLocation at) const {
  return producer(Pipe::none, at);
}
Consumer Pipeline::consumer(SourceLocation at) const {
  return consumer(Pipe::none, at);
}
Producer Pipeline::producer(Pipe pipe, SourceLocation at) const {
  return Producer(owner_, ring_, owner_->roles.begin(ring_, true, pipe, at), pipe);
}
Consumer Pipeline::consumer(Pipe pipe, SourceLocation at) const {
  return Consumer(owner_, ring_, owner_->roles.begin(ring_, false, pipe, at), pipe);
}

namespace detail {

/// A second value, what the first is now.
static int copyOf(const Carried &carried) {
  if (carried.cursor() < 0)
    return -1;
  auto &cursors = carried.owner()->roles.cursors;
  return cursors.add(cursors.of(carried.cursor()));
}

Carried::Carried(const Carried &other) : Carried(other.owner_, other.ring_, copyOf(other)) {}

Carried &Carried::operator=(const Carried &other) {
  const bool same = owner_ == other.owner_ && ring_ == other.ring_;
  if (same && cursor_ >= 0 && other.cursor_ >= 0) {
    owner_->roles.cursors.move(cursor_, owner_->roles.cursors.of(other.cursor_));
    return *this;
  }
  owner_ = other.owner_;
  ring_ = other.ring_;
  cursor_ = copyOf(other);
  return *this;
}

Value use(const Carried &carried, SourceLocation at, const char *what) {
  auto &r = *carried.owner();
  if (carried.cursor() < 0 || !r.open(at))
    return {};
  Value value = r.roles.cursors.of(carried.cursor());
  if (!value)
    r.fail(at, std::string(what) + " of '" + r.roles.ring(carried.ring()).name +
                   "' is used outside of the role, loop or branch in which it was made");
  return value;
}

void End::advance(Index slots, SourceLocation at) {
  Value cursor = use(*this, at);
  if (!cursor)
    return;
  auto &r = *owner();
  if (slots.isConstant() && slots.isDefined()) {
    if (slots.constant() < 0)
      return r.fail(at, "goes back by " + std::to_string(-slots.constant()) +
                            " slots; an end only advances");
    cursor = ir::CursorAdvanceOp::create(r.builder, r.at(at), cursor, slots.constant());
  } else if (Value count = r.use(slots, at)) {
    cursor = ir::CursorAdvanceDynOp::create(r.builder, r.at(at), cursor, count);
  }
  r.roles.cursors.move(this->cursor(), cursor);
}

static ir::Pipe pipeOf(const End &end) {
  return ir::Pipe(int(end.pipe()));
}

template <typename Verb> static void say(const End &end, SourceLocation at) {
  Value cursor = use(end, at);
  if (!cursor)
    return;
  auto &r = *end.owner();
  ir::PipelineOp ring = r.roles.ring(end.ring()).op;
  Verb::create(r.builder, r.at(at), ring.getPipeline(), cursor, pipeOf(end));
}

template <typename Verb> static Token ask(const End &end, bool fills, SourceLocation at) {
  Value cursor = use(end, at);
  if (!cursor)
    return {end, fills, -1};
  auto &r = *end.owner();
  ir::PipelineOp ring = r.roles.ring(end.ring()).op;
  auto asked =
      Verb::create(r.builder, r.at(at), ring.getPipeline(), cursor, pipeOf(end)).getToken();
  return {end, fills, r.roles.cursors.add(asked)};
}

/// A verb that a token may spare.
template <typename Verb>
static void say(const End &end, const Token &token, bool fills, SourceLocation at) {
  auto &r = *end.owner();
  if (token.owner() != &r)
    return r.fail(at, "a token belongs to another kernel");
  Value cursor = use(end, at), asked = cursor ? use(token, at, "a token") : Value();
  if (!asked)
    return;
  ir::PipelineOp ring = r.roles.ring(end.ring()).op;
  if (token.ring() != end.ring() || token.fills() != fills)
    return r.fail(
        at, "the token is of the " + std::string(token.fills() ? "producer" : "consumer") +
                " of '" + r.roles.ring(token.ring()).name + "'; this is the " +
                (fills ? "producer" : "consumer") + " of '" + r.roles.ring(end.ring()).name + "'");
  Verb::create(r.builder, r.at(at), ring.getPipeline(), cursor, asked, pipeOf(end));
}

} // namespace detail

void Producer::acquire(SourceLocation at) {
  detail::say<ir::AcquireOp>(*this, at);
}
void Producer::acquire(const Token &token, SourceLocation at) {
  detail::say<ir::AcquireOp>(*this, token, true, at);
}
Token Producer::tryAcquire(SourceLocation at) const {
  return detail::ask<ir::TryAcquireOp>(*this, true, at);
}
void Producer::commit(SourceLocation at) {
  detail::say<ir::CommitOp>(*this, at);
}
void Producer::tail(SourceLocation at) {
  detail::say<ir::TailOp>(*this, at);
}
void Consumer::wait(SourceLocation at) {
  detail::say<ir::WaitOp>(*this, at);
}
void Consumer::wait(const Token &token, SourceLocation at) {
  detail::say<ir::WaitOp>(*this, token, false, at);
}
Token Consumer::tryWait(SourceLocation at) const {
  return detail::ask<ir::TryWaitOp>(*this, false, at);
}
void Consumer::release(SourceLocation at) {
  detail::say<ir::ReleaseOp>(*this, at);
}

// ---- Slots ------------------------------------------------------------------------------------

Tile Buffer::operator[](detail::EndAt at) const {
  auto &r = *handle().owner;
  Tile none(r.poison(), shape(), type());
  if (at.end.owner() != &r)
    return r.fail(at.at, "an end belongs to another kernel"), none;
  Value cursor = detail::use(at.end, at.at);
  Value ring = cursor ? r.useRing(handle(), at.at) : Value();
  if (!ring)
    return none;
  const detail::Ring &of = r.roles.ring(at.end.ring());
  if (!llvm::is_contained(of.buffers, ring)) {
    r.fail(at.at,
           r.describe(ring) + " is no buffer of pipeline '" + of.name + "', whose end this is");
    return none;
  }
  if (of.slots == 1)
    return Tile(handle(), shape(), type());
  auto loc = r.at(at.at);
  Value slot = ir::CursorSlotOp::create(r.builder, loc, r.builder.getIndexType(), cursor);
  return Tile(r.handleOf(ir::SlotOp::create(r.builder, loc, ring, slot)), shape(), type());
}

} // namespace sluice::lang
