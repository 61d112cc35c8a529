#include "Transform/Placed/HopperTiles.h"

#include "Dialect/Marks.h"
#include "Program/Strides.h"
#include "Transform/Placed/TensorMemory.h"
#include "Transform/Placed/VectorFold.h"
#include "Transform/Refusal.h"

namespace sluice {

using namespace ir;
using mlir::isa;
using mlir::LogicalResult;
using mlir::success;

static bool isComputedWith(DType type, Layout layout) {
  return type == DType::f32 || type == DType::f16 || type == DType::bf16 ||
         (type != DType::i1 && byteSize(type) == 1 && !isPacked(type) &&
          layout == Layout::blocked) ||
         (type == DType::i32 &&
          (layout == Layout::acc || layout == Layout::row || layout == Layout::blocked ||
           layout == Layout::blockedRowVector || layout == Layout::blockedColVector));
}

/// Tiles wait in registers by whole rows, which have been counted, or in the layout of an
/// accumulator: 64 rows a warpgroup, 8 columns at a time. Of a row for all rows each warp has a
/// copy: no warp is the one to store it.
LogicalResult verifyInRegisters(AllocOp buffer, Layout layout) {
  auto type = buffer.getBuffer().getType();
  const int64_t rows = type.getShape()[0], columns = type.getShape()[1];
  if (!isComputedWith(*dtypeOf(type.getElementType()), layout))
    return unsupported(buffer, "tile '") << buffer.getName() << "' of " << type.getElementType()
                                         << " waits in registers, where sm_90a computes with f32, "
                                            "f16, bf16 and, in matrices, i32; by "
                                            "whole rows also with e4m3, e5m2 and i8";
  const bool wholeRows = layout == layoutOfWholeRows(type);
  if (!wholeRows && layout != Layout::colVector && rows % 64 != 0)
    return unsupported(buffer, "tile '")
           << buffer.getName() << "' has " << rows
           << " rows and waits in registers, where a warpgroup holds 64; take a multiple of 64";
  const bool oneColumn = layout == Layout::rowVector || (layout == Layout::row && columns == 1);
  if (!wholeRows && !oneColumn && columns % 8 != 0)
    return unsupported(buffer, "tile '")
           << buffer.getName() << "' has " << columns
           << " columns and waits in registers, which hold 8 at a time; take a multiple of 8";
  for (const TileAccess &access : accessesOf(buffer))
    if (isCopiedPerWarp(layout) && isa<StoreOp>(access.op))
      return unsupported(access.op, "every warp has the only row of tile '")
             << buffer.getName() << "', and all would store it; make it part of a larger tile";
  return success();
}

bool isMultiplied(DType type) {
  return type == DType::s8 || type == DType::e2m1x2 || (isFloat(type) && type != DType::f32);
}

/// Which types an operand that is contiguous along M or N has. PTX ISA, wgmma: f16 and bf16;
/// tcgen05, instruction descriptor: those of 8 bits too (tf32 in a swizzle of its own).
static bool isTransposed(DType type, bool tensorMemory) {
  return byteSize(type) == 2 ||
         (tensorMemory && byteSize(type) == 1 && type != DType::e2m1x2 && !isPacked(type));
}

/// Of an operand in shared memory; `along` is its dimension along K.
static LogicalResult verifyMinor(MmaOp mma, llvm::StringRef operand, BufferType type, int along,
                                 bool tensorMemory) {
  constexpr int64_t granule = 16; // columns of a transposed b of 8 bits
  const DType dtype = *dtypeOf(type.getElementType());
  const int64_t columns = mma.getD().getType().getShape()[1];
  if (type.getMinor() == along)
    return success();
  if (!isTransposed(dtype, tensorMemory))
    return mma.emitError(tensorMemory ? "tcgen05.mma" : "wgmma")
           << " of " << name(dtype).data() << " is not supported with this layout of " << operand
           << "; it must be contiguous along K in memory, A by rows and B by columns: only f16"
           << (tensorMemory ? ", bf16 and types of 8 bits" : " and bf16") << " are transposed";
  if (byteSize(dtype) == 1 && operand == "b" && columns % granule)
    return breaks("R43", mma, "tile has ")
           << columns << " columns; of a transposed B of 8 bits tcgen05.mma takes a multiple of "
           << granule;
  return success();
}

/// Of 4 and 6 bits TMA brings 128 numbers side by side (PTX ISA, restrictions on tensor copies).
static LogicalResult verifyPacked(MmaOp mma, mlir::Value operand) {
  constexpr int64_t side = packedLine;
  auto tile = rootOf(operand);
  auto type = tile.getBuffer().getType();
  if (!isPacked(*dtypeOf(type.getElementType())))
    return success();
  const int64_t depth = type.getShape()[type.getMinor()];
  if (depth % side)
    return breaks("R52", mma, "tile '")
           << tile.getName() << "' of " << type.getElementType() << " has " << depth
           << " numbers along K; of 4 and 6 bits TMA brings a multiple of " << side;
  for (const TileAccess &access : accessesOf(tile))
    if (auto load = mlir::dyn_cast<LoadOp>(access.op);
        load && !tmaCanLoad(load, load.getDestination().getType()))
      return breaks("R52", load, "tile '")
             << tile.getName() << "' of " << type.getElementType()
             << " is brought by TMA alone: the tensor promises `align 32`, and the tile starts at "
                "multiples of 128 numbers along K";
  return success();
}

/// Operands that are not of 16 bits come from shared memory (other fragments of A have another
/// layout), mostly contiguous along K.
LogicalResult verifyOperands(MmaOp mma) {
  const DType dtype = *dtypeOf(mma.getA().getType().getElementType());
  const bool tensorMemory = isForTensorMemory(mma->getParentOfType<KernelOp>());
  if (byteSize(dtype) == 2)
    return success();
  if (dtype == DType::e2m1x2 && !mma.getScalesA())
    return mma.emitError("numbers of 4 bits are multiplied with factors of their blocks alone "
                         "(sm_100a, kind::mxf4 and mxf4nvf4); give the product `scales`");
  for (auto [operand, view, along] :
       {std::tuple("a", mma.getA(), 1), std::tuple("b", mma.getB(), 0)}) {
    auto type = view.getType();
    if (type.getSpace() != Space::smem)
      return mma.emitError(tensorMemory ? "tcgen05.mma" : "wgmma")
             << " of " << name(dtype).data() << " with a computed " << operand
             << " is not supported; load the tile, or compute it in f16 or bf16";
    if (failed(verifyMinor(mma, operand, type, along, tensorMemory)) ||
        failed(verifyPacked(mma, view)))
      return mlir::failure();
  }
  return success();
}

/// What an instruction multiplies, whatever lies where.
LogicalResult verifyProduct(MmaOp mma) {
  auto d = mma.getD().getType(), a = mma.getA().getType();
  int64_t m = d.getShape()[0], n = d.getShape()[1], k = a.getShape()[1];
  auto dtype = *dtypeOf(a.getElementType());
  if (!isMultiplied(dtype))
    return mma.emitError("wgmma on ")
           << name(dtype).data() << " is not supported; use f16, bf16, tf32, e4m3, e5m2 or s8";
  if (m % 64)
    return breaks("R18", mma, "tile has ")
           << m << " rows; wgmma takes 64 per warpgroup, up to 4 of them";
  if (m > 256)
    return unsupported(mma, "tile has ") << m << " rows; products of up to 256 are lowered";
  if (n % 8 || n > 256)
    return breaks("R18", mma, "tile has ")
           << n << " columns; wgmma takes a multiple of 8 up to 256";
  if (dtype == DType::s8 && n > 32 && n % 16)
    return breaks("R18", mma, "tile has ")
           << n << " columns; wgmma of s8 takes a multiple of 16 above 32";
  if (const int64_t step = 32 / byteSize(dtype); k % step)
    return breaks("R18", mma, "a step has K = ")
           << k << "; wgmma takes a multiple of " << step << " for " << name(dtype).data();
  return success();
}

/// A thread folds what it has, into what it has.
static LogicalResult verifyColumns(ReduceOp reduce) {
  const auto to = mlir::cast<BufferType>(reduce.getOutputs()[0].getType());
  auto kernel = reduce->getParentOfType<KernelOp>();
  const bool whole = warpsOfWholeRows(kernel).has_value();
  const int64_t columns = to.getShape()[1], together = reduce.getTogether();
  if (columns == 1)
    return success();
  const bool ofLanes = whole && columns == 32 && together == blockedPiece;
  const int64_t alike = whole ? 256 : 8;
  if (!isForTensorMemory(kernel) && !ofLanes && (together != 1 || columns % alike))
    return unsupported(reduce, "a fold into ")
           << columns << " columns, " << together << " together, of tiles "
           << (whole ? "by whole rows" : "in wgmma's layout")
           << ", whose lanes have the same of every " << alike << "; take a multiple of that"
           << (whole ? ", or 32 columns, 8 together, one for each lane" : "");
  if (!to.getElementType().isF32())
    return unsupported(reduce, "a fold into columns of ")
           << to.getElementType() << ", which rounds every partial result; take f32";
  return success();
}

LogicalResult verifyFold(ReduceOp reduce) {
  if (marks::across.on(reduce) && isVectorFold(reduce)) {
    auto element = mlir::cast<BufferType>(reduce.getInputs()[0].getType()).getElementType();
    if (byteSize(*dtypeOf(element)) != 4)
      return unsupported(reduce, "a fold across CTAs (sluice.across) of ")
             << element << ", of which st.async sends no single number; fold f32";
    return success();
  }
  if (reduce.getAxis() == 1)
    return verifyColumns(reduce);
  if (isVectorFold(reduce))
    return success();
  if (marks::across.on(reduce))
    return unsupported(reduce, "a fold across CTAs (sluice.across) is of a vector of one number a "
                               "row, where tiles lie by whole rows: 4 or more of them");
  return unsupported(reduce, "a fold of rows (axis 0) crosses the warps that hold them in "
                             "registers; fold columns (axis 1), or write this part at the barrier "
                             "level");
}

/// The warps of a role share the rows of every tile.
static LogicalResult verifyShared(AllocOp buffer, Layout layout, llvm::StringRef role,
                                  const RolePlan &plan) {
  constexpr int64_t ofWarp = 16;
  const int warps = plan.warpsOf(role);
  const int64_t rows = buffer.getBuffer().getType().getShape()[0], held = ofWarp * warps;
  if (warps == 0 || layout == Layout::colVector ||
      layout == layoutOfWholeRows(buffer.getBuffer().getType()) || rows % held == 0)
    return success();
  return unsupported(buffer, "tile '")
         << buffer.getName() << "' has " << rows << " rows and waits in registers of the " << warps
         << " warps "
         << (hasNamedRoles(buffer->getParentOfType<KernelOp>()) ? "of role '" + role.str() + "'"
                                                                : "that compute")
         << ", which hold " << held << "; take a multiple of " << held;
}

LogicalResult verifyRows(AllocOp buffer, const RolePlan &plan) {
  auto type = buffer.getBuffer().getType();
  return type.getSpace() == Space::reg
             ? verifyShared(buffer, type.getLayout(), holderOf(buffer), plan)
             : success();
}

LogicalResult verifyCopied(AllocOp buffer, const RolePlan &plan) {
  const Layout layout =
      registerLayout(buffer->getParentOfType<KernelOp>(), buffer.getBuffer().getType());
  for (const TileAccess &access : accessesOf(buffer))
    if (access.reads && isa<MapOp, ReduceOp>(access.op) &&
        (failed(verifyInRegisters(buffer, layout)) ||
         failed(verifyShared(buffer, layout, roleFor(access.op), plan))))
      return mlir::failure();
  return success();
}

/// Warps hold rows of a tile, and lanes pairs of its columns: parts take all rows, and columns by
/// the eight.
LogicalResult verifyPart(SubviewOp part) {
  auto whole = part.getBuffer().getType(), type = part.getView().getType();
  if (whole.getSpace() != Space::reg || type.getShape() == whole.getShape())
    return success();
  const int columns = whole.getMinor();
  const auto first = mlir::getConstantIntValue(part.getOffsets()[columns]);
  if (type.getShape()[1 - columns] == whole.getShape()[1 - columns] && first && *first % 8 == 0 &&
      type.getShape()[columns] % 8 == 0)
    return success();
  return unsupported(part, "a part of tile '")
         << rootOf(part.getBuffer()).getName()
         << "', which waits in registers, has all its rows and a multiple of 8 columns from a "
            "constant multiple of 8 on";
}

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

Layout registerLayout(KernelOp kernel, BufferType type) {
  if (isForTensorMemory(
          kernel)) // a row in each thread; of a vector for all rows every thread has all
    return type.getShape()[0] == 1 ? Layout::blockedColVector : Layout::row;
  if (warpsOfWholeRows(kernel))
    return layoutOfWholeRows(type);
  if (type.getShape()[1] == 1)
    return Layout::rowVector;
  return type.getShape()[0] == 1 ? Layout::colVector : Layout::acc;
}

} // namespace sluice
