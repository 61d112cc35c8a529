// Tile level: one tile, one value on its way from one agent to another. A tile that is filled anew
// becomes a tile of its own, so that every value gets its own ring.
#include "Dialect/Marks.h"
#include "Transform/NamedRoles.h"
#include "Transform/Passes.h"
#include "Transform/Tiles.h"

#include "llvm/ADT/StringSet.h"

namespace sluice {

using namespace ir;
using mlir::isa;

namespace {

using Accesses = std::vector<TileAccess>;

/// Whether an access replaces the whole tile without looking at what was there.
bool startsAnew(const TileAccess &access, AllocOp tile, const Accesses &all) {
  if (!access.writes || access.view != tile.getBuffer() ||
      !isa<LoadOp, FillOp, CopyOp, MapOp, ReduceOp>(access.op))
    return false;
  return llvm::none_of(
      all, [&](const TileAccess &other) { return other.op == access.op && other.reads; });
}

/// Whether loads, products or stores touch a tile; on NVIDIA only loads are another agent's, and
/// what the author puts into other roles.
bool changesAgents(const Accesses &accesses, bool ascend) {
  const auto isElsewhere = [&](const TileAccess &access) {
    return marks::inRole.of(access.op) != marks::inRole.of(accesses.front().op);
  };
  return llvm::any_of(accesses, isElsewhere) ||
         llvm::any_of(accesses, [&](const TileAccess &access) {
           return isa<LoadOp>(access.op) || (ascend && isa<MmaOp, StoreOp>(access.op));
         });
}

/// Moves the declaration into the loop or branch that alone uses the tile and first fills it.
void sink(AllocOp tile, const Accesses &accesses) {
  std::vector<mlir::Operation *> users(tile->user_begin(), tile->user_end());
  for (const TileAccess &access : accesses)
    users.push_back(access.op);
  mlir::Block *block = users.front()->getBlock();
  while (!llvm::all_of(users, [&](auto *user) { return block->findAncestorOpInBlock(*user); }))
    block = block->getParentOp()->getBlock();
  const TileAccess &first = accesses.front();
  if (block == tile->getBlock() || first.op->getBlock() != block ||
      !startsAnew(first, tile, accesses))
    return;
  mlir::Operation *earliest = first.op; // or a view that the accesses share
  for (mlir::Operation *user : users)
    if (auto *here = ancestorIn(block, user); here->isBeforeInBlock(earliest))
      earliest = here;
  tile->moveBefore(earliest);
}

/// Accesses by the value they belong to, in program order.
std::vector<Accesses> lifetimesOf(AllocOp tile, const Accesses &accesses) {
  std::vector<Accesses> lives(1);
  for (const TileAccess &access : accesses) {
    if (!lives.back().empty() && access.op->getBlock() == tile->getBlock() &&
        startsAnew(access, tile, accesses))
      lives.emplace_back();
    lives.back().push_back(access);
  }
  return lives;
}

/// The view of `fresh` that `view` is of `tile`, made right before `op`.
mlir::Value sameView(mlir::Value view, AllocOp tile, AllocOp fresh, mlir::Operation *op) {
  if (view == tile.getBuffer())
    return fresh.getBuffer();
  auto *made = view.getDefiningOp();
  mlir::Value source = sameView(made->getOperand(0), tile, fresh, op);
  auto *again = mlir::OpBuilder(op).clone(*made);
  again->setOperand(0, source);
  return again->getResult(0);
}

/// `name_2` and so on: what no other tile of the kernel is called.
std::string freeName(AllocOp tile) {
  llvm::StringSet<> taken;
  tile->getParentOfType<KernelOp>().walk([&](AllocOp op) { taken.insert(op.getName()); });
  for (int number = 2;; ++number)
    if (auto name = tile.getName().str() + "_" + std::to_string(number); !taken.contains(name))
      return name;
}

void moveToOwnTile(AllocOp tile, const Accesses &life) {
  mlir::OpBuilder b(life.front().op);
  auto fresh = AllocOp::create(b, life.front().op->getLoc(), tile.getBuffer().getType(),
                               freeName(tile), mlir::IntegerAttr());
  for (const TileAccess &access : life)
    access.op->replaceUsesOfWith(access.view, sameView(access.view, tile, fresh, access.op));
}

mlir::LogicalResult separate(AllocOp tile, const Accesses &accesses) {
  auto lives = lifetimesOf(tile, accesses);
  for (size_t i = 0; i + 1 < lives.size(); ++i)
    if (llvm::none_of(lives[i], [](const TileAccess &access) { return access.reads; }))
      return lives[i].front().op->emitError("fills tile '")
             << tile.getName()
             << "', which is filled again before anything reads it; remove this operation, or give "
                "each value its own tile";
  for (size_t i = 1; i < lives.size(); ++i)
    moveToOwnTile(tile, lives[i]);
  return mlir::success();
}

} // namespace

/// Gives every value of a tile that changes agents a tile of its own, declared in the block that
/// fills it. Fails where a value is never read.
mlir::LogicalResult separateLifetimes(KernelOp kernel, const Arch &arch) {
  std::vector<AllocOp> tiles;
  kernel.walk([&](AllocOp tile) { tiles.push_back(tile); });
  for (AllocOp tile : tiles) {
    Accesses accesses = accessesOf(tile);
    if (tile.getOffset() || !changesAgents(accesses, isAscend(arch.target)))
      continue;
    sink(tile, accesses);
    if (mlir::failed(separate(tile, accesses)))
      return mlir::failure();
  }
  return verifyComputers(kernel);
}

} // namespace sluice
