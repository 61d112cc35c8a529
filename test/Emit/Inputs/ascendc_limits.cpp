// Calls that the documents forbid, one by one: what the host model says of each.
#include "kernel_operator.h"

#include <iostream>
#include <memory>

using namespace AscendC;

namespace {

half numbers[4096];

/// Calls of one core, then its queues in some order.
template <typename Calls> void tell(const char *name, Calls calls) {
  const auto core = std::make_unique<ascendc::Core>();
  const auto *begin = reinterpret_cast<const uint8_t *>(numbers);
  ascendc::call().core = core.get();
  ascendc::call().regions = {{begin, begin + sizeof numbers}};
  std::cout << name << ": ";
  try {
    calls();
    core->play(30);
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

const LocalTensor<half> tile(TPosition::A1, 0, 4096), left(TPosition::A2, 0, 4096);
const LocalTensor<half> right(TPosition::B2, 0, 4096);
const LocalTensor<float> sums(TPosition::CO1, 0, 4096);

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
}
