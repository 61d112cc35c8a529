#include "Transform/Pipeline/Rings.h"

#include "Dialect/Marks.h"
#include "Transform/Cores.h"
#include "Transform/Pipeline/CarriedTile.h"
#include "Transform/Pipeline/FactorSlots.h"
#include "Transform/Pipeline/HandedNumbers.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Pipeline/StoresBehindLoads.h"
#include "Transform/Pipeline/SumInTurns.h"
#include "Transform/Placed/ComputedOperand.h"
#include "Transform/Placed/ReplacedTiles.h"
#include "Transform/Placed/TensorMemory.h"
#include "Transform/Refusal.h"

#include "llvm/ADT/StringExtras.h"

#include <cassert>

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;
namespace scf = mlir::scf;

// ---- Finding rings ----------------------------------------------------------------------------

bool isLoaded(AllocOp buffer) {
  const auto accesses = accessesOf(buffer);
  const auto writes = [](const TileAccess &access) { return access.writes; };
  return llvm::any_of(accesses, writes) && llvm::all_of(accesses, [&](const TileAccess &access) {
           return !access.writes || isa<LoadOp>(access.op);
         });
}

namespace {
struct Traffic {
  std::string producer;
  std::vector<std::string> consumers;
  mlir::Operation *firstReader = nullptr;
  Sides sides = Sides::both;
  std::string name = {}; // of the ring; empty: that of its buffers
  bool handsOver = false;
};
} // namespace

/// Who writes and who reads a buffer; no consumer when one agent does both. A slot comes back when
/// all have released it.
static mlir::FailureOr<Traffic> trafficOf(AllocOp buffer) {
  Traffic traffic;
  for (const TileAccess &access : accessesOf(buffer)) {
    std::string agent = agentOf(access.op).str();
    if (access.writes) {
      if (!traffic.producer.empty() && traffic.producer != agent)
        return unsupported(access.op, "buffer '")
               << buffer.getName() << "' is written by " << traffic.producer << " and by " << agent
               << "; give each its own buffer";
      traffic.producer = agent;
    }
  }
  for (const TileAccess &access : accessesOf(buffer)) {
    std::string agent = agentOf(access.op).str();
    if (!access.reads || (agent == traffic.producer && !isHandedNumber(buffer)))
      continue;
    auto &consumers = traffic.consumers;
    if (!agent.empty() && !llvm::is_contained(consumers, agent)) // prints on Ascend are nobody's
      consumers.push_back(agent);
    if (!traffic.firstReader || isa<PrintOp>(traffic.firstReader)) // prints change no ring
      traffic.firstReader = access.op;
  }
  return traffic;
}

/// A staging buffer that a load fills first goes from hand to hand: to those who replace the tile
/// by the result, and from them to who stores it, where that is somebody else. That one knows that
/// there is room for the next tile when it has stored the last: it loads, or says so to who does.
static std::vector<Traffic> relayOf(AllocOp buffer) {
  LoadOp load;
  CopyOp out;
  StoreOp store;
  for (const TileAccess &access : accessesOf(buffer)) {
    if (auto op = dyn_cast<LoadOp>(access.op))
      load = op;
    if (auto op = dyn_cast<StoreOp>(access.op))
      store = op;
    if (auto copy = dyn_cast<CopyOp>(access.op); copy && access.reads && !out)
      out = copy;
  }
  const std::string computer = agentOf(out).str(), storer = agentOf(store).str();
  const std::string loader = agentOf(load).str(), name = buffer.getName().str();
  if (isReplaced(buffer))
    return {{loader, {storer}, store, Sides::empty, name},
            {loader, {computer}, out, Sides::full, name + "_loaded"},
            {computer, {storer}, store, Sides::full, name + "_result"}};
  std::vector<Traffic> hops = {
      {loader, {computer}, out, Sides::full, rootOf(out.getDestination()).getName().str()}};
  if (storer != computer)
    hops.push_back({computer, {storer}, store, Sides::full});
  return hops;
}

/// The warps that compute an operand for each other. Who has seen that a value is whole knows that
/// all are done with the one before: of two slots, the next needs no other word.
static Traffic handedToThemselves(AllocOp buffer) {
  Traffic traffic;
  traffic.sides = Sides::full;
  for (const TileAccess &access : accessesOf(buffer))
    if (access.reads) {
      traffic.producer = agentOf(access.op).str();
      traffic.consumers = {traffic.producer};
      traffic.firstReader = traffic.firstReader ? traffic.firstReader : access.op;
    }
  return traffic;
}

/// A sum that threads hand to products, which add to it.
static Traffic handedInTurns(AllocOp buffer) {
  Traffic traffic;
  traffic.handsOver = true;
  for (const TileAccess &access : accessesOf(buffer))
    if (isa<CopyOp>(access.op)) {
      traffic.producer = agentOf(access.op).str();
    } else if (!traffic.firstReader) {
      traffic.firstReader = access.op;
      traffic.consumers = {agentOf(access.op).str()};
    }
  return traffic;
}

/// A tile that another role reads, and products of the role that computes it: these are in the ring
/// too, so that its slot is not written anew under them.
static void addOwnProducts(AllocOp buffer, Traffic &traffic) {
  const auto accesses = accessesOf(buffer);
  const auto isOwn = [&](const TileAccess &access) {
    auto mma = dyn_cast<MmaOp>(access.op);
    return mma && mma.getD() != access.view && agentOf(mma) == traffic.producer;
  };
  const auto own = llvm::find_if(accesses, isOwn);
  if (isPipe(traffic.producer) || own == accesses.end())
    return;
  traffic.consumers.push_back(traffic.producer);
  traffic.firstReader = llvm::find_if(accesses, [&](const TileAccess &access) {
                          return access.op == own->op || access.op == traffic.firstReader;
                        })->op;
}

/// Whether one agent alone touches it.
bool isOfOneAgent(AllocOp buffer) {
  const auto accesses = accessesOf(buffer);
  return llvm::all_of(accesses, [&](const TileAccess &access) {
    return agentOf(access.op) == agentOf(accesses.front().op);
  });
}

/// A role that loads alone has nobody to tell of a tile that nothing reads.
static mlir::LogicalResult verifyIsRead(AllocOp buffer, const Traffic &traffic) {
  if (!traffic.consumers.empty() || traffic.producer != nameOf(Duty::load))
    return mlir::success();
  for (const TileAccess &access : accessesOf(buffer))
    if (access.writes && isa<LoadOp>(access.op))
      return access.op->emitError("loads tile '")
             << buffer.getName() << "', and nothing reads it; leave the load out";
  return mlir::success();
}

/// What a buffer carries between agents; none where one agent has it alone.
static mlir::FailureOr<std::vector<Traffic>> allTrafficOf(AllocOp buffer) {
  if (isLoadedWrittenThenStored(buffer))
    return relayOf(buffer);
  if (isComputedOperand(buffer) && isOfOneAgent(buffer))
    return std::vector<Traffic>{handedToThemselves(buffer)};
  if (isInTurns(buffer))
    return std::vector<Traffic>{handedInTurns(buffer)};
  auto traffic = trafficOf(buffer);
  if (mlir::failed(traffic) || mlir::failed(verifyIsRead(buffer, *traffic)))
    return mlir::failure();
  if (traffic->consumers.empty() || traffic->producer.empty())
    return std::vector<Traffic>();
  addOwnProducts(buffer, *traffic);
  return std::vector<Traffic>{*traffic};
}

/// A ring passes its buffers on once in their block: everything is written before anything is read,
/// and what TMA writes is written in that block itself, where the acquire stands.
static mlir::LogicalResult verifyPassedOnce(AllocOp buffer, const Traffic &traffic) {
  mlir::Block *block = buffer->getBlock();
  mlir::Operation *read = ancestorIn(block, traffic.firstReader);
  for (const TileAccess &access : accessesOf(buffer)) {
    if (agentOf(access.op) != traffic.producer || !access.writes)
      continue;
    if (!ancestorIn(block, access.op)->isBeforeInBlock(read))
      return unsupported(access.op, "fills buffer '")
             << buffer.getName() << "' within or after the statement of its block in which "
             << llvm::join(traffic.consumers, " or ")
             << " first reads it; give each value its own tile, declared where it is filled";
    auto load = dyn_cast<LoadOp>(access.op);
    if (load && load->getBlock() != block && buffer.getBuffer().getType().getSpace() == Space::smem)
      return unsupported(load, "loads buffer '")
             << buffer.getName()
             << "' in another block than the one that declares and reads it; declare it beside its "
                "load, or load it there";
  }
  return mlir::success();
}

/// What a reader reads for: copies to registers, or of factors, stand in front of what takes them.
static mlir::Operation *purposeOf(mlir::Operation *reader) {
  const auto brings = [](mlir::Operation *op) {
    auto copy = dyn_cast<CopyOp>(op);
    return isa<AllocOp, SubviewOp>(op) || bringsFactors(op) ||
           (copy && copy.getDestination().getType().getSpace() == Space::reg);
  };
  while (reader && brings(reader))
    reader = reader->getNextNode();
  return reader;
}

static bool actsIn(mlir::Operation *op, llvm::StringRef agent) {
  return op
      ->walk([&](mlir::Operation *inner) {
        return agentOf(inner) == agent ? mlir::WalkResult::interrupt()
                                       : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether there is a loop or branch between the writes of these buffers in which both agents act.
/// There the producer waits for slots of other rings, and the consumer would not come to release
/// them: it waits for the commit behind the last write.
static bool meetBetweenWrites(const Ring &ring, AllocOp other) {
  mlir::Block *block = other->getBlock();
  mlir::Operation *first = nullptr, *last = nullptr;
  auto buffers = ring.buffers;
  buffers.push_back(other);
  for (AllocOp buffer : buffers)
    for (const TileAccess &access : accessesOf(buffer)) {
      if (!access.writes || agentOf(access.op) != ring.producer)
        continue;
      auto *op = ancestorIn(block, access.op);
      first = !first || op->isBeforeInBlock(first) ? op : first;
      last = !last || last->isBeforeInBlock(op) ? op : last;
    }
  for (auto *op = first; op && op != last; op = op->getNextNode())
    if (op->getNumRegions() > 0 && actsIn(op, ring.producer) &&
        llvm::any_of(ring.consumers, [&](auto &consumer) { return actsIn(op, consumer); }))
      return true;
  return false;
}

/// Whether all of these buffers is written before any of them is read. Otherwise what is written
/// last may be computed from what is read first, and a commit of both would never come.
static bool writtenBeforeRead(const Ring &ring, AllocOp other, mlir::Operation *reader,
                              mlir::Operation *otherReader) {
  mlir::Block *block = other->getBlock();
  auto buffers = ring.buffers;
  buffers.push_back(other);
  auto *first = ancestorIn(block, reader), *second = ancestorIn(block, otherReader);
  first = second->isBeforeInBlock(first) ? second : first;
  return llvm::all_of(buffers, [&](AllocOp buffer) {
    return llvm::all_of(accessesOf(buffer), [&](const TileAccess &access) {
      return !access.writes || ancestorIn(block, access.op)->isBeforeInBlock(first);
    });
  });
}

/// Whether what is taken from it may be for what its producer writes next: who stores, or is loaded
/// for, answers nobody who computes.
static bool mayAnswer(const Ring &ring) {
  if (isPipe(ring.producer))
    return true;
  return !isLoaded(ring.buffers.front()) && ring.consumers.front() != nameOf(Duty::store);
}

/// On NVIDIA one full barrier serves buffers that are first read together. What goes from hand to
/// hand has a ring of its own: its slot comes back another way.
static bool together(const Ring &ring, AllocOp other, const Traffic &traffic, int64_t slots,
                     mlir::Operation *firstReader) {
  auto first = ring.buffers.front();
  if (other.getBuffer().getType().getSpace() == Space::tmem)
    return false; // a commit tells of each sum when it has ended
  if (isPipe(traffic.producer) && coreOf(traffic.producer) != coreOf(traffic.consumers.front()))
    return false; // what another core waits for is told as soon as it is there
  return first->getBlock() == other->getBlock() && ring.producer == traffic.producer &&
         ring.consumers == traffic.consumers && ring.slots == slots && ring.sides == Sides::both &&
         traffic.sides == Sides::both && !ring.handsOver && !traffic.handsOver &&
         (!mayAnswer(ring) || writtenBeforeRead(ring, other, firstReader, traffic.firstReader)) &&
         (!isPipe(ring.producer) && isLoaded(first)
              ? purposeOf(firstReader) == purposeOf(traffic.firstReader)
              : !meetBetweenWrites(ring, other));
}

/// The ring that takes the buffer in, or a new one.
static void addToRings(std::vector<Ring> &rings, std::vector<mlir::Operation *> &firstReaders,
                       AllocOp buffer, const Traffic &traffic, int64_t slots) {
  for (size_t i = 0; i < rings.size(); ++i)
    if (together(rings[i], buffer, traffic, slots, firstReaders[i])) {
      rings[i].buffers.push_back(buffer);
      rings[i].name += "_" + buffer.getName().str();
      return;
    }
  Ring ring;
  ring.name = traffic.name.empty() ? buffer.getName().str() : traffic.name;
  ring.producer = traffic.producer;
  ring.consumers = traffic.consumers;
  ring.sides = traffic.sides;
  ring.handsOver = traffic.handsOver;
  ring.buffers = {buffer};
  ring.slots = slots;
  rings.push_back(std::move(ring));
  firstReaders.push_back(traffic.firstReader);
}

/// Whether the next step of a loop takes its value.
static bool isCarried(AllocOp buffer, const Traffic &traffic) {
  return llvm::any_of(traffic.consumers, [&](const std::string &consumer) {
    return carryingLoop(buffer, traffic.producer, consumer) != nullptr;
  });
}

mlir::FailureOr<std::vector<Ring>> findRings(KernelOp kernel, const Arch &arch) {
  std::vector<Ring> rings;
  std::vector<mlir::Operation *> firstReaders;
  std::vector<AllocOp> allocs;
  kernel.walk<mlir::WalkOrder::PreOrder>([&](AllocOp op) { allocs.push_back(op); });
  for (AllocOp buffer : allocs) {
    auto all = allTrafficOf(buffer);
    if (mlir::failed(all))
      return mlir::failure();
    for (Traffic &traffic : *all) {
      traffic.handsOver |= isCarried(buffer, traffic);
      if (traffic.handsOver && traffic.consumers.size() > 1)
        return unsupported(traffic.firstReader, "buffer '")
               << buffer.getName() << "' carries its value to the next step, where "
               << llvm::join(traffic.consumers, " and ") << " read it; one of them may";
      if (!traffic.handsOver && mlir::failed(verifyPassedOnce(buffer, traffic)))
        return mlir::failure();
      const int64_t slots = traffic.handsOver ? 1 : slotsFor(kernel, buffer, arch);
      addToRings(rings, firstReaders, buffer, traffic, slots);
      rings.back().follows = isReplaced(buffer) && traffic.sides == Sides::full;
    }
  }
  llvm::for_each(rings, takeFactorsIn);
  return rings;
}

// ---- Verbs ------------------------------------------------------------------------------------

namespace {
/// First and last operation of the ring's block in which an agent touches its buffers.
struct Span {
  mlir::Operation *first = nullptr, *last = nullptr;
};
} // namespace

static Span spanOf(const Ring &ring, llvm::StringRef agent, bool writes) {
  mlir::Block *block = ring.buffers.front()->getBlock();
  Span span;
  for (AllocOp buffer : ring.buffers)
    for (const TileAccess &access : accessesOf(buffer)) {
      if (agentOf(access.op) != agent)
        continue;
      const bool both = ring.sides != Sides::both || isTakenBy(ring, ring.producer);
      if (both && !(writes ? access.writes : access.reads))
        continue; // that is the other ring's, or the other end's
      auto *op = ancestorIn(block, access.op);
      if (!span.first || op->isBeforeInBlock(span.first))
        span.first = op;
      if (!span.last || span.last->isBeforeInBlock(op))
        span.last = op;
    }
  assert(span.first && "a ring has a producer and a consumer");
  return span;
}

bool multiplies(MmaOp product, const Ring &ring) {
  return llvm::is_contained(ring.buffers, rootOf(product.getA())) ||
         llvm::is_contained(ring.buffers, rootOf(product.getB()));
}

static void createPipeline(mlir::OpBuilder &b, KernelOp kernel, Ring &ring) {
  llvm::SmallVector<mlir::Value> buffers;
  for (AllocOp buffer : ring.buffers)
    buffers.push_back(buffer.getBuffer());
  b.setInsertionPointAfter(ring.buffers.back());
  auto type = PipelineType::get(b.getContext(), ring.slots);
  const llvm::SmallVector<llvm::StringRef> consumers(ring.consumers.begin(), ring.consumers.end());
  const bool inLoop = !loopsAround(ring.buffers.front(), kernel).empty();
  const bool returns = ring.handsOver || isJoined(ring) || (ring.sides != Sides::full && inLoop);
  auto none = b.getStringAttr("none");
  ring.pipeline = PipelineOp::create(
      b, ring.buffers.front().getLoc(), type, b.getStringAttr(ring.name), buffers,
      b.getStrArrayAttr({llvm::StringRef(ring.producer)}), b.getStrArrayAttr(consumers),
      ring.sides == Sides::empty ? none : nullptr, returns ? nullptr : none, mlir::IntegerAttr(),
      mlir::IntegerAttr(), mlir::UnitAttr(), nullptr, nullptr, mlir::IntegerAttr(),
      mlir::IntegerAttr(), mlir::IntegerAttr());
}

/// Every access goes to the slot under the cursor.
static void selectSlots(mlir::OpBuilder &b, Ring &ring) {
  if (ring.slots == 1 || ring.follows)
    return;
  if (ring.inBlock)
    b.setInsertionPointAfterValue(ring.cursor);
  else
    b.setInsertionPointToStart(ring.buffers.front()->getBlock());
  auto loc = ring.buffers.front().getLoc();
  mlir::Value index = CursorSlotOp::create(b, loc, b.getIndexType(), ring.cursor);
  for (AllocOp buffer : ring.buffers) {
    auto slot = SlotOp::create(b, loc, buffer.getBuffer(), index);
    buffer.getBuffer().replaceUsesWithIf(slot.getView(), [&](mlir::OpOperand &use) {
      return use.getOwner() != slot && !isa<PipelineOp>(use.getOwner());
    });
    retypeViews(slot.getView());
  }
}

/// Whether slots come back by commits, which no thread of the CTA may have seen when it ends.
static bool comesBackByCommits(const Ring &ring) {
  return llvm::any_of(ring.buffers, [](AllocOp buffer) {
    return llvm::any_of(accessesOf(buffer), [](const TileAccess &access) {
      return access.reads && !access.writes && isa<MmaOp, Tcgen05MmaOp>(access.op);
    });
  });
}

/// Nobody leaves before its slots have come back: CTAs of a cluster signal each other's, and
/// commits come when nobody waits for them. Of rings that share slots it stands behind the last.
static bool needsTail(KernelOp kernel, const Ring &ring) {
  if ((!ring.scope && !isJoined(ring)) || ring.follows || ring.continued)
    return false;
  return kernel.getCluster() || (isForTensorMemory(kernel) && comesBackByCommits(ring));
}

static void addTail(mlir::OpBuilder &b, KernelOp kernel, Ring &ring) {
  mlir::Value end = cursorBehind(ring);
  if (end.getDefiningOp()->getNumRegions() > 0)
    b.setInsertionPointAfter(end.getDefiningOp());
  else
    b.setInsertionPointToEnd(&kernel.getBody().front());
  verb<TailOp>(b, ring.buffers.front().getLoc(), ring, end, ring.producer);
}

static void insertVerbsOfBlock(mlir::OpBuilder &b, Ring &ring) {
  auto loc = ring.buffers.front().getLoc();
  const Span writes = spanOf(ring, ring.producer, true);
  b.setInsertionPoint(writes.first);
  verb<AcquireOp>(b, loc, ring, ring.cursor, ring.producer);
  if (ring.sides != Sides::empty) {
    b.setInsertionPointAfter(writes.last);
    verb<CommitOp>(b, loc, ring, ring.cursor, ring.producer);
  }
  for (const std::string &consumer : ring.consumers) {
    const Span reads = spanOf(ring, consumer, false);
    b.setInsertionPoint(waitsAt(ring, consumer, writes.last, reads.first));
    if (ring.sides != Sides::empty)
      verb<WaitOp>(b, loc, ring, ring.cursor, consumer);
    b.setInsertionPointAfter(reads.last);
    if (!isLateFor(ring, consumer) && !ring.follows)
      verb<ReleaseOp>(b, loc, ring, ring.cursor, consumer);
  }
}

void insertVerbs(KernelOp kernel, const std::vector<Ring> &rings, Ring &ring) {
  mlir::OpBuilder b(kernel.getContext());
  auto loc = ring.buffers.front().getLoc();
  for (AllocOp buffer : ring.buffers)
    retype(buffer, buffer.getBuffer().getType().withSlots(ring.slots));
  if (ring.after >= 0)
    ring.pipeline = rings[ring.after].pipeline;
  else
    createPipeline(b, kernel, ring);
  mlir::Value behind; // the cursor; null: the next one
  if (isInTurns(ring.buffers.front()))
    behind = insertTurns(b, ring);
  else if (ring.handsOver)
    insertCarriedVerbs(b, ring);
  else
    insertVerbsOfBlock(b, ring);
  selectSlots(b, ring);
  if (ring.scope && !ring.follows && !ring.inBlock) {
    auto *yield = ring.buffers.front()->getBlock()->getTerminator();
    b.setInsertionPoint(yield);
    yield->setOperand(ring.carried, behind ? behind : CursorAdvanceOp::create(b, loc, ring.cursor));
    if (!ring.late.empty())
      yield->setOperand(ring.carriedPrevious, ring.cursor);
  }
  if (needsTail(kernel, ring))
    addTail(b, kernel, ring);
}

} // namespace sluice
