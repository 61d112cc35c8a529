// The barrier level: one operation per synchronisation or data instruction of the hardware.
#ifndef SLUICE_BARRIER_OPS
#define SLUICE_BARRIER_OPS

include "PipelineOps.td"

// ---- mbarriers (PTX ISA 9.7.13.15) ----

def MbarrierAllocOp : Sluice_Op<"mbarrier.alloc", [Named]> {
  let summary = "Declares an array of mbarriers in shared memory";
  let arguments = (ins StrAttr:$name, OptionalAttr<I64Attr>:$offset);
  let results = (outs Sluice_Mbarrier:$barriers);
  let assemblyFormat = "$name (`at` $offset^)? attr-dict `:` qualified(type($barriers))";
  let hasVerifier = 1;
}

def MbarrierInitOp : Sluice_Op<"mbarrier.init"> {
  let summary = "Phase 0, `count` arrivals per phase; of one barrier or of the whole array";
  let arguments = (ins Sluice_Mbarrier:$barriers, Optional<Index>:$index, I64Attr:$count,
    ExecAttr:$exec);
  let assemblyFormat = [{
    $barriers (`[` $index^ `]`)? `count` $count (`by` $exec^)? attr-dict `:` type($barriers)
  }];
  let hasVerifier = 1;
}
def MbarrierInvalOp : Sluice_Op<"mbarrier.inval"> {
  let summary = "Ends the life of the barriers; their memory may be used for something else";
  let arguments = (ins Sluice_Mbarrier:$barriers, Optional<Index>:$index, ExecAttr:$exec);
  let assemblyFormat = "$barriers (`[` $index^ `]`)? (`by` $exec^)? attr-dict `:` type($barriers)";
  let hasVerifier = 1;
}
def MbarrierArriveOp : Sluice_Op<"mbarrier.arrive"> {
  let summary = "`count` arrivals per executing thread, here or on CTA `rank` of the cluster";
  let description = [{
    Releases memory to those who wait in its CTA; with `scope cluster`, at the arrive and at the
    wait, between CTAs too. What TMA wrote and the end of reads need no wider scope.
  }];
  let arguments = (ins Sluice_Mbarrier:$barriers, Index:$index, Optional<Index>:$rank,
    DefaultValuedAttr<I64Attr, "1">:$count, ExecAttr:$exec, ScopeAttr:$scope);
  let assemblyFormat = [{
    $barriers `[` $index `]` (`rank` $rank^)? (`count` $count^)? (`scope` $scope^)? (`by` $exec^)?
    attr-dict `:` type($barriers)
  }];
  let hasVerifier = 1;
}
class ExpectTx<string mnemonic> : Sluice_Op<mnemonic> {
  let arguments = (ins Sluice_Mbarrier:$barriers, Index:$index, Optional<Index>:$rank,
    DefaultValuedAttr<I64Attr, "0">:$bytes, Optional<Index>:$more, ExecAttr:$exec,
    ScopeAttr:$scope);
  let assemblyFormat = [{
    $barriers `[` $index `]` (`rank` $rank^)? (`bytes` $bytes^)? (`plus` $more^)?
    (`scope` $scope^)? (`by` $exec^)? attr-dict `:` type($barriers)
  }];
  let hasVerifier = 1;
}
def MbarrierArriveExpectTxOp : ExpectTx<"mbarrier.arrive_expect_tx"> {
  let summary = "Announces bytes, then arrives once";
  let traits = [AttrSizedOperandSegments];
}
def MbarrierExpectTxOp : ExpectTx<"mbarrier.expect_tx"> {
  let summary = "Announces bytes without arriving; relaxed";
  let traits = [AttrSizedOperandSegments];
}
def MbarrierWaitOp : Sluice_Op<"mbarrier.wait"> {
  let summary = "Blocks until the phase of that parity has completed";
  let description = [{ With the token of a test: only where that has not said that it has. }];
  let arguments = (ins Sluice_Mbarrier:$barriers, Index:$index, Index:$parity,
    Optional<Sluice_Token>:$token, ExecAttr:$exec, ScopeAttr:$scope);
  let assemblyFormat = [{
    $barriers `[` $index `]` `,` $parity (`token` $token^)? (`scope` $scope^)? (`by` $exec^)?
    attr-dict `:` type($barriers)
  }];
  let hasVerifier = 1;
}
def MbarrierTestOp : Sluice_Op<"mbarrier.test", [Named]> {
  let summary = "Asks whether the phase of that parity has completed, and does not wait";
  let description = [{
    By all lanes of a warp: whether all of them were told so. The token is for waits for the same
    phase, by the same threads, in the same scope; loops and branches hand it on.
  }];
  let arguments = (ins Sluice_Mbarrier:$barriers, Index:$index, Index:$parity, ExecAttr:$exec,
    ScopeAttr:$scope);
  let results = (outs Sluice_Token:$token);
  let assemblyFormat = [{
    $barriers `[` $index `]` `,` $parity (`scope` $scope^)? (`by` $exec^)? attr-dict
    `:` type($barriers)
  }];
  let hasVerifier = 1;
}

// ---- Other barriers, fences, groups ----

class NamedBarrierOp<string mnemonic> : Sluice_Op<mnemonic> {
  let description = [{ The id is a number, or a value that all who meet there agree on. }];
  let arguments = (ins OptionalAttr<I64Attr>:$id, Optional<Index>:$value, I64Attr:$threads);
  let assemblyFormat = "custom<BarrierId>($id, $value) `,` $threads attr-dict";
  let builders = [OpBuilder<(ins "int64_t":$id, "int64_t":$threads), [{
    build($_builder, $_state, $_builder.getI64IntegerAttr(id), ::mlir::Value(),
          $_builder.getI64IntegerAttr(threads));
  }]>];
  let hasVerifier = 1;
}
def BarSyncOp : NamedBarrierOp<"bar.sync"> {
  let summary = "Named barrier: arrives and waits for `threads` threads; 0 of all is __syncthreads";
}
def BarArriveOp : NamedBarrierOp<"bar.arrive"> {
  let summary = "Named barrier: arrives, does not wait";
}
def WarpSyncOp : Sluice_Op<"warp_sync"> {
  let summary = "__syncwarp";
  let assemblyFormat = "attr-dict";
}
def ClusterArriveOp : Sluice_Op<"cluster.arrive"> {
  let summary = "barrier.cluster.arrive; `relaxed` orders no memory";
  let arguments = (ins UnitAttr:$relaxed);
  let assemblyFormat = "(`relaxed` $relaxed^)? attr-dict";
}
def ClusterWaitOp : Sluice_Op<"cluster.wait"> {
  let summary = "barrier.cluster.wait";
  let assemblyFormat = "attr-dict";
}
def ClusterRankOp : Sluice_Op<"cluster.rank", [Pure, Named]> {
  let summary = "Rank of this CTA in its cluster";
  let results = (outs Index:$rank);
  let assemblyFormat = "attr-dict";
}
/// The effect keeps the number in one role apart from that in another, or in the CTA: they are no
/// common expression.
def WarpOp : Sluice_Op<"warp", [Named]> {
  let summary = "Number of this warp in its role";
  let results = (outs Res<Index, "", [MemAlloc]>:$number);
  let assemblyFormat = "attr-dict";
}
def FenceOp : Sluice_Op<"fence"> {
  let summary = "Orders memory: generic before async proxy, barrier initialisation, tcgen05";
  let arguments = (ins Sluice_FenceKind:$kind, ExecAttr:$exec);
  let assemblyFormat = "$kind (`by` $exec^)? attr-dict";
}
class GroupCommit<string mnemonic> : Sluice_Op<mnemonic> {
  let arguments = (ins ExecAttr:$exec);
  let assemblyFormat = "(`by` $exec^)? attr-dict";
}
def BulkCommitOp : GroupCommit<"bulk.commit"> { let summary = "cp.async.bulk.commit_group"; }
def BulkWaitOp : Sluice_Op<"bulk.wait"> {
  let summary =
      "At most `pending` bulk groups of this thread remain; `read`: their sources are free";
  let arguments = (ins I64Attr:$pending, UnitAttr:$read, ExecAttr:$exec);
  let assemblyFormat = "$pending (`read` $read^)? (`by` $exec^)? attr-dict";
  let hasVerifier = 1;
}
def CpAsyncCommitOp : GroupCommit<"cp_async.commit"> { let summary = "cp.async.commit_group"; }
def CpAsyncWaitOp : Sluice_Op<"cp_async.wait"> {
  let summary = "At most `pending` cp.async groups of this thread remain";
  let arguments = (ins I64Attr:$pending, ExecAttr:$exec);
  let assemblyFormat = "$pending (`by` $exec^)? attr-dict";
  let hasVerifier = 1;
}
def CpAsyncArriveOp : Sluice_Op<"cp_async.arrive"> {
  let summary =
      "Arrives when all earlier cp.async of the thread ended (.noinc: the count includes it)";
  let arguments = (ins Sluice_Mbarrier:$barriers, Index:$index);
  let assemblyFormat = "$barriers `[` $index `]` attr-dict `:` type($barriers)";
  let hasVerifier = 1;
}
def WgmmaFenceOp : Sluice_Op<"wgmma.fence"> {
  let summary = "wgmma.fence: register operands written before are seen by later wgmma";
  let assemblyFormat = "attr-dict";
}
def WgmmaCommitOp : Sluice_Op<"wgmma.commit"> {
  let summary = "wgmma.commit_group";
  let assemblyFormat = "attr-dict";
}
def WgmmaWaitOp : Sluice_Op<"wgmma.wait"> {
  let summary = "wgmma.wait_group: at most `pending` groups of this warp remain";
  let arguments = (ins I64Attr:$pending);
  let assemblyFormat = "$pending attr-dict";
  let hasVerifier = 1;
}
def GridDependencyOp : Sluice_Op<"griddepcontrol"> {
  let summary =
      "Programmatic dependent launch: `wait` for the kernel before, or let the next start";
  let arguments = (ins UnitAttr:$launch);
  let assemblyFormat = "(`launch` $launch^)? attr-dict";
}

// ---- Global counters ----

def CounterAddOp : Sluice_Op<"counter.add", [Named]> {
  let summary = "Adds to a counter in global memory with release semantics; yields the old value";
  let description = [{
    By default one lane adds, once a CTA; the old value is known to its warp alone (scalar_write and
    scalar_read hand it on). `relaxed`: without release semantics.
  }];
  let arguments = (ins Sluice_Tensor:$counter, Variadic<Index>:$offsets, Index:$value,
    Sluice_Scope:$scope, UnitAttr:$relaxed,
    DefaultValuedAttr<Sluice_Exec, "::sluice::ir::Exec::one">:$exec);
  let results = (outs Index:$old);
  let assemblyFormat = [{
    $counter `[` $offsets `]` `,` $value `scope` $scope (`relaxed` $relaxed^)? (`by` $exec^)?
    attr-dict `:` type($counter)
  }];
  let hasVerifier = 1;
}
def CounterWaitOp : Sluice_Op<"counter.wait"> {
  let summary = "Spins with acquire semantics until the counter is at least `value`";
  let description = [{ The CTAs that add to it must be resident: state it with `co_resident`. }];
  let arguments = (ins Sluice_Tensor:$counter, Variadic<Index>:$offsets, Index:$value,
    Sluice_Scope:$scope,
    UnitAttr:$co_resident);
  let assemblyFormat = [{
    $counter `[` $offsets `]` `,` $value `scope` $scope (`co_resident` $co_resident^)? attr-dict
    `:` type($counter)
  }];
  let hasVerifier = 1;
}

// ---- Clusters that have not been launched ----

def ClcTryCancelOp : Sluice_Op<"clc.try_cancel", [AttrSizedOperandSegments]> {
  let summary = "Asks for a cluster of the grid that has not been launched; it then will not be";
  let description = [{
    clusterlaunchcontrol.try_cancel by one thread. The response, 16 bytes in shared memory, comes
    through the async proxy and completes its bytes on the barrier; `multicast`: both at the same
    places of every CTA of the cluster. At the pipeline level it stands without a barrier between
    `acquire` and `commit`.
  }];
  let arguments = (ins Sluice_Buffer:$response, Optional<Sluice_Mbarrier>:$barriers,
    Optional<Index>:$index, UnitAttr:$multicast,
    DefaultValuedAttr<Sluice_Exec, "::sluice::ir::Exec::one">:$exec);
  let assemblyFormat = [{
    $response (`,` $barriers^ `[` $index `]`)? (`multicast` $multicast^)? (`by` $exec^)? attr-dict
    `:` type($response) (`,` type($barriers)^)?
  }];
  let hasVerifier = 1;
}
def ClcQueryOp : Sluice_Op<"clc.query", [Named]> {
  let summary = "The cluster that a response has given, read by every thread alike";
  let description = [{
    clusterlaunchcontrol.query_cancel: the number in the grid, x fastest, of the first CTA of the
    cluster, which the asking one takes the place of; -1 where there was none left.
  }];
  let arguments = (ins Sluice_Buffer:$response);
  let results = (outs Index:$number);
  let assemblyFormat = "$response attr-dict `:` type($response)";
  let hasVerifier = 1;
}

// ---- Data, NVIDIA ----

def TmaLoadOp : Sluice_Op<"tma.load", [AttrSizedOperandSegments]> {
  let summary = "cp.async.bulk.tensor into shared memory; completes its bytes on a barrier";
  let description = [{
    One or several boxes (an inner box spans at most the swizzle). `multicast`: mask of the CTAs of
    the cluster that receive it. `rank`: the barrier of that CTA (a pair's leader). `cache`: what L2
    evicts first, a hint.
  }];
  let arguments = (ins Sluice_Tensor:$source, Variadic<Index>:$offsets, Sluice_Buffer:$destination,
    Sluice_Mbarrier:$barriers, Index:$index, Optional<Index>:$rank,
    DefaultValuedAttr<I64Attr, "0">:$multicast,
    DefaultValuedAttr<Sluice_Exec, "::sluice::ir::Exec::one">:$exec, CacheAttr:$cache);
  let assemblyFormat = [{
    $source `[` $offsets `]` `to` $destination `,` $barriers `[` $index `]` (`rank` $rank^)?
    (`multicast` $multicast^)? (`cache` $cache^)? (`by` $exec^)? attr-dict
    `:` type($source) `,` type($destination) `,` type($barriers)
  }];
  let hasVerifier = 1;
}
def TmaStoreOp : Sluice_Op<"tma.store"> {
  let summary =
      "cp.async.bulk.tensor (with `add`: .reduce) from shared memory; joins the bulk group";
  let arguments = (ins Sluice_Buffer:$source, Sluice_Tensor:$destination, Variadic<Index>:$offsets,
    UnitAttr:$add, DefaultValuedAttr<Sluice_Exec, "::sluice::ir::Exec::one">:$exec,
    CacheAttr:$cache);
  let assemblyFormat = [{
    $source `to` $destination `[` $offsets `]` (`add` $add^)? (`cache` $cache^)? (`by` $exec^)?
    attr-dict
    `:` type($source) `,` type($destination)
  }];
  let hasVerifier = 1;
}
def RemoteCopyOp : Sluice_Op<"remote.copy"> {
  let summary =
      "Tile to the same place of another CTA's shared memory; completes bytes on its barrier";
  let arguments = (ins Sluice_Buffer:$source, Sluice_Buffer:$destination, Index:$rank,
    Sluice_Mbarrier:$barriers, Index:$index, ExecAttr:$exec);
  let assemblyFormat = [{
    $source `to` $destination `rank` $rank `,` $barriers `[` $index `]` (`by` $exec^)? attr-dict
    `:` type($source) `,` type($destination) `,` type($barriers)
  }];
  let hasVerifier = 1;
}
class MatrixOp<string mnemonic> : Sluice_Op<mnemonic> {
  let arguments = (ins Sluice_Buffer:$d, Sluice_Buffer:$a, Sluice_Buffer:$b,
    Optional<I1>:$accumulate);
  let assemblyFormat = [{
    $d `,` $a `,` $b (`accumulate` $accumulate^)? attr-dict
    `:` type($d) `,` type($a) `,` type($b)
  }];
  let hasVerifier = 1;
}
def WgmmaOp : MatrixOp<"wgmma"> {
  let summary = "wgmma.mma_async of 64 rows per warpgroup; K/16 instructions for 16-bit types";
  let description = [{ d += a b; with `accumulate` false, d = a b. }];
}
def MmadOp : Sluice_Op<"mmad"> {
  let summary = "Ascend Mmad on pipe M: L0A x L0B (+ L0C) -> L0C";
  let description = [{
    d += a b; with `accumulate` false, d = a b. With `units 2` it waits for each unit of d until M
    has it; with `units 3` it hands each over to FIX, too, once it is summed up.
  }];
  let arguments = (ins Sluice_Buffer:$d, Sluice_Buffer:$a, Sluice_Buffer:$b,
    Optional<I1>:$accumulate, DefaultValuedAttr<I64Attr, "0">:$units);
  let assemblyFormat = [{
    $d `,` $a `,` $b (`accumulate` $accumulate^)? (`units` $units^)? attr-dict
    `:` type($d) `,` type($a) `,` type($b)
  }];
  let hasVerifier = 1;
}

// ---- Blackwell: tensor memory ----

def Tcgen05MmaOp : Sluice_Op<"tcgen05.mma", [AttrSizedOperandSegments]> {
  let summary = "tcgen05.mma: d in tensor memory, a in shared or tensor memory, b in shared memory";
  let description = [{
    d += a b; with `accumulate` false, d = a b. With `ctas 2` the leader CTA issues it for the pair;
    the tiles are what one CTA holds: its rows of d and a, its half of the columns of b. With 64
    rows of a, d has 128: those of the first half of its columns, then those of the second. With
    `scales`, of a and of b, in tensor memory, each block along K is multiplied by its factor; each
    CTA of a pair has those of its rows of a and of all columns of b.
  }];
  let arguments = (ins Sluice_Buffer:$d, Sluice_Buffer:$a, Sluice_Buffer:$b,
    Optional<Sluice_Buffer>:$scalesA, Optional<Sluice_Buffer>:$scalesB, Optional<I1>:$accumulate,
    DefaultValuedAttr<I64Attr, "1">:$ctas);
  let assemblyFormat = [{
    $d `,` $a `,` $b (`scales` $scalesA^ `,` $scalesB)? (`accumulate` $accumulate^)?
    (`ctas` $ctas^)? attr-dict
    `:` type($d) `,` type($a) `,` type($b) (`,` type($scalesA)^ `,` type($scalesB))?
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$d, "::mlir::Value":$a, "::mlir::Value":$b,
                             "::mlir::Value":$accumulate), [{
    build($_builder, $_state, d, a, b, ::mlir::Value(), ::mlir::Value(), accumulate);
  }]>];
  let hasVerifier = 1;
}
def Tcgen05ShiftOp : Sluice_Op<"tcgen05.shift"> {
  let summary = "tcgen05.shift.down: rows of 32 bytes in tensor memory move by one";
  let description = [{
    One thread asks for it, as for a product, and commits tell of its end. Of the 32 lanes of the
    tile each gets what the next one holds, and the last keeps its own (assuming rows-down). With
    `ctas 2`, by one thread of a pair, in both CTAs.
  }];
  let arguments = (ins Sluice_Buffer:$columns, DefaultValuedAttr<I64Attr, "1">:$ctas);
  let assemblyFormat = "$columns (`ctas` $ctas^)? attr-dict `:` type($columns)";
  let hasVerifier = 1;
}
def Tcgen05CommitOp : Sluice_Op<"tcgen05.commit"> {
  let summary = "One arrival when all earlier tcgen05 operations of the thread ended";
  let arguments = (ins Sluice_Mbarrier:$barriers, Index:$index,
    DefaultValuedAttr<I64Attr, "0">:$multicast, DefaultValuedAttr<I64Attr, "1">:$ctas);
  let assemblyFormat = [{
    $barriers `[` $index `]` (`multicast` $multicast^)? (`ctas` $ctas^)?
    attr-dict `:` type($barriers)
  }];
  let hasVerifier = 1;
}
def Tcgen05WaitOp : Sluice_Op<"tcgen05.wait"> {
  let summary = "tcgen05.wait::ld or ::st of this thread";
  let arguments = (ins UnitAttr:$stores);
  let assemblyFormat = "(`stores` $stores^)? attr-dict";
}
def TmemAllocOp : Sluice_Op<"tmem.alloc"> {
  let summary = "tcgen05.alloc of columns by one warp; the address goes to shared memory";
  let description = [{
    Buffers of tensor memory lie in these columns. Every warp reads the address (`tmem.address`)
    once the warp that allocates has written it.
  }];
  let arguments = (ins I64Attr:$columns, Optional<Sluice_Buffer>:$address,
    DefaultValuedAttr<I64Attr, "1">:$ctas);
  let assemblyFormat = [{
    $columns (`to` $address^)? (`ctas` $ctas^)? attr-dict (`:` type($address)^)?
  }];
  let hasVerifier = 1;
}
def TmemAddressOp : Sluice_Op<"tmem.address"> {
  let summary = "Reads the address of tensor memory that its allocation has written";
  let arguments = (ins Sluice_Buffer:$address);
  let assemblyFormat = "$address attr-dict `:` type($address)";
  let hasVerifier = 1;
}
def TmemRelinquishOp : Sluice_Op<"tmem.relinquish"> {
  let summary = "tcgen05.relinquish_alloc_permit: this CTA, or the pair, allocates no more";
  let arguments = (ins DefaultValuedAttr<I64Attr, "1">:$ctas);
  let assemblyFormat = "(`ctas` $ctas^)? attr-dict";
  let hasVerifier = 1;
}
def TmemDeallocOp : Sluice_Op<"tmem.dealloc"> {
  let summary = "tcgen05.dealloc";
  let arguments = (ins I64Attr:$columns, DefaultValuedAttr<I64Attr, "1">:$ctas);
  let assemblyFormat = "$columns (`ctas` $ctas^)? attr-dict";
  let hasVerifier = 1;
}

// ---- Synchronisation, Ascend ----

class FlagOp<string mnemonic> : Sluice_Op<mnemonic> {
  let arguments = (ins Sluice_Pipe:$source, Sluice_Pipe:$destination, Index:$id);
  let assemblyFormat = "$source `to` $destination `[` $id `]` attr-dict";
  let hasVerifier = 1;
}
def SetFlagOp : FlagOp<"set_flag"> {
  let summary = "Set when pipe `source` has done its earlier work";
}
def WaitFlagOp : FlagOp<"wait_flag"> {
  let summary = "Pipe `destination` waits for the flag and clears it";
}
def PipeBarrierOp : Sluice_Op<"pipe_barrier"> {
  let summary = "The pipe (or ALL) drains before its later work";
  let arguments = (ins Sluice_Pipe:$pipe);
  let assemblyFormat = "$pipe attr-dict";
  let hasVerifier = 1;
}
class MutexOp<string mnemonic> : Sluice_Op<mnemonic> {
  let arguments = (ins Sluice_Pipe:$pipe, Index:$id);
  let assemblyFormat = "$pipe `[` $id `]` attr-dict";
  let hasVerifier = 1;
}
def MutexLockOp : MutexOp<"mutex.lock"> {
  let summary = "The pipe waits for every unlock of the id in front of this (Ascend 950)";
}
def MutexUnlockOp : MutexOp<"mutex.unlock"> {
  let summary = "Done when the pipe has done its earlier work";
}
def CrossSetOp : Sluice_Op<"cross.set"> {
  let summary = "CrossCoreSetFlag: mode 2 is AIC <-> its two AIVs; counts to 15";
  let arguments = (ins I64Attr:$mode, Sluice_Pipe:$pipe, Index:$id);
  let assemblyFormat = "`mode` $mode `on` $pipe `[` $id `]` attr-dict";
  let hasVerifier = 1;
}
def CrossWaitOp : Sluice_Op<"cross.wait"> {
  let summary = "CrossCoreWaitFlag: blocks the pipe at zero, then decrements";
  let arguments = (ins Sluice_Pipe:$pipe, Index:$id);
  let assemblyFormat = "`on` $pipe `[` $id `]` attr-dict";
  let hasVerifier = 1;
}
def SubblockOp : Sluice_Op<"subblock", [Pure, Named]> {
  let summary = "Which AIV of the core this is: 0 or 1 (GetSubBlockIdx); 0 on the AIC";
  let results = (outs Index:$number);
  let assemblyFormat = "attr-dict";
}

#endif
