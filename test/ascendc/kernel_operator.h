// The part of Ascend C's basic API that printed kernels call, on the model of model.h; that of the
// vector cores is in vector_calls.h. Names, members and meanings are those of the vendor's public
// documents; so are the limits, which are checked.
#pragma once

#include "model.h"
#include "number.h"

#include <type_traits>

#define __global__
#define __aicore__
#define __gm__
#define GM_ADDR uint8_t *
#define KERNEL_TASK_TYPE_DEFAULT(type)                                                             \
  if (AscendC::isAsked(AscendC::type))                                                             \
  return
#define ASCEND_IS_AIC (ascendc::core().isCube)
#define ASCEND_IS_AIV (!ascendc::core().isCube)

enum pipe_t { PIPE_S, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_ALL, PIPE_FIX };
enum QuantMode_t { NoQuant, F322F16, F322BF16 };

namespace AscendC {

enum KernelMetaType { KERNEL_TYPE_AIV_ONLY, KERNEL_TYPE_AIC_ONLY, KERNEL_TYPE_MIX_AIC_1_2 };
inline bool isAsked(KernelMetaType type) {
  ascendc::call().kind = type == KERNEL_TYPE_AIV_ONLY   ? ascendc::vectors
                         : type == KERNEL_TYPE_AIC_ONLY ? ascendc::cubes
                                                        : ascendc::mixed;
  return ascendc::call().asksForKind;
}

enum class TPosition : uint8_t { GM, A1, A2, B1, B2, CO1, VECIN, VECOUT, VECCALC };
enum class HardEvent : uint8_t {
  MTE2_MTE1,
  MTE1_MTE2,
  MTE1_M,
  M_MTE1,
  M_FIX,
  FIX_M,
  MTE2_V,
  V_MTE2,
  V_MTE3,
  MTE3_V,
  MTE3_MTE2,
  MTE2_MTE3
};

template <typename T, typename U> using IsSameType = std::is_same<T, U>;

inline void InitSocState() {
  ascendc::core().note(ascendc::mte2, "InitSocState");
}
inline int64_t GetBlockIdx() {
  return ascendc::core().block;
}
inline int64_t GetSubBlockIdx() {
  return ascendc::core().half;
}
inline int64_t GetBlockNum() {
  return ascendc::call().blocks;
}

// ---- Tensors ------------------------------------------------------------------------------------

inline ascendc::Place placeOf(TPosition position) {
  switch (position) {
  case TPosition::A2:
    return ascendc::l0a;
  case TPosition::B2:
    return ascendc::l0b;
  case TPosition::CO1:
    return ascendc::l0c;
  case TPosition::VECIN:
  case TPosition::VECOUT:
  case TPosition::VECCALC:
    return ascendc::ub;
  default:
    return ascendc::l1;
  }
}

template <typename T> class LocalTensor {
public:
  LocalTensor() : LocalTensor(TPosition::VECCALC, 0, 0) {}
  [[gnu::noinline]] LocalTensor(TPosition position, uint32_t address, uint32_t elements)
      : position_(position), address_(address), elements_(elements) {
    ascendc::require(address % 32 == 0, "LocalTensor: the address is no multiple of 32 bytes");
    ascendc::require(int64_t(address) + int64_t(elements) * int64_t(sizeof(T)) <=
                         ascendc::capacities[placeOf(position)],
                     "LocalTensor: it ends behind its memory");
  }
  [[gnu::noinline]] LocalTensor operator[](uint32_t offset) const {
    ascendc::require(offset < elements_, "LocalTensor: an offset behind its end");
    LocalTensor part = *this;
    part.address_ += offset * sizeof(T);
    part.elements_ -= offset;
    return part;
  }
  /// The same bytes as elements of another type.
  template <typename U> LocalTensor<U> ReinterpretCast() const {
    return LocalTensor<U>(position_, address_, elements_ * sizeof(T) / sizeof(U));
  }
  TPosition position() const { return position_; }
  int64_t address() const { return address_; }
  /// Of the first `bytes`, aligned so; where they lie while the queues run.
  [[gnu::noinline]] T *checked(int64_t bytes, int64_t alignment, const std::string &what) const {
    ascendc::require(address_ % alignment == 0, what + ": the address " + std::to_string(address_) +
                                                    " is no multiple of " +
                                                    std::to_string(alignment));
    ascendc::require(bytes <= int64_t(elements_ * sizeof(T)), what + " goes on behind the tensor");
    return reinterpret_cast<T *>(uintptr_t(address_));
  }
  T *data() const {
    return reinterpret_cast<T *>(ascendc::core().memory[placeOf(position_)].data() + address_);
  }

private:
  TPosition position_;
  uint32_t address_, elements_;
};

/// "l0a@32768": which tile a call touches.
template <typename T> std::string placeText(const LocalTensor<T> &tensor) {
  static const char *const names[] = {"l1", "l0a", "l0b", "l0c", "ub"};
  return std::string(names[placeOf(tensor.position())]) + "@" + std::to_string(tensor.address());
}

template <typename T> class GlobalTensor {
public:
  void SetGlobalBuffer(T *at) { at_ = at; }
  GlobalTensor operator[](uint64_t offset) const {
    GlobalTensor part = *this;
    part.at_ += offset;
    return part;
  }
  T *data() const { return at_; }

private:
  T *at_ = nullptr;
};

/// In which order Mmad goes through a tile of L0C, and Fixpipe takes units of it.
inline void SetMMRowMajor() {
  ascendc::core().rowMajor = true;
}

// ---- Order --------------------------------------------------------------------------------------

inline ascendc::Flag flagOf(HardEvent event, int32_t id) {
  using namespace ascendc;
  static constexpr int pipes[][2] = {{mte2, mte1}, {mte1, mte2}, {mte1, m},    {m, mte1},
                                     {m, fix},     {fix, m},     {mte2, v},    {v, mte2},
                                     {v, mte3},    {mte3, v},    {mte3, mte2}, {mte2, mte3}};
  return {pipes[int(event)][0], pipes[int(event)][1], id};
}
template <HardEvent event> void SetFlag(int32_t id) {
  ascendc::core().set(flagOf(event, id));
}
template <HardEvent event> void WaitFlag(int32_t id) {
  ascendc::core().wait(flagOf(event, id));
}
constexpr int queueOf(pipe_t pipe) {
  using namespace ascendc;
  constexpr int all[] = {queues, v, m, mte1, mte2, mte3, queues, fix};
  return all[pipe];
}
template <pipe_t pipe> void PipeBarrier() {
  static_assert(pipe == PIPE_ALL || queueOf(pipe) != ascendc::queues);
  if constexpr (pipe == PIPE_ALL)
    ascendc::core().barrierOfAll();
  else
    ascendc::core().barrier(queueOf(pipe));
}
/// Mode 2: a cube core and its two vector cores; 0: all cores of a kind.
template <uint8_t mode, pipe_t pipe> void CrossCoreSetFlag(uint16_t id) {
  static_assert((mode == 2 || mode == 0) && queueOf(pipe) != ascendc::queues,
                "this model has modes 2 and 0");
  ascendc::core().tell(queueOf(pipe), id, mode == 0);
}
/// On 910B the pipe says nothing: the scalar unit waits.
template <uint8_t mode = 0, pipe_t pipe = PIPE_S> void CrossCoreWaitFlag(uint16_t id) {
  ascendc::core().hear(id);
}

// ---- MTE2 ---------------------------------------------------------------------------------------

template <typename T> struct InitConstValueParams {
  ascendc::Field<uint16_t> repeatTimes, blockNum, dstGap;
  T initValue;
};

template <typename T> void Fill(const LocalTensor<T> &to, const InitConstValueParams<T> &p) {
  using namespace ascendc;
  static_assert(sizeof(T) > 1, "Fill takes elements of 16 and 32 bits");
  require(placeOf(to.position()) == l1, "Fill: this model fills L1 alone");
  within(p.repeatTimes, 0, 32767, "Fill: repeatTimes");
  within(p.blockNum, 0, 32767, "Fill: blockNum");
  within(p.dstGap, 0, 32767, "Fill: dstGap");
  if (p.repeatTimes == 0 || p.blockNum == 0)
    return;
  const int64_t step = (p.blockNum + p.dstGap) * 32;
  const int64_t bytes = (p.repeatTimes - 1) * step + p.blockNum * 32;
  to.checked(bytes, 32, "Fill");
  core().fills(to.address(), to.address() + bytes);
  core().note(mte2, "load " + placeText(to));
  core().work(mte2, [=] {
    for (int64_t i = 0; i < p.repeatTimes; ++i)
      std::fill_n(to.data() + i * step / int64_t(sizeof(T)), p.blockNum * 32 / int64_t(sizeof(T)),
                  p.initValue);
  });
}

struct Nd2NzParams {
  ascendc::Field<uint16_t> ndNum, nValue, dValue, srcNdMatrixStride, srcDValue, dstNzC0Stride,
      dstNzNStride, dstNzMatrixStride;
};

template <typename T>
void DataCopy(const LocalTensor<T> &to, const GlobalTensor<T> &from, const Nd2NzParams &p) {
  using namespace ascendc;
  require(placeOf(to.position()) == l1, "DataCopy (ND2NZ): the destination is not in L1");
  within(p.ndNum, 1, 1, "DataCopy (ND2NZ): ndNum (of this model)");
  within(p.nValue, 1, 16384, "DataCopy (ND2NZ): nValue");
  within(p.dValue, 1, 65535, "DataCopy (ND2NZ): dValue");
  within(p.srcDValue, 1, 65535, "DataCopy (ND2NZ): srcDValue");
  within(p.dstNzC0Stride, 1, 16384, "DataCopy (ND2NZ): dstNzC0Stride");
  within(p.dstNzNStride, 1, 16384, "DataCopy (ND2NZ): dstNzNStride");
  within(p.dstNzMatrixStride, 1, 65535, "DataCopy (ND2NZ): dstNzMatrixStride");
  constexpr int64_t c0 = 32 / sizeof(T);
  const int64_t chunks = (p.dValue + c0 - 1) / c0;
  const int64_t blocks = (chunks - 1) * p.dstNzC0Stride + (p.nValue - 1) * p.dstNzNStride + 1;
  to.checked(blocks * 32, 32, "DataCopy (ND2NZ)");
  core().copies(to.address(), to.address() + blocks * 32);
  checkGlobal(from.data(), ((p.nValue - 1) * p.srcDValue + p.dValue) * int64_t(sizeof(T)),
              "DataCopy (ND2NZ)");
  core().note(mte2, "load " + placeText(to));
  core().work(mte2, [=] {
    for (int64_t i = 0; i < p.nValue; ++i)
      for (int64_t d = 0; d < chunks * c0; ++d)
        to.data()[(d / c0 * p.dstNzC0Stride + i * p.dstNzNStride) * c0 + d % c0] =
            d < p.dValue ? from.data()[i * p.srcDValue + d] : T(0);
  });
}

// ---- MTE1 ---------------------------------------------------------------------------------------

struct LoadData2DParams {
  ascendc::Field<uint16_t> startIndex = 0;
  ascendc::Field<uint8_t> repeatTimes = 0;
  ascendc::Field<uint16_t> srcStride = 0;
  ascendc::Field<uint8_t> sid = 0;
  ascendc::Field<uint16_t> dstGap = 0;
  bool ifTranspose = false;
  ascendc::Field<uint8_t> addrMode = 0;
};

template <typename T>
void LoadData(const LocalTensor<T> &to, const LocalTensor<T> &from, const LoadData2DParams &p) {
  using namespace ascendc;
  const Place place = placeOf(to.position());
  require(placeOf(from.position()) == l1 && (place == l0a || place == l0b),
          "LoadData goes from L1 to L0A or L0B");
  require(sizeof(T) == 2 || !p.ifTranspose, "LoadData: this model turns elements of 16 bits");
  within(p.repeatTimes, 1, 255, "LoadData: repeatTimes");
  const int64_t last = p.startIndex + (p.repeatTimes - 1) * p.srcStride;
  from.checked((last + 1) * 512, 32, "LoadData, source");
  to.checked(((p.repeatTimes - 1) * (1 + p.dstGap) + 1) * 512, 512, "LoadData, destination");
  core().note(mte1, "copy " + placeText(from) + " to " + placeText(to));
  core().work(mte1, [=] {
    for (int64_t f = 0; f < p.repeatTimes; ++f) {
      constexpr int elements = 512 / sizeof(T);
      const T *source = from.data() + (p.startIndex + f * p.srcStride) * elements;
      T *destination = to.data() + f * (1 + p.dstGap) * elements;
      for (int i = 0; i < elements; ++i)
        destination[i] = source[p.ifTranspose ? i % 16 * 16 + i / 16 : i];
    }
  });
}

struct LoadData2dTransposeParams {
  ascendc::Field<uint16_t> startIndex = 0;
  ascendc::Field<uint8_t> repeatTimes = 0;
  ascendc::Field<uint16_t> srcStride = 0, dstGap = 0, dstFracGap = 0;
  ascendc::Field<uint8_t> addrMode = 0;
};

/// Squares: of 16 bits a fractal, of 8 bits two fractals one below the other, of 32 bits two beside
/// each other. Turned, a square is as many fractals, from the top, or from the left.
template <typename T>
void LoadDataWithTranspose(const LocalTensor<T> &to, const LocalTensor<T> &from,
                           const LoadData2dTransposeParams &p) {
  using namespace ascendc;
  const Place place = placeOf(to.position());
  require(placeOf(from.position()) == l1 && (place == l0a || place == l0b),
          "LoadDataWithTranspose goes from L1 to L0A or L0B");
  within(p.repeatTimes, 1, 255, "LoadDataWithTranspose: repeatTimes");
  require(p.addrMode == 0, "LoadDataWithTranspose: this model goes forward alone");
  constexpr int64_t line = 32 / sizeof(T), fractals = sizeof(T) == 2 ? 1 : 2;
  constexpr int64_t side = sizeof(T) == 1 ? 32 : 16, square = side * side;
  require(p.dstFracGap == 0 || fractals == 2,
          "LoadDataWithTranspose: dstFracGap is not of 16 bits");
  const int64_t last = p.startIndex + (p.repeatTimes - 1) * p.srcStride;
  const int64_t reach = (p.repeatTimes - 1) * (1 + p.dstGap) + (fractals - 1) * (1 + p.dstFracGap);
  std::set<int64_t> reached;
  for (int64_t f = 0; f < p.repeatTimes * fractals; ++f)
    require(
        reached.insert(f / fractals * (1 + p.dstGap) + f % fractals * (1 + p.dstFracGap)).second,
        "LoadDataWithTranspose: fractals of the destination overlap");
  from.checked((last + 1) * fractals * 512, 32, "LoadDataWithTranspose, source");
  to.checked((reach + 1) * 512, 512, "LoadDataWithTranspose, destination");
  core().note(mte1, "copy " + placeText(from) + " to " + placeText(to));
  core().work(mte1, [=] {
    /// Where an element of a square lies, fractals being `apart` elements from each other.
    const auto at = [](int64_t row, int64_t column, int64_t apart) {
      const int64_t which = row / 16 + column / line; // one of the two is 0
      return which * apart + row % 16 * line + column % line;
    };
    for (int64_t s = 0; s < p.repeatTimes; ++s) {
      const T *source = from.data() + (p.startIndex + s * p.srcStride) * square;
      T *destination = to.data() + s * (1 + p.dstGap) * 16 * line;
      for (int64_t i = 0; i < side; ++i)
        for (int64_t j = 0; j < side; ++j)
          destination[at(j, i, (1 + p.dstFracGap) * 16 * line)] = source[at(i, j, 16 * line)];
    }
  });
}

// ---- M ------------------------------------------------------------------------------------------

inline std::string unitText(int64_t unitFlag) {
  return unitFlag ? " units " + std::to_string(unitFlag) : "";
}

struct MmadParams {
  ascendc::Field<uint16_t> m, n, k;
  ascendc::Field<uint8_t> unitFlag = 0;
  bool cmatrixSource = false, cmatrixInitVal = true;
};

/// The columns of fractals from `first` on, up to `end`.
template <typename Sum, typename T>
void multiplyNow(Sum *d, const T *a, const T *b, const MmadParams &p, int64_t first, int64_t end) {
  constexpr int64_t line = 32 / sizeof(T), size = 16 * line; // of a fractal
  const int64_t rows = (p.m + 15) / 16, cols = (p.n + 15) / 16, depth = (p.k + line - 1) / line;
  std::vector<Sum> right(depth * line * cols * 16);
  for (int64_t k = 0; k < depth * line; ++k) // L0B: row by row, columns contiguous inside
    for (int64_t j = first * 16; j < end * 16; ++j)
      right[k * cols * 16 + j] =
          Sum(b[(k / line * cols + j / 16) * size + j % 16 * line + k % line]);
  std::vector<Sum> sum(cols * 16);
  for (int64_t i = 0; i < rows * 16; ++i) {
    const auto at = [&](int64_t j) {
      return (j / 16 * rows + i / 16) * 256 + i % 16 * 16 + j % 16;
    };
    for (int64_t j = first * 16; j < end * 16; ++j)
      sum[j] = p.cmatrixInitVal ? 0 : d[at(j)];
    for (int64_t k = 0; k < p.k; ++k) {
      const Sum left = Sum(a[(i / 16 * depth + k / line) * size + i % 16 * line + k % line]);
      for (int64_t j = first * 16; j < end * 16; ++j)
        sum[j] += left * right[k * cols * 16 + j];
    }
    for (int64_t j = first * 16; j < end * 16; ++j)
      d[at(j)] = sum[j];
  }
}

template <typename Sum, typename T>
void Mmad(const LocalTensor<Sum> &d, const LocalTensor<T> &a, const LocalTensor<T> &b,
          const MmadParams &p) {
  using namespace ascendc;
  static_assert(std::is_same_v<Sum, std::conditional_t<sizeof(T) == 1, int32_t, float>>);
  require(placeOf(d.position()) == l0c && placeOf(a.position()) == l0a &&
              placeOf(b.position()) == l0b,
          "Mmad takes A from A2, B from B2 and D in CO1");
  within(p.m, 2, 4095, "Mmad: m"); // 1 is a vector by a matrix, which this model has not
  within(p.n, 1, 4095, "Mmad: n");
  within(p.k, 1, 4095, "Mmad: k");
  require(p.unitFlag == 0 || p.unitFlag == 2 || p.unitFlag == 3, "Mmad: unitFlag is 0, 2 or 3");
  require(!p.cmatrixSource, "Mmad: this model has no bias");
  constexpr int64_t line = 32 / sizeof(T);
  const int64_t rows = (p.m + 15) / 16, cols = (p.n + 15) / 16, depth = (p.k + line - 1) / line;
  a.checked(rows * depth * 512, 512, "Mmad, A");
  b.checked(cols * depth * 512, 512, "Mmad, B");
  d.checked(rows * cols * 1024, 1024, "Mmad, D");
  core().multiplies(d.address(), rows * cols, !p.cmatrixInitVal);
  core().note(m, "mmad " + placeText(d) + " " + placeText(a) + " " + placeText(b) +
                     unitText(p.unitFlag));
  if (p.unitFlag == 0) {
    core().work(m, [=] {
      core().touches(d.address(), d.address() + rows * cols * 1024, "Mmad");
      multiplyNow(d.data(), a.data(), b.data(), p, 0, cols);
    });
    return;
  }
  for (int64_t j = 0; j < cols; ++j) { // column by column, each when M has its units
    const int64_t begin = d.address() + j * rows * 1024, end = begin + rows * 1024;
    core().work(
        m,
        [=] {
          multiplyNow(d.data(), a.data(), b.data(), p, j, j + 1);
          core().give(begin, end, p.unitFlag == 3 ? Owner::fix : Owner::open);
        },
        [=] { return core().are(begin, end, false); });
  }
}

// ---- FIX ----------------------------------------------------------------------------------------

enum class CO2Layout : uint8_t { NZ, ROW_MAJOR };
struct FixpipeConfig {
  CO2Layout format;
};
constexpr FixpipeConfig CFG_ROW_MAJOR = {CO2Layout::ROW_MAJOR};

struct FixpipeParamsV220 {
  ascendc::Field<uint16_t> nSize, mSize, srcStride;
  ascendc::Field<uint32_t> dstStride;
  QuantMode_t quantPre = QuantMode_t::NoQuant;
  ascendc::Field<uint16_t> ndNum = 1, srcNdStride = 0, dstNdStride = 0;
  bool reluEn = false;
  ascendc::Field<uint8_t> unitFlag = 0;
};

template <typename T, typename U, const FixpipeConfig &config>
void Fixpipe(const GlobalTensor<T> &to, const LocalTensor<U> &from, const FixpipeParamsV220 &p) {
  using namespace ascendc;
  static_assert(std::is_same_v<U, float> || (std::is_same_v<U, int32_t> && std::is_same_v<T, U>));
  static_assert(config.format == CO2Layout::ROW_MAJOR);
  require(placeOf(from.position()) == l0c, "Fixpipe: the source is not in CO1");
  const QuantMode_t wanted = std::is_same_v<T, half>         ? F322F16
                             : std::is_same_v<T, bfloat16_t> ? F322BF16
                                                             : NoQuant;
  require(p.quantPre == wanted, "Fixpipe: quantPre does not fit the type of the destination");
  within(p.nSize, 1, 4095, "Fixpipe: nSize");
  within(p.mSize, 1, 8192, "Fixpipe: mSize");
  within(p.ndNum, 1, 1, "Fixpipe: ndNum (of this model)");
  require(p.srcStride % 16 == 0, "Fixpipe: srcStride is no multiple of 16");
  require(p.dstStride > 0 && !p.reluEn, "Fixpipe: dstStride is 0, or reluEn (of this model)");
  require(p.unitFlag == 0 || p.unitFlag == 3, "Fixpipe: unitFlag is 0 or 3");
  require(p.unitFlag == 0 || core().rowMajor,
          "Fixpipe: unitFlag with rows in the destination needs SetMMRowMajor");
  from.checked(((p.nSize - 1) / 16 * p.srcStride + p.mSize) * 64, 64, "Fixpipe");
  checkGlobal(to.data(), ((p.mSize - 1) * p.dstStride + p.nSize) * int64_t(sizeof(T)), "Fixpipe");
  core().note(fix, "store " + placeText(from) + unitText(p.unitFlag));
  const auto move = [=](int64_t first, int64_t end) {
    for (int64_t i = 0; i < p.mSize; ++i)
      for (int64_t j = first; j < end; ++j)
        to.data()[i * p.dstStride + j] = T(from.data()[(j / 16 * p.srcStride + i) * 16 + j % 16]);
  };
  for (int64_t j = 0; j < p.nSize; j += 16) { // column by column of fractals
    const int64_t begin = from.address() + j / 16 * p.srcStride * 64;
    const int64_t end = begin + (p.mSize + 15) / 16 * 1024,
                  last = std::min(j + 16, int64_t(p.nSize));
    if (p.unitFlag == 0)
      core().work(fix, [=] {
        core().touches(begin, end, "Fixpipe");
        move(j, last);
      });
    else
      core().work(
          fix,
          [=] {
            move(j, last);
            core().give(begin, end, Owner::m);
          },
          [=] { return core().are(begin, end, true); });
  }
}

} // namespace AscendC

#include "vector_calls.h"
