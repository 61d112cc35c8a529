// Cursors of rings: one for each, carried through the loops and branches around its buffers, and
// whether its slots come back one iteration late.
#include "Dialect/Marks.h"
#include "Transform/Pipeline/Rings.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Pipeline/SumInTurns.h"
#include "Transform/Placed/TensorMemory.h"

#include "mlir/IR/PatternMatch.h"

namespace sluice {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;
namespace scf = mlir::scf;

// ---- Loops and branches that carry a cursor ---------------------------------------------------

/// The loops around `op` and the branches in them, outermost first. A branch around all loops is
/// taken once: nothing is carried through it.
static std::vector<mlir::Operation *> scopesAround(mlir::Operation *op, KernelOp kernel) {
  std::vector<mlir::Operation *> scopes;
  for (auto *parent = op->getParentOp(); parent != kernel; parent = parent->getParentOp())
    scopes.insert(scopes.begin(), parent);
  const auto first = llvm::find_if(scopes, llvm::IsaPred<scf::ForOp>);
  return {first, scopes.end()};
}

/// Adds one carried value to a loop; its iteration argument is yielded unchanged for now.
static scf::ForOp carry(scf::ForOp loop, mlir::Value init, const std::string &name) {
  mlir::IRRewriter rewriter(loop.getContext());
  rewriter.setInsertionPoint(loop);
  auto attributes = llvm::to_vector(loop->getDiscardableAttrs());
  auto names = marks::carries.of(loop);
  auto replaced = loop.replaceWithAdditionalYields(
      rewriter, {init}, /*replaceInitOperandUsesInLoop=*/true,
      [](mlir::OpBuilder &, mlir::Location, llvm::ArrayRef<mlir::BlockArgument> arguments) {
        return llvm::SmallVector<mlir::Value>(arguments.begin(), arguments.end());
      });
  auto result = mlir::cast<scf::ForOp>(replaced->getOperation());
  for (auto attribute : attributes)
    result->setDiscardableAttr(attribute.getName(), attribute.getValue());
  llvm::SmallVector<mlir::Attribute> all;
  if (names)
    all.append(names.begin(), names.end());
  all.push_back(rewriter.getStringAttr(name));
  marks::carries.set(result, rewriter.getArrayAttr(all));
  return result;
}

/// The same of a branch: what comes in goes out on both of its ways.
static scf::IfOp carry(scf::IfOp branch, mlir::Value value) {
  mlir::OpBuilder b(branch);
  auto loc = branch.getLoc();
  auto types = llvm::to_vector(branch.getResultTypes());
  types.push_back(value.getType());
  auto fresh = scf::IfOp::create(b, loc, types, branch.getCondition(), /*addThenBlock=*/false,
                                 /*addElseBlock=*/false);
  fresh->setDiscardableAttrs(branch->getDiscardableAttrDictionary());
  for (auto [from, to] : llvm::zip(branch->getRegions(), fresh->getRegions())) {
    to.takeBody(from);
    if (to.empty()) {
      b.setInsertionPointToEnd(&to.emplaceBlock());
      scf::YieldOp::create(b, loc, value);
      continue;
    }
    auto *yield = to.front().getTerminator();
    yield->insertOperands(yield->getNumOperands(), value);
  }
  branch->replaceAllUsesWith(fresh->getResults().drop_back());
  branch.erase();
  return fresh;
}

/// Carries `init` through the scopes around `anchor`, outermost first; returns its place among the
/// carried values of the innermost one, which yields it unchanged.
static int carryThrough(mlir::Operation *anchor, KernelOp kernel, mlir::Value init,
                        const std::string &name) {
  mlir::Value value = init;
  std::vector<mlir::Operation *> scopes;
  const size_t depth = scopesAround(anchor, kernel).size();
  for (size_t i = 0; i < depth; ++i) {
    auto *scope = scopesAround(anchor, kernel)[i];
    if (auto loop = dyn_cast<scf::ForOp>(scope)) {
      loop = carry(loop, value, name);
      value = loop.getRegionIterArgs().back();
      scopes.push_back(loop);
    } else {
      scopes.push_back(carry(mlir::cast<scf::IfOp>(scope), value));
    }
  }
  for (size_t i = 1; i < scopes.size(); ++i) {
    auto *yield = scopes[i]->getBlock()->getTerminator();
    yield->setOperand(yield->getNumOperands() - 1, scopes[i]->getResults().back());
  }
  return scopes.empty() ? -1 : int(scopes.back()->getNumResults()) - 1;
}

/// Through the loop around `anchor` alone.
static int carryAlone(mlir::Operation *anchor, mlir::Value init, const std::string &name) {
  auto loop = carry(mlir::cast<scf::ForOp>(anchor->getParentOp()), init, name);
  return int(loop.getNumResults()) - 1;
}

/// Through the loop beside a sum in turns, from a value that is known when all cursors are.
static int carryTurns(AllocOp sum, mlir::Value init, const std::string &name) {
  auto loop = carry(turnsOf(sum)->loop, init, name);
  return int(loop.getNumResults()) - 1;
}

/// What an innermost scope takes in as the value that it carries at a place: a branch hands it on
/// where it is not taken.
static mlir::Value carriedIn(mlir::Operation *scope, mlir::Block *block, int place) {
  if (auto loop = dyn_cast<scf::ForOp>(scope))
    return loop.getRegionIterArgs()[place];
  auto branch = mlir::cast<scf::IfOp>(scope);
  auto *other = block == branch.thenBlock() ? branch.elseBlock() : branch.thenBlock();
  return other->getTerminator()->getOperand(place);
}

// ---- Slots that come back late ----------------------------------------------------------------

/// wgmma may still read a slot when the next iteration begins: the agent's products of the block
/// add to an accumulator that nobody else touches in it, and there is a slot to spare.
static bool canReleaseLate(const Ring &ring, llvm::StringRef agent) {
  AllocOp first = ring.buffers.front();
  mlir::Block *block = first->getBlock();
  const Space space = first.getBuffer().getType().getSpace();
  if (space != Space::smem || ring.slots < 2 || !isa<scf::ForOp>(block->getParentOp()))
    return false;
  for (AllocOp buffer : ring.buffers)
    for (const TileAccess &access : accessesOf(buffer)) {
      if (agentOf(access.op) != agent || isa<PrintOp>(access.op))
        continue;
      auto mma = dyn_cast<MmaOp>(access.op);
      if (!mma || mma->getBlock() != block)
        return false;
      for (const TileAccess &use : accessesOf(rootOf(mma.getD())))
        if (use.op != mma && block->findAncestorOpInBlock(*use.op))
          return false;
    }
  return true;
}

/// A product may run on into the next iteration if nothing that it reads is written there before it
/// ends: what its block writes lies in late rings.
static bool mayRunOn(MmaOp product, const std::vector<Ring> &rings) {
  auto lasts = [&](AllocOp operand) {
    auto written = [&](const TileAccess &access) {
      return access.writes && product->getBlock()->findAncestorOpInBlock(*access.op);
    };
    return llvm::none_of(accessesOf(operand), written) || llvm::any_of(rings, [&](auto &ring) {
             return isLateFor(ring, agentOf(product)) && llvm::is_contained(ring.buffers, operand);
           });
  };
  return lasts(rootOf(product.getA())) && lasts(rootOf(product.getB()));
}

/// A ring that is early makes its products wait, and so early all that they read.
static void findLate(KernelOp kernel, std::vector<Ring> &rings) {
  if (isForTensorMemory(kernel))
    return; // a commit releases, in its time
  for (Ring &ring : rings)
    for (const std::string &consumer : ring.consumers)
      if (consumer != ring.producer && canReleaseLate(ring, consumer))
        ring.late.push_back(consumer);
  for (bool changed = true; changed;) {
    changed = false;
    kernel.walk([&](MmaOp product) {
      for (Ring &ring : rings)
        if (const auto agent = agentOf(product);
            isLateFor(ring, agent) && multiplies(product, ring) && !mayRunOn(product, rings)) {
          llvm::erase(ring.late, agent);
          changed = true;
        }
    });
  }
}

// ---- Of all rings -----------------------------------------------------------------------------

/// The only ring beside those in which results wait to be stored.
static bool alone(const Ring &ring, const std::vector<Ring> &rings) {
  const auto isStored = [](const Ring &r) { return isTakenBy(r, nameOf(Duty::store)); };
  return !isStored(ring) && llvm::count_if(rings, std::not_fn(isStored)) == 1;
}

void carryCursors(KernelOp kernel, std::vector<Ring> &rings) {
  mlir::OpBuilder b(kernel.getContext());
  std::vector<mlir::Value> starts;
  findLate(kernel, rings);
  for (Ring &ring : rings) {
    if (ring.follows) {
      ring.carried = (&ring - 1)->carried;
      starts.push_back(starts.back());
      continue;
    }
    auto anchor = ring.buffers.front();
    const std::string suffix = alone(ring, rings) ? "" : "_" + ring.name;
    if (ring.after >= 0) { // that ring's cursor goes on: chainCursors
      starts.push_back(starts[ring.after]);
      if (!ring.inBlock)
        ring.carried = carryAlone(anchor, starts.back(), "at" + suffix);
      if (!ring.late.empty())
        ring.carriedPrevious = carryAlone(anchor, starts.back(), "before" + suffix);
      continue;
    }
    b.setInsertionPointToStart(&kernel.getBody().front());
    mlir::Value start =
        CursorOp::create(b, anchor.getLoc(), CursorType::get(b.getContext(), ring.slots));
    ring.carried = carryThrough(anchor, kernel, start, "at" + suffix);
    if (isInTurns(anchor))
      ring.turns = carryTurns(anchor, start, "turn" + suffix);
    if (!ring.late.empty())
      ring.carriedPrevious = carryThrough(anchor, kernel, start, "before" + suffix);
    starts.push_back(start);
  }
  for (auto [ring, start] : llvm::zip(rings, starts)) {
    auto anchor = ring.buffers.front();
    auto scopes = scopesAround(anchor, kernel);
    ring.cursor = start;
    if (scopes.empty())
      continue;
    ring.scope = scopes.back();
    ring.loop = dyn_cast<scf::ForOp>(ring.scope);
    if (ring.after >= 0 && ring.inBlock)
      continue;
    ring.cursor = carriedIn(ring.scope, anchor->getBlock(), ring.carried);
    if (!ring.late.empty())
      ring.previous = carriedIn(ring.scope, anchor->getBlock(), ring.carriedPrevious);
  }
}

/// What chainCursors() makes of the cursor of a joined ring behind its tiles.
static mlir::Value advanced(mlir::Value cursor) {
  for (mlir::Operation *user : cursor.getUsers())
    if (isa<CursorAdvanceOp>(user))
      return user->getResult(0);
  return cursor;
}

mlir::Value cursorBehind(const Ring &ring) {
  mlir::Value end = ring.inBlock ? advanced(ring.cursor) : ring.scope->getResult(ring.carried);
  for (auto *scope = end.getDefiningOp()->getParentOp(); !isa<KernelOp>(scope);
       scope = scope->getParentOp()) {
    auto yielded = end.getParentBlock()->getTerminator()->getOperands();
    end = scope->getResult(std::distance(yielded.begin(), llvm::find(yielded, end)));
  }
  return end;
}

} // namespace sluice
