#include "Transform/Barrier/ClusterSum.h"

#include "Dialect/Marks.h"
#include "Dialect/ValueNames.h"
#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::Value;
namespace arith = mlir::arith;

class Exchange {
public:
  Exchange(ClusterSumOp sum, Value rank)
      : sum_(sum), rank_(rank), part_(sum.getDestination().getType()), b_(sum), loc_(sum.getLoc()),
        barrier_(createBarrier()) {}

  MbarrierAllocOp barrier() const { return barrier_; }

  /// In front of the sums that this one stands behind: all send before any waits.
  void send() {
    mlir::Operation *first = sum_;
    while (llvm::isa_and_nonnull<ClusterSumOp>(first->getPrevNode()))
      first = first->getPrevNode();
    b_.setInsertionPoint(first);
    announce();
    sendParts();
  }

  void receive() {
    b_.setInsertionPoint(sum_);
    MbarrierWaitOp::create(b_, loc_, barrier_.getBarriers(), at(0), at(0), Value(),
                           ir::Exec::threads);
    addUp();
    sum_.erase();
  }

private:
  Value at(int64_t value) { return constantIndex(b_, loc_, value); }

  MbarrierAllocOp createBarrier() {
    auto inbox = rootOf(sum_.getInbox());
    mlir::OpBuilder b(inbox);
    b.setInsertionPointAfter(inbox);
    return MbarrierAllocOp::create(b, loc_, MbarrierType::get(b.getContext(), 1),
                                   "full_" + inbox.getName().str(), mlir::IntegerAttr());
  }

  /// The part of the CTA at a place, in the inbox: the rows from `row` on.
  Value inbox(Value row) {
    auto all = mlir::cast<BufferType>(sum_.getInbox().getType());
    return SubviewOp::create(b_, loc_, all.withShape(part_.getShape()), sum_.getInbox(),
                             mlir::ValueRange{row, at(0)});
  }

  /// Rank of the CTA at a place.
  Value rankOf(int64_t place) {
    if (sum_.getPlace().getDefiningOp<ClusterRankOp>())
      return at(place);
    Value first = named(arith::SubIOp::create(b_, loc_, rank_, sum_.getPlace()), "firstRank");
    return arith::AddIOp::create(b_, loc_, first, at(place));
  }

  /// The bytes of all parts that come here.
  void announce() {
    MbarrierArriveExpectTxOp::create(b_, loc_, barrier_.getBarriers(), at(0), Value(),
                                     *byteSizeOf(sum_.getSource().getType()), Value(),
                                     ir::Exec::one);
  }

  void sendParts() {
    const int64_t rows = part_.getShape()[0], columns = part_.getShape()[1];
    Value row = named(arith::MulIOp::create(b_, loc_, sum_.getPlace(), at(rows)), "ownPart");
    Value here = inbox(row);
    for (int64_t to = 0; to < sum_.ctas(); ++to) {
      Value block =
          SubviewOp::create(b_, loc_, sum_.getSource().getType().withShape(part_.getShape()),
                            sum_.getSource(), mlir::ValueRange{at(0), at(to * columns)});
      RemoteCopyOp::create(b_, loc_, block, here, rankOf(to), barrier_.getBarriers(), at(0),
                           ir::Exec::threads);
    }
  }

  void addUp() {
    const int64_t rows = part_.getShape()[0];
    CopyOp::create(b_, loc_, inbox(at(0)), sum_.getDestination());
    auto part = AllocOp::create(b_, loc_, part_, "part_" + rootOf(sum_.getSource()).getName().str(),
                                mlir::IntegerAttr());
    auto loop = mlir::scf::ForOp::create(b_, loc_, at(1), at(sum_.ctas()), at(1));
    marks::name.set(loop, "from");
    mlir::OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(loop.getBody());
    Value row = arith::MulIOp::create(b_, loc_, loop.getInductionVar(), at(rows));
    CopyOp::create(b_, loc_, inbox(row), part.getBuffer());
    add(part.getBuffer());
  }

  /// sum += part.
  void add(Value part) {
    Value sum = sum_.getDestination();
    auto map = MapOp::create(b_, loc_, mlir::ValueRange{sum, part}, mlir::ValueRange{sum});
    auto element = part_.getElementType();
    auto &body = map.getBody().emplaceBlock();
    Value x = body.addArgument(element, loc_), y = body.addArgument(element, loc_);
    auto inside = mlir::OpBuilder::atBlockEnd(&body);
    Value total = element.isInteger() ? arith::AddIOp::create(inside, loc_, x, y).getResult()
                                      : arith::AddFOp::create(inside, loc_, x, y).getResult();
    YieldOp::create(inside, loc_, total);
  }

  ClusterSumOp sum_;
  Value rank_;
  BufferType part_; // the columns of one CTA
  mlir::OpBuilder b_;
  mlir::Location loc_;
  MbarrierAllocOp barrier_;
};

} // namespace

std::vector<MbarrierAllocOp> lowerClusterSums(llvm::ArrayRef<ClusterSumOp> sums, Value rank) {
  std::vector<Exchange> exchanges;
  for (ClusterSumOp sum : sums)
    exchanges.emplace_back(sum, rank);
  for (Exchange &exchange : exchanges)
    exchange.send();
  std::vector<MbarrierAllocOp> barriers;
  for (Exchange &exchange : exchanges) {
    exchange.receive();
    barriers.push_back(exchange.barrier());
  }
  return barriers;
}

} // namespace sluice
