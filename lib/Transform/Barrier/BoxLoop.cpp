#include "Transform/Barrier/BoxLoop.h"

#include "Dialect/Marks.h"
#include "Dialect/ValueNames.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace sluice {

using namespace ir;
namespace arith = mlir::arith;

bool hasBoxes(BufferType tile, int64_t lines) {
  return swizzleBytes(tile.getLayout()) != 0 && tile.getShape()[0] % lines == 0;
}

BoxLoop createBoxLoop(mlir::OpBuilder &b, mlir::Location loc, mlir::Value tile, TensorType tensor,
                      mlir::ValueRange offsets, int64_t turns) {
  auto type = mlir::cast<BufferType>(tile.getType());
  const int64_t size = byteSize(*dtypeOf(type.getElementType()));
  const int64_t lines = type.getShape()[0] / turns, width = swizzleBytes(type.getLayout()) / size;
  const int64_t boxes = turns * (type.getShape()[1] / width);
  auto constant = [&](int64_t value) { return constantIndex(b, loc, value); };
  mlir::Value count = constant(turns);
  auto loop = mlir::scf::ForOp::create(b, loc, constant(0), constant(boxes), constant(1));
  marks::name.set(loop, "box");
  b.setInsertionPointToStart(loop.getBody());
  mlir::Value number = loop.getInductionVar();
  mlir::Value turn = arith::RemSIOp::create(b, loc, number, count);
  mlir::Value line = arith::MulIOp::create(b, loc, turn, constant(lines));
  mlir::Value column =
      arith::MulIOp::create(b, loc, arith::DivSIOp::create(b, loc, number, count), constant(width));
  setValueName(line, "line");
  setValueName(column, "column");
  auto from = llvm::to_vector(offsets);
  mlir::Value &row = from[tensor.dimensionOf(0)], &col = from[tensor.dimensionOf(1)];
  row = arith::AddIOp::create(b, loc, row, line);
  col = arith::AddIOp::create(b, loc, col, column);
  mlir::Value box = SubviewOp::create(b, loc, type.withShape({lines, width}), tile,
                                      mlir::ValueRange{line, column});
  return {loop, turn, box, std::move(from), lines * width * size};
}

} // namespace sluice
