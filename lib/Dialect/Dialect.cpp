// Registration of the dialect, and how its types are written.
#include "Dialect/Dialect.h"
#include "Dialect/Register.h"
#include "Program/LineRoom.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FoldInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

#include "Dialect/Dialect.cpp.inc"
#include "Dialect/Enums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "Dialect/Types.cpp.inc"

using namespace mlir;

namespace sluice::ir {

namespace {
/// Constants of element functions stay inside: the function is all that later levels see.
struct KeepElementConstants : DialectFoldInterface {
  using DialectFoldInterface::DialectFoldInterface;
  bool shouldMaterializeInto(Region *region) const override {
    return isa<MapOp, ReduceOp, RawOp>(region->getParentOp());
  }
};
} // namespace

void SluiceDialect::initialize() {
  addInterfaces<KeepElementConstants>();
  addTypes<
#define GET_TYPEDEF_LIST
#include "Dialect/Types.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "Dialect/Ops.cpp.inc"
      >();
}

void registerDialects(DialectRegistry &registry) {
  registry.insert<SluiceDialect, arith::ArithDialect, math::MathDialect, scf::SCFDialect>();
}

std::optional<DType> dtypeOf(Type type) {
  if (type.isF16())
    return DType::f16;
  if (type.isBF16())
    return DType::bf16;
  if (type.isF32())
    return DType::f32;
  if (type.isTF32())
    return DType::tf32;
  if (isa<Float8E4M3FNType>(type))
    return DType::e4m3;
  if (isa<Float8E5M2Type>(type))
    return DType::e5m2;
  if (isa<Float8E8M0FNUType>(type))
    return DType::ue8m0;
  if (isa<Float4E2M1FNType>(type))
    return DType::e2m1;
  if (isa<Float6E2M3FNType>(type))
    return DType::e2m3;
  if (isa<Float6E3M2FNType>(type))
    return DType::e3m2;
  if (auto pair = dyn_cast<VectorType>(type); pair && pair.getShape() == ArrayRef<int64_t>{2} &&
                                              !pair.isScalable() &&
                                              isa<Float4E2M1FNType>(pair.getElementType()))
    return DType::e2m1x2;
  if (type.isIndex())
    return DType::index;
  if (type.isInteger(32))
    return DType::i32;
  if (type.isInteger(8))
    return DType::s8;
  if (type.isInteger(1))
    return DType::i1;
  return std::nullopt;
}

Type typeOf(DType type, MLIRContext *context) {
  Builder b(context);
  switch (type) {
  case DType::i1:
    return b.getI1Type();
  case DType::s8:
    return b.getIntegerType(8);
  case DType::i32:
    return b.getI32Type();
  case DType::index:
    return b.getIndexType();
  case DType::ue8m0:
    return Float8E8M0FNUType::get(context);
  case DType::e2m1x2:
    return VectorType::get({2}, Float4E2M1FNType::get(context));
  case DType::e2m1:
    return Float4E2M1FNType::get(context);
  case DType::e2m3:
    return Float6E2M3FNType::get(context);
  case DType::e3m2:
    return Float6E3M2FNType::get(context);
  case DType::e4m3:
    return Float8E4M3FNType::get(context);
  case DType::e5m2:
    return Float8E5M2Type::get(context);
  case DType::f16:
    return b.getF16Type();
  case DType::bf16:
    return b.getBF16Type();
  case DType::tf32:
    return b.getTF32Type();
  case DType::f32:
    return b.getF32Type();
  }
  return {};
}

std::optional<int64_t> byteSizeOf(BufferType buffer) {
  auto type = dtypeOf(buffer.getElementType());
  if (!type)
    return std::nullopt;
  int64_t bytes = byteSize(*type);
  if (buffer.getSpace() == Space::tmem) // of a lane, which has a row
    return bytes * buffer.getShape()[1];
  for (int64_t extent : buffer.getShape())
    bytes *= extent;
  if (buffer.getLayout() == Layout::lines)
    bytes += lineRoom * buffer.getShape()[1 - buffer.getMinor()];
  if (buffer.getLayout() == Layout::span)
    bytes += lineRoom;
  return bytes;
}

int64_t slotBytesOf(BufferType buffer) {
  constexpr int64_t block = 32;
  const int64_t bytes = *byteSizeOf(buffer);
  return buffer.getSpace() == Space::ub ? (bytes + block - 1) / block * block : bytes;
}

template <typename Emit> static LogicalResult verifySlots(Emit emit, int64_t slots) {
  if (slots < 1)
    return emit() << "a ring has at least one slot";
  if (slots > 1024)
    return emit() << "a ring of " << slots << " slots; 1024 is the most";
  return success();
}
LogicalResult MbarrierType::verify(function_ref<InFlightDiagnostic()> emit, int64_t slots) {
  return verifySlots(emit, slots);
}
LogicalResult CursorType::verify(function_ref<InFlightDiagnostic()> emit, int64_t slots) {
  return verifySlots(emit, slots);
}
LogicalResult PipelineType::verify(function_ref<InFlightDiagnostic()> emit, int64_t slots) {
  return verifySlots(emit, slots);
}

// ---- !sluice.tensor<?x?xf16, minor 0, align 16> ----

Type TensorType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  if (parser.parseLess() || parser.parseDimensionList(shape) || parser.parseType(element))
    return {};
  const auto rank = int64_t(shape.size());
  int64_t minor = rank - 1, rows = defaultRows(int(rank)), align = 1;
  while (succeeded(parser.parseOptionalComma())) {
    StringRef key;
    auto at = parser.getCurrentLocation();
    if (parser.parseKeyword(&key))
      return {};
    int64_t *field = key == "minor"   ? &minor
                     : key == "rows"  ? &rows
                     : key == "align" ? &align
                                      : nullptr;
    if (!field)
      return parser.emitError(at, "expected 'minor', 'rows' or 'align', found '") << key << "'",
             Type();
    if (parser.parseInteger(*field))
      return {};
    if (field == &rows && (rows < 0 || rows >= rank - 1))
      return parser.emitError(at, "rows must name a dimension before the last, of ")
                 << rank << (rank == 1 ? " dimension" : " dimensions"),
             Type();
  }
  if (parser.parseGreater())
    return {};
  if (shape.empty())
    return parser.emitError(parser.getNameLoc(), "a tensor has at least one dimension"), Type();
  if (minor < 0 || minor >= rank)
    return parser.emitError(parser.getNameLoc(), "minor must name a dimension, 0 to ") << rank - 1,
           Type();
  if (align < 1)
    return parser.emitError(parser.getNameLoc(), "align must be at least 1 byte"), Type();
  return get(parser.getContext(), shape, element, int(minor), int(rows), align);
}

static void printShape(AsmPrinter &printer, ArrayRef<int64_t> shape, Type element) {
  printer.printDimensionList(shape);
  printer << 'x' << element;
}

void TensorType::print(AsmPrinter &printer) const {
  printer << '<';
  printShape(printer, getShape(), getElementType());
  if (getMinor() != getRank() - 1)
    printer << ", minor " << getMinor();
  if (getRows() != defaultRows(getRank()))
    printer << ", rows " << getRows();
  if (getAlign() != 1)
    printer << ", align " << getAlign();
  printer << '>';
}

// ---- !sluice.buffer<128x64xf16, smem, sw128, minor 0, slots 4> ----

namespace {
struct BufferOptions {
  Space space = Space::unplaced;
  Layout layout = Layout::none;
  int64_t minor = 1, slots = 1;
};
} // namespace

static ParseResult parseOption(AsmParser &parser, BufferOptions &options) {
  StringRef key;
  auto at = parser.getCurrentLocation();
  if (parser.parseKeyword(&key))
    return failure();
  if (key == "minor")
    return parser.parseInteger(options.minor);
  if (key == "slots")
    return parser.parseInteger(options.slots);
  if (auto space = parseSpace(key.str())) {
    options.space = *space;
    return success();
  }
  if (auto layout = parseLayout(key.str())) {
    options.layout = *layout;
    return success();
  }
  return parser.emitError(at, "expected a memory space, a layout, 'minor' or 'slots', found '")
         << key << "'";
}

Type BufferType::parse(AsmParser &parser) {
  SmallVector<int64_t> shape;
  Type element;
  if (parser.parseLess() || parser.parseDimensionList(shape, /*allowDynamic=*/false) ||
      parser.parseType(element))
    return {};
  BufferOptions options;
  while (succeeded(parser.parseOptionalComma()))
    if (parseOption(parser, options))
      return {};
  if (parser.parseGreater())
    return {};
  auto fail = [&](const Twine &why) { return parser.emitError(parser.getNameLoc(), why), Type(); };
  if (shape.size() != 2)
    return fail("a buffer has two dimensions; write a vector as Rx1 or 1xC");
  if (shape[0] < 1 || shape[1] < 1)
    return fail("the extents of a buffer must be positive");
  if (options.minor < 0 || options.minor > 1)
    return fail("minor must be 0 or 1");
  if (options.slots < 1)
    return fail("a buffer has at least one slot");
  return get(parser.getContext(), shape, element, options.space, options.layout, options.minor,
             options.slots);
}

void BufferType::print(AsmPrinter &printer) const {
  printer << '<';
  printShape(printer, getShape(), getElementType());
  if (getSpace() != Space::unplaced)
    printer << ", " << sluice::name(getSpace()).data();
  if (getLayout() != Layout::none)
    printer << ", " << sluice::name(getLayout()).data();
  if (getMinor() != 1)
    printer << ", minor " << getMinor();
  if (getSlots() != 1)
    printer << ", slots " << getSlots();
  printer << '>';
}

BufferType BufferType::in(Space space, Layout layout) const {
  return get(getContext(), getShape(), getElementType(), space, layout, getMinor(), getSlots());
}
BufferType BufferType::withSlots(int64_t slots) const {
  return get(getContext(), getShape(), getElementType(), getSpace(), getLayout(), getMinor(),
             slots);
}
BufferType BufferType::withShape(ArrayRef<int64_t> shape) const {
  return get(getContext(), shape, getElementType(), getSpace(), getLayout(), getMinor(),
             getSlots());
}
BufferType BufferType::transposed() const {
  SmallVector<int64_t> shape = {getShape()[1], getShape()[0]};
  return get(getContext(), shape, getElementType(), getSpace(), getLayout(), 1 - getMinor(),
             getSlots());
}

} // namespace sluice::ir
