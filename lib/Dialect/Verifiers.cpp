// What each operation demands of its operands. Every message names the fix. Rules that need the
// target or the whole program are the checker's (lib/Verify).
#include "Dialect/Checks.h"
#include "Dialect/Marks.h"
#include "mlir/Support/DebugStringHelper.h"

using namespace mlir;

namespace sluice::ir {

std::string text(ArrayRef<int64_t> shape) {
  std::string s;
  for (int64_t extent : shape)
    s += (s.empty() ? "" : "x") + (ShapedType::isDynamic(extent) ? "?" : std::to_string(extent));
  return s;
}

LogicalResult verifySlot(Operation *op, int64_t slots, Value index) {
  auto slot = index ? getConstantIntValue(index) : std::nullopt;
  if (slot && (*slot < 0 || *slot >= slots))
    return op->emitOpError("slot ") << *slot << " of a ring of " << slots;
  return success();
}

// ---- Structure ----

LogicalResult GridOp::verify() {
  if (getExtents().empty() || getExtents().size() > 3)
    return emitOpError("a grid has 1 to 3 extents");
  if (!isa<KernelOp>((*this)->getParentOp()))
    return emitOpError("stands directly in the kernel, outside loops and roles");
  if (auto cluster = getCluster()) {
    int64_t size = 1;
    for (int64_t extent : *cluster)
      size *= extent < 1 || extent > 16 ? 17 : extent;
    if (cluster->size() != getExtents().size() || size > 16)
      return emitOpError("cluster has ")
             << cluster->size() << " extents for a grid of " << getExtents().size()
             << ", or they are not 1 to 16 CTAs in all";
    if (size == 1)
      return emitOpError("a cluster of one CTA shares nothing; leave it out");
  }
  if (auto group = getGroup())
    if (int64_t(*group) < 1 || int64_t(*group) > 1 << 20 || getExtents().size() < 2)
      return emitOpError("group is a number of rows, 1 to 2^20, of a grid of two or three extents");
  return success();
}

LogicalResult DimOp::verify() {
  int64_t rank = getTensor().getType().getRank(), d = getDimension();
  if (d < 0 || d >= rank)
    return emitOpError("dimension ") << d << " of a tensor of rank " << rank;
  return success();
}

/// Swizzles are of shared memory, fractals of the Ascend buffers, thread-value layouts of
/// registers.
static bool fits(Space space, Layout layout) {
  switch (layout) {
  case Layout::none:
    return true;
  case Layout::row:
    return space != Space::unplaced;
  case Layout::sw32:
  case Layout::sw64:
  case Layout::sw128:
  case Layout::panels:
  case Layout::lines:
  case Layout::span:
    return space == Space::smem;
  case Layout::zN:
  case Layout::nZ:
  case Layout::zZ:
  case Layout::nN:
    return space == Space::l1 || space == Space::l0a || space == Space::l0b || space == Space::l0c;
  case Layout::acc:
  case Layout::fragA:
  case Layout::rowVector:
  case Layout::colVector:
  case Layout::blocked:
  case Layout::blockedRowVector:
  case Layout::blockedColVector:
    return space == Space::reg;
  }
  return false;
}

/// So that sums of bytes over slots and buffers stay far from the end of int64_t.
static bool isAbsurdlyLarge(BufferType type) {
  constexpr int64_t mostElements = (int64_t{1} << 40) / 8; // of the widest type
  int64_t left = mostElements / type.getSlots();
  for (int64_t extent : type.getShape())
    left /= std::max<int64_t>(extent, 1);
  return left == 0;
}

/// What it follows from that a host does not know before a launch; null: nothing.
static Value unknownToHost(Value value) {
  SetVector<Value> needed;
  needed.insert(value);
  for (size_t i = 0; i < needed.size(); ++i) {
    Value v = needed[i];
    Operation *op = v.getDefiningOp();
    auto dim = dyn_cast_or_null<DimOp>(op);
    if (dim ? isa<BlockArgument>(dim.getTensor()) : !op && v.getType().isIntOrIndex())
      continue;
    if (!op || dim || !v.getType().isIntOrIndex() ||
        !(isa<UniformOp>(op) || op->getName().getDialectNamespace() == "arith"))
      return v;
    needed.insert_range(op->getOperands());
  }
  return {};
}

LogicalResult AssumeOp::verify() {
  if (!isa<KernelOp>((*this)->getParentOp()))
    return emitOpError("stands directly in the kernel: it is about a launch, not about a part of "
                       "its work");
  const auto isControl = [](unsigned char c) { return c < ' '; };
  if (getMessage().empty() || llvm::any_of(getMessage(), isControl))
    return emitOpError("says in one line what a launch keeps");
  Value unknown = unknownToHost(getCondition());
  if (!unknown)
    return success();
  Operation *op = unknown.getDefiningOp();
  return emitOpError("is about extents and integer arguments, which a host knows before a launch; "
                     "this one needs ")
         << (op ? "'" + op->getName().getStringRef().str() + "'" : "an f32 argument");
}

LogicalResult AllocOp::verify() {
  BufferType type = getBuffer().getType();
  if (isAbsurdlyLarge(type))
    return emitOpError("buffer '")
           << getName() << "' of " << text(type.getShape()) << " elements and " << type.getSlots()
           << " slots is larger than any memory; use a smaller tile";
  if (!dtypeOf(type.getElementType()))
    return emitOpError("no target computes on elements of type ") << type.getElementType();
  if (auto offset = getOffset(); offset && int64_t(*offset) < 0)
    return emitOpError("offset must not be negative");
  if (getOffset() && type.getSpace() == Space::unplaced)
    return emitOpError("has an offset but no space; name the space in its type");
  if (getOffset() && type.getSpace() == Space::reg)
    return emitOpError("registers have no offset");
  if (!fits(type.getSpace(), type.getLayout()))
    return emitOpError("layout ") << name(type.getLayout()).data() << " does not exist in "
                                  << name(type.getSpace()).data();
  if (type.getLayout() == Layout::panels && type.getShape()[type.getMinor()] % 256 != 0)
    return emitOpError("panels are 256 elements wide; the contiguous extent of ")
           << type.getShape()[type.getMinor()] << " is no multiple of that";
  return success();
}

LogicalResult RoleOp::verify() {
  if (getFirst().has_value() != getEnd().has_value())
    return emitOpError("needs its first warp and its end; write `warps 0 to 4`");
  if (getFirst() && int64_t(*getEnd()) <= int64_t(*getFirst()))
    return emitOpError("warps ") << *getFirst() << " to " << *getEnd()
                                 << " is empty; the end is exclusive";
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (kernel && kernel.getWarps() && getEnd() && *getEnd() > *kernel.getWarps())
    return emitOpError("ends at warp ") << *getEnd() << "; the kernel has " << *kernel.getWarps();
  if (getFirst() && getCore())
    return emitOpError("has warps (NVIDIA) and a core (Ascend); keep one of them");
  if (auto core = getCore(); core && *core != "aic" && *core != "aiv")
    return emitOpError("unknown core '") << *core << "'; one of aic, aiv";
  if (auto r = getRegisters(); r && (*r < 24 || *r > 256 || *r % 8))
    return emitOpError("registers ") << *r << "; setmaxnreg takes 24 to 256 in steps of 8";
  return success();
}

static LogicalResult verifyMerge(PipelineOp op) {
  auto kernel = op->getParentOfType<KernelOp>();
  if (!op.getMerge() || !kernel)
    return success();
  PipelineOp other;
  kernel.walk([&](PipelineOp p) {
    if (p != op && p.getName() == *op.getMerge())
      other = p;
  });
  if (!other)
    return op.emitOpError("merges with '")
           << *op.getMerge() << "'; the kernel has no such pipeline";
  if (op.getFull() || other.getFull())
    return op.emitOpError("merges the full side, which one of the two does not have");
  if (other.getMerge())
    return op.emitOpError("merges with '")
           << *op.getMerge() << "', which merges with '" << *other.getMerge() << "'; name that one";
  if (op.getPipeline().getType() != other.getPipeline().getType())
    return op.emitOpError("merges with a ring of another number of slots");
  return success();
}

/// Which slots start full, which empty.
static LogicalResult verifyStart(PipelineOp op) {
  const int64_t slots = op.getPipeline().getType().getSlots();
  const int64_t primed = op.getPrimed().value_or(0), first = op.getFirst().value_or(0);
  if (op.getPrimed() && (primed < 0 || primed > slots))
    return op.emitOpError("primes ") << primed << " of " << slots << " slots";
  if (op.getFirst() && (first < 0 || first > slots - primed))
    return op.emitOpError("skips the first ")
           << first << " acquires of " << slots << " slots"
           << (primed ? ", of which " + std::to_string(primed) + " are primed" : "");
  if (op.getPrimed() && op.getFull())
    return op.emitOpError("primes slots, but nobody waits until they are full");
  if (op.getFirst() && op.getEmpty())
    return op.emitOpError("counts acquires that do not wait, but none waits");
  return success();
}

/// Of how many CTAs the peers of a ring are: the cluster's, or those along one of its coordinates.
static FailureOr<int64_t> ctasOfPeers(PipelineOp op, ArrayRef<int64_t> cluster) {
  int64_t ctas = 1;
  for (const int64_t extent : cluster)
    ctas *= extent;
  if (!op.getAlong())
    return ctas;
  const auto along = static_cast<int64_t>(*op.getAlong());
  if (along < 0 || along >= static_cast<int64_t>(cluster.size()) || cluster[along] == 1)
    return op.emitOpError("along = ")
           << along << ": the cluster has one CTA there; name a coordinate along which it has more";
  return cluster[along];
}

/// The bits turn every rank into that of another CTA.
static LogicalResult verifyPartner(PipelineOp op, int64_t ctas) {
  const auto bits = static_cast<int64_t>(*op.getPartner());
  for (int64_t rank = 0; rank < ctas; ++rank)
    if (bits <= 0 || (rank ^ bits) >= ctas)
      return op.emitOpError("partner = ")
             << bits << " among " << ctas << " CTAs: the one of number " << rank
             << " has no other for its partner; take bits of the numbers below " << ctas;
  return success();
}

/// Slots of another CTA of the cluster.
static LogicalResult verifyPeer(PipelineOp op, KernelOp kernel) {
  if (!op.getPeer() && !op.getPartner())
    return op.emitOpError("along says which CTAs are peers, and there are none; give `peer` or "
                          "`partner` too");
  const auto cluster = kernel ? kernel.getCluster() : std::nullopt;
  if (!cluster)
    return op.emitOpError("goes to peers, but the kernel has no cluster");
  if (op.getPeer() && op.getPartner())
    return op.emitOpError("peer beside partner; a ring goes to one other CTA");
  if (op.getLeader())
    return op.emitOpError(op.getPeer() ? "peer" : "partner")
           << " beside leader; a ring goes to peers, or its barriers are on the leader CTA";
  const auto ctas = ctasOfPeers(op, *cluster);
  if (failed(ctas))
    return failure();
  if (op.getPartner())
    return verifyPartner(op, *ctas);
  const auto distance = static_cast<int64_t>(*op.getPeer());
  if (distance % *ctas == 0)
    return op.emitOpError("peer = ")
           << distance << " in a cluster of " << *ctas
           << (op.getAlong() ? " along this coordinate" : "")
           << " is the own CTA; leave it out, or name the distance to another one";
  return success();
}

LogicalResult PipelineOp::verify() {
  if (getProducers().empty() || getConsumers().empty())
    return emitOpError("needs at least one producer and one consumer");
  for (Value buffer : getBuffers()) {
    int64_t slots = cast<BufferType>(buffer.getType()).getSlots();
    if (slots != getPipeline().getType().getSlots())
      return emitOpError("a buffer has ")
             << slots << " slots, the pipeline " << getPipeline().getType().getSlots();
  }
  for (auto side : {getFull(), getEmpty()})
    if (side && *side != "none")
      return emitOpError("a side is elided with \"none\", not \"") << *side << "\"";
  if (getFull() && getEmpty())
    return emitOpError("keeps neither side; use a buffer without a pipeline");
  if (failed(verifyMerge(*this)) || failed(verifyStart(*this)))
    return failure();
  auto kernel = (*this)->getParentOfType<KernelOp>();
  if (getLeader() && !(kernel && kernel.getCluster()))
    return emitOpError("has a leader CTA, but the kernel has no cluster");
  if ((getPeer() || getPartner() || getAlong()) && failed(verifyPeer(*this, kernel)))
    return failure();
  if (auto arrive = getArrive(); arrive && !symbolizeExec(*arrive) && *arrive != "thread")
    return emitOpError("unknown arrival granularity '")
           << *arrive << "'; one of thread, warp, warpgroup, one";
  return success();
}

LogicalResult CursorAdvanceOp::verify() {
  if (int64_t(getBy()) < 0)
    return emitOpError("goes back by ") << -int64_t(getBy()) << " slots; a cursor only advances";
  return success();
}

LogicalResult ClipOp::verify() {
  int64_t rank = getTensor().getType().getRank(), d = getDimension();
  if (d < 0 || d >= rank)
    return emitOpError("dimension ") << d << " of a tensor of rank " << rank;
  return success();
}

// ---- Data ----

static LogicalResult verifyOffsets(Operation *op, TensorType tensor, size_t offsets) {
  if (int64_t(offsets) != tensor.getRank())
    return op->emitOpError("has ")
           << offsets << " offsets for a tensor of rank " << tensor.getRank();
  return success();
}

LogicalResult verifyBox(Operation *op, TensorType tensor, size_t offsets, BufferType box,
                        bool sameType) {
  if (failed(verifyOffsets(op, tensor, offsets)))
    return failure();
  if (tensor.getRank() == 1 && box.getShape()[0] != 1)
    return op->emitOpError("moves ")
           << text(box.getShape()) << " of a tensor of rank 1, whose boxes are 1xC";
  if (sameType && tensor.getElementType() != box.getElementType())
    return op->emitOpError("moves ") << tensor.getElementType() << " and " << box.getElementType()
                                     << "; convert with sluice.map or sluice.copy";
  return success();
}

/// Only TMA hands a policy to L2. What is known to go another way asks for none.
static LogicalResult verifyCache(Operation *op, CachePolicy cache, bool byThreads, Pipe pipe) {
  if (cache == CachePolicy::normal || (!byThreads && pipe == Pipe::none))
    return success();
  return op->emitOpError("cache ")
         << stringifyCachePolicy(cache) << " is a hint of TMA; "
         << (byThreads ? "gathers and cp.async are copies by threads" : "pipes of a core take none")
         << "; leave it out";
}

LogicalResult LoadOp::verify() {
  if (getRows() &&
      (getRows().getType().getRank() != 1 || !getRows().getType().getElementType().isInteger(32)))
    return emitOpError("rows must be a tensor of rank 1 of i32");
  if (failed(verifyCache(*this, getCache(), getRows() || getAsync(), getPipe())))
    return failure();
  return verifyBox(*this, getSource().getType(), getOffsets().size(), getDestination().getType(),
                   true);
}

LogicalResult StoreOp::verify() {
  // A fixpipe converts on the way out of L0C; nothing else does.
  bool converts = getSource().getType().getSpace() == Space::l0c;
  if (failed(verifyCache(*this, getCache(), /*byThreads=*/false, getPipe())))
    return failure();
  if (getUnits() && !converts)
    return emitOpError("units are of L0C, whose tiles a Mmad hands over; the source is in ")
           << name(getSource().getType().getSpace()).data();
  return verifyBox(*this, getDestination().getType(), getOffsets().size(), getSource().getType(),
                   !converts);
}

LogicalResult verifyInteger(Operation *op, TensorType tensor, size_t offsets) {
  if (!tensor.getElementType().isInteger(32))
    return op->emitOpError("needs a tensor of i32, has ") << tensor.getElementType();
  return verifyOffsets(op, tensor, offsets);
}

LogicalResult ScalarLoadOp::verify() {
  return verifyInteger(*this, getSource().getType(), getOffsets().size());
}
static LogicalResult verifyScalarTile(Operation *op, BufferType tile, size_t offsets) {
  if (!tile.getElementType().isInteger(32))
    return op->emitOpError("needs a tile of i32, has ") << tile.getElementType();
  if (tile.getSpace() == Space::reg || tile.getSpace() == Space::tmem)
    return op->emitOpError("needs a tile that every thread can address, not one in ")
           << name(tile.getSpace()).data();
  if (offsets != 2)
    return op->emitOpError("needs two offsets, has ") << offsets;
  return success();
}
LogicalResult ScalarReadOp::verify() {
  return verifyScalarTile(*this, getSource().getType(), getOffsets().size());
}
LogicalResult ScalarWriteOp::verify() {
  return verifyScalarTile(*this, getDestination().getType(), getOffsets().size());
}

LogicalResult PrefetchOp::verify() {
  if (getExec() != Exec::threads && getExec() != Exec::one)
    return emitOpError("is by all threads, or `by one` through a tensor map");
  int64_t rank = getSource().getType().getRank();
  if (int64_t(getBox().size()) != rank)
    return emitOpError("has a box of ")
           << getBox().size() << " extents for a tensor of rank " << rank;
  if (llvm::any_of(getBox(), [](int64_t n) { return n < 1; }))
    return emitOpError("the extents of a box must be positive");
  const auto lines = [&](int64_t d) {
    return d != getSource().getType().getMinor() && getBox()[d] > 1;
  };
  if (llvm::count_if(llvm::seq<int64_t>(rank), lines) > 1)
    return emitOpError("has a box of several extents beside the contiguous one; one may be larger "
                       "than 1");
  return verifyOffsets(*this, getSource().getType(), getOffsets().size());
}

/// A sum is dealt out to the two vector cores.
static LogicalResult verifyHalves(CopyOp copy) {
  const auto from = copy.getSource().getType().getShape();
  const auto to = copy.getDestination().getType().getShape();
  if (from[0] == 2 * to[0] && from[1] == to[1])
    return success();
  return copy.emitOpError("copies ") << text(from) << " to " << text(to)
                                     << "; from l0c each of the two vector cores gets half of the "
                                        "rows in ub";
}

LogicalResult CopyOp::verify() {
  auto from = getSource().getType(), to = getDestination().getType();
  if (getCtas() != 1 &&
      (getCtas() != 2 || from.getSpace() != Space::smem || to.getSpace() != Space::tmem))
    return emitOpError("ctas ") << getCtas()
                                << "; a pair (2) copies from shared memory to tensor memory alone";
  const int64_t columns = from.getShape()[1];
  if (marks::across.on(*this) && from.getShape()[0] == 1 && to.getShape()[0] == 1 &&
      to.getShape()[1] % std::max<int64_t>(columns, 1) == 0)
    return success(); // as many as there are CTAs, which the grid says
  if (to.getSpace() == Space::tmem && from.getSpace() == Space::smem &&
      llvm::is_contained({4, 32, 64}, from.getShape()[0]) &&
      to.getShape() == ArrayRef<int64_t>{128, columns})
    return success(); // to each 32 lanes, or each 64; to one of each 32
  if (from.getSpace() == Space::l0c && to.getSpace() == Space::ub)
    return verifyHalves(*this);
  if (from.getShape() != to.getShape())
    return emitOpError("copies ") << text(from.getShape()) << " to " << text(to.getShape())
                                  << "; take a subview or transpose";
  return success();
}

LogicalResult SlotOp::verify() {
  return verifySlot(*this, getBuffer().getType().getSlots(), getIndex());
}

LogicalResult SubviewOp::verify() {
  auto from = getBuffer().getType(), to = getView().getType();
  if (getOffsets().size() != 2)
    return emitOpError("needs two offsets, has ") << getOffsets().size();
  for (int d : {0, 1})
    if (to.getShape()[d] > from.getShape()[d])
      return emitOpError("box ") << text(to.getShape()) << " does not fit in "
                                 << text(from.getShape());
  for (int d : {0, 1}) {
    auto offset = getConstantIntValue(getOffsets()[d]);
    if (offset && (*offset < 0 || *offset + to.getShape()[d] > from.getShape()[d]))
      return emitOpError("box ") << text(to.getShape()) << " at " << *offset << " of dimension "
                                 << d << " leaves " << text(from.getShape());
  }
  if (to != from.withShape(to.getShape()))
    return emitOpError("may change the shape only; expected ") << from.withShape(to.getShape());
  return success();
}

/// Of one type; floats of 4, 6 and 8 bits may be mixed (PTX ISA, wgmma: .atype and .btype;
/// tcgen05.mma, kind::f8f6f4).
static bool multiply(Type a, Type b) {
  const auto isSmall = [](Type t) {
    return isa<Float8E4M3FNType, Float8E5M2Type, Float6E2M3FNType, Float6E3M2FNType,
               Float4E2M1FNType>(t);
  };
  return a == b || (isSmall(a) && isSmall(b));
}

/// d[M,N], a[M,K], b[K,N].
LogicalResult verifyProduct(Operation *op, BufferType d, BufferType a, BufferType b) {
  auto m = d.getShape()[0], n = d.getShape()[1], k = a.getShape()[1];
  if (a.getShape()[0] != m || b.getShape()[0] != k || b.getShape()[1] != n)
    return op->emitOpError("shapes do not match: d ")
           << text(d.getShape()) << ", a " << text(a.getShape()) << ", b " << text(b.getShape())
           << "; a product is d[M,N] += a[M,K] b[K,N] (sluice.transpose exchanges rows and "
              "columns)";
  if (!multiply(a.getElementType(), b.getElementType()))
    return op->emitOpError("operands differ in type: ")
           << a.getElementType() << " and " << b.getElementType();
  return success();
}

FailureOr<FactorPieces> verifyFactorPieces(Operation *op, BufferType a, Type factor,
                                           int64_t lines) {
  const auto operand = dtypeOf(a.getElementType()), of = dtypeOf(factor);
  if (const int64_t block = operand && of ? elementsOfBlock(*operand, *of) : 0)
    return piecesOf(lines, a.getShape()[1], block);
  return op->emitOpError("no factors of ")
         << debugString(factor) << " scale blocks of " << debugString(a.getElementType())
         << "; f8E4M3FN, f8E5M2, f6E2M3FN, f6E3M2FN and f4E2M1FN have those of f8E8M0FNU, "
            "vector<2xf4E2M1FN> those of f8E8M0FNU (of 32) or f8E4M3FN (of 16)";
}

/// Of `lines` rows of a, or columns of b: as tcgen05.cp takes them from shared memory, or where it
/// has put them.
static LogicalResult verifyFactors(MmaOp mma, const char *of, BufferType factors, int64_t lines) {
  const Type type = mma.getScalesA().getType().getElementType();
  const auto all = verifyFactorPieces(mma, mma.getA().getType(), type, lines);
  if (failed(all))
    return failure();
  const int64_t pieces = all->count();
  const bool taken = factors.getSpace() == Space::tmem;
  const std::array<int64_t, 2> shape = {taken ? FactorPieces::lines : FactorPieces::rows * pieces,
                                        taken ? FactorPieces::bytes * pieces : FactorPieces::bytes};
  if (factors.getElementType() == type && factors.getShape() == ArrayRef(shape))
    return success();
  return mma.emitOpError("the factors of ")
         << of << " are a tile of " << shape[0] << "x" << shape[1] << "x" << debugString(type)
         << ", 32 rows of 16 bytes for each 128 " << (of[0] == 'a' ? "rows" : "columns")
         << " and four blocks along K";
}

LogicalResult MmaOp::verify() {
  auto d = getD().getType(), b = getB().getType();
  if (getScalesA() && (failed(verifyFactors(*this, "a", getScalesA().getType(), d.getShape()[0])) ||
                       failed(verifyFactors(*this, "b", getScalesB().getType(), d.getShape()[1]))))
    return failure();
  if (marks::pair.on(*this)) // a CTA has half of the columns
    b = b.withShape({b.getShape()[0], 2 * b.getShape()[1]});
  return verifyProduct(*this, d, getA().getType(), b);
}

} // namespace sluice::ir
