#include "Transform/Placed/HeldSums.h"

#include "Transform/Refusal.h"
#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringSet.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::failure;
using mlir::isa;
using mlir::LogicalResult;
using mlir::success;

namespace {

bool isProductOf(const TileAccess &access) {
  auto mma = dyn_cast<MmaOp>(access.op);
  return mma && mma.getD() == access.view;
}

/// The first statement of the tile's block that is none of its products; null where a product
/// stands behind it, or beside it in a loop or branch.
mlir::Operation *behindProducts(AllocOp sum) {
  mlir::Operation *product = nullptr, *other = nullptr;
  for (const TileAccess &access : accessesOf(sum)) {
    auto *here = ancestorIn(sum->getBlock(), access.op);
    if (!isProductOf(access))
      other = !other || here->isBeforeInBlock(other) ? here : other;
    else if (!product || product->isBeforeInBlock(here))
      product = here;
  }
  return other && product->isBeforeInBlock(other) ? other : nullptr;
}

/// `name_product` and so on: what no other tile of the kernel is called.
std::string productName(AllocOp sum) {
  llvm::StringSet<> taken;
  sum->getParentOfType<KernelOp>().walk([&](AllocOp op) { taken.insert(op.getName()); });
  std::string name = sum.getName().str() + "_product";
  for (int number = 2; taken.contains(name); ++number)
    name = sum.getName().str() + "_product" + std::to_string(number);
  return name;
}

AllocOp tileOfProduct(mlir::OpBuilder &b, AllocOp sum) {
  return AllocOp::create(b, sum.getLoc(), sum.getBuffer().getType(), productName(sum),
                         mlir::IntegerAttr());
}

/// All products add up in a tile that takes the name; everything behind them has a copy.
void copyBehindProducts(AllocOp sum, mlir::Operation *behind, std::vector<AllocOp> &products) {
  mlir::OpBuilder b(sum);
  AllocOp product = tileOfProduct(b, sum);
  for (const TileAccess &access : accessesOf(sum))
    if (isProductOf(access))
      cast<MmaOp>(access.op).getDMutable().assign(product.getBuffer());
  product.setName(sum.getName());
  sum.setName(sum.getName().str() + "_held");
  b.setInsertionPoint(behind);
  CopyOp::create(b, behind->getLoc(), product.getBuffer(), sum.getBuffer());
  products.push_back(product);
}

/// In front of the statement of the product's block in which something looks at the sum next; at
/// its end, where nothing does.
void goToNextLook(mlir::OpBuilder &b, MmaOp mma, AllocOp sum) {
  mlir::Block *block = mma->getBlock();
  mlir::Operation *next = block->mightHaveTerminator() ? block->getTerminator() : nullptr;
  for (const TileAccess &access : accessesOf(sum)) {
    auto *here = ancestorIn(block, access.op);
    if (here && mma->isBeforeInBlock(here) && (!next || here->isBeforeInBlock(next)))
      next = here;
  }
  b.setInsertionPoint(block, next ? next->getIterator() : block->end());
}

/// sum = sum + product
void addProduct(mlir::OpBuilder &b, mlir::Location loc, AllocOp sum, AllocOp product) {
  mlir::Value to = sum.getBuffer();
  auto map = MapOp::create(b, loc, mlir::ValueRange{to, product.getBuffer()}, mlir::ValueRange{to});
  const mlir::Type element = sum.getBuffer().getType().getElementType();
  mlir::Block &body = map.getBody().emplaceBlock();
  mlir::Value x = body.addArgument(element, loc), y = body.addArgument(element, loc);
  auto inside = mlir::OpBuilder::atBlockEnd(&body);
  mlir::Value added = isa<mlir::FloatType>(element)
                          ? mlir::arith::AddFOp::create(inside, loc, x, y).getResult()
                          : mlir::arith::AddIOp::create(inside, loc, x, y).getResult();
  YieldOp::create(inside, loc, added);
}

LogicalResult refuseCondition(MmaOp mma, AllocOp sum) {
  return unsupported(mma, "whether the product adds to tile '")
         << sum.getName() << "' depends on a condition, and element functions write the tile "
         << "between its products, which is not lowered for sm_100a yet; fill it in front";
}

/// A product that overwrites is taken for what it computes; another one is added.
LogicalResult addBehindProduct(MmaOp mma, AllocOp sum, std::vector<AllocOp> &products) {
  const mlir::Value accumulate = mma.getAccumulate();
  const bool overwrites = accumulate && mlir::matchPattern(accumulate, mlir::m_Zero());
  if (accumulate && !overwrites)
    return refuseCondition(mma, sum);
  mlir::OpBuilder b(mma);
  AllocOp product = tileOfProduct(b, sum);
  if (!overwrites)
    mma.getAccumulateMutable().assign(
        mlir::arith::ConstantIntOp::create(b, mma.getLoc(), 0, 1).getResult());
  mma.getDMutable().assign(product.getBuffer());
  goToNextLook(b, mma, sum);
  if (overwrites)
    CopyOp::create(b, mma.getLoc(), product.getBuffer(), sum.getBuffer());
  else
    addProduct(b, mma.getLoc(), sum, product);
  products.push_back(product);
  return success();
}

} // namespace

bool isComputedOn(AllocOp sum) {
  mlir::Block *reads = nullptr;
  for (const TileAccess &access : accessesOf(sum)) {
    if (isProductOf(access))
      continue;
    if (access.writes || (reads && access.op->getBlock() != reads))
      return true;
    reads = access.op->getBlock();
  }
  return false;
}

LogicalResult holdSum(AllocOp sum, std::vector<AllocOp> &products) {
  for (const TileAccess &access : accessesOf(sum))
    if (isProductOf(access) && access.view != sum.getBuffer())
      return unsupported(access.op, "a product of a part of tile '")
             << sum.getName() << "', which element functions write, is not lowered for sm_100a yet";
  if (mlir::Operation *behind = behindProducts(sum))
    return copyBehindProducts(sum, behind, products), success();
  for (const TileAccess &access : accessesOf(sum))
    if (isProductOf(access) && failed(addBehindProduct(cast<MmaOp>(access.op), sum, products)))
      return failure();
  return success();
}

} // namespace sluice
