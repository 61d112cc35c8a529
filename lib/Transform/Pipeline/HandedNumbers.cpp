#include "Transform/Pipeline/HandedNumbers.h"

#include "Dialect/OpenLoops.h"
#include "Transform/Refusal.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::Value;

bool isHandedNumber(AllocOp buffer) {
  return llvm::any_of(accessesOf(buffer), [](const TileAccess &access) {
    auto write = dyn_cast<ScalarWriteOp>(access.op);
    return write && write.getValue().getDefiningOp<CounterAddOp>();
  });
}

// ---- Who needs it -----------------------------------------------------------------------------

namespace {
/// What follows from a value, and the agents of whose operations that is true.
class Followers {
public:
  explicit Followers(Value number) {
    follow(number);
    while (!open_.empty())
      for (mlir::OpOperand &use : open_.pop_back_val().getUses())
        visit(use.getOwner());
  }

  llvm::SetVector<llvm::StringRef> agents;

private:
  void add(mlir::Operation *op) {
    if (const llvm::StringRef agent = agentOf(op); !agent.empty())
      agents.insert(agent);
  }

  void follow(Value v) {
    if (seen_.insert(v).second)
      open_.push_back(v);
  }

  void visit(mlir::Operation *op) {
    for (auto *at = op; at && !mlir::isa<KernelOp>(at); at = at->getParentOp())
      add(at);
    for (Value result : op->getResults())
      follow(result);
    const bool isBound = mlir::isa<mlir::scf::ForOp, mlir::scf::IfOp>(op);
    if (op->hasTrait<mlir::OpTrait::IsTerminator>())
      op = op->getParentOp(); // what a loop or branch hands on
    if (op->getNumRegions() > 0)
      handOn(op);
    if (isBound || decides(op))
      op->walk([&](mlir::Operation *inner) { add(inner); });
  }

  /// A loop or branch that the number decides is everybody's who acts in it: which number does in a
  /// loop that goes on while a value holds, nobody asks here.
  static bool decides(mlir::Operation *control) {
    auto loop = dyn_cast<mlir::scf::ForOp>(control);
    return (loop && marks::open.on(loop)) || mlir::isa<mlir::scf::WhileOp>(control);
  }

  void handOn(mlir::Operation *control) {
    for (Value result : control->getResults())
      follow(result);
    for (mlir::Region &region : control->getRegions())
      for (Value argument : region.getArguments())
        follow(argument);
  }

  llvm::DenseSet<Value> seen_;
  llvm::SmallVector<Value> open_;
};
} // namespace

// ---- Handing it on ----------------------------------------------------------------------------

/// By way of shared memory, 16 bytes of which the first number counts: the old value is known to
/// the adding warp alone.
static void handOn(CounterAddOp add) {
  const Followers followers(add.getOld());
  if (followers.agents.empty())
    return;
  mlir::OpBuilder b(add);
  auto loc = add.getLoc();
  constexpr int64_t shape[] = {1, 4};
  auto tile = BufferType::get(b.getContext(), shape, b.getI32Type(), Space::smem, Layout::row,
                              /*minor=*/1, /*slots=*/1);
  Value slot = AllocOp::create(b, loc, tile, "drawn", mlir::IntegerAttr());
  b.setInsertionPointAfter(add);
  Value zero = constantIndex(b, loc, 0);
  auto write = ScalarWriteOp::create(b, loc, add.getOld(), slot, mlir::ValueRange{zero, zero},
                                     ir::Exec::one);
  setAgent(write, agentOf(add));
  Value first;
  for (const llvm::StringRef agent : followers.agents) {
    auto read = ScalarReadOp::create(b, loc, b.getIndexType(), slot, mlir::ValueRange{zero, zero});
    setAgent(read, agent);
    first = first ? first : read.getValue();
  }
  Value number = UniformOp::create(b, loc, first);
  add.getOld().replaceAllUsesExcept(number, write);
}

mlir::LogicalResult handNumbersOn(KernelOp kernel, const Arch & /*arch*/) {
  std::vector<CounterAddOp> adds;
  kernel.walk([&](CounterAddOp add) { adds.push_back(add); });
  for (CounterAddOp add : adds)
    handOn(add);
  return mlir::success();
}

// ---- In the body of one role ------------------------------------------------------------------

constexpr llvm::StringLiteral missing = "sluice.missing"; // stands for what the role does not read

void takeOwnNumbers(RoleOp role) {
  std::vector<ScalarReadOp> reads;
  role.walk([&](ScalarReadOp read) { reads.push_back(read); });
  for (ScalarReadOp read : reads) {
    if (agentOf(read).empty() || agentOf(read) == role.getName())
      continue;
    const auto own = llvm::find_if(reads, [&](ScalarReadOp other) {
      return agentOf(other) == role.getName() &&
             rootOf(other.getSource()) == rootOf(read.getSource());
    });
    mlir::OpBuilder b(read);
    Value instead;
    if (own != reads.end()) {
      instead = own->getValue();
    } else {
      auto none = mlir::arith::ConstantIndexOp::create(b, read.getLoc(), 0);
      none->setDiscardableAttr(missing, b.getUnitAttr());
      instead = none;
    }
    read.getValue().replaceAllUsesWith(instead);
  }
}

mlir::LogicalResult verifyOwnNumbers(RoleOp role) {
  const auto wrong = role.walk([&](mlir::Operation *op) {
    if (!op->hasAttr(missing))
      return mlir::WalkResult::advance();
    unsupported(op, "the old value of a counter steers role '")
        << role.getName()
        << "' in a way that is not followed; draw numbers in a role of the pipeline level";
    return mlir::WalkResult::interrupt();
  });
  return mlir::failure(wrong.wasInterrupted());
}

} // namespace sluice
