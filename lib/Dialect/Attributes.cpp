// Attributes that authors and passes put on operations beside those that the operations have: where
// each may stand, and what it holds. Every other one would be ignored, and is refused.
#include "Dialect/Checks.h"
#include "Dialect/OpenLoops.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace sluice::ir {

static LogicalResult verifyCount(Operation *op, StringRef what, Attribute value, int least) {
  auto count = dyn_cast<IntegerAttr>(value);
  if (!count || count.getInt() < least)
    return op->emitOpError() << what << " must be an integer of at least " << least;
  if (count.getInt() > 1024)
    return op->emitOpError() << what << " is " << count.getInt() << "; 1024 is the most";
  return success();
}

static LogicalResult verifyUnit(Operation *op, StringRef name, Attribute value) {
  return isa<UnitAttr>(value) ? success() : op->emitOpError() << name << " takes no value";
}

/// The iterations that are counted are a loop's.
static LogicalResult verifyPipelined(Operation *op, StringRef name, Attribute value) {
  return isa<scf::ForOp, scf::WhileOp>(op) ? verifyUnit(op, name, value)
                                           : op->emitOpError() << name << " stands on a loop";
}

static LogicalResult verifyStages(Operation *op, StringRef name, Attribute value) {
  return verifyCount(op, name, value, 1);
}

/// Of the slots that a loop asks for one has the tile of the step.
static LogicalResult verifyPrefetch(Operation *op, StringRef name, Attribute value) {
  auto stages = marks::stages.of(op);
  if (!stages)
    return op->emitOpError() << name << " stands beside sluice.stages, of which it is a part";
  if (failed(verifyCount(op, name, value, 0)))
    return failure();
  const int64_t ahead = cast<IntegerAttr>(value).getInt();
  return ahead < stages.getInt()
             ? success()
             : op->emitOpError() << name << " is " << ahead << ", of " << stages.getInt()
                                 << " stages; one of these has the tile of the step, so that loads "
                                    "are at most "
                                 << stages.getInt() - 1 << " ahead";
}

static LogicalResult verifySlots(Operation *op, StringRef, Attribute value) {
  if (marks::stages.on(op))
    return op->emitOpError("sluice.slots beside sluice.stages; stages are slots of what the loop "
                           "loads: name that memory among the slots");
  auto slots = dyn_cast<DictionaryAttr>(value);
  if (!slots || slots.empty())
    return op->emitOpError("sluice.slots names memory spaces: {l1 = 2, l0a = 2}");
  for (NamedAttribute entry : slots) {
    auto space = parseSpace(entry.getName().str());
    if (!space || *space == Space::unplaced || *space == Space::global)
      return op->emitOpError("sluice.slots: no on-chip memory is called '")
             << entry.getName().strref() << "'";
    if (failed(verifyCount(op, "sluice.slots." + entry.getName().str(), entry.getValue(), 1)))
      return failure();
  }
  return success();
}

/// CTAs of a cluster: as many as every GPU has in one.
static LogicalResult verifySplit(Operation *op, StringRef, Attribute value) {
  auto ctas = dyn_cast<IntegerAttr>(value);
  return ctas && ctas.getInt() >= 2 && ctas.getInt() <= 8
             ? success()
             : op->emitOpError(
                   "sluice.split must be 2 to 8: CTAs of a cluster that take the steps");
}

static LogicalResult verifyAlternate(Operation *op, StringRef, Attribute value) {
  auto loop = cast<scf::ForOp>(op);
  if (!isa<UnitAttr>(value) || getConstantIntValue(loop.getLowerBound()) != 0 ||
      getConstantIntValue(loop.getStep()) != 1)
    return op->emitOpError("sluice.alternate, without a value, stands on a loop from 0 by 1");
  return success();
}

static LogicalResult verifyInTurn(Operation *op, StringRef name, Attribute value) {
  return isa<UnitAttr>(value) ? success() : op->emitOpError() << name << " has no value";
}

/// Names of what a loop carries, for printed code.
static LogicalResult verifyCarries(Operation *op, StringRef name, Attribute value) {
  auto names = dyn_cast<ArrayAttr>(value);
  return names && llvm::all_of(names, llvm::IsaPred<StringAttr>)
             ? success()
             : op->emitOpError() << name << " is a list of texts";
}

static LogicalResult verifyName(Operation *op, StringRef name, Attribute value) {
  return isa<StringAttr>(value) ? success() : op->emitOpError() << name << " is a text";
}

/// Of a persistent grid, and of the loop over tiles that it becomes.
static LogicalResult verifyTurns(Operation *op, StringRef, Attribute value) {
  auto grid = dyn_cast<GridOp>(op);
  if (!(grid && grid.getPersistent()) && !isa<scf::ForOp>(op))
    return op->emitOpError("sluice.turns stands on a persistent grid, or on a loop over tiles");
  auto count = dyn_cast<IntegerAttr>(value);
  return count && count.getInt() == 2
             ? success()
             : op->emitOpError("sluice.turns must be 2: so many groups of warps compute in turn");
}

/// The same; who takes which tile is found out while the kernel runs.
static LogicalResult verifyDynamic(Operation *op, StringRef, Attribute value) {
  auto grid = dyn_cast<GridOp>(op);
  if (!isa<UnitAttr>(value) || (!(grid && grid.getPersistent()) && !isa<scf::ForOp>(op)))
    return op->emitOpError("sluice.dynamic, without a value, stands on a persistent grid");
  if (marks::turns.on(op))
    return op->emitOpError("sluice.dynamic beside sluice.turns; two groups that take turns know "
                           "their tiles ahead");
  if (marks::loadAhead.on(op))
    return op->emitOpError("sluice.dynamic beside sluice.load_ahead; tiles that are drawn need a "
                           "role that loads");
  return success();
}

/// Of a persistent grid: tiles that a launch may have.
static LogicalResult verifyStream(Operation *op, StringRef, Attribute value) {
  auto grid = dyn_cast<GridOp>(op);
  auto most = dyn_cast<IntegerAttr>(value);
  if (!grid || !grid.getPersistent() || !most || most.getInt() < 1 || most.getInt() > 65536)
    return op->emitOpError("sluice.stream stands on a persistent grid: tiles that a launch may "
                           "have, 1 to 65536");
  for (const StringRef other : {marks::turns.name, marks::dynamic.name, marks::loadAhead.name})
    if (op->hasAttr(other))
      return op->emitOpError("sluice.stream beside ")
             << other << "; a CTA with parts of tiles is one that loads, multiplies and hands on";
  if (grid.getGroup())
    return op->emitOpError("sluice.stream beside group; CTAs are in tiles that are far from each "
                           "other at any time");
  return success();
}

static LogicalResult verifyLoadAhead(Operation *op, StringRef, Attribute value) {
  if (!isa<GridOp>(op) || !isa<UnitAttr>(value))
    return op->emitOpError("sluice.load_ahead stands on a grid, without a value");
  return marks::turns.on(op)
             ? op->emitOpError("sluice.load_ahead beside sluice.turns; two groups that take turns "
                               "need a role that loads")
             : success();
}

/// As many as run at once on an SM, at least: registers and shared memory are held to that.
static LogicalResult verifyCtasPerSm(Operation *op, StringRef, Attribute value) {
  auto grid = dyn_cast<GridOp>(op);
  auto count = dyn_cast<IntegerAttr>(value);
  if (!grid || !count || count.getInt() < 1 || count.getInt() > 32)
    return op->emitOpError("sluice.ctas_per_sm, 1 to 32, stands on a grid");
  return grid.getPersistent()
             ? op->emitOpError("sluice.ctas_per_sm beside persistent, which has a CTA on each SM")
             : success();
}

/// Of a grid whose clusters are pairs; lowering notes it on their products.
static LogicalResult verifyPair(Operation *op, StringRef, Attribute value) {
  auto grid = dyn_cast<GridOp>(op);
  if (!isa<UnitAttr>(value) || !isa<GridOp, MmaOp>(op))
    return op->emitOpError("sluice.pair stands on a grid, without a value");
  int64_t ctas = 1;
  for (const int64_t extent : grid &&grid.getCluster() ? *grid.getCluster() : ArrayRef<int64_t>())
    ctas *= extent;
  return grid && ctas != 2
             ? op->emitOpError("sluice.pair asks for clusters of two CTAs: cluster = array<i64: 2, "
                               "1>")
             : success();
}

/// For each slot, of a side that has barriers of its own.
static LogicalResult verifyBarrierNames(Operation *op, StringRef name, Attribute value) {
  auto pipeline = dyn_cast<PipelineOp>(op);
  auto names = dyn_cast<ArrayAttr>(value);
  const auto isName = [](Attribute one) {
    auto text = dyn_cast<StringAttr>(one);
    return text && !text.empty() && llvm::all_of(text.getValue(), llvm::isPrint);
  };
  if (!pipeline || !names || !llvm::all_of(names, isName))
    return op->emitOpError() << name << " stands on a pipeline, as a list of names of one line";
  const bool full = name == marks::fullNames.name;
  if (full ? pipeline.getFull() || pipeline.getMerge() : bool(pipeline.getEmpty()))
    return op->emitOpError() << name << " names barriers, which that side of '"
                             << pipeline.getName() << "' does not have";
  const auto slots = size_t(pipeline.getPipeline().getType().getSlots());
  return names.size() == slots ? success()
                               : op->emitOpError() << name << " has " << names.size()
                                                   << " names for " << slots << " slots";
}

static LogicalResult verifyPaced(Operation *op, StringRef, Attribute value) {
  return isa<LoadOp, StoreOp>(op) && isa<UnitAttr>(value)
             ? success()
             : op->emitOpError("sluice.paced stands on a load or store, without a value");
}

static LogicalResult verifyByUnits(Operation *op, StringRef, Attribute value) {
  return isa<StoreOp>(op) && isa<UnitAttr>(value)
             ? success()
             : op->emitOpError("sluice.by_units stands on a store, without a value");
}

static LogicalResult verifyLoadedBy(Operation *op, StringRef name, Attribute value) {
  auto by = dyn_cast<StringAttr>(value);
  const auto ways = {"tensor", "bulk", "threads", "async"}, prefetched = {"tensor", "threads"};
  if (isa<PrefetchOp>(op))
    return by && llvm::is_contained(prefetched, by.getValue())
               ? success()
               : op->emitOpError() << name << " of a prefetch is \"tensor\" or \"threads\"";
  return isa<LoadOp>(op) && by && llvm::is_contained(ways, by.getValue())
             ? success()
             : op->emitOpError()
                   << name << " stands on a load: \"tensor\", \"bulk\", \"threads\" or \"async\"";
}

/// Of statements that move or compute tiles, and of counters; what products become on their way
/// down keeps it.
static LogicalResult verifyInRole(Operation *op, StringRef name, Attribute value) {
  if (!isa<LoadOp, StoreOp, CopyOp, FillOp, MapOp, ReduceOp, MmaOp, WgmmaOp, PrintOp, ClusterSumOp,
           CounterAddOp, CounterWaitOp, PrefetchOp>(op))
    return op->emitOpError()
           << name << " stands on a statement that moves or computes tiles, or asks a counter";
  return isa<StringAttr>(value) ? success() : op->emitOpError() << name << " is the name of a role";
}

/// What is wrong with the value of a role; empty: nothing.
static std::string faultOfRole(Attribute value) {
  auto all = dyn_cast<DictionaryAttr>(value);
  auto warps = all ? all.getAs<IntegerAttr>("warps") : dyn_cast<IntegerAttr>(value);
  if (!warps || warps.getInt() < 1 || warps.getInt() > 32)
    return "has 1 to 32 warps";
  for (NamedAttribute said : all ? all.getValue() : ArrayRef<NamedAttribute>()) {
    const StringRef word = said.getName();
    auto number = dyn_cast<IntegerAttr>(said.getValue());
    if (word != "warps" && word != "registers" && word != "leader")
      return "may say its warps, its registers and leader, not " + word.str();
    if (word == "leader" && !isa<UnitAttr>(said.getValue()))
      return "is of the leader CTA by the word alone: {warps = 4, leader}";
    if (word == "registers" &&
        (!number || number.getInt() < 24 || number.getInt() > 256 || number.getInt() % 8))
      return "has registers of a thread that setmaxnreg takes: 24 to 256 in steps of 8";
  }
  return "";
}

static LogicalResult verifyRoles(Operation *op, StringRef name, Attribute value) {
  auto roles = dyn_cast<DictionaryAttr>(value);
  if (!isa<KernelOp>(op) || !roles || roles.empty())
    return op->emitOpError() << name << " of a kernel gives roles their warps: {convert = 4}";
  for (NamedAttribute role : roles)
    if (const std::string fault = faultOfRole(role.getValue()); !fault.empty())
      return op->emitOpError() << name << ": role '" << role.getName().strref() << "' " << fault;
  return success();
}

static LogicalResult verifyMutexes(Operation *op, StringRef name, Attribute value) {
  return isa<KernelOp>(op) ? verifyUnit(op, name, value)
                           : op->emitOpError() << name << " stands on a kernel";
}

std::optional<marks::GivenRole> marks::givenRole(KernelOp kernel, StringRef name) {
  auto roles = marks::roles.of(kernel);
  auto value = roles ? roles.get(name) : nullptr;
  if (!value)
    return std::nullopt;
  if (auto warps = dyn_cast<IntegerAttr>(value))
    return GivenRole{warps.getInt()};
  auto said = cast<DictionaryAttr>(value);
  GivenRole role{said.getAs<IntegerAttr>("warps").getInt()};
  if (auto registers = said.getAs<IntegerAttr>("registers"))
    role.registers = registers.getInt();
  role.leader = said.contains("leader");
  return role;
}

/// R28 does not compare what its steps multiply.
static LogicalResult verifyAnyTiles(Operation *op, StringRef name, Attribute value) {
  return isa<MmaOp, WgmmaOp, Tcgen05MmaOp, MmadOp>(op)
             ? verifyUnit(op, name, value)
             : op->emitOpError() << name << " stands on a product";
}

/// Of 64 rows for 128 lanes of tensor memory: warps 0 and 1 have the first 32, and not 0 and 2.
static LogicalResult verifyNeighbours(Operation *op, StringRef name, Attribute value) {
  auto copy = dyn_cast<CopyOp>(op);
  return copy && copy.getDestination().getType().getSpace() == Space::tmem &&
                 copy.getSource().getType().getSpace() == Space::smem &&
                 copy.getSource().getType().getShape()[0] == 64
             ? verifyUnit(op, name, value)
             : op->emitOpError()
                   << name << " stands on a copy of 64 rows of shared memory to tensor memory";
}

/// Of 4 rows for tensor memory: which of each 32 lanes gets one.
static LogicalResult verifyLane(Operation *op, StringRef name, Attribute value) {
  auto copy = dyn_cast<CopyOp>(op);
  auto lane = dyn_cast<IntegerAttr>(value);
  return copy && copy.getDestination().getType().getSpace() == Space::tmem &&
                 copy.getSource().getType().getSpace() == Space::smem &&
                 copy.getSource().getType().getShape()[0] == 4 && lane && lane.getInt() >= 0 &&
                 lane.getInt() <= 31
             ? success()
             : op->emitOpError() << name
                                 << ", 0 to 31, stands on a copy of 4 rows of shared "
                                    "memory to tensor memory";
}

static LogicalResult verifyStaging(Operation *op, StringRef name, Attribute value) {
  return isa<StoreOp>(op) ? verifyCount(op, name, value, 0)
                          : op->emitOpError("sluice.staging stands on a store");
}

/// The CTAs of a cluster along this coordinate of the grid fold together, or have each other's
/// rows.
static LogicalResult verifyAcross(Operation *op, StringRef, Attribute value) {
  auto coordinate = dyn_cast<IntegerAttr>(value);
  auto fold = dyn_cast<ReduceOp>(op);
  auto copy = dyn_cast<CopyOp>(op);
  const bool turned = copy && copy.getSource().getDefiningOp<TransposeOp>();
  return ((fold && fold.getAxis() == 0) || turned) && coordinate && coordinate.getInt() >= 0 &&
                 coordinate.getInt() <= 2
             ? success()
             : op->emitOpError("sluice.across, a coordinate of the grid (0 to 2), stands on a fold "
                               "of rows (axis 0) or a copy of a turned vector");
}

/// The loop carries whether a step is taken.
static LogicalResult verifyOpen(Operation *op, StringRef name, Attribute) {
  auto carried = cast<scf::ForOp>(op).getInitArgs();
  return !carried.empty() && carried.front().getType().isInteger(1)
             ? success()
             : op->emitOpError() << name << " is written by lowering alone, and not here";
}

/// Only passes write them, and dumps show them.
template <typename Op> static LogicalResult verifyNote(Operation *op, StringRef name, Attribute) {
  return isa<Op>(op) ? success()
                     : op->emitOpError() << name << " is written by lowering alone, and not here";
}

namespace {

struct MarkRule {
  StringRef name;
  bool ofLoop; // stands on scf.for alone
  LogicalResult (*verify)(Operation *op, StringRef name, Attribute value);
};

constexpr MarkRule rules[] = {
    {marks::name.name, true, verifyName},
    {marks::stages.name, true, verifyStages},
    {marks::prefetch.name, true, verifyPrefetch},
    {marks::slots.name, true, verifySlots},
    {marks::split.name, true, verifySplit},
    {marks::alternate.name, true, verifyAlternate},
    {marks::inTurn.name, true, verifyInTurn},
    {marks::carries.name, true, verifyCarries},
    {marks::open.name, true, verifyOpen},
    {marks::pipelined.name, false, verifyPipelined},
    {marks::turns.name, false, verifyTurns},
    {marks::loadAhead.name, false, verifyLoadAhead},
    {marks::ctasPerSm.name, false, verifyCtasPerSm},
    {marks::pair.name, false, verifyPair},
    {marks::fullNames.name, false, verifyBarrierNames},
    {marks::emptyNames.name, false, verifyBarrierNames},
    {marks::dynamic.name, false, verifyDynamic},
    {marks::stream.name, false, verifyStream},
    {marks::paced.name, false, verifyPaced},
    {marks::byUnits.name, false, verifyByUnits},
    {marks::loadedBy.name, false, verifyLoadedBy},
    {marks::staging.name, false, verifyStaging},
    {marks::across.name, false, verifyAcross},
    {marks::agent.name, false, verifyName},
    {marks::anyTiles.name, false, verifyAnyTiles},
    {marks::neighbours.name, false, verifyNeighbours},
    {marks::lane.name, false, verifyLane},
    {marks::inRole.name, false, verifyInRole},
    {marks::roles.name, false, verifyRoles},
    {marks::mutexes.name, false, verifyMutexes},
    {marks::unused.name, false, verifyNote<AcquireOp>},
    {marks::replaced.name, false, verifyNote<AllocOp>},
    {marks::resident.name, false, verifyNote<AllocOp>},
    {marks::byThreads.name, false, verifyNote<StoreOp>},
    {marks::shared.name, false, verifyNote<LoadOp>},
    {marks::cluster.name, false, verifyNote<LoadOp>},
};

} // namespace

/// The mark that was meant, as a question, or nothing.
static std::string meant(StringRef written) {
  const std::string whole = (written.contains('.') ? "" : "sluice.") + written.str();
  for (const MarkRule &m : rules)
    if (m.name.edit_distance(whole) <= 2)
      return ("; " + m.name + " is meant?").str();
  return "";
}

LogicalResult SluiceDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  const StringRef name = attribute.getName().strref();
  const auto *mark = llvm::find_if(rules, [&](const MarkRule &m) { return m.name == name; });
  if (mark == std::end(rules))
    return op->emitOpError() << "no attribute is called " << name << meant(name);
  const bool pipelined =
      isa<scf::WhileOp>(op) && (mark->verify == verifyStages || mark->verify == verifySlots);
  if (mark->ofLoop && !isa<scf::ForOp>(op) && !pipelined)
    return op->emitOpError() << name << " stands on a loop (scf.for)";
  return mark->verify(op, name, attribute.getValue());
}

LogicalResult verifyAttributes(Operation *op) {
  for (const NamedAttribute attribute : op->getDiscardableAttrs()) {
    const StringRef name = attribute.getName().strref();
    if (!name.contains('.'))
      return op->emitOpError() << "has no attribute '" << name << "'" << meant(name);
    if (!name.starts_with("sluice."))
      return op->emitOpError() << "no attribute is called " << name << meant(name);
  }
  if (auto loop = dyn_cast<scf::ForOp>(op); loop && loop.getUnsignedCmp())
    return op->emitOpError("loops compare signed numbers; leave `unsigned` out");
  return success();
}

} // namespace sluice::ir
