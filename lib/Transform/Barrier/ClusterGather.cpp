#include "Transform/Barrier/ClusterGather.h"

#include "Dialect/ValueNames.h"
#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {

using namespace ir;
using mlir::Value;
namespace arith = mlir::arith;

void lowerClusterGather(ClusterGatherOp gather, Value rank, Value barriers, Value slot) {
  mlir::OpBuilder b(gather);
  auto loc = gather.getLoc();
  auto own = gather.getSource().getType(), all = gather.getDestination().getType();
  Value row = named(arith::MulIOp::create(b, loc, rank, constantIndex(b, loc, own.getShape()[0])),
                    "ownRows");
  Value here = SubviewOp::create(b, loc, all.withShape(own.getShape()), gather.getDestination(),
                                 mlir::ValueRange{row, constantIndex(b, loc, 0)});
  for (int64_t to = 0; to < gather.ctas(); ++to)
    RemoteCopyOp::create(b, loc, gather.getSource(), here, constantIndex(b, loc, to), barriers,
                         slot, ir::Exec::threads);
  gather.erase();
}

} // namespace sluice
