// Words of CUDA and of device/sluice that no variable or kernel may be called by.
#pragma once

namespace sluice::cuda {

constexpr const char *reserved =
    "blockIdx threadIdx blockDim gridDim warpSize min max abs exp log sqrt fabs expf exp2f logf "
    "log2f sqrtf rsqrtf tanhf erff fmaf fmaxf fminf fabsf maximum minimum larger exp2Approx "
    "tanhApprox erfApprox wrapAdd wrapSub wrapMul lowByte oddFloat Unsigned UnsignedOf halfBits "
    "upperBits sluice smem warp thread ctaWarp sharedBytes e f16 bf16 tf32 e4m3 e5m2 s8 u8 u16 u32 "
    "u64 i64 Buffer Mbarriers Cursor Fragment RowVector ColVector Window PartsOfRow TensorMap "
    "LinesOfTensor "
    "SharedTile SharedOperand RegisterOperand WgmmaShape Piece Pieces Values WordValues Convert "
    "ceilDiv inside warpOfCta laneOfWarp sharedAddress addressInCluster clusterRank electLane "
    "toFloat valueOf rounded infinity elementBits elementOf pin fill assign laneXor laneValue "
    "fragmentRow fragmentCol loadShared storeShared loadGlobal storeGlobal cpAsync insideAlong "
    "loadPiece loadElements storePiece shifted loadTile loadTileShifted loadTileAsync storeTile "
    "fillTile Lanes laneRow laneHasRow tmemAlloc tmemRelinquish tmemDealloc tmemAddress "
    "fenceTmemBefore fenceTmemAfter tmemWait tmemLoad tmemStore tmemWaitStores tmemOperand "
    "TmemOperand pieceOf storeLanesShared loadLanesShared storeLanesToPeer storeLanes "
    "loadLanes tcgen05Mma tcgen05Commit LinesTile loadLines loadLinesBy SpanTile loadSpan "
    "loadSpanBy loadAtOnce headOf storeHead copyPieces loadLine loadByElements "
    "loadBlockedLines skipped pieceBefore StoredColumns storeLine storeColumns RowOfLane "
    "keepColumns keepPacked blockedEnd foldsOfRow bulkLoad fenceCta mbarrierCompleteTx pairOf "
    "storeFragment storeFragmentRows storeFragmentLines storeFragmentBy exchangeInQuad "
    "storeFragmentShared storeFragmentMatrices loadFragment loadFragmentShared "
    "loadFragmentMatrices loadFragmentTransposed TransposedMatrices setPair columns storeRowVector "
    "loadRowVector loadColVector mbarrierInit mbarrierInval mbarrierArrive mbarrierArriveRemote "
    "mbarrierArriveExpectTx mbarrierArriveExpectTxRemote mbarrierExpectTx mbarrierExpectTxRemote "
    "mbarrierWait warpSync namedBarrierSync namedBarrierArrive clusterArrive clusterArriveRelaxed "
    "clusterWait fenceProxyAsync fenceMbarrierInit bulkCommit bulkWait bulkWaitRead cpAsyncCommit "
    "cpAsyncWait cpAsyncArrive cpAsyncArriveNoinc registersGrow registersShrink tmaPrefetch "
    "tmaLoad tmaLoadBox tmaMulticast tmaMulticastBox tmaStore tmaStoreBox tmaAdd tmaAddBox wgmma "
    "wgmmaFence wgmmaCommit wgmmaWait kMajor mnMajor operandOf inRegisters isSame Larger Sum "
    "foldRows maxOfRows sumOfRows Scope counterAdd counterAddRelaxed counterDraw "
    "counterDrawRelaxed counterWait loadNumber storeNumber clcTryCancel "
    "clcTryCancelMulticast clcQuery rawText Stamp Stamps "
    "clockOfSm Checksums checksumOfWord printShared printRegisters printf blockedRow blockedCol "
    "setEight eightOf loadEight storeEight storeEightByPairs storeEights edgeOf loadBlockedBy "
    "loadBlocked storeBlockedBy storeBlocked "
    "storeBlockedRowVector loadBlockedRowVector loadBlockedColVector loadBlockedShared "
    "storeBlockedShared storeBlockedRowVectorShared storeBlockedRowVectorToPeer "
    "loadBlockedColVectorShared Blocked BlockedRowVector BlockedColVector Eight Edge rowOf "
    "gatherTile firstElements loadLinesShifted gatherTileAsync RowNumbers LinesOfWarp Straddling "
    "randomBits randomUniform expApprox quotientApprox ByteValues storeFragmentTransposed "
    "storeFragmentToPeer storeRowVectorToPeer storeRowVectorShared loadRowVectorShared quotient "
    "remainder coordinate clipped loadInnerLines loadOuterLine loadWholePieces storeRowShifted "
    "storeBlockedShifted LineBytes mbarrierTest mbarrierTestAll loadSharedAgain storeToPeer asBase "
    "storeGlobalIf storeMatrices storeTransposed loadMatrices loadTransposed edgeOfRow loadRowBy "
    "storeRowBy printRow lowClockOfSm fenceProxyAsyncGlobal waitForPreviousKernel launchDependents "
    "tcgen05Descriptor tcgen05Product tcgen05CommitMulticast Tcgen05Operand Tcgen05Type "
    "tcgen05ScaledProduct tcgen05Copy tmemCopyScales tcgen05MmaScaled tcgen05ScaledInstruction "
    "tmemCopy tmemCopyRows tmemCopyTwice tmemCopyNeighbours tmemShift Tcgen05Rows tcgen05Shift "
    "rowsDescriptor tcgen05UpperOfRows ue8m0 e2m1x2 Tcgen05Scaled tcgen05Mxf4Instruction "
    "tcgen05Instruction Tcgen05Instruction tcgen05Upper Tcgen05Kind "
    "Tcgen05Format bulkCopyToPeer "
    "tmaLoadBoxOfPair "
    "tmaLoadOfPair prefetchL2 prefetchTile prefetchBoxes tmaPrefetchBox evictFirst evictLast "
    "CachePolicy globalTime mbarrierExpired counterExpired "
    "WatchdogRecord Deadline Watched lanesOfShort";

/// What CUDA's headers overload or declare outside of namespaces (CUDA Math API): a kernel, which
/// has C linkage, must not be called so. Values may.
constexpr const char *declared =
    "std norm norm3d norm4d rnorm rnorm3d rnorm4d hypot rhypot pow exp2 exp10 expm1 log2 "
    "log10 log1p sin cos tan sinh cosh tanh asin acos atan atan2 asinh acosh atanh "
    "sincos sinpi cospi sincospi ceil floor round trunc rint nearbyint fmod remainder "
    "remquo frexp ldexp modf scalbn scalbln logb ilogb cbrt rcbrt rsqrt erf erfc erfinv "
    "erfcinv erfcx normcdf normcdfinv lgamma tgamma j0 j1 jn y0 y1 yn cyl_bessel_i0 "
    "cyl_bessel_i1 fma fmax fmin fdim copysign nextafter nan isnan isinf isfinite "
    "signbit labs llabs div clock clock64 time malloc free memcpy memset memcmp assert "
    "saturate clamp";

} // namespace sluice::cuda
