// Tile -> placed for sm_90a. Operands of products that are loaded go to swizzled shared memory, as
// TMA writes them and wgmma reads them; accumulators and everything computed from them to registers
// in the accumulator's layout; results that TMA can store get a staging buffer.
#include "Transform/Passes.h"
#include "Transform/Tiles.h"

namespace sluice {
namespace {

using namespace ir;
using mlir::dyn_cast;
using mlir::LogicalResult;
using mlir::success;

/// What a buffer is used for.
struct Uses {
  bool a = false, b = false, d = false;
  LoadOp load;
};

Uses usesOf(AllocOp buffer) {
  Uses uses;
  for (const Access &access : accessesOf(buffer)) {
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

/// The widest swizzle whose span divides the contiguous extent.
Layout swizzleFor(int64_t minorBytes) {
  for (auto [bytes, layout] :
       {std::pair(128, Layout::sw128), {64, Layout::sw64}, {32, Layout::sw32}})
    if (minorBytes % bytes == 0)
      return layout;
  return Layout::none;
}

BufferType swizzled(BufferType type, int minor) {
  int64_t bytes = type.getShape()[minor] * byteSize(*dtypeOf(type.getElementType()));
  return BufferType::get(type.getContext(), type.getShape(), type.getElementType(), Space::smem,
                         swizzleFor(bytes), minor, type.getSlots());
}

LogicalResult placeOperand(AllocOp buffer, LoadOp load) {
  auto type = buffer.getBuffer().getType();
  auto minor = minorOf(load.getSource().getType());
  if (!minor)
    return load.emitError("the contiguous dimension of the tensor is not in the tile; a wgmma "
                          "operand needs it as row or column");
  auto placed = swizzled(type, *minor);
  if (placed.getLayout() == Layout::none)
    return buffer.emitError("tile '")
           << buffer.getName() << "': its contiguous extent of " << type.getShape()[*minor]
           << " elements is no multiple of 32 bytes; a wgmma operand needs 32, 64 or 128";
  return retype(buffer, placed), success();
}

Layout registerLayout(BufferType type) {
  if (type.getShape()[1] == 1)
    return Layout::rowVector;
  return type.getShape()[0] == 1 ? Layout::colVector : Layout::acc;
}

LogicalResult place(AllocOp buffer) {
  auto type = buffer.getBuffer().getType();
  if (type.getSpace() != Space::unplaced)
    return success();
  Uses uses = usesOf(buffer);
  if (uses.load && (uses.a || uses.b))
    return placeOperand(buffer, uses.load);
  if (uses.b)
    return buffer.emitError("tile '")
           << buffer.getName()
           << "' is computed and used as b of a product; wgmma reads b from shared memory only: "
              "load it, or make it a";
  Layout layout = uses.a ? Layout::fragA : registerLayout(type);
  retype(buffer, type.in(Space::reg, layout));
  return success();
}

LogicalResult checkProduct(MmaOp mma) {
  auto d = mma.getD().getType(), a = mma.getA().getType();
  int64_t m = d.getShape()[0], n = d.getShape()[1], k = a.getShape()[1];
  auto dtype = *dtypeOf(a.getElementType());
  if (dtype != DType::f16 && dtype != DType::bf16)
    return mma.emitError("wgmma on ")
           << name(dtype).data() << " is not supported yet; use f16 or bf16";
  if (m % 64 || m > 256)
    return mma.emitError("tile has ")
           << m << " rows; wgmma takes 64 per warpgroup, up to 4 of them";
  if (n % 8 || n > 256)
    return mma.emitError("tile has ") << n << " columns; wgmma takes a multiple of 8 up to 256";
  if (k % 16)
    return mma.emitError("a step has K = ")
           << k << "; wgmma takes a multiple of 16 for 16-bit types";
  return success();
}

// ---- Staging of stores ------------------------------------------------------------------------

int64_t sharedBytes(KernelOp kernel) {
  int64_t total = 0;
  kernel.walk([&](AllocOp buffer) {
    auto type = buffer.getBuffer().getType();
    auto loop = dyn_cast<mlir::scf::ForOp>(buffer->getParentOp());
    auto stages = loop ? loop->getAttrOfType<mlir::IntegerAttr>("sluice.stages") : nullptr;
    if (type.getSpace() == Space::smem)
      total += *byteSizeOf(type) * (stages ? stages.getInt() : 1);
  });
  return total;
}

/// Inserts registers -> shared memory before a store that TMA can do, if it fits beside the rest.
void stage(StoreOp store, const Arch &arch) {
  auto source = store.getSource().getType();
  auto tensor = store.getDestination().getType();
  auto minor = minorOf(tensor);
  if (source.getSpace() != Space::reg || source.getLayout() != Layout::acc || minor != 1)
    return;
  auto staging = swizzled(source, 1);
  constexpr int64_t barriers = 1024;
  auto kernel = store->getParentOfType<KernelOp>();
  if (staging.getLayout() == Layout::none || !tmaCanMove(tensor, staging) ||
      sharedBytes(kernel) + *byteSizeOf(staging) + barriers > arch.sharedBytes)
    return;
  mlir::OpBuilder b(store);
  auto root = rootOf(store.getSource());
  auto name = (root ? root.getName().str() : std::string("result")) + "_staging";
  auto buffer = AllocOp::create(b, store.getLoc(), staging, name, mlir::IntegerAttr());
  CopyOp::create(b, store.getLoc(), store.getSource(), buffer.getBuffer());
  store.getSourceMutable().assign(buffer.getBuffer());
}

class PlaceHopper : public mlir::PassWrapper<PlaceHopper, mlir::OperationPass<KernelOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PlaceHopper)
  explicit PlaceHopper(const Arch &arch) : arch_(&arch) {}
  llvm::StringRef getArgument() const override { return "sluice-place-hopper"; }
  llvm::StringRef getDescription() const override { return "tile -> placed for sm_90a"; }

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (failed(separateLifetimes(kernel, /*ascend=*/false)))
      return signalPassFailure();
    auto wrong = kernel.walk([&](mlir::Operation *op) {
      auto mma = dyn_cast<MmaOp>(op);
      auto alloc = dyn_cast<AllocOp>(op);
      return (mma && failed(checkProduct(mma))) || (alloc && failed(place(alloc)))
                 ? mlir::WalkResult::interrupt()
                 : mlir::WalkResult::advance();
    });
    if (wrong.wasInterrupted() || failed(foldZeroFills(kernel, /*acceptLoops=*/false)))
      return signalPassFailure();
    std::vector<StoreOp> stores;
    kernel.walk([&](StoreOp store) { stores.push_back(store); });
    for (StoreOp store : stores)
      stage(store, *arch_);
    std::vector<EpochOp> epochs; // the clock of a fragment is Ascend's affair
    kernel.walk([&](EpochOp epoch) { epochs.push_back(epoch); });
    for (EpochOp epoch : epochs)
      epoch.erase();
    kernel.setPhase("placed");
  }

private:
  const Arch *arch_;
};

} // namespace

std::unique_ptr<mlir::Pass> createPlaceHopperPass(const Arch &arch) {
  return std::make_unique<PlaceHopper>(arch);
}

} // namespace sluice
