#include "Transform/Barrier/Commits.h"

#include "Transform/Tiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <map>

namespace sluice {

namespace arith = mlir::arith;

/// The own CTA and those that it shares tiles with, in each direction.
static int64_t maskOf(int64_t rank, llvm::ArrayRef<Share> peers) {
  int64_t mask = int64_t{1} << rank;
  for (const Share &share : peers)
    mask |= share.mask(rank - rank / share.stride() % share.count() * share.stride());
  return mask;
}

static mlir::Value isOneOf(mlir::OpBuilder &b, mlir::Location loc, mlir::Value rank,
                           llvm::ArrayRef<int64_t> ranks) {
  mlir::Value found;
  for (const int64_t one : ranks) {
    mlir::Value is =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rank, constantIndex(b, loc, one));
    found = found ? arith::OrIOp::create(b, loc, found, is).getResult() : is;
  }
  return found;
}

void commitToPeers(mlir::OpBuilder &b, mlir::Location loc, llvm::ArrayRef<Share> peers,
                   mlir::Value rank, mlir::Value barriers, mlir::Value slot) {
  int64_t ctas = 1;
  for (const int64_t extent : peers.front().cluster)
    ctas *= extent;
  std::map<int64_t, llvm::SmallVector<int64_t>> ranks; // by mask
  for (int64_t one = 0; one < ctas; ++one)
    ranks[maskOf(one, peers)].push_back(one);
  // The mask is part of the instruction's text, as of a multicast load.
  for (const auto &[mask, of] : ranks) {
    if (ranks.size() == 1) {
      ir::Tcgen05CommitOp::create(b, loc, barriers, slot, mask);
      return;
    }
    auto branch = mlir::scf::IfOp::create(b, loc, isOneOf(b, loc, rank, of), false);
    auto inside = branch.getThenBodyBuilder();
    ir::Tcgen05CommitOp::create(inside, loc, barriers, slot, mask);
  }
}

} // namespace sluice
