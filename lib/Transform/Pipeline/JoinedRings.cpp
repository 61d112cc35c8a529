#include "Transform/Pipeline/JoinedRings.h"

#include "Dialect/Marks.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Placed/ComputedOperand.h"

#include <array>
#include <numeric>

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
namespace scf = mlir::scf;

namespace {

/// The statements of a block in which a ring's tiles go through it: a loop, or from the first to
/// the last that touches them.
struct Stretch {
  mlir::Operation *first = nullptr, *last = nullptr;
  scf::ForOp loop = {};
};

/// In `block`; nothing where the tiles lie deeper or outside.
std::optional<Stretch> stretchIn(mlir::Block *block, const std::vector<AllocOp> &buffers) {
  mlir::Block *own = AllocOp(buffers.front())->getBlock();
  if (auto loop = dyn_cast<scf::ForOp>(own->getParentOp()); loop && loop->getBlock() == block)
    return Stretch{loop, loop, loop};
  if (own != block)
    return std::nullopt;
  Stretch stretch;
  for (AllocOp buffer : buffers)
    for (const TileAccess &access : accessesOf(buffer)) {
      auto *op = ancestorIn(block, access.op);
      if (!stretch.first || op->isBeforeInBlock(stretch.first))
        stretch.first = op;
      if (!stretch.last || stretch.last->isBeforeInBlock(op))
        stretch.last = op;
    }
  return stretch;
}

int64_t bytesOf(AllocOp buffer, Space space) {
  auto type = buffer.getBuffer().getType();
  return type.getSpace() == space ? *byteSizeOf(type) : 0;
}

/// What all tiles take in a memory.
int64_t bytesIn(Space space, KernelOp kernel, const std::vector<Ring> &rings) {
  int64_t bytes = 0;
  kernel.walk([&](AllocOp buffer) {
    int64_t slots = buffer.getBuffer().getType().getSlots();
    for (const Ring &ring : rings)
      if (llvm::is_contained(ring.buffers, buffer))
        slots = ring.after >= 0 ? 0 : std::max(slots, ring.slots);
    bytes += bytesOf(buffer, space) * slots;
  });
  return bytes;
}

int64_t roomIn(Space space, const Arch &arch) {
  return space == Space::smem ? roomForTiles(arch) : arch.capacity(space);
}

/// Whose slots come back to who fills them, by loads or from registers, tensor memory by products.
bool mayBeJoined(const Ring &ring, Space space) {
  return ring.sides == Sides::both && !ring.handsOver && !ring.follows &&
         llvm::all_of(ring.buffers, [&](AllocOp buffer) {
           return bytesOf(buffer, space) > 0 &&
                  (space == Space::tmem || isLoaded(buffer) || isHandedOn(buffer));
         });
}

mlir::Value tensorOf(AllocOp buffer) {
  for (const TileAccess &access : accessesOf(buffer))
    if (auto load = dyn_cast<LoadOp>(access.op))
      return load.getSource();
  return {};
}

/// Whether tile after tile comes from one tensor.
bool loadOneTensor(const std::vector<AllocOp> &some, const std::vector<AllocOp> &others) {
  return llvm::all_of(llvm::zip(some, others), [&](auto pair) {
    return tensorOf(std::get<0>(pair)) == tensorOf(std::get<1>(pair));
  });
}

/// The buffers of `ring` that have the types of those of `wanted`, in their order, of the same
/// tensors where there is a choice; empty where one is missing.
std::vector<AllocOp> alike(const Ring &ring, const Ring &wanted) {
  std::vector<AllocOp> found;
  for (AllocOp want : wanted.buffers) {
    AllocOp best;
    for (AllocOp buffer : ring.buffers)
      if (buffer.getBuffer().getType() == want.getBuffer().getType() &&
          !llvm::is_contained(found, buffer) && (!best || tensorOf(buffer) == tensorOf(want)))
        best = buffer;
    if (!best)
      return {};
    found.push_back(best);
  }
  return found;
}

/// Builds the chains of one block, of tiles in one memory: of tiles of one tensor in loops, before
/// and behind them, or of all that fit, such as those that a loop itself loads one after another.
class Joining {
public:
  Joining(Space space, mlir::Block *block, std::vector<Ring> &rings, bool all)
      : space_(space), block_(block), rings_(rings), all_(all) {}

  void run() {
    for (size_t i = 0; i < rings_.size(); ++i) // more come behind while it goes on
      if (isFree(i) && mayBeJoined(rings_[i], space_) && stretchIn(block_, rings_[i].buffers))
        extend(i);
  }

private:
  bool isFree(size_t i) const { return rings_[i].after < 0 && !rings_[i].continued; }

  void extend(size_t head) {
    for (size_t last = head;;) {
      const auto next = nextBehind(head, last);
      if (!next)
        return;
      link(last, *next);
      last = *next;
    }
  }

  /// The first ring behind `last` that could take over its slots.
  std::optional<size_t> nextBehind(size_t head, size_t last) {
    std::optional<size_t> best;
    const auto begin = [&](size_t i) { return stretchIn(block_, rings_[i].buffers)->first; };
    for (size_t i = 0; i < rings_.size(); ++i)
      if (isFree(i) && i != last && mayBeJoined(rings_[i], space_) &&
          rings_[i].producer == rings_[head].producer &&
          rings_[i].consumers == rings_[head].consumers && slotsAgree(head, last, i) &&
          mayFollow(last, i) && (!best || begin(i)->isBeforeInBlock(begin(*best))))
        best = i;
    return best;
  }

  /// What both have goes through the block one after the other.
  bool mayFollow(size_t last, size_t next) {
    auto own = alike(rings_[last], rings_[next]);
    const bool splits = !own.empty() && own.size() < rings_[last].buffers.size();
    if (splits && rings_[last].after >= 0)
      return false; // its buffers are those of the ring before
    auto others = own.empty() ? alike(rings_[next], rings_[last]) : rings_[next].buffers;
    if (others.empty())
      return false;
    own = own.empty() ? rings_[last].buffers : own;
    const auto before = stretchIn(block_, own), behind = stretchIn(block_, others);
    return before && behind && before->last->isBeforeInBlock(behind->first) &&
           (all_ || (loadOneTensor(own, others) && (before->loop || behind->loop)));
  }

  /// Loops have as many slots as they ask for; tiles outside of them take as many as there are.
  bool slotsAgree(size_t head, size_t last, size_t next) {
    const auto asks = [&](size_t i) {
      const auto stretch = stretchIn(block_, rings_[i].buffers);
      return stretch && stretch->loop;
    };
    return llvm::all_of(std::array{head, last}, [&](size_t i) {
      return !asks(i) || !asks(next) || rings_[i].slots == rings_[next].slots;
    });
  }

  void link(size_t last, size_t next) {
    if (const auto own = alike(rings_[last], rings_[next]);
        own.size() < rings_[last].buffers.size())
      own.empty() ? rest(next, alike(rings_[next], rings_[last])) : rest(last, own);
    rings_[next].buffers = alike(rings_[next], rings_[last]);
    rings_[next].after = int(last);
    rings_[last].continued = true;
    const int64_t slots = std::max(rings_[last].slots, rings_[next].slots);
    for (int i = int(next); i >= 0; i = rings_[i].after) {
      rings_[i].slots = slots;
      rings_[i].inBlock = !stretchIn(block_, rings_[i].buffers)->loop;
    }
  }

  /// The ring keeps these buffers; the others get one of their own.
  void rest(size_t i, const std::vector<AllocOp> &kept) {
    Ring others = rings_[i];
    llvm::erase_if(others.buffers, [&](AllocOp b) { return llvm::is_contained(kept, b); });
    rings_[i].buffers = kept;
    for (Ring *ring : {&rings_[i], &others}) {
      ring->name.clear();
      for (AllocOp buffer : ring->buffers)
        ring->name += (ring->name.empty() ? "" : "_") + buffer.getName().str();
    }
    rings_.push_back(std::move(others));
  }

  Space space_;
  mlir::Block *block_;
  std::vector<Ring> &rings_;
  bool all_;
};

/// Rings that take over behind those that they take over from.
void sortByChain(std::vector<Ring> &rings) {
  const auto depth = [&](size_t i) {
    int depth = 0;
    for (int at = rings[i].after; at >= 0; at = rings[at].after)
      ++depth;
    return depth;
  };
  std::vector<size_t> order(rings.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::stable_sort(order, [&](size_t a, size_t b) { return depth(a) < depth(b); });
  std::vector<Ring> sorted;
  for (size_t i : order) {
    sorted.push_back(rings[i]);
    if (int &after = sorted.back().after; after >= 0)
      after = int(std::distance(order.begin(), llvm::find(order, size_t(after))));
  }
  rings = std::move(sorted);
}

} // namespace

bool haveRoom(Space space, KernelOp kernel, const std::vector<Ring> &rings, const Arch &arch) {
  return bytesIn(space, kernel, rings) <= roomIn(space, arch);
}

void joinRings(KernelOp kernel, std::vector<Ring> &rings, const Arch &arch) {
  bool turns = false;
  kernel.walk([&](mlir::Operation *op) { turns |= marks::turns.on(op); });
  if (kernel.getCluster() || turns || loadsAhead(kernel) || isAscend(arch.target))
    return;
  std::vector<mlir::Block *> blocks = {&kernel.getBody().front()};
  kernel.walk<mlir::WalkOrder::PreOrder>(
      [&](scf::ForOp loop) { blocks.push_back(loop.getBody()); });
  for (const Space space : {Space::smem, Space::tmem})
    for (const bool all : {false, true})
      for (mlir::Block *block : blocks)
        if (!haveRoom(space, kernel, rings, arch))
          Joining(space, block, rings, all).run();
  sortByChain(rings);
}

/// The rings that take over from one another, in order.
static std::vector<Ring *> chainFrom(Ring &head, std::vector<Ring> &rings) {
  std::vector<Ring *> chain = {&head};
  for (Ring &ring : rings)
    if (ring.after >= 0 && &rings[ring.after] == chain.back())
      chain.push_back(&ring);
  return chain;
}

void chainCursors(std::vector<Ring> &rings) {
  for (Ring &head : rings) {
    if (head.after >= 0 || !head.continued)
      continue;
    mlir::Value first =
        head.inBlock ? head.cursor : mlir::Value(head.loop.getInitArgs()[head.carried]);
    mlir::Value cursor = first;
    mlir::OpBuilder b(head.buffers.front());
    for (Ring *ring : chainFrom(head, rings)) {
      if (ring->inBlock) {
        ring->cursor = cursor;
        b.setInsertionPointAfterValue(cursor);
        cursor = CursorAdvanceOp::create(b, ring->buffers.front().getLoc(), cursor);
      } else {
        ring->loop.getInitArgsMutable()[ring->carried].assign(cursor);
        cursor = ring->loop.getResult(ring->carried);
      }
    }
    if (auto carried = dyn_cast<mlir::BlockArgument>(first))
      carried.getOwner()->getTerminator()->setOperand(carried.getArgNumber() - 1, cursor);
  }
}

void shareBuffers(std::vector<Ring> &rings) {
  for (Ring &ring : rings) {
    if (ring.after < 0)
      continue;
    Ring *head = &ring;
    while (head->after >= 0)
      head = &rings[head->after];
    for (auto [own, shared] : llvm::zip(ring.buffers, head->buffers)) {
      own.getBuffer().replaceAllUsesWith(shared.getBuffer());
      own.erase();
    }
  }
}

} // namespace sluice
