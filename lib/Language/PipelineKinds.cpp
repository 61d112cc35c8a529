#include "sluice/PipelineKinds.h"

#include "Language/Recorder.h"
#include "Transform/Tiles.h"

#include <algorithm>
#include <optional>

using namespace mlir;

namespace sluice::lang {

using detail::Kind;

PipelineAsync::PipelineAsync(KernelBuilder &k, const std::string &name, const LoopOptions &stages,
                             const std::vector<Buffer> &over, SourceLocation at)
    : Pipeline(k, name, stages, over, Kind::threads, at) {}

PipelineTmaAsync::PipelineTmaAsync(KernelBuilder &k, const std::string &name,
                                   const LoopOptions &stages, const std::vector<Buffer> &over,
                                   SourceLocation at)
    : Pipeline(k, name, stages, over, Kind::tma, at) {}

PipelineTmaMultiConsumersAsync::PipelineTmaMultiConsumersAsync(KernelBuilder &k,
                                                               const std::string &name,
                                                               const LoopOptions &stages,
                                                               const std::vector<Buffer> &over,
                                                               SourceLocation at)
    : Pipeline(k, name, stages, over, Kind::tmaManyConsumers, at) {}

PipelineCpAsync::PipelineCpAsync(KernelBuilder &k, const std::string &name,
                                 const LoopOptions &stages, const std::vector<Buffer> &over,
                                 SourceLocation at)
    : Pipeline(k, name, stages, over, Kind::cpAsync, at) {}

PipelineTmaUmma::PipelineTmaUmma(KernelBuilder &k, const std::string &name,
                                 const LoopOptions &stages, const std::vector<Buffer> &over,
                                 const RingOptions &options, SourceLocation at)
    : Pipeline(k, name, stages, over, Kind::tmaUmma, at, options) {}

PipelineUmmaAsync::PipelineUmmaAsync(KernelBuilder &k, const std::string &name,
                                     const LoopOptions &stages, const std::vector<Buffer> &over,
                                     const RingOptions &options, SourceLocation at)
    : Pipeline(k, name, stages, over, Kind::ummaAsync, at, options) {}

PipelineAsyncUmma::PipelineAsyncUmma(KernelBuilder &k, const std::string &name,
                                     const LoopOptions &stages, const std::vector<Buffer> &over,
                                     const RingOptions &options, SourceLocation at)
    : Pipeline(k, name, stages, over, Kind::asyncUmma, at, options) {}

// ---- Stores by TMA ----------------------------------------------------------------------------

PipelineTmaStore::PipelineTmaStore(KernelBuilder &k, const std::string &name,
                                   const LoopOptions &stages, const Buffer &over, SourceLocation at)
    : owner_(&k.recorder()), ring_(-1) {
  if (detail::takesStagesAlone(*owner_, name, stages, at))
    ring_ = owner_->roles.addRing(name, stages.stages, {over}, Kind::tmaStore, at);
}

StoreProducer PipelineTmaStore::producer(SourceLocation at) const {
  return StoreProducer(owner_, ring_, owner_->roles.begin(ring_, true, Pipe::none, at));
}

void StoreProducer::acquire(SourceLocation at) {
  if (!detail::use(*this, at))
    return;
  auto &r = *owner();
  const int64_t others = r.roles.ring(ring()).slots - 1;
  ir::BulkWaitOp::create(r.builder, r.at(at), others, /*read=*/true, ir::Exec::one);
  r.roles.meet(at);
}

namespace {

/// A store by TMA that may be written down.
struct Stored {
  Value source, tensor;
  SmallVector<Value> offsets;
};

} // namespace

/// What a part of a slot of `ring` is stored to; nothing, with the mistake recorded, where it
/// cannot be.
static std::optional<Stored> storedBy(detail::Recorder &r, const detail::Ring &ring,
                                      const Tile &part, const Box &to, SourceLocation at) {
  Stored stored;
  stored.source = r.use(part.handle(), at);
  stored.tensor = stored.source ? r.use(to, at) : Value();
  if (!stored.tensor || !r.use(to.offsets, at, stored.offsets))
    return std::nullopt;
  const auto refuse = [&](const std::string &why) {
    r.fail(at, why);
    return std::nullopt;
  };
  if (!to.ends.empty())
    return refuse("TMA stores up to the end of the tensor; a clipped box is stored by threads");
  if (rootOf(stored.source).getBuffer() != ring.buffers.front())
    return refuse(r.describe(stored.source) + " is no buffer of pipeline '" + ring.name +
                  "', whose end this is");
  if (!tmaCanMove(mlir::cast<ir::TensorType>(stored.tensor.getType()),
                  mlir::cast<ir::BufferType>(stored.source.getType())))
    return refuse("TMA cannot store " + r.describe(stored.source) + " to '" + to.tensor.name() +
                  "': it takes tensors with align = 16 that are contiguous as the tile is");
  return stored;
}

void StoreProducer::commit(const Tile &slot, const Box &to, SourceLocation at) {
  commit({{slot, to}}, at);
}

void StoreProducer::commit(const std::vector<std::pair<Tile, Box>> &parts, SourceLocation at) {
  auto &r = *owner();
  if (!detail::use(*this, at))
    return;
  std::vector<Stored> stored;
  for (const auto &[part, to] : parts) {
    auto one = storedBy(r, r.roles.ring(ring()), part, to, at);
    if (!one)
      return;
    stored.push_back(std::move(*one));
  }
  auto loc = r.at(at);
  ir::FenceOp::create(r.builder, loc, ir::FenceKind::proxy_async, ir::Exec::threads);
  r.roles.meet(at);
  for (const Stored &one : stored)
    ir::TmaStoreOp::create(r.builder, loc, one.source, one.tensor, one.offsets, /*add=*/false,
                           ir::Exec::one, ir::CachePolicy::normal);
  ir::BulkCommitOp::create(r.builder, loc, ir::Exec::one);
}

void StoreProducer::tail(SourceLocation at) {
  auto &r = *owner();
  if (detail::use(*this, at))
    ir::BulkWaitOp::create(r.builder, r.at(at), 0, /*read=*/true, ir::Exec::one);
}

// ---- Turns ------------------------------------------------------------------------------------

/// What is wrong with the roles of an order; empty: nothing.
static std::string wrongRoles(const std::vector<std::string> &roles) {
  if (roles.size() < 2)
    return "an order of " + std::to_string(roles.size()) + " roles; two or more take turns";
  for (const std::string &role : roles)
    if (std::count(roles.begin(), roles.end(), role) > 1)
      return "an order in which role '" + role + "' has two turns; it has one";
  return "";
}

/// Each hands on to the next, and the last to the first: that is when the slot between the two
/// comes back.
PipelineOrder::PipelineOrder(KernelBuilder &k, const std::string &name,
                             std::vector<std::string> roles, SourceLocation at)
    : owner_(&k.recorder()), name_(name), roles_(std::move(roles)) {
  if (std::string wrong = wrongRoles(roles_); !wrong.empty()) {
    owner_->fail(at, "pipeline '" + name_ + "': " + wrong);
    return;
  }
  const auto link = [&](size_t from, size_t to) {
    const std::string between = name_ + "_" + roles_[from] + "_" + roles_[to];
    links_.push_back({from, to, k.pipeline(between, stages(1), {}, {}, at)});
  };
  for (size_t i = 0; i + 1 < roles_.size(); ++i)
    link(i, i + 1);
  if (roles_.size() > 2)
    link(0, roles_.size() - 1);
}

Turn PipelineOrder::turn(SourceLocation at) const {
  Turn turn;
  if (links_.empty() || !owner_->roles.inRole("a turn of '" + name_ + "'", at))
    return turn;
  const std::string role = owner_->roles.current().getName().str();
  const auto place = std::find(roles_.begin(), roles_.end(), role);
  if (place == roles_.end())
    return owner_->fail(at, "pipeline '" + name_ + "' has no turn for role '" + role + "'"), turn;
  const auto self = size_t(place - roles_.begin());
  for (const Link &link : links_)
    if (link.from == self)
      turn.behind_.push_back(link.ring.producer(at));
    else if (link.to == self)
      turn.before_.push_back(link.ring.consumer(at));
  return turn;
}

void Turn::wait(SourceLocation at) {
  for (Consumer &end : before_)
    end.wait(at);
  for (Producer &end : behind_)
    end.acquire(at);
}

void Turn::arrive(SourceLocation at) {
  for (Producer &end : behind_)
    end.commit(at), end.advance(1, at);
  for (Consumer &end : before_)
    end.release(at), end.advance(1, at);
}

} // namespace sluice::lang
