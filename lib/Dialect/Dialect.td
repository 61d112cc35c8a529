// The dialect `sluice`: types and enumerations. Operations: TileOps, PipelineOps, BarrierOps.
#ifndef SLUICE_DIALECT
#define SLUICE_DIALECT

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/DialectBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Sluice_Dialect : Dialect {
  let name = "sluice";
  let cppNamespace = "::sluice::ir";
  let summary = "Asynchronous tile pipelines on accelerators";
  let description = [{
    Kernels on tiles, in five phases: tile, placed, pipeline, barrier, allocated. docs/language.md
    describes every operation; docs/architecture.md says which may coexist.
  }];
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1; // sluice.stages and sluice.slots of loops
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect"
  ];
}

class Sluice_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<Sluice_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
}

def Sluice_Tensor : Sluice_Type<"Tensor", "tensor"> {
  let summary = "A tensor in global memory";
  let description = [{
    `!sluice.tensor<?x?xf16, minor 0, align 16>`: rank and element type are static, extents (`?` or
    a number) and strides are run-time values. `minor` names the dimension whose stride is 1
    (default: the last). `rows` names the dimension along which rows of its tiles lie (default: the
    one before the last); columns lie along the last. `align` is an assumption, checked at launch:
    bytes that divide the base address and every other stride.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType, "int":$minor, "int":$rows,
    "int64_t":$align);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    int getRank() const { return getShape().size(); }
    /// Of a vector, which has columns alone: -1.
    static int defaultRows(int rank) { return rank - 2; }
    /// The dimension along which dimension `along` of its tiles lies, of matrices.
    unsigned dimensionOf(int along) const { return along == 0 ? getRows() : getRank() - 1; }
  }];
}

def Sluice_Buffer : Sluice_Type<"Buffer", "buffer"> {
  let summary = "A mutable tile on the chip";
  let description = [{
    `!sluice.buffer<128x64xf16, smem, sw128, minor 1, slots 4>`: two dimensions; space and layout
    are absent at the tile level. A buffer with `slots` n > 1 is a ring of n tiles; `sluice.slot`
    selects one.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType, "::sluice::Space":$space,
    "::sluice::Layout":$layout, "int":$minor, "int64_t":$slots);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// The same tile elsewhere.
    BufferType in(::sluice::Space space, ::sluice::Layout layout) const;
    BufferType withSlots(int64_t slots) const;
    BufferType withShape(::llvm::ArrayRef<int64_t> shape) const;
    BufferType transposed() const;
  }];
}

class Sluice_SlotsType<string name, string mnemonic> : Sluice_Type<name, mnemonic> {
  let parameters = (ins "int64_t":$slots);
  let genVerifyDecl = 1;
  let assemblyFormat = "`<` $slots `>`";
}

def Sluice_Mbarrier : Sluice_SlotsType<"Mbarrier", "mbarrier"> {
  let summary = "An array of mbarriers in shared memory (PTX ISA 9.7.13.15)";
}
def Sluice_Cursor : Sluice_SlotsType<"Cursor", "cursor"> {
  let summary = "Position in a ring of n slots: slot and phase; the phase flips at each wrap";
}
def Sluice_Token : Sluice_Type<"Token", "token"> {
  let summary = "What a slot said when it was asked: that who waits for it need not, or nothing";
}
def Sluice_Pipeline : Sluice_SlotsType<"Pipeline", "pipeline"> {
  let summary = "A ring of n slots between producers and consumers";
}

// Same order as ::sluice::Exec, ::sluice::Pipe and ::sluice::CachePolicy (lib/Program).
def Sluice_Exec : I32EnumAttr<"Exec", "which threads of the role execute an operation", [
    I32EnumAttrCase<"threads", 0>, I32EnumAttrCase<"warp", 1>, I32EnumAttrCase<"warpgroup", 2>,
    I32EnumAttrCase<"one", 3>]> {
  let cppNamespace = "::sluice::ir";
}
def Sluice_Pipe : I32EnumAttr<"Pipe", "pipe of an Ascend core", [
    I32EnumAttrCase<"none", 0>, I32EnumAttrCase<"S", 1>, I32EnumAttrCase<"MTE1", 2>,
    I32EnumAttrCase<"MTE2", 3>, I32EnumAttrCase<"MTE3", 4>, I32EnumAttrCase<"M", 5>,
    I32EnumAttrCase<"FIX", 6>, I32EnumAttrCase<"V", 7>, I32EnumAttrCase<"ALL", 8>]> {
  let cppNamespace = "::sluice::ir";
}
def Sluice_FenceKind : I32EnumAttr<"FenceKind", "what a fence orders", [
    I32EnumAttrCase<"proxy_async", 0>, I32EnumAttrCase<"mbarrier_init", 1>,
    I32EnumAttrCase<"tcgen05_before", 2>, I32EnumAttrCase<"tcgen05_after", 3>,
    I32EnumAttrCase<"proxy_async_global", 4>]> {
  let cppNamespace = "::sluice::ir";
}
def Sluice_Scope : I32EnumAttr<"Scope", "who sees it", [
    I32EnumAttrCase<"cta", 0>, I32EnumAttrCase<"cluster", 1>, I32EnumAttrCase<"gpu", 2>]> {
  let cppNamespace = "::sluice::ir";
}

def Sluice_CachePolicy : I32EnumAttr<"CachePolicy", "what the second-level cache evicts first", [
    I32EnumAttrCase<"normal", 0>, I32EnumAttrCase<"evict_first", 1>,
    I32EnumAttrCase<"evict_last", 2>]> {
  let cppNamespace = "::sluice::ir";
}

class Sluice_Op<string mnemonic, list<Trait> traits = []> : Op<Sluice_Dialect, mnemonic, traits>;

// Operations that say who executes them: `by one`; who sees the memory they release or acquire;
// on Ascend on which pipe: `on MTE2`; and of TMA what it tells the cache: `cache evict_first`.
defvar ExecAttr = DefaultValuedAttr<Sluice_Exec, "::sluice::ir::Exec::threads">;
defvar ScopeAttr = DefaultValuedAttr<Sluice_Scope, "::sluice::ir::Scope::cta">;
defvar PipeAttr = DefaultValuedAttr<Sluice_Pipe, "::sluice::ir::Pipe::none">;
defvar CacheAttr = DefaultValuedAttr<Sluice_CachePolicy, "::sluice::ir::CachePolicy::normal">;

#endif
