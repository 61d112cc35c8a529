#include "Transform/RoleRegisters.h"

#include "Program/Registers.h"

namespace sluice {

using namespace ir;

namespace {

// Of a thread. ptxas 13: a loop over products takes 28 beside its accumulators, and an epilogue
// with bias and activation up to 48.
constexpr int64_t beside = 48;

/// Sums that a map adds to, and no product: they are there beside a product's.
bool isAddedTo(AllocOp buffer) {
  bool added = false, multiplied = false;
  for (const TileAccess &access : accessesOf(buffer)) {
    auto map = mlir::dyn_cast<MapOp>(access.op);
    added |= map && access.writes && llvm::is_contained(map.getInputs(), access.view);
    multiplied |= mlir::isa<MmaOp, WgmmaOp>(access.op);
  }
  return added && !multiplied;
}

/// Accumulators of the role that computes, of one thread.
int64_t accumulatorsOf(KernelOp kernel, const Warps &warps) {
  int64_t most = 0, beside = 0; // bytes
  kernel.walk([&](AllocOp buffer) {
    auto type = buffer.getBuffer().getType();
    if (type.getSpace() != Space::reg || type.getLayout() != Layout::acc)
      return;
    if (isAddedTo(buffer))
      beside += *byteSizeOf(type);
    else
      most = std::max(most, *byteSizeOf(type));
  });
  return (most + beside) / (4 * 32 * warps.consumer);
}

} // namespace

int giveRegisters(KernelOp kernel, const Warps &warps, const Arch &arch) {
  const int64_t launched = registersAtLaunch(warps.all(), arch.registersPerSm);
  const bool enough = accumulatorsOf(kernel, warps) + beside <= launched;
  const int moving = warps.producer + warps.store;
  if (enough || moving == 0 || moving > 4)
    return warps.all();
  const int computing = warps.computing() * 32, others = 128;
  const int64_t pool = launched * (computing + others);
  const int64_t copies = warps.producer > 1 ? registersOfCopying : registersForCopies;
  const int64_t mine = (pool - copies * others) / computing / 8 * 8;
  mlir::Builder b(kernel.getContext());
  for (RoleOp role : kernel.getOps<RoleOp>()) {
    const bool computes = role.getFirst() && *role.getFirst() == 0;
    role.setRegisters(computes ? std::min(mine, mostRegistersOfARole) : copies);
  }
  return warps.computing() + 4;
}

} // namespace sluice
