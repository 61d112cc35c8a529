// The basic vector API and DataCopyPad, with the limits of the public documents: 32 bytes of
// alignment, repeats and masks of 256 bytes, strides in blocks. Included by kernel_operator.h.
#pragma once

namespace AscendC {

enum class RoundMode { CAST_NONE, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC };
enum class ReduceType { SUM, MAX, MIN };
enum class ReduceOrder { ORDER_VALUE_INDEX, ORDER_INDEX_VALUE, ORDER_ONLY_VALUE, ORDER_ONLY_INDEX };

struct UnaryRepeatParams {
  UnaryRepeatParams(int64_t dstBlk, int64_t srcBlk, int64_t dstRep, int64_t srcRep)
      : dstBlkStride(dstBlk), srcBlkStride(srcBlk), dstRepStride(dstRep), srcRepStride(srcRep) {}
  ascendc::Field<uint16_t> dstBlkStride, srcBlkStride;
  ascendc::Field<uint8_t> dstRepStride, srcRepStride;
};
struct BinaryRepeatParams {
  BinaryRepeatParams(int64_t dstBlk, int64_t src0Blk, int64_t src1Blk, int64_t dstRep,
                     int64_t src0Rep, int64_t src1Rep)
      : dstBlkStride(dstBlk), src0BlkStride(src0Blk), src1BlkStride(src1Blk), dstRepStride(dstRep),
        src0RepStride(src0Rep), src1RepStride(src1Rep) {}
  ascendc::Field<uint8_t> dstBlkStride, src0BlkStride, src1BlkStride, dstRepStride, src0RepStride,
      src1RepStride;
};
struct BrcbRepeatParams {
  BrcbRepeatParams(int64_t dstBlk, int64_t dstRep) : dstBlkStride(dstBlk), dstRepStride(dstRep) {}
  ascendc::Field<uint16_t> dstBlkStride, dstRepStride;
};

// ---- What the instructions have in common -------------------------------------------------------

/// Where the elements of an instruction lie: `mask` of each repeat, blocks of 32 bytes some blocks
/// apart, repeats too.
struct Pattern {
  int64_t mask, repeats, betweenBlocks, betweenRepeats, perBlock;
  int64_t at(int64_t i) const {
    const int64_t lane = i % mask;
    return (i / mask * betweenRepeats + lane / perBlock * betweenBlocks) * perBlock +
           lane % perBlock;
  }
  int64_t elements() const { return mask * repeats; }
  int64_t end() const {
    const int64_t last = (mask - 1) / perBlock; // strides are not negative
    const int64_t rest = betweenBlocks ? mask - last * perBlock : std::min(mask, perBlock);
    return repeats ? ((repeats - 1) * betweenRepeats + last * betweenBlocks) * perBlock + rest : 0;
  }
};
template <typename T>
Pattern patternOf(int64_t mask, int64_t repeats, int64_t blocks, int64_t stride,
                  const std::string &what) {
  ascendc::within(mask, 1, 256 / sizeof(T), what + ": mask");
  ascendc::within(repeats, 0, 255, what + ": repeatTime");
  return {mask, repeats, blocks, stride, 32 / int64_t(sizeof(T))};
}
/// The first `count` elements, one after the other.
inline Pattern firstOf(int64_t count, const std::string &what) {
  ascendc::within(count, 1, 1 << 20, what + ": count");
  return {count, 1, 0, 0, count};
}

/// A tensor in UB, its elements and how they are found.
template <typename T> struct Operand {
  LocalTensor<T> tensor;
  Pattern pattern;
  Operand(const LocalTensor<T> &t, const Pattern &p, const std::string &what)
      : tensor(t), pattern(p) {
    ascendc::require(placeOf(t.position()) == ascendc::ub, what + ": an operand is not in UB");
    t.checked(p.end() * int64_t(sizeof(T)), 32, what);
  }
  T &operator[](int64_t i) const { return tensor.data()[pattern.at(i)]; }
  /// Where the elements of this block of this repeat begin.
  T *block(int64_t repeat, int64_t block) const {
    return tensor.data() +
           (repeat * pattern.betweenRepeats + block * pattern.betweenBlocks) * pattern.perBlock;
  }
};

template <typename T, typename... Sources>
std::string textOfCall(const LocalTensor<T> &to, const Sources &...from) {
  return (("v " + placeText(to)) + ... + (" " + placeText(from)));
}

/// `visit(repeat, block, elements)` of every block that an instruction of this pattern takes.
template <typename F> void forEachBlock(const Pattern &p, F visit) {
  for (int64_t repeat = 0; repeat < p.repeats; ++repeat)
    for (int64_t first = 0; first < p.mask; first += p.perBlock)
      visit(repeat, first / p.perBlock, std::min(p.perBlock, p.mask - first));
}

template <typename D, typename S, typename F>
void computeOne(const std::string &what, const LocalTensor<D> &dst, const Pattern &to,
                const LocalTensor<S> &src, const Pattern &from, F function) {
  const Operand<D> d(dst, to, what);
  const Operand<S> s(src, from, what);
  ascendc::core().note(ascendc::v, textOfCall(dst, src));
  ascendc::core().work(ascendc::v, [=] {
    forEachBlock(to, [&](int64_t repeat, int64_t block, int64_t elements) {
      D *out = d.block(repeat, block);
      const S *in = s.block(repeat, block);
      for (int64_t i = 0; i < elements; ++i)
        out[i] = function(in[i]);
    });
  });
}
template <typename T, typename S, typename F>
void computeTwo(const std::string &what, const LocalTensor<T> &dst, const Pattern &to,
                const LocalTensor<T> &src0, const Pattern &from0, const LocalTensor<S> &src1,
                const Pattern &from1, F function) {
  const Operand<T> d(dst, to, what), x(src0, from0, what);
  const Operand<S> y(src1, from1, what);
  ascendc::core().note(ascendc::v, textOfCall(dst, src0, src1));
  ascendc::core().work(ascendc::v, [=] {
    forEachBlock(to, [&](int64_t repeat, int64_t block, int64_t elements) {
      T *out = d.block(repeat, block);
      const T *left = x.block(repeat, block);
      const S *right = y.block(repeat, block);
      for (int64_t i = 0; i < elements; ++i)
        out[i] = function(left[i], right[i]);
    });
  });
}

// ---- Arithmetic on f32 and i32 ------------------------------------------------------------------

#define ASCEND_UNARY(name, expression)                                                             \
  inline void name(const LocalTensor<float> &dst, const LocalTensor<float> &src,                   \
                   const int32_t &count) {                                                         \
    const Pattern all = firstOf(count, #name);                                                     \
    computeOne(#name, dst, all, src, all, [](float x) { return expression; });                     \
  }                                                                                                \
  inline void name(const LocalTensor<float> &dst, const LocalTensor<float> &src, uint64_t mask,    \
                   uint8_t repeats, const UnaryRepeatParams &p) {                                  \
    computeOne(#name, dst, patternOf<float>(mask, repeats, p.dstBlkStride, p.dstRepStride, #name), \
               src, patternOf<float>(mask, repeats, p.srcBlkStride, p.srcRepStride, #name),        \
               [](float x) { return expression; });                                                \
  }
ASCEND_UNARY(Exp, std::exp(x))
ASCEND_UNARY(Ln, std::log(x))
ASCEND_UNARY(Sqrt, std::sqrt(x))
ASCEND_UNARY(Abs, std::fabs(x))
#undef ASCEND_UNARY

#define ASCEND_BINARY(T, name, expression)                                                         \
  inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src0,                          \
                   const LocalTensor<T> &src1, const int32_t &count) {                             \
    const Pattern all = firstOf(count, #name);                                                     \
    computeTwo(#name, dst, all, src0, all, src1, all, [](T x, T y) { return expression; });        \
  }                                                                                                \
  inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src0,                          \
                   const LocalTensor<T> &src1, uint64_t mask, uint8_t repeats,                     \
                   const BinaryRepeatParams &p) {                                                  \
    computeTwo(#name, dst, patternOf<T>(mask, repeats, p.dstBlkStride, p.dstRepStride, #name),     \
               src0, patternOf<T>(mask, repeats, p.src0BlkStride, p.src0RepStride, #name), src1,   \
               patternOf<T>(mask, repeats, p.src1BlkStride, p.src1RepStride, #name),               \
               [](T x, T y) { return expression; });                                               \
  }
ASCEND_BINARY(float, Add, x + y)
ASCEND_BINARY(float, Sub, x - y)
ASCEND_BINARY(float, Mul, x *y)
ASCEND_BINARY(float, Div, x / y)
ASCEND_BINARY(float, Max, x > y ? x : y)
ASCEND_BINARY(float, Min, x < y ? x : y)
ASCEND_BINARY(int32_t, Add, ascendc::wrapped(int64_t(x) + y))
ASCEND_BINARY(int32_t, Sub, ascendc::wrapped(int64_t(x) - y))
ASCEND_BINARY(int32_t, Mul, ascendc::wrapped(int64_t(x) * y))
ASCEND_BINARY(int32_t, Max, std::max(x, y))
ASCEND_BINARY(int32_t, Min, std::min(x, y))
#undef ASCEND_BINARY

#define ASCEND_NUMBER(T, name, expression)                                                         \
  inline void name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const T &y,               \
                   const int32_t &count) {                                                         \
    const Pattern all = firstOf(count, #name);                                                     \
    computeOne(#name, dst, all, src, all, [y](T x) { return expression; });                        \
  }
ASCEND_NUMBER(float, Adds, x + y)
ASCEND_NUMBER(float, Muls, x *y)
ASCEND_NUMBER(float, Maxs, x > y ? x : y)
ASCEND_NUMBER(float, Mins, x < y ? x : y)
ASCEND_NUMBER(int32_t, Adds, ascendc::wrapped(int64_t(x) + y))
ASCEND_NUMBER(int32_t, Muls, ascendc::wrapped(int64_t(x) * y))
ASCEND_NUMBER(int32_t, Maxs, std::max(x, y))
ASCEND_NUMBER(int32_t, Mins, std::min(x, y))
#undef ASCEND_NUMBER

/// dst + src times a number, of f16 to f32: no factor but 1, whose products are exact, so that
/// nothing rests on how often it rounds. The tensors do not overlap.
inline void Axpy(const LocalTensor<float> &dst, const LocalTensor<half> &src, const half &y,
                 const int32_t &count) {
  using namespace ascendc;
  require(float(y) == 1, "Axpy: this model has the factor 1");
  const auto first = [](const auto &t) { return reinterpret_cast<const char *>(t.data()); };
  require(first(dst) + count * sizeof(float) <= first(src) ||
              first(src) + count * sizeof(half) <= first(dst),
          "Axpy: of f16 to f32, the tensors overlap");
  const Pattern all = firstOf(count, "Axpy");
  computeTwo("Axpy", dst, all, dst, all, src, all, [](float x, half e) { return x + float(e); });
}

/// Bit by bit, of 16 bits each.
inline void And(const LocalTensor<int16_t> &dst, const LocalTensor<int16_t> &src0,
                const LocalTensor<int16_t> &src1, const int32_t &count) {
  const Pattern all = firstOf(count, "And");
  computeTwo("And", dst, all, src0, all, src1, all, [](int x, int y) { return int16_t(x & y); });
}
inline void Or(const LocalTensor<int16_t> &dst, const LocalTensor<int16_t> &src0,
               const LocalTensor<int16_t> &src1, const int32_t &count) {
  const Pattern all = firstOf(count, "Or");
  computeTwo("Or", dst, all, src0, all, src1, all, [](int x, int y) { return int16_t(x | y); });
}

// ---- Types, copies, numbers ---------------------------------------------------------------------

/// half and bfloat16_t become f32 without rounding, f32 becomes them rounded to nearest even; i32
/// becomes f32 so, and f32 i32 without what is behind the point.
template <typename T, typename U>
void Cast(const LocalTensor<T> &dst, const LocalTensor<U> &src, const RoundMode &mode,
          const int32_t &count) {
  constexpr bool integer = std::is_same_v<U, int32_t>, toInteger = std::is_same_v<T, int32_t>;
  constexpr bool widens = std::is_same_v<T, float> && !std::is_same_v<U, float> && !integer;
  constexpr bool narrows = !std::is_same_v<T, float> && std::is_same_v<U, float> && !toInteger;
  constexpr bool between =
      (integer && std::is_same_v<T, float>) || (toInteger && std::is_same_v<U, float>);
  static_assert(widens || narrows || between, "Cast: from f32 or to it");
  const RoundMode wanted = widens      ? RoundMode::CAST_NONE
                           : toInteger ? RoundMode::CAST_TRUNC
                                       : RoundMode::CAST_RINT;
  ascendc::require(mode == wanted, "Cast: CAST_NONE widens, CAST_RINT rounds, CAST_TRUNC makes "
                                   "integers; this model has no other");
  const Pattern all = firstOf(count, "Cast");
  computeOne("Cast", dst, all, src, all, [](U x) {
    if constexpr (toInteger)
      return x != x ? 0 : int32_t(std::clamp(double(x), -0x1p31, 0x1p31 - 1));
    else
      return static_cast<T>(static_cast<float>(x));
  });
}

/// Within UB, by pipe V.
template <typename T>
void DataCopy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t count) {
  ascendc::require(count * sizeof(T) % 32 == 0, "DataCopy: no whole blocks of 32 bytes");
  const Pattern all = firstOf(count, "DataCopy");
  computeOne("DataCopy", dst, all, src, all, [](T x) { return x; });
}

/// Not among the notes: how many there are depends on where a tensor ends.
template <typename T>
void Duplicate(const LocalTensor<T> &dst, const T &value, const int32_t &count) {
  const Operand<T> d(dst, firstOf(count, "Duplicate"), "Duplicate");
  ascendc::core().work(ascendc::v, [=] { std::fill_n(d.tensor.data(), count, value); });
}
/// Each bit of the mask says whether an element is written.
template <typename T>
void Duplicate(const LocalTensor<T> &dst, const T &value, uint64_t mask[], uint8_t repeats,
               uint16_t blocks, uint8_t stride) {
  constexpr int64_t lanes = 256 / sizeof(T);
  const uint64_t bits[2] = {mask[0], lanes > 64 ? mask[1] : 0};
  ascendc::require(bits[0] || bits[1], "Duplicate: the mask is 0");
  int64_t last = lanes;
  while (!(bits[(last - 1) / 64] >> (last - 1) % 64 & 1))
    --last;
  const Pattern to = patternOf<T>(last, repeats, blocks, stride, "Duplicate");
  const Operand<T> d(dst, to, "Duplicate");
  const std::array<uint64_t, 2> chosen = {bits[0], bits[1]};
  ascendc::core().work(ascendc::v, [=] {
    for (int64_t i = 0; i < to.elements(); ++i)
      if (chosen[i % last / 64] >> (i % last % 64) & 1)
        d[i] = value;
  });
}

/// 8 numbers each time, each to a block of its own.
template <typename T>
void Brcb(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint8_t repeats,
          const BrcbRepeatParams &p) {
  const int64_t perBlock = 32 / sizeof(T);
  const Operand<T> s(src, firstOf(8 * repeats, "Brcb"), "Brcb");
  const int64_t blocks = (repeats - 1) * p.dstRepStride + 7 * p.dstBlkStride + 1;
  const Operand<T> d(dst, firstOf(blocks * perBlock, "Brcb"), "Brcb");
  ascendc::core().note(ascendc::v, textOfCall(dst, src));
  ascendc::core().work(ascendc::v, [=] {
    for (int64_t i = 0; i < 8 * repeats; ++i) {
      const int64_t block = i / 8 * p.dstRepStride + i % 8 * p.dstBlkStride;
      std::fill_n(d.tensor.data() + block * perBlock, perBlock, s.tensor.data()[i]);
    }
  });
}

struct TransDataTo5HDParams {
  TransDataTo5HDParams(bool dstHigh, bool srcHigh, int64_t repeats, int64_t dstRep, int64_t srcRep)
      : dstHighHalf(dstHigh), srcHighHalf(srcHigh), repeatTimes(repeats), dstRepStride(dstRep),
        srcRepStride(srcRep) {}
  bool dstHighHalf, srcHighHalf; // of 8 bits alone
  ascendc::Field<uint8_t> repeatTimes;
  ascendc::Field<uint16_t> dstRepStride, srcRepStride;
};
/// Of 16 blocks that lie anywhere, number i of each: 16 numbers, which are one block of 16 bits, or
/// two of 32 bits. One repeat begins at its strides; of several the first at 0. Blocks that are
/// read and written must not overlap.
template <typename T>
void TransDataTo5HD(const LocalTensor<T> (&dst)[16], const LocalTensor<T> (&src)[16],
                    const TransDataTo5HDParams &p) {
  static_assert(sizeof(T) == 2 || sizeof(T) == 4, "TransDataTo5HD: this model has 16 and 32 bits");
  static_assert(!std::is_same_v<T, bfloat16_t>, "TransDataTo5HD: there is no bf16 on Atlas A2");
  constexpr int64_t perBlock = 32 / sizeof(T), parts = 16 / perBlock;
  const int64_t repeats = p.repeatTimes, last = repeats == 1 ? 1 : repeats - 1;
  std::vector<LocalTensor<T>> to(dst, dst + 16), from(src, src + 16);
  const int64_t toStride = p.dstRepStride, fromStride = p.srcRepStride;
  for (int i = 0; i < 16; ++i) {
    ascendc::require(placeOf(to[i].position()) == ascendc::ub &&
                         placeOf(from[i].position()) == ascendc::ub,
                     "TransDataTo5HD: an operand is not in UB");
    to[i].checked((last * toStride + 1) * 32, 32, "TransDataTo5HD");
    from[i].checked((last * fromStride + 1) * 32, 32, "TransDataTo5HD");
  }
  ascendc::core().note(ascendc::v, textOfCall(to[0], from[0]));
  ascendc::core().work(ascendc::v, [=] {
    for (int64_t r = 0; r < repeats; ++r) {
      const int64_t at = repeats == 1 ? 1 : r;
      T block[16][perBlock];
      for (int i = 0; i < 16; ++i)
        std::copy_n(from[i].data() + at * fromStride * perBlock, perBlock, block[i]);
      for (int64_t i = 0; i < 16; ++i)
        for (int64_t j = 0; j < perBlock; ++j)
          to[i].data()[at * toStride * perBlock + j] = block[i % parts * perBlock + j][i / parts];
    }
  });
}

/// One number of each repeat, joined two by two.
template <ReduceType type, typename T>
void ReduceRepeat(const LocalTensor<T> &dst, const LocalTensor<T> &src, int32_t mask,
                  int32_t repeats, int32_t dstStride, int32_t srcBlocks, int32_t srcStride,
                  ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) {
  using namespace ascendc;
  static_assert(std::is_same_v<T, float>, "ReduceRepeat: this model has f32");
  require(type == ReduceType::SUM || order == ReduceOrder::ORDER_ONLY_VALUE,
          "ReduceRepeat: this model has the value alone");
  within(dstStride, 0, 65535, "ReduceRepeat: dstRepStride");
  within(srcBlocks, 0, 65535, "ReduceRepeat: srcBlkStride");
  within(srcStride, 0, 65535, "ReduceRepeat: srcRepStride");
  const Operand<T> s(src, patternOf<T>(mask, repeats, srcBlocks, srcStride, "ReduceRepeat"),
                     "ReduceRepeat");
  require(placeOf(dst.position()) == ub, "ReduceRepeat: the result is not in UB");
  dst.checked(((repeats - 1) * dstStride + 1) * int64_t(sizeof(T)), 4, "ReduceRepeat");
  core().note(v, textOfCall(dst, src));
  core().work(v, [=] {
    for (int64_t r = 0; r < repeats; ++r) {
      std::vector<T> row;
      for (int64_t i = 0; i < mask; ++i)
        row.push_back(s[r * mask + i]);
      for (; row.size() > 1; row.resize((row.size() + 1) / 2))
        for (size_t i = 0; i < row.size(); i += 2) {
          const T x = row[i], y = i + 1 < row.size() ? row[i + 1] : x;
          const bool alone = i + 1 == row.size();
          row[i / 2] = alone                                  ? x
                       : type == ReduceType::SUM              ? x + y
                       : (type == ReduceType::MAX) == (x > y) ? x
                                                              : y;
        }
      dst.data()[r * dstStride] = row[0];
    }
  });
}

// ---- Between GM and UB --------------------------------------------------------------------------

/// Strides are gaps: in GM of bytes, in UB of blocks.
struct DataCopyExtParams {
  DataCopyExtParams(int64_t count, int64_t len, int64_t src, int64_t dst, int64_t reserved)
      : blockCount(count), blockLen(len), srcStride(src), dstStride(dst), rsv(reserved) {}
  ascendc::Field<uint16_t> blockCount;
  ascendc::Field<uint32_t> blockLen, srcStride, dstStride, rsv;
};
template <typename T> struct DataCopyPadExtParams {
  DataCopyPadExtParams(bool pad, int64_t left, int64_t right, T value)
      : isPad(pad), leftPadding(left), rightPadding(right), paddingValue(value) {}
  bool isPad;
  ascendc::Field<uint8_t> leftPadding, rightPadding;
  T paddingValue;
};

inline void checkLines(const DataCopyExtParams &p) {
  ascendc::within(p.blockCount, 1, 4095, "DataCopyPad: blockCount");
  ascendc::within(p.blockLen, 1, 2097151, "DataCopyPad: blockLen");
}
/// Bytes of a line in UB, in whole blocks.
inline int64_t wholeLine(const DataCopyExtParams &p) {
  return (p.blockLen + 31) / 32 * 32;
}

/// What fills the last block of a line is not told without padding: here it is no number.
template <typename T>
void DataCopyPad(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyExtParams &p,
                 const DataCopyPadExtParams<T> &padding) {
  using namespace ascendc;
  checkLines(p);
  require(!padding.isPad, "DataCopyPad: this model does not pad");
  require(placeOf(dst.position()) == ub, "DataCopyPad: the destination is not in UB");
  const int64_t from = p.blockLen + p.srcStride, to = wholeLine(p) + p.dstStride * 32;
  dst.checked((p.blockCount - 1) * to + wholeLine(p), 32, "DataCopyPad");
  checkGlobal(src.data(), (p.blockCount - 1) * from + p.blockLen, "DataCopyPad");
  core().note(mte2, "load " + placeText(dst));
  core().work(mte2, [=] {
    auto *bytes = reinterpret_cast<uint8_t *>(dst.data());
    for (int64_t i = 0; i < p.blockCount; ++i) {
      std::fill_n(bytes + i * to, wholeLine(p), 0xff);
      std::memcpy(bytes + i * to, reinterpret_cast<const uint8_t *>(src.data()) + i * from,
                  p.blockLen);
    }
  });
}
template <typename T>
void DataCopyPad(const GlobalTensor<T> &dst, const LocalTensor<T> &src,
                 const DataCopyExtParams &p) {
  using namespace ascendc;
  checkLines(p);
  require(placeOf(src.position()) == ub, "DataCopyPad: the source is not in UB");
  const int64_t from = wholeLine(p) + p.srcStride * 32, to = p.blockLen + p.dstStride;
  src.checked((p.blockCount - 1) * from + wholeLine(p), 32, "DataCopyPad");
  checkGlobal(dst.data(), (p.blockCount - 1) * to + p.blockLen, "DataCopyPad");
  core().note(mte3, "store " + placeText(src));
  core().work(mte3, [=] {
    for (int64_t i = 0; i < p.blockCount; ++i)
      std::memcpy(reinterpret_cast<uint8_t *>(dst.data()) + i * to,
                  reinterpret_cast<const uint8_t *>(src.data()) + i * from, p.blockLen);
  });
}

} // namespace AscendC
