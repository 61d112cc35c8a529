// Operations of every level: kernels, tensors, buffers, and data operations on tiles.
#ifndef SLUICE_TILE_OPS
#define SLUICE_TILE_OPS

include "Dialect.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

defvar Named = DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>;
defvar NamedArguments = DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>;
defvar Inferred = InferTypeOpAdaptor;

// ---- Structure ----

def KernelOp : Sluice_Op<"kernel", [
    IsolatedFromAbove, FunctionOpInterface, AutomaticAllocationScope, NoTerminator, SingleBlock,
    NamedArguments]> {
  let summary = "A kernel: tensors and scalars in, one program for every CTA or core of a grid";
  let description = [{
    Arguments are tensors, then scalars. Argument attributes: `sluice.name`, `sluice.out` (written),
    `sluice.inout`, `sluice.workspace` (its contents matter to nobody outside); a tensor with none
    of them is read. `phase` is one of tile, placed, pipeline, barrier, allocated. `warps`,
    `shared_bytes` and `cluster` belong to the NVIDIA targets.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs,
    OptionalAttr<StrAttr>:$target, DefaultValuedAttr<StrAttr, "\"tile\"">:$phase,
    OptionalAttr<I64Attr>:$warps, OptionalAttr<I64Attr>:$shared_bytes,
    OptionalAttr<DenseI64ArrayAttr>:$cluster);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::ArrayRef<::mlir::Type> getArgumentTypes() { return getFunctionType().getInputs(); }
    ::mlir::ArrayRef<::mlir::Type> getResultTypes() { return getFunctionType().getResults(); }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
    /// `sluice.name` of an argument, or "argN".
    std::string argumentName(unsigned i);
    ::mlir::LogicalResult verifyLaunch();
  }];
}

def GridOp : Sluice_Op<"grid", [Named, AllTypesMatch<["extents", "coordinates"]>]> {
  let summary = "Declares the extents of the grid; yields the coordinates of this CTA or core";
  let description = [{
    NVIDIA: with `persistent` no more CTAs are launched than the machine has SMs, nor than take as
    many waves as these would, and each computes one tile after the other; with `cluster` the CTAs
    of a cluster of these extents compute tiles side by side and share the loads that they have in
    common. `group` (persistent or on Ascend, two or three extents): tiles are taken in groups of so
    many rows, down before across, every second group from its last column back. On Ascend every
    grid is dealt to the cores in turn.
  }];
  let arguments = (ins Variadic<Index>:$extents, UnitAttr:$persistent,
    OptionalAttr<DenseI64ArrayAttr>:$cluster, OptionalAttr<I64Attr>:$group);
  let results = (outs Variadic<Index>:$coordinates);
  let assemblyFormat = "$extents attr-dict `:` type($extents)";
  let hasVerifier = 1;
}

def DimOp : Sluice_Op<"dim", [Pure, Named]> {
  let summary = "Extent of a tensor";
  let arguments = (ins Sluice_Tensor:$tensor, I64Attr:$dimension);
  let results = (outs Index:$extent);
  let assemblyFormat = "$tensor `,` $dimension attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

def UniformOp : Sluice_Op<"uniform", [Pure, Named, SameOperandsAndResultType]> {
  let summary = "Marks a value that several roles follow as one trip count or branch";
  let description = [{
    The operand is a pure function of the grid coordinates and the arguments, or was read once and
    handed to the roles. Roles that branch on it run the same number of iterations.
  }];
  let arguments = (ins AnySignlessIntegerOrIndex:$value);
  let results = (outs AnySignlessIntegerOrIndex:$result);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}

def AssumeOp : Sluice_Op<"assume"> {
  let summary = "A condition on extents and arguments, checked before a launch";
  let description = [{
    Stands directly in the kernel. The condition is arithmetic on extents and on integer arguments,
    which is what a host knows before a launch.
  }];
  let arguments = (ins I1:$condition, StrAttr:$message);
  let assemblyFormat = "$condition `,` $message attr-dict";
  let hasVerifier = 1;
}

def AllocOp : Sluice_Op<"alloc", [Named]> {
  let summary = "Declares a buffer";
  let description = [{
    `offset` (bytes from the start of the space; in tensor memory bytes of a lane, 4 a column) is
    set by the allocation pass, or by an author who wants an overlay. A register buffer stands in
    the role that owns it.
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<I64Attr>:$offset);
  let results = (outs Sluice_Buffer:$buffer);
  let assemblyFormat = "$name (`at` $offset^)? attr-dict `:` qualified(type($buffer))";
  let hasVerifier = 1;
}

// ---- Views ----

def SlotOp : Sluice_Op<"slot", [Pure, Inferred, Named]> {
  let summary = "One tile of a ring";
  let arguments = (ins Sluice_Buffer:$buffer, Index:$index);
  let results = (outs Sluice_Buffer:$view);
  let assemblyFormat = "$buffer `[` $index `]` attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

def SubviewOp : Sluice_Op<"subview", [Pure, Named]> {
  let summary = "A box of a tile; the offsets count elements";
  let arguments = (ins Sluice_Buffer:$buffer, Variadic<Index>:$offsets);
  let results = (outs Sluice_Buffer:$view);
  let assemblyFormat = "$buffer `[` $offsets `]` attr-dict `:` type($buffer) `to` type($view)";
  let hasVerifier = 1;
}

def TransposeOp : Sluice_Op<"transpose", [Pure, Inferred, Named]> {
  let summary = "The tile with rows and columns exchanged; moves nothing";
  let arguments = (ins Sluice_Buffer:$buffer);
  let results = (outs Sluice_Buffer:$view);
  let assemblyFormat = "$buffer attr-dict `:` type($buffer)";
}

def ClipOp : Sluice_Op<"clip", [Pure, Named, AllTypesMatch<["tensor", "view"]>]> {
  let summary = "The tensor up to `extent` in one dimension: what lies beyond counts as outside";
  let description = [{
    Loads of it fill zeros there and stores skip it, as at the end of the tensor itself: a sequence
    packed with others in one tensor. TMA clips at the tensor only, so such copies go by threads.
  }];
  let arguments = (ins Sluice_Tensor:$tensor, I64Attr:$dimension, Index:$extent);
  let results = (outs Sluice_Tensor:$view);
  let assemblyFormat = "$tensor `,` $dimension `to` $extent attr-dict `:` type($tensor)";
  let hasVerifier = 1;
}

// ---- Data ----

def LoadOp : Sluice_Op<"load", [AttrSizedOperandSegments]> {
  let summary = "A box of a tensor into a tile; elements outside the tensor become zero";
  let description = [{
    At the tile level: what is to be moved. At the barrier level: a copy by threads (or, with
    `async`, by cp.async), or by pipe MTE2. `rows`, a tensor of row numbers, makes it a gather.
    `cache`: a hint to L2 where TMA moves it.
  }];
  let arguments = (ins Sluice_Tensor:$source, Variadic<Index>:$offsets, Sluice_Buffer:$destination,
    Optional<Sluice_Tensor>:$rows, UnitAttr:$async, ExecAttr:$exec, PipeAttr:$pipe,
    CacheAttr:$cache);
  let assemblyFormat = [{
    $source `[` $offsets `]` `to` $destination (`rows` $rows^ `:` type($rows))? (`async` $async^)?
    (`cache` $cache^)? (`by` $exec^)? (`on` $pipe^)? attr-dict
    `:` type($source) `,` type($destination)
  }];
  let hasVerifier = 1;
}

def StoreOp : Sluice_Op<"store"> {
  let summary = "A tile into a box of a tensor, clipped at its extents; with `add`, adds to it";
  let description = [{
    With `units`, on FIX, it takes each unit of the tile in L0C as soon as a Mmad hands it over, and
    gives it back to M.
  }];
  let arguments = (ins Sluice_Buffer:$source, Sluice_Tensor:$destination, Variadic<Index>:$offsets,
    UnitAttr:$add, ExecAttr:$exec, PipeAttr:$pipe, CacheAttr:$cache, UnitAttr:$units);
  let assemblyFormat = [{
    $source `to` $destination `[` $offsets `]` (`add` $add^)? (`cache` $cache^)? (`by` $exec^)?
    (`on` $pipe^)? (`units` $units^)? attr-dict
    `:` type($source) `,` type($destination)
  }];
  let hasVerifier = 1;
}

def CopyOp : Sluice_Op<"copy"> {
  let summary = "Tile to tile; changes space, layout and, between floats, the element type";
  let description = [{
    With `ctas 2` each CTA of a pair copies from its shared memory to its tensor memory; one thread
    asks for both (tcgen05.cp.cta_group::2).
  }];
  let arguments = (ins Sluice_Buffer:$source, Sluice_Buffer:$destination, ExecAttr:$exec,
    PipeAttr:$pipe, DefaultValuedAttr<I64Attr, "1">:$ctas);
  let assemblyFormat = [{
    $source `to` $destination (`by` $exec^)? (`on` $pipe^)? (`ctas` $ctas^)? attr-dict
    `:` type($source) `,` type($destination)
  }];
  let hasVerifier = 1;
}

def FillOp : Sluice_Op<"fill"> {
  let summary = "Every element becomes a constant";
  let arguments = (ins Sluice_Buffer:$destination, F64Attr:$value, ExecAttr:$exec, PipeAttr:$pipe);
  let assemblyFormat = [{
    $destination `with` $value (`by` $exec^)? (`on` $pipe^)? attr-dict `:` type($destination)
  }];
}

def PrintOp : Sluice_Op<"print"> {
  let summary = "The first elements of a tile as text: on stdout, or by the device's printf";
  let arguments = (ins Sluice_Buffer:$source);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

def MmaOp : Sluice_Op<"mma", [AttrSizedOperandSegments]> {
  let summary = "d[M,N] += a[M,K] b[K,N] on tiles; with `accumulate` false, d = a b";
  let description = [{
    With `scales`, of a and of b, each block of 32 along K of a row of a, of a column of b, is
    multiplied by its factor: 32 rows of 16 bytes for each 128 rows or columns, as tcgen05.cp takes
    them; byte 4 i + k of row l is that of row 32 i + l and of block k.
  }];
  let arguments = (ins Sluice_Buffer:$d, Sluice_Buffer:$a, Sluice_Buffer:$b,
    Optional<Sluice_Buffer>:$scalesA, Optional<Sluice_Buffer>:$scalesB, Optional<I1>:$accumulate);
  let assemblyFormat = [{
    $d `,` $a `,` $b (`scales` $scalesA^ `,` $scalesB)? (`accumulate` $accumulate^)? attr-dict
    `:` type($d) `,` type($a) `,` type($b) (`,` type($scalesA)^ `,` type($scalesB))?
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$d, "::mlir::Value":$a, "::mlir::Value":$b,
                             "::mlir::Value":$accumulate), [{
    build($_builder, $_state, d, a, b, ::mlir::Value(), ::mlir::Value(), accumulate);
  }]>];
  let hasVerifier = 1;
}

def ClusterSumOp : Sluice_Op<"cluster.sum"> {
  let summary = "The sum of a tile over CTAs of the cluster, a block of its columns for each";
  let description = [{
    Sums over the CTAs of consecutive ranks whose `place` is 0, 1 .. ; the one at place p gets the
    p-th block of columns, as many as its destination has. The parts are added in the order of the
    places. `through`: shared memory in which the parts wait, one below the other.
  }];
  let arguments = (ins Sluice_Buffer:$source, Sluice_Buffer:$destination, Index:$place,
    Optional<Sluice_Buffer>:$inbox);
  let assemblyFormat = [{
    $source `to` $destination `place` $place (`through` $inbox^ `:` type($inbox))? attr-dict
    `:` type($source) `,` type($destination)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// CTAs that are summed over.
    int64_t ctas() {
      return getSource().getType().getShape()[1] / getDestination().getType().getShape()[1];
    }
  }];
}

def ClusterGatherOp : Sluice_Op<"cluster.gather"> {
  let summary = "A vector of every CTA of the cluster, in the shared memory of each";
  let description = [{
    Every CTA of the cluster does it: the rows of the one of rank r come to lie from row r times
    that number on, in the destination of each.
  }];
  let arguments = (ins Sluice_Buffer:$source, Sluice_Buffer:$destination);
  let assemblyFormat = [{
    $source `to` $destination attr-dict `:` type($source) `,` type($destination)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// CTAs of the cluster.
    int64_t ctas() {
      return getDestination().getType().getShape()[0] / getSource().getType().getShape()[0];
    }
  }];
}

def MapOp : Sluice_Op<"map", [AttrSizedOperandSegments, SingleBlock, NamedArguments]> {
  let summary = "outs = body(ins), element by element";
  let description = [{
    The body uses `arith` and `math` on elements. An input with an extent of 1 is broadcast. With
    `coordinates`, two more arguments: row and column of the element in the tile (index).
  }];
  let arguments = (ins Variadic<Sluice_Buffer>:$inputs, Variadic<Sluice_Buffer>:$outputs,
    UnitAttr:$coordinates, PipeAttr:$pipe);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    (`ins` `(` $inputs^ `:` type($inputs) `)`)? `outs` `(` $outputs `:` type($outputs) `)`
    (`coordinates` $coordinates^)? (`on` $pipe^)? attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def ReduceOp : Sluice_Op<"reduce", [AttrSizedOperandSegments, SingleBlock, NamedArguments]> {
  let summary = "Folds rows (axis 1) or columns (axis 0) with the body";
  let description = [{
    The state is one value per output, from `identities`; the body takes the state, then the
    elements of the inputs, and yields the new state (several: Welford, arg-max). The body is
    associative; the order of the fold is the machine's. Of axis 1 an output of n columns gets
    what the inputs have in column c in its column c / `together` % n.
  }];
  let arguments = (ins Variadic<Sluice_Buffer>:$inputs, Variadic<Sluice_Buffer>:$outputs,
    I64Attr:$axis, DenseF64ArrayAttr:$identities,
    DefaultValuedAttr<I64Attr, "1">:$together, PipeAttr:$pipe);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    `ins` `(` $inputs `:` type($inputs) `)` `outs` `(` $outputs `:` type($outputs) `)` `axis` $axis
    (`together` $together^)? `from` custom<Numbers>($identities) (`on` $pipe^)?
    attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def RawOp : Sluice_Op<"raw", [AttrSizedOperandSegments, SingleBlock, NamedArguments]> {
  let summary = "Text in the target's own language, with what it touches declared";
  let description = [{
    The text reads `ins` and `with` and writes `outs`, and touches nothing else; $name in it stands
    for an operand that it reads, $=name for one that it writes. Each executing warp may touch all
    of a tile in shared memory, with `divided` its own rows alone. `async`: by the async proxy,
    ended when the text ends. `model`: an element function, outs = model(ins), for the virtual
    machine; without one what the text writes is unknown there.
  }];
  let arguments = (ins DictionaryAttr:$texts, Variadic<Sluice_Buffer>:$outputs,
    Variadic<Sluice_Buffer>:$inputs, Variadic<Index>:$scalars, StrArrayAttr:$names,
    UnitAttr:$async, UnitAttr:$divided, ExecAttr:$exec);
  let regions = (region AnyRegion:$model);
  let assemblyFormat = [{
    $texts (`outs` `(` $outputs^ `:` type($outputs) `)`)?
    (`ins` `(` $inputs^ `:` type($inputs) `)`)?
    (`with` `(` $scalars^ `)`)? `named` $names (`async` $async^)? (`divided` $divided^)?
    (`by` $exec^)? attr-dict-with-keyword (`model` $model^)?
  }];
  let hasVerifier = 1;
}

def RandomOp : Sluice_Op<"random", [Pure, Named,
    ParentOneOf<["MapOp", "ReduceOp", "RawOp"]>]> {
  let summary = "A random number of an element function, which follows from its operands alone";
  let description = [{
    Philox4x32-10 with the two halves of a seed as its key and `row`, `column` and `stream` in its
    counter; four columns side by side share a block. i32: 32 random bits; f32: the upper 24 of
    them as a number in [0, 1). docs/semantics.md, "Random numbers".
  }];
  let arguments = (ins Index:$row, Index:$column, Index:$seed0, Index:$seed1, Index:$stream);
  let results = (outs AnyTypeOf<[F32, I32]>:$number);
  let assemblyFormat = [{
    `[` $row `,` $column `]` `seed` `[` $seed0 `,` $seed1 `]` `stream` $stream attr-dict `:`
    type($number)
  }];
}

def YieldOp : Sluice_Op<"yield", [Pure, Terminator]> {
  let summary = "Results of the body of `map` and `reduce`";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
}

def ScalarLoadOp : Sluice_Op<"scalar_load", [NoMemoryEffect, Named]> {
  let summary = "One element of an integer tensor (a sequence length, a tile number)";
  let description = [{
    Nobody writes the tensor while the kernel runs, so that every reader sees the same value,
    however often and wherever it reads.
  }];
  let arguments = (ins Sluice_Tensor:$source, Variadic<Index>:$offsets);
  let results = (outs Index:$value);
  let assemblyFormat = "$source `[` $offsets `]` attr-dict `:` type($source)";
  let hasVerifier = 1;
}

def ScalarReadOp : Sluice_Op<"scalar_read", [Named]> {
  let summary = "One integer of a tile in shared memory or UB, read by every thread alike";
  let description = [{
    How a value that one warp found (a tile number, an old counter) reaches the others: the reads
    are ordered after the write by a barrier or a pipeline, like any other access.
  }];
  let arguments = (ins Sluice_Buffer:$source, Variadic<Index>:$offsets);
  let results = (outs Index:$value);
  let assemblyFormat = "$source `[` $offsets `]` attr-dict `:` type($source)";
  let hasVerifier = 1;
}

def ScalarWriteOp : Sluice_Op<"scalar_write"> {
  let summary = "One integer into a tile in shared memory or UB";
  let arguments = (ins Index:$value, Sluice_Buffer:$destination, Variadic<Index>:$offsets,
    DefaultValuedAttr<Sluice_Exec, "::sluice::ir::Exec::one">:$exec);
  let assemblyFormat = [{
    $value `to` $destination `[` $offsets `]` (`by` $exec^)? attr-dict `:` type($destination)
  }];
  let hasVerifier = 1;
}

def PrefetchOp : Sluice_Op<"prefetch"> {
  let summary = "A box of a tensor into L2";
  let description = [{
    A hint: no value depends on it, and elements outside of the tensor are left out. At the barrier
    level by all threads (PTX ISA "prefetch", prefetch.global.L2), or `by one` through a tensor map
    ("cp.async.bulk.prefetch.tensor").
  }];
  let arguments = (ins Sluice_Tensor:$source, Variadic<Index>:$offsets, DenseI64ArrayAttr:$box,
    ExecAttr:$exec);
  let assemblyFormat = [{
    $source `[` $offsets `]` `box` $box (`by` $exec^)? attr-dict `:` type($source)
  }];
  let hasVerifier = 1;
}

def MeetOp : Sluice_Op<"meet"> {
  let summary = "All cores of the launch meet (Ascend)";
  let description = [{
    What any of them has stored in front of it is there for the vector cores behind it. It stands
    directly in the kernel, once, since every core has to come to it.
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}
def EpochOp : Sluice_Op<"epoch"> {
  let summary = "Start of the measured region";
  let description = [{
    Everything issued before has ended when it is passed; `trace` counts cycles from here. Used by
    fragments of larger kernels whose operands the surrounding kernel has already brought on chip.
  }];
  let assemblyFormat = "attr-dict";
}

#endif
