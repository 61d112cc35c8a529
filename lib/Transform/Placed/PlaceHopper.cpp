// Tile -> placed for sm_90a. Operands of products that are loaded go to swizzled shared memory, as
// TMA writes them and wgmma reads them; accumulators and everything computed from them to registers
// in the accumulator's layout, where there are none by whole rows.
#include "Dialect/Marks.h"
#include "Transform/LoadedBy.h"
#include "Transform/NamedRoles.h"
#include "Transform/Passes.h"
#include "Transform/Pipeline/RolePlan.h"
#include "Transform/Placed/ComputedOperand.h"
#include "Transform/Placed/HopperTiles.h"
#include "Transform/Placed/TensorMemory.h"
#include "Transform/Placed/VectorFold.h"
#include "Transform/Placed/WholeRows.h"
#include "Transform/Refusal.h"
#include "Transform/Tiles.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::dyn_cast;
using mlir::isa;
using mlir::LogicalResult;
using mlir::success;

/// What a buffer is used for.
struct BufferUses {
  bool a = false, b = false, d = false;
  LoadOp load;
};

BufferUses usesOf(AllocOp buffer) {
  BufferUses uses;
  for (const TileAccess &access : accessesOf(buffer)) {
    if (auto load = dyn_cast<LoadOp>(access.op))
      uses.load = load;
    if (auto mma = dyn_cast<MmaOp>(access.op)) {
      uses.a |= mma.getA() == access.view;
      uses.b |= mma.getB() == access.view;
      uses.d |= mma.getD() == access.view;
    }
  }
  return uses;
}

/// An operand whose rows no swizzle divides: loaded up to the next 128 bytes, of which products
/// read what the tile has. What TMA finds beyond the tensor is zero.
LogicalResult placeWidened(AllocOp buffer, int minor) {
  auto type = buffer.getBuffer().getType();
  auto shape = llvm::to_vector(type.getShape());
  const int64_t chunk = 128 / byteSize(*dtypeOf(type.getElementType()));
  shape[minor] = (shape[minor] + chunk - 1) / chunk * chunk;
  if (shape[minor] > 256)
    return unsupported(buffer, "tile '")
           << buffer.getName() << "': its contiguous extent of " << type.getShape()[minor]
           << " elements is no multiple of 32 bytes; it would be loaded as " << shape[minor]
           << ", and 256 are the most";
  for (const TileAccess &access : accessesOf(buffer))
    if (!isa<MmaOp, LoadOp>(access.op))
      return unsupported(access.op, "reads tile '")
             << buffer.getName() << "', whose rows are no multiple of 32 bytes, beside a product";
  auto placed = swizzled(type.withShape(shape), minor);
  buffer.getBuffer().setType(placed);
  for (mlir::OpOperand &use : llvm::make_early_inc_range(buffer.getBuffer().getUses())) {
    if (isa<LoadOp>(use.getOwner()))
      continue;
    mlir::OpBuilder b(use.getOwner());
    auto loc = use.getOwner()->getLoc();
    mlir::Value zero = constantIndex(b, loc, 0);
    use.set(SubviewOp::create(b, loc, placed.withShape(type.getShape()), buffer.getBuffer(),
                              mlir::ValueRange{zero, zero}));
    retypeViews(use.get());
  }
  return success();
}

LogicalResult placeOperand(AllocOp buffer, LoadOp load) {
  auto type = buffer.getBuffer().getType();
  auto minor = minorOf(load.getSource().getType());
  if (!minor)
    return unsupported(load, "the contiguous dimension of the tensor is not in the tile; a wgmma "
                             "operand needs it as row or column");
  auto placed = swizzled(type, *minor);
  if (placed.getLayout() == Layout::none)
    return placeWidened(buffer, *minor);
  return retype(buffer, placed), success();
}

/// Whether a role with a name loads it for another one; nothing: no such role loads it.
std::optional<bool> isForOthers(AllocOp buffer, LoadOp load) {
  if (!marks::inRole.on(load))
    return std::nullopt;
  return llvm::any_of(accessesOf(buffer), [&](const TileAccess &access) {
    return access.reads && roleFor(access.op) != roleFor(load);
  });
}

/// Whether its author wants a tile that no loop loads to come by the copy engine, to be read from
/// shared memory as often as it is needed.
bool isAskedFor(LoadOp load) {
  auto by = marks::loadedBy.of(load);
  return by && (by.getValue() == "tensor" || by.getValue() == "bulk") &&
         !load->getParentOfType<mlir::scf::ForOp>() && !load->getParentOfType<mlir::scf::WhileOp>();
}

/// A tile that a loop with stages loads for element functions or for a store, or a role for
/// another: a ring of it fills while others are worked on. Vectors are loaded by who computes with
/// them.
bool isStreamed(AllocOp buffer, LoadOp load) {
  auto loop = iteratedBy(buffer);
  auto shape = buffer.getBuffer().getType().getShape();
  if (!isForOthers(buffer, load).value_or(isAskedFor(load) || (loop && marks::stages.on(loop))) ||
      load->getBlock() != buffer->getBlock() || shape[0] == 1 || shape[1] == 1 || load.getAsync() ||
      !minorOf(load.getSource().getType()) || load.getSource().getDefiningOp<ClipOp>())
    return false;
  return llvm::none_of(accessesOf(buffer), [&](const TileAccess &access) {
    return access.writes && access.op != load;
  });
}

/// Rows that start anywhere come as they lie, to be read by element functions alone; others where
/// the author asks for bulk copies.
bool comesByLines(AllocOp buffer, LoadOp load) {
  auto type = buffer.getBuffer().getType();
  auto by = marks::loadedBy.of(load);
  const bool boxes =
      by ? by.getValue() == "tensor" : tmaCanLoad(load, type.in(Space::smem, Layout::panels));
  return !boxes && tmaCanLoad(load, type.in(Space::smem, Layout::lines)) &&
         !marks::paced.on(load) && llvm::all_of(accessesOf(buffer), [&](const TileAccess &access) {
           return access.op == load || isa<MapOp, ReduceOp>(access.op);
         });
}

/// By one bulk copy where the tensor has all lines of a tile one behind the other.
Layout asItLies(LoadOp load, BufferType type) {
  return tmaCanLoad(load, type.in(Space::smem, Layout::span)) ? Layout::span : Layout::lines;
}

LogicalResult placeStreamed(AllocOp buffer, LoadOp load) {
  auto type = buffer.getBuffer().getType();
  if (failed(verifyCopied(buffer, planRoles(buffer->getParentOfType<KernelOp>()))))
    return mlir::failure();
  if (warpsOfWholeRows(buffer->getParentOfType<KernelOp>()) && type.getShape()[1] % 256 == 0) {
    const Layout layout = comesByLines(buffer, load) ? asItLies(load, type) : Layout::panels;
    return retype(buffer, type.in(Space::smem, layout)), success();
  }
  auto placed = swizzled(type, *minorOf(load.getSource().getType()));
  const bool lines = placed.getLayout() == Layout::none;
  return retype(buffer, lines ? placed.in(Space::smem, Layout::row) : placed), success();
}

/// A tile that is computed and multiplied as b, or read by other roles: in registers, and from
/// there to shared memory, or to tensor memory.
LogicalResult placeComputed(AllocOp buffer, const BufferUses &uses) {
  auto type = buffer.getBuffer().getType();
  const std::string does =
      uses.b ? "is computed and used as b of a product" : "goes from role to role";
  if (uses.b && (uses.a || uses.d))
    return unsupported(buffer, "tile '")
           << buffer.getName() << "' " << does << ", and as " << (uses.a ? "a" : "its result")
           << " of one; copy it to a tile of its own";
  if (type.getShape()[0] == 1)
    return unsupported(buffer, "tile '")
           << buffer.getName() << "' " << does
           << ", and is one row, of which every warp has a copy; compute it where it is read";
  const bool vector = type.getShape()[1] == 1;
  auto kernel = buffer->getParentOfType<KernelOp>();
  const bool tensorMemory = isForTensorMemory(kernel);
  auto shared = vector ? type.in(Space::smem, Layout::row) : swizzled(type, 1);
  if (shared.getLayout() == Layout::none)
    return unsupported(buffer, "tile '")
           << buffer.getName() << "' " << does << ", with rows of " << type.getShape()[1]
           << " elements; take a multiple of 32 bytes";
  const Layout held = vector || tensorMemory ? registerLayout(kernel, type) : Layout::acc;
  if (failed(verifyInRegisters(buffer, held)))
    return mlir::failure();
  if (tensorMemory) {
    const bool lanes = !vector && isOperandOfLanes(buffer);
    retype(buffer, type.in(Space::reg, held));
    return handToTakers(buffer, lanes ? inTensorMemory(type) : shared);
  }
  mlir::OpBuilder b(buffer->getContext());
  b.setInsertionPointAfter(buffer);
  auto copy = AllocOp::create(b, buffer.getLoc(), shared, buffer.getName().str() + "_shared",
                              mlir::IntegerAttr());
  retype(buffer, type.in(Space::reg, held));
  return passThrough(buffer, copy);
}

LogicalResult placeBuffer(AllocOp buffer) {
  auto type = buffer.getBuffer().getType();
  if (type.getSpace() != Space::unplaced)
    return success();
  BufferUses uses = usesOf(buffer);
  if (uses.d && isForTensorMemory(buffer->getParentOfType<KernelOp>()))
    return retype(buffer, inTensorMemory(type)), success();
  if (uses.load && (uses.a || uses.b))
    return placeOperand(buffer, uses.load);
  if (uses.load && !uses.d && isStreamed(buffer, uses.load))
    return placeStreamed(buffer, uses.load);
  if (uses.b || (!uses.load && isReadElsewhere(buffer)))
    return placeComputed(buffer, uses);
  Layout layout =
      uses.a ? Layout::fragA : registerLayout(buffer->getParentOfType<KernelOp>(), type);
  if (failed(verifyInRegisters(buffer, layout)))
    return mlir::failure();
  retype(buffer, type.in(Space::reg, layout));
  return success();
}

/// The inbox of a sum over CTAs: a part from each of them.
void placeInbox(ClusterSumOp sum) {
  auto part = sum.getDestination().getType();
  mlir::OpBuilder b(sum);
  auto root = rootOf(sum.getSource());
  auto all = part.withShape({sum.ctas() * part.getShape()[0], part.getShape()[1]});
  auto inbox = AllocOp::create(b, sum.getLoc(), swizzled(all, 1), "parts_" + root.getName().str(),
                               mlir::IntegerAttr());
  sum.getInboxMutable().assign(inbox.getBuffer());
}

} // namespace

LogicalResult placeHopper(KernelOp kernel, const Arch & /*arch*/) {
  if ((!isForTensorMemory(kernel) && failed(forEach<MmaOp>(kernel, verifyProduct))) ||
      failed(forEach<ReduceOp>(kernel, verifyFold)) ||
      failed(forEach<CopyOp>(kernel, verifyAllRows)) ||
      failed(forEach<AllocOp>(kernel, placeBuffer)) ||
      failed(forEach<MmaOp>(kernel, verifyOperands)) ||
      failed(forEach<SubviewOp>(kernel, verifyPart)) || failed(verifyWarpsOfRoles(kernel)))
    return mlir::failure();
  const RolePlan plan = planRoles(kernel);
  if (failed(forEach<AllocOp>(kernel, [&](AllocOp tile) { return verifyRows(tile, plan); })))
    return mlir::failure();
  if (failed(forEach<LoadOp>(kernel, verifyLoadedBy)))
    return mlir::failure();
  kernel.walk([](ClusterSumOp sum) { placeInbox(sum); });
  exchangeAcrossWarps(kernel);
  return success();
}

} // namespace sluice
