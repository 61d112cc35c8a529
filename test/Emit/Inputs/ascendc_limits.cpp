// Calls that the documents forbid, one by one: what the host model says of each.
#include "kernel_operator.h"
#include "play.h"

#include <iostream>
#include <memory>

using namespace AscendC;

namespace {

half numbers[4096];

/// Calls of one core, then its queues in some order.
template <typename Calls> void tell(const char *name, Calls calls, bool isCube = true) {
  const auto core = std::make_unique<ascendc::Core>(isCube, 0, 0);
  const auto *begin = reinterpret_cast<const uint8_t *>(numbers);
  ascendc::call().core = core.get();
  ascendc::call().regions = {{begin, begin + sizeof numbers}};
  std::cout << name << ": ";
  try {
    calls();
    ascendc::Play({core.get()}, 30).run();
    std::cout << "right\n";
  } catch (const ascendc::Fault &fault) {
    std::cout << fault.what() << "\n";
  }
}

GlobalTensor<half> global() {
  GlobalTensor<half> tensor;
  tensor.SetGlobalBuffer(numbers);
  return tensor;
}

Nd2NzParams box(int lines, int along) {
  Nd2NzParams p;
  p.ndNum = 1, p.nValue = lines, p.dValue = along, p.srcDValue = along;
  p.dstNzC0Stride = lines, p.dstNzNStride = 1, p.dstNzMatrixStride = 1;
  return p;
}

MmadParams product(int m, int n, int k) {
  MmadParams p;
  p.m = m, p.n = n, p.k = k;
  return p;
}

FixpipeParamsV220 rows(int m, int n) {
  FixpipeParamsV220 p;
  p.mSize = m, p.nSize = n, p.srcStride = 16, p.dstStride = n;
  p.quantPre = QuantMode_t::F322F16;
  return p;
}

LoadData2dTransposeParams squares(int many, int gap, int gapInside) {
  LoadData2dTransposeParams p;
  p.repeatTimes = many, p.srcStride = 1, p.dstGap = gap, p.dstFracGap = gapInside;
  return p;
}

const LocalTensor<int8_t> bytes(TPosition::A1, 0, 8192), leftBytes(TPosition::A2, 0, 8192);
const LocalTensor<float> sumsOfL1(TPosition::A1, 0, 4096);
const LocalTensor<half> tile(TPosition::A1, 0, 4096), left(TPosition::A2, 0, 4096);
const LocalTensor<half> right(TPosition::B2, 0, 4096);
const LocalTensor<float> sums(TPosition::CO1, 0, 4096);
const LocalTensor<float> rowsOfF32(TPosition::VECCALC, 0, 4096);
const LocalTensor<half> rowsOfF16(TPosition::VECCALC, 16384, 4096);
const DataCopyPadExtParams<half> noPadding(false, 0, 0, half(0));

/// On a vector core.
template <typename Calls> void tellVector(const char *name, Calls calls) {
  tell(name, calls, false);
}

/// 16 blocks of 16 bits from this number on, and so many times those behind them.
void turn(int first, int repeats, int blocks) {
  const auto numbers = rowsOfF16.ReinterpretCast<int16_t>();
  LocalTensor<int16_t> ins[16], outs[16];
  for (int i = 0; i < 16; ++i)
    ins[i] = numbers[first + 16 * i], outs[i] = numbers[1024 + 16 * i];
  TransDataTo5HD<int16_t>(outs, ins, {false, false, repeats, blocks, 0});
}

} // namespace

int main() {
  tell("good", [] { DataCopy(tile, global(), box(16, 16)); });
  tell("id", [] { SetFlag<HardEvent::MTE2_MTE1>(6); });
  tell("twice", [] { SetFlag<HardEvent::MTE2_MTE1>(0), SetFlag<HardEvent::MTE2_MTE1>(0); });
  tell("left", [] { SetFlag<HardEvent::MTE2_MTE1>(0); });
  tell("deadlock", [] { WaitFlag<HardEvent::MTE2_MTE1>(0); });
  tell("barrier", [] {
    WaitFlag<HardEvent::FIX_M>(1);
    PipeBarrier<PIPE_ALL>();
  });
  tell("address", [] { LocalTensor<half>(TPosition::A1, 16, 16); });
  tell("capacity", [] { LocalTensor<half>(TPosition::A2, 65536, 16); });
  tell("outside", [] { DataCopy(tile, global()[4000], box(16, 16)); });
  tell("lines", [] { DataCopy(tile, global(), box(0, 16)); });
  tell("field", [] { DataCopy(tile, global(), box(16, 70000)); });
  tell("behind", [] { DataCopy(tile[4000], global(), box(16, 16)); });
  tell("fill", [] {
    InitConstValueParams<half> zeros;
    zeros.repeatTimes = 1, zeros.blockNum = 16;
    Fill(tile, zeros);
    DataCopy(tile, global(), box(16, 16));
  });
  tell("repeat", [] { LoadData(left, tile, LoadData2DParams()); });
  tell("l0", [] {
    LoadData2DParams p;
    p.repeatTimes = 1;
    LoadData(left[128], tile, p);
  });
  tell("squares", [] { LoadDataWithTranspose(left, tile, squares(2, 1, 0)); });
  tell("none", [] { LoadDataWithTranspose(left, tile, squares(0, 1, 0)); });
  tell("source", [] { LoadDataWithTranspose(left, tile, squares(17, 1, 0)); });
  tell("place", [] { LoadDataWithTranspose(sums, sumsOfL1, LoadData2dTransposeParams()); });
  tell("pairs", [] { LoadDataWithTranspose(leftBytes, bytes, squares(2, 1, 0)); });
  tell("stacked", [] { LoadDataWithTranspose(leftBytes, bytes, squares(2, 0, 1)); });
  tell("sixteen", [] { LoadDataWithTranspose(left, tile, squares(2, 0, 1)); });
  tell("overlap", [] { LoadDataWithTranspose(leftBytes, bytes, squares(2, 0, 0)); });
  tell("product", [] { Mmad(sums, left, right, product(16, 4096, 16)); });
  tell("vector", [] { Mmad(sums, left, right, product(1, 16, 16)); });
  tell("places", [] { Mmad(sums, right, left, product(16, 16, 16)); });
  tell("sums", [] { Mmad(sums[64], left, right, product(16, 16, 16)); });
  tell("columns", [] { Fixpipe<half, float, CFG_ROW_MAJOR>(global(), sums, rows(16, 4096)); });
  tell("quant", [] {
    FixpipeParamsV220 p = rows(16, 16);
    p.quantPre = QuantMode_t::NoQuant;
    Fixpipe<half, float, CFG_ROW_MAJOR>(global(), sums, p);
  });
  tellVector("vector", [] { Add(rowsOfF32, rowsOfF32, rowsOfF32[64], 64); });
  tellVector("pipe", [] {
    DataCopy(tile, global(), box(16, 16)), Mmad(sums, left, right, product(16, 16, 16));
  });
  tell("cube", [] { Exp(rowsOfF32, rowsOfF32, 64); });
  tellVector("unaligned", [] { Exp(rowsOfF32[1], rowsOfF32, 64); });
  tellVector("behind", [] { Exp(rowsOfF32, rowsOfF32[4000], 100); });
  tellVector("mask", [] { Add(rowsOfF32, rowsOfF32, rowsOfF32, 65, 1, {1, 1, 1, 8, 8, 8}); });
  tellVector("stride", [] { Add(rowsOfF32, rowsOfF32, rowsOfF32, 64, 2, {1, 1, 1, 256, 8, 8}); });
  tellVector("repeats",
             [] { ReduceRepeat<ReduceType::SUM>(rowsOfF32, rowsOfF32, 8, 256, 1, 1, 1); });
  tellVector("order", [] { ReduceRepeat<ReduceType::MAX>(rowsOfF32, rowsOfF32, 64, 2, 1, 1, 8); });
  tellVector("turned", [] { turn(0, 1, 0); });
  tellVector("lines", [] { turn(4, 1, 0); });
  tellVector("end", [] { turn(0, 2, 500); });
  tellVector("count", [] { turn(0, 256, 1); });
  tellVector("rounding", [] { Cast(rowsOfF16, rowsOfF32, RoundMode::CAST_NONE, 64); });
  tellVector("blocks", [] { DataCopy(rowsOfF16, rowsOfF16[64], 24); });
  tellVector("lines", [] { DataCopyPad(rowsOfF16, global(), {0, 32, 0, 0, 0}, noPadding); });
  tellVector("wide", [] { DataCopyPad(rowsOfF16, global(), {1, 0, 0, 0, 0}, noPadding); });
  tellVector("outside", [] { DataCopyPad(global(), rowsOfF16, {2, 4096, 0, 4096, 0}); });
  tellVector("between", [] { CrossCoreSetFlag<2, PIPE_MTE3>(11); });
  tellVector("alone", [] { CrossCoreWaitFlag(0); });
}
