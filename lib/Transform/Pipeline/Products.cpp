// Products of the pipeline pass: mma becomes what the target's matrix unit takes, with the waits
// for its groups, and late rings are released behind those.
#include "Dialect/Marks.h"
#include "Transform/Passes.h"
#include "Transform/Pipeline/Rings.h"
#include "Transform/Pipeline/WaitsOfRoles.h"
#include "Transform/Placed/ZeroFills.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <set>

namespace sluice {

using namespace ir;
using mlir::isa;
namespace scf = mlir::scf;

static void waitGroups(mlir::OpBuilder &b, mlir::Location loc, int64_t pending,
                       llvm::StringRef agent) {
  setAgent(WgmmaWaitOp::create(b, loc, pending), agent);
}

/// `if (condition) release` of a late ring.
static void releaseIf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value condition, Ring &ring,
                      mlir::Value cursor, const std::string &agent) {
  auto branch = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
  auto inside = branch.getThenBodyBuilder();
  verb<ReleaseOp>(inside, loc, ring, cursor, agent);
}

static mlir::Value compare(mlir::OpBuilder &b, mlir::Location loc, mlir::arith::CmpIPredicate p,
                           mlir::Value x, mlir::Value y) {
  return mlir::arith::CmpIOp::create(b, loc, p, x, y);
}

/// After the loop: the last group ends, then its slots are free. What the loop carries out as the
/// previous cursor is the one of the last iteration.
static void finishLate(mlir::OpBuilder &b, Ring &ring, const std::string &agent) {
  auto loop = ring.loop;
  auto loc = loop.getLoc();
  b.setInsertionPointAfter(loop);
  auto wait = llvm::dyn_cast_or_null<WgmmaWaitOp>(loop->getNextNode());
  if (wait && wait.getPending() == 0 && agentOf(wait) == agent)
    b.setInsertionPointAfter(wait);
  else
    waitGroups(b, loc, 0, agent);
  mlir::Value last = loop.getResult(ring.carriedPrevious);
  if (runsAtLeastOnce(loop)) {
    verb<ReleaseOp>(b, loc, ring, last, agent);
    return;
  }
  auto ran =
      compare(b, loc, mlir::arith::CmpIPredicate::sgt, loop.getUpperBound(), loop.getLowerBound());
  releaseIf(b, loc, ran, ring, last, agent);
}

/// Behind the first of the ring's products and the wait that leaves it alone running: the slot of
/// the iteration before is free.
static void releaseLate(mlir::OpBuilder &b, mlir::Operation *wait, Ring &ring) {
  auto loc = wait->getLoc();
  const std::string agent = agentOf(wait).str();
  b.setInsertionPointAfter(wait);
  auto later = compare(b, loc, mlir::arith::CmpIPredicate::sgt, ring.loop.getInductionVar(),
                       ring.loop.getLowerBound());
  releaseIf(b, loc, later, ring, ring.previous, agent);
  finishLate(b, ring, agent);
}

/// The product and its group, and the wait for it, or for the one before where it may run on.
static mlir::Operation *toWgmma(MmaOp mma, bool late) {
  mlir::OpBuilder b(mma);
  auto loc = mma.getLoc();
  auto fence = WgmmaFenceOp::create(b, loc);
  auto wgmma = WgmmaOp::create(b, loc, mma.getD(), mma.getA(), mma.getB(), mma.getAccumulate());
  wgmma->setDiscardableAttrs(mma->getDiscardableAttrDictionary());
  auto commit = WgmmaCommitOp::create(b, loc);
  auto wait = WgmmaWaitOp::create(b, loc, late ? 1 : 0);
  if (auto agent = agentOf(mma); !agent.empty())
    for (mlir::Operation *op : {fence.getOperation(), commit.getOperation(), wait.getOperation()})
      setAgent(op, agent);
  mma.erase();
  return wait;
}

void lowerProductsToWgmma(KernelOp kernel, std::vector<Ring> &rings) {
  mlir::OpBuilder b(kernel.getContext());
  std::vector<MmaOp> products;
  kernel.walk([&](MmaOp mma) { products.push_back(mma); });
  std::set<std::pair<Ring *, llvm::StringRef>> released;
  for (MmaOp mma : products) {
    std::vector<Ring *> late;
    for (Ring &ring : rings)
      if (isLateFor(ring, agentOf(mma)) && multiplies(mma, ring))
        late.push_back(&ring);
    const llvm::StringRef agent = agentOf(mma); // its text lives in the context
    auto *wait = toWgmma(mma, !late.empty());
    for (Ring *ring : late)
      if (released.insert({ring, agent}).second)
        releaseLate(b, wait, *ring);
  }
}

static void toTcgen05(MmaOp mma) {
  mlir::OpBuilder b(mma);
  auto product = Tcgen05MmaOp::create(b, mma.getLoc(), mma.getD(), mma.getA(), mma.getB(),
                                      mma.getScalesA(), mma.getScalesB(), mma.getAccumulate());
  product->setDiscardableAttrs(mma->getDiscardableAttrDictionary());
  if (marks::pair.remove(product))
    product.setCtas(2);
  mma.erase();
}

void lowerProductsToTcgen05(KernelOp kernel) {
  std::vector<MmaOp> products;
  kernel.walk([&](MmaOp mma) { products.push_back(mma); });
  llvm::for_each(products, toTcgen05);
}

/// Products in roles that an author wrote: each is waited for where something needs it.
mlir::LogicalResult lowerProductsOfRoles(KernelOp kernel, const Arch & /*arch*/) {
  std::vector<MmaOp> products;
  kernel.walk([&](MmaOp mma) { products.push_back(mma); });
  std::vector<WgmmaWaitOp> waits;
  for (MmaOp mma : products)
    if (mma.getD().getType().getSpace() == Space::tmem)
      toTcgen05(mma);
    else
      waits.push_back(llvm::cast<WgmmaWaitOp>(toWgmma(mma, /*late=*/false)));
  sinkWaitsOfRoles(waits);
  return mlir::success();
}

/// After a loop of products the last of them still run: what waits for room for their results does
/// so before the wait for the products themselves.
mlir::LogicalResult acquireUnderProducts(KernelOp kernel, const Arch & /*arch*/) {
  kernel.walk([](WgmmaWaitOp wait) {
    if (wait.getPending() != 0 || !llvm::isa_and_nonnull<scf::ForOp>(wait->getPrevNode()))
      return;
    for (auto *op = wait->getNextNode(); op; op = op->getNextNode())
      if (isa<AcquireOp>(op) && agentOf(op) == agentOf(wait)) {
        op->moveBefore(wait);
        return;
      }
  });
  return mlir::success();
}

void lowerProductsToMmad(KernelOp kernel) {
  std::vector<MmaOp> products;
  kernel.walk([&](MmaOp mma) { products.push_back(mma); });
  for (MmaOp mma : products) {
    mlir::OpBuilder b(mma);
    const auto onM = [&](mlir::Operation *op) {
      if (!agentOf(mma).empty()) // in a role of an author the core says it
        setAgent(op, "M");
    };
    auto d = mma.getD().getType().getShape();
    // Below ten fractals the pipe starts the next product before the last one's result is there.
    if (mma.getAccumulate() && ((d[0] + 15) / 16) * ((d[1] + 15) / 16) < 10)
      onM(PipeBarrierOp::create(b, mma.getLoc(), ir::Pipe::M));
    auto mmad =
        MmadOp::create(b, mma.getLoc(), mma.getD(), mma.getA(), mma.getB(), mma.getAccumulate());
    mmad->setDiscardableAttrs(mma->getDiscardableAttrDictionary());
    onM(mmad);
    mma.erase();
  }
}

} // namespace sluice
