// Words of Ascend C and device/ascend that no variable or kernel may be called by.
#pragma once

namespace sluice::ascend {

constexpr const char *reserved =
    "min max abs half bfloat16_t int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t "
    "event_t pipe_t AscendC sluice i64 Cursor ceilDiv fractal furthestLines Matrix loadTile "
    "loadFractals loadSquares product storeTile UnitFlag noUnits keepUnits handUnitsOver "
    "SetMMRowMajor "
    "GlobalTensor LocalTensor TPosition HardEvent SetFlag WaitFlag "
    "PipeBarrier InitSocState GetBlockIdx GetBlockNum GetSubBlockIdx DataCopy LoadData Mmad "
    "Fixpipe Fill MmadParams LoadData2DParams LoadDataWithTranspose LoadData2dTransposeParams "
    "Nd2NzParams FixpipeParamsV220 InitConstValueParams "
    "QuantMode_t IsSameType GM_ADDR CrossCoreSetFlag CrossCoreWaitFlag KERNEL_TASK_TYPE_DEFAULT "
    "KERNEL_TYPE_AIC_ONLY ASCEND_IS_AIC ASCEND_IS_AIV quotient remainder PIPE_ALL PIPE_M PIPE_MTE1 "
    "PIPE_MTE2 PIPE_FIX PIPE_V PIPE_MTE3 KERNEL_TYPE_AIV_ONLY KERNEL_TYPE_MIX_AIC_1_2 blockBytes "
    "furthestBlocks linesOf loadRows storeRows fillRows fillColumns infinity insideOf coreOfBlock "
    "fractalLine fillWithZeros columnNumbers ReinterpretCast And Or Add Sub Mul Div Max Min Adds "
    "Muls Maxs Mins Exp Ln Sqrt Abs Cast RoundMode Brcb Duplicate "
    "TransDataTo5HD TransDataTo5HDParams Axpy turnRows NumberOfSize "
    "ReduceRepeat ReduceType ReduceOrder DataCopyPad DataCopyExtParams DataCopyPadExtParams";

/// What headers of the toolchain may declare outside of namespaces: a kernel, which has C linkage,
/// must not be called so.
constexpr const char *declared =
    "std pow exp2 sin cos tan sqrt log log2 log10 floor ceil round trunc fabs fma div time clock "
    "malloc free memcpy memset memcmp assert printf trap";

} // namespace sluice::ascend
