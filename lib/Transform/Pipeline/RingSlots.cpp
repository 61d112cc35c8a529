// How many slots the tiles of a ring have: as many as is asked for, or as there is room for.
#include "Dialect/Marks.h"
#include "Transform/Cores.h"
#include "Transform/Pipeline/FactorSlots.h"
#include "Transform/Pipeline/HandedNumbers.h"
#include "Transform/Pipeline/Rings.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Placed/ComputedOperand.h"
#include "Transform/Placed/ReplacedTiles.h"

namespace sluice {

using namespace ir;
namespace scf = mlir::scf;

namespace {

/// `sluice.slots = {l0c = 2}` of a loop, for a space.
std::optional<int64_t> requestedSlots(scf::ForOp loop, Space space) {
  auto slots = marks::slots.of(loop);
  if (auto n = slots ? slots.getAs<mlir::IntegerAttr>(sluice::name(space).data()) : nullptr)
    return n.getInt();
  return std::nullopt;
}

/// An accumulator lives outside the loop that asks for its slots.
std::optional<int64_t> accumulatorSlots(KernelOp kernel) {
  std::optional<int64_t> found;
  kernel.walk([&](scf::ForOp loop) {
    if (auto n = requestedSlots(loop, Space::l0c))
      found = n;
  });
  return found;
}

/// One slot of every tile in a memory.
int64_t bytesOfOneEach(KernelOp kernel, Space space) {
  int64_t bytes = 0;
  kernel.walk([&](AllocOp buffer) {
    auto type = buffer.getBuffer().getType();
    constexpr int64_t alignment = 512; // of an address, as the allocation pass has it
    if (type.getSpace() == space && !holdsFactors(buffer))
      bytes += (*byteSizeOf(type) + alignment - 1) / alignment * alignment;
  });
  return bytes;
}

/// A tile of a loop that goes from pipe to pipe.
bool isHandedToAPipe(AllocOp tile) {
  return iteratedBy(tile) && !isOfOneAgent(tile);
}

/// The same, to a vector core from the cube core (Ascend 950).
bool isFromCube(AllocOp tile) {
  return isHandedToAPipe(tile) && llvm::any_of(accessesOf(tile), [](const TileAccess &access) {
           return access.writes && coreOf(agentOf(access.op)) == "aic";
         });
}

/// Two slots of tiles that are such, one of the others.
int64_t bytesOfPairs(KernelOp kernel, Space space, bool (*isSuch)(AllocOp)) {
  int64_t bytes = bytesOfOneEach(kernel, space);
  kernel.walk([&](AllocOp tile) {
    auto type = tile.getBuffer().getType();
    if (type.getSpace() == space && isSuch(tile))
      bytes += *byteSizeOf(type);
  });
  return bytes;
}

/// In UB: of all tiles that are handed on, or of those that keep the cube core waiting.
int64_t slotsInUb(KernelOp kernel, AllocOp tile, const Arch &arch) {
  const auto fits = [&](bool (*isSuch)(AllocOp)) {
    return bytesOfPairs(kernel, Space::ub, isSuch) <= arch.capacity(Space::ub);
  };
  return fits(isHandedToAPipe) || (isFromCube(tile) && fits(isFromCube)) ? 2 : 1;
}

/// Whether shared memory has room for two slots of every tile that goes from role to role, beside
/// as many of all others as they have.
bool roomForSecond(KernelOp kernel, const Arch &arch) {
  int64_t bytes = 0;
  kernel.walk([&](AllocOp other) {
    auto type = other.getBuffer().getType();
    auto loop = iteratedBy(other);
    const bool single = !loop || isWrittenThenStored(other) || marks::resident.on(other);
    const int64_t slots = single                                          ? 1
                          : isHandedOn(other) || isComputedOperand(other) ? 2
                          : marks::stages.on(loop)                        ? stagesOf(other, loop)
                                                                          : type.getSlots();
    bytes += type.getSpace() == Space::smem ? *byteSizeOf(type) * slots : 0;
  });
  return bytes <= roomForTiles(arch);
}

} // namespace

int64_t slotsFor(KernelOp kernel, AllocOp buffer, const Arch &arch) {
  auto type = buffer.getBuffer().getType();
  Space space = type.getSpace();
  auto loop = iteratedBy(buffer);
  if (!loop || marks::resident.on(buffer) || (isWrittenThenStored(buffer) && !isReplaced(buffer)))
    return 1;
  if (isHandedNumber(buffer))
    return 2; // of 16 bytes
  if (isComputedOperand(buffer) && isOfOneAgent(buffer))
    return 2; // one is written while products may still read the other
  if (!isPipe(agentOf(accessesOf(buffer).front().op)) && isHandedOn(buffer))
    return roomForSecond(kernel, arch) ? 2 : 1;
  if (auto n = space == Space::l0c ? accumulatorSlots(kernel) : requestedSlots(loop, space))
    return *n;
  const bool loadedRows = space == Space::ub && isLoaded(buffer);
  if (marks::stages.on(loop) && (space == Space::smem || space == Space::l1 || loadedRows))
    return stagesOf(buffer, loop);
  if (space == Space::global)
    return 2; // the vector cores read one tile while the cube core writes the next
  if (space == Space::ub)
    return slotsInUb(kernel, buffer, arch);
  if (space == Space::l0c || space == Space::tmem)
    return 2 * bytesOfOneEach(kernel, space) + bytesOfFactors(kernel) <= arch.capacity(space) ? 2
                                                                                              : 1;
  bool onCore = space == Space::l0a || space == Space::l0b;
  return onCore && 2 * *byteSizeOf(type) <= arch.capacity(space) ? 2 : 1;
}

} // namespace sluice
