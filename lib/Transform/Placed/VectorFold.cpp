#include "Transform/Placed/VectorFold.h"

#include "Dialect/Marks.h"
#include "Transform/Barrier/RingEnds.h"
#include "Transform/Placed/TensorMemory.h"
#include "Transform/Placed/WholeRows.h"
#include "Transform/Refusal.h"

namespace sluice {

using namespace ir;
using mlir::cast;
using mlir::Value;

bool isVectorFold(ReduceOp reduce) {
  auto kernel = reduce->getParentOfType<KernelOp>();
  return reduce.getAxis() == 0 && reduce.getInputs().size() == 1 &&
         cast<BufferType>(reduce.getInputs()[0].getType()).getShape()[1] == 1 &&
         warpsOfWholeRows(kernel).has_value();
}

/// The vector whose numbers of all rows a copy takes; null: it is another one.
static Value vectorOf(CopyOp copy) {
  auto turned = copy.getSource().getDefiningOp<TransposeOp>();
  if (!turned)
    return {};
  const auto shape = turned.getBuffer().getType().getShape();
  return shape[0] > 1 && shape[1] == 1 ? turned.getBuffer() : Value();
}

mlir::LogicalResult verifyAllRows(CopyOp copy) {
  Value vector = vectorOf(copy);
  if (!vector || cast<BufferType>(vector.getType()).getSpace() != Space::unplaced)
    return mlir::success();
  auto kernel = copy->getParentOfType<KernelOp>();
  if (isForTensorMemory(kernel) || !warpsOfWholeRows(kernel))
    return unsupported(copy,
                       "all numbers of a vector for every row (a copy of it turned) are taken "
                       "where tiles lie by whole rows: 4 or more of them");
  auto from = cast<BufferType>(vector.getType()), to = copy.getDestination().getType();
  if (from.getElementType() != to.getElementType())
    return unsupported(copy, "all numbers of a vector of ")
           << from.getElementType() << " for every row, as " << to.getElementType()
           << "; convert them before";
  if (marks::across.on(copy) && byteSize(*dtypeOf(from.getElementType())) != 4)
    return unsupported(copy, "all numbers of a vector across CTAs (sluice.across), of ")
           << from.getElementType() << ", of which st.async sends no single number; make them f32";
  return mlir::success();
}

namespace {

/// Some vectors on their way: one below the other in a column of shared memory.
class VectorExchange {
public:
  /// In front of `user`, with the numbers of so many CTAs.
  VectorExchange(mlir::Operation *user, mlir::ValueRange vectors, int64_t ctas)
      : b_(user), loc_(user->getLoc()), vectors_(vectors), ctas_(ctas) {
    auto own = typeOf(vectors_[0]);
    each_ = own.getShape()[0] * ctas;
    for (Value vector : vectors_)
      name_ += (name_.empty() ? "" : "_") + rootOf(vector).getName().str();
    lines_ = own.withShape({each_ * int64_t(vectors_.size()), 1}).in(Space::smem, Layout::row);
    shared_ = AllocOp::create(b_, loc_, lines_, name_ + "_shared", mlir::IntegerAttr());
  }
  void send() {
    for (auto [i, vector] : llvm::enumerate(vectors_))
      if (ctas_ > 1)
        ClusterGatherOp::create(b_, loc_, vector, placeOf(i));
      else
        CopyOp::create(b_, loc_, vector, placeOf(i));
  }
  void receive(size_t i, Value numbers) {
    Value place = placeOf(i);
    CopyOp::create(b_, loc_, TransposeOp::create(b_, loc_, typeOf(place).transposed(), place),
                   numbers);
  }
  /// A tile for what is received.
  Value tile() {
    auto all = lines_.withShape({1, each_}).in(Space::reg, Layout::blockedColVector);
    return AllocOp::create(b_, loc_, all, name_ + "_all", mlir::IntegerAttr());
  }

private:
  static BufferType typeOf(Value tile) { return cast<BufferType>(tile.getType()); }
  Value placeOf(size_t i) {
    if (vectors_.size() == 1)
      return shared_;
    return SubviewOp::create(
        b_, loc_, lines_.withShape({each_, 1}), shared_,
        mlir::ValueRange{constantIndex(b_, loc_, int64_t(i) * each_), constantIndex(b_, loc_, 0)});
  }

  mlir::OpBuilder b_;
  mlir::Location loc_;
  llvm::SmallVector<Value> vectors_;
  int64_t ctas_, each_; // numbers of a vector
  std::string name_;
  BufferType lines_;
  Value shared_;
};

/// CTAs whose numbers come to a statement.
int64_t ctasAt(mlir::Operation *op) {
  return marks::across.remove(op) ? ctasOf(op->getParentOfType<KernelOp>()) : 1;
}

void exchange(ReduceOp reduce) {
  VectorExchange exchange(reduce, reduce.getInputs(), ctasAt(reduce));
  Value numbers = exchange.tile();
  exchange.send();
  exchange.receive(0, numbers);
  reduce.getInputsMutable().assign(numbers);
  reduce.setAxis(1);
}

bool takesAllRows(CopyOp copy) {
  Value vector = vectorOf(copy);
  return vector && cast<BufferType>(vector.getType()).getSpace() == Space::reg;
}

/// Copies of as many numbers of one type, between which nothing happens.
bool goTogether(CopyOp first, CopyOp next) {
  auto type = cast<BufferType>(vectorOf(first).getType());
  return takesAllRows(next) && cast<BufferType>(vectorOf(next).getType()) == type &&
         marks::across.of(first) == marks::across.of(next);
}
std::vector<CopyOp> besides(CopyOp first) {
  std::vector<CopyOp> copies = {first};
  for (auto *op = first->getNextNode(); op; op = op->getNextNode()) {
    auto copy = mlir::dyn_cast<CopyOp>(op);
    if (copy && goTogether(first, copy))
      copies.push_back(copy);
    else if (!mlir::isa<TransposeOp, AllocOp>(op))
      break;
  }
  return copies;
}

void exchange(llvm::ArrayRef<CopyOp> copies) {
  llvm::SmallVector<Value> vectors;
  for (CopyOp copy : copies)
    vectors.push_back(vectorOf(copy));
  VectorExchange exchange(copies.back(), vectors, ctasAt(copies.back()));
  exchange.send();
  size_t next = 0;
  for (CopyOp copy : copies) {
    exchange.receive(next++, copy.getDestination());
    auto *turned = copy.getSource().getDefiningOp();
    copy.erase();
    if (turned->use_empty())
      turned->erase();
  }
}

} // namespace

void exchangeAcrossWarps(KernelOp kernel) {
  (void)forEach<ReduceOp>(kernel, [](ReduceOp reduce) {
    if (isVectorFold(reduce))
      exchange(reduce);
    return mlir::success();
  });
  std::vector<std::vector<CopyOp>> exchanges;
  llvm::DenseSet<mlir::Operation *> taken;
  kernel.walk([&](CopyOp copy) {
    if (!takesAllRows(copy) || taken.contains(copy))
      return;
    exchanges.push_back(besides(copy));
    taken.insert(exchanges.back().begin(), exchanges.back().end());
  });
  for (const auto &copies : exchanges)
    exchange(copies);
}

} // namespace sluice
