// The pipeline level: roles, rings, and the four verbs.
#ifndef SLUICE_PIPELINE_OPS
#define SLUICE_PIPELINE_OPS

include "TileOps.td"

def RoleOp : Sluice_Op<"role", [NoTerminator, SingleBlock]> {
  let summary = "Statements of some warps of the CTA, or of one kind of Ascend core";
  let description = [{
    `sluice.role "mma" warps 4 to 12 registers 232 { ... }`: warps 4..11. On Ascend
    `sluice.role "cube" core "aic" { ... }`. Roles of one kernel run concurrently. `leader`: on the
    CTA of rank 0 of a cluster only; barriers that such a role waits on count the arrivals of every
    CTA, and what it signals goes to each.
  }];
  let arguments = (ins StrAttr:$name, OptionalAttr<I64Attr>:$first, OptionalAttr<I64Attr>:$end,
    OptionalAttr<StrAttr>:$core, OptionalAttr<I64Attr>:$registers, UnitAttr:$leader);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $name (`warps` $first^ `to` $end)? (`core` $core^)? (`registers` $registers^)?
    (`leader` $leader^)? attr-dict-with-keyword $body
  }];
  let hasVerifier = 1;
}

def PipelineOp : Sluice_Op<"pipeline", [Named]> {
  let summary = "A ring of slots over buffers, from producers to consumers";
  let description = [{
    Producers and consumers are roles (NVIDIA) or pipes (Ascend), by name. Arrival counts, bytes and
    initial phases are derived from who signals. Options: `full` = "none" or `empty` = "none" elides
    a side; `primed` = n: the first n slots start full; `first` = n: the n behind them start empty,
    the others with the consumers; `leader`: the barriers are on the leader CTA, and so is who
    waits; `merge` = name of another pipeline whose full side shares one barrier with this one;
    `arrive` = thread, warp (default), warpgroup, one; `peer` = n: producers fill the slots of the
    CTA n ranks further on around the cluster; `partner` = n: of the CTA whose rank differs in the
    bits of n; with `along` = d both are of the coordinate d in the cluster.
  }];
  let arguments = (ins StrAttr:$name, Variadic<Sluice_Buffer>:$buffers, StrArrayAttr:$producers,
    StrArrayAttr:$consumers, OptionalAttr<StrAttr>:$full, OptionalAttr<StrAttr>:$empty,
    OptionalAttr<I64Attr>:$first, OptionalAttr<I64Attr>:$primed, UnitAttr:$leader,
    OptionalAttr<StrAttr>:$merge, OptionalAttr<StrAttr>:$arrive, OptionalAttr<I64Attr>:$peer,
    OptionalAttr<I64Attr>:$partner, OptionalAttr<I64Attr>:$along);
  let results = (outs Sluice_Pipeline:$pipeline);
  let assemblyFormat = [{
    $name (`over` $buffers^ `:` type($buffers))? `from` $producers `to` $consumers attr-dict
    `:` qualified(type($pipeline))
  }];
  let hasVerifier = 1;
}

class PipelineVerb<string mnemonic, list<Trait> traits = []> : Sluice_Op<mnemonic, !listconcat(
    traits, [TypesMatchWith<"the cursor counts the slots of the pipeline", "pipeline", "cursor",
    "::sluice::ir::CursorType::get($_self.getContext(), "
    "::llvm::cast<::sluice::ir::PipelineType>($_self).getSlots())">])> {
  let arguments = (ins Sluice_Pipeline:$pipeline, Sluice_Cursor:$cursor, PipeAttr:$pipe);
  let assemblyFormat = [{
    $pipeline `[` $cursor `]` (`on` $pipe^)? attr-dict `:` type($pipeline)
  }];
}
/// A verb that waits may be spared that by a token.
class WaitingVerb<string mnemonic> : PipelineVerb<mnemonic> {
  let arguments = (ins Sluice_Pipeline:$pipeline, Sluice_Cursor:$cursor,
    Optional<Sluice_Token>:$token, PipeAttr:$pipe);
  let assemblyFormat = [{
    $pipeline `[` $cursor `]` (`token` $token^)? (`on` $pipe^)? attr-dict `:` type($pipeline)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$pipeline, "::mlir::Value":$cursor,
                                 CArg<"::sluice::ir::Pipe", "::sluice::ir::Pipe::none">:$pipe), [{
    build($_builder, $_state, pipeline, cursor, ::mlir::Value(), pipe);
  }]>];
}
/// Asks and does not wait; the token is for the verb that waits, under the same cursor.
class AskingVerb<string mnemonic> : PipelineVerb<mnemonic, [Named]> {
  let arguments = (ins Sluice_Pipeline:$pipeline, Sluice_Cursor:$cursor, PipeAttr:$pipe);
  let results = (outs Sluice_Token:$token);
  let assemblyFormat = [{
    $pipeline `[` $cursor `]` (`on` $pipe^)? attr-dict `:` type($pipeline)
  }];
}
def AcquireOp : WaitingVerb<"acquire"> {
  let summary = "Producer: waits until the slot at the cursor is empty; announces its bytes";
}
def TryAcquireOp : AskingVerb<"try_acquire"> {
  let summary = "Producer: asks whether the slot at the cursor is empty";
}
def CommitOp : PipelineVerb<"commit"> {
  let summary = "Producer: the slot is full (nothing to do where TMA completes the bytes)";
}
def WaitOp : WaitingVerb<"wait"> {
  let summary = "Consumer: waits until the slot at the cursor is full";
}
def TryWaitOp : AskingVerb<"try_wait"> {
  let summary = "Consumer: asks whether the slot at the cursor is full";
}
def ReleaseOp : PipelineVerb<"release"> {
  let summary = "Consumer: the slot is empty; may come iterations after its wait, with that cursor";
}
def TailOp : PipelineVerb<"tail"> {
  let summary = "Producer: waits until every slot is empty, before the CTA exits";
}

// ---- Cursors ----

def CursorOp : Sluice_Op<"cursor", [Pure, Named]> {
  let summary = "Slot 0, phase 0";
  let results = (outs Sluice_Cursor:$cursor);
  let assemblyFormat = "attr-dict `:` qualified(type($cursor))";
}
def CursorAdvanceOp : Sluice_Op<"cursor.advance", [Pure, Named, SameOperandsAndResultType]> {
  let summary = "n slots on; the phase flips at each wrap";
  let arguments = (ins Sluice_Cursor:$cursor, DefaultValuedAttr<I64Attr, "1">:$by);
  let results = (outs Sluice_Cursor:$result);
  let assemblyFormat = "$cursor (`by` $by^)? attr-dict `:` type($cursor)";
  let hasVerifier = 1;
}
def CursorAdvanceDynOp
    : Sluice_Op<"cursor.advance_by", [Pure, Named, AllTypesMatch<["cursor", "result"]>]> {
  let summary = "A run-time number of slots on";
  let arguments = (ins Sluice_Cursor:$cursor, Index:$count);
  let results = (outs Sluice_Cursor:$result);
  let assemblyFormat = "$cursor `,` $count attr-dict `:` type($cursor)";
}
def CursorSlotOp : Sluice_Op<"cursor.slot", [Pure, Named]> {
  let summary = "The slot, 0 .. n-1";
  let arguments = (ins Sluice_Cursor:$cursor);
  let results = (outs Index:$slot);
  let assemblyFormat = "$cursor attr-dict `:` type($cursor)";
}
def CursorPhaseOp : Sluice_Op<"cursor.phase", [Pure, Named]> {
  let summary = "The phase, 0 or 1: the parity a consumer waits for";
  let arguments = (ins Sluice_Cursor:$cursor);
  let results = (outs Index:$phase);
  let assemblyFormat = "$cursor attr-dict `:` type($cursor)";
}

#endif
