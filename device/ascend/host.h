// The host side of a kernel that is built on its own: tensors in device memory, random inputs, the
// comparison with a reference, time. On aclrt alone.
#pragma once

#include <acl/acl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace sluice {

using i64 = int64_t;

namespace host {

/// "error: ..." and exit code 2.
[[noreturn]] inline void fail(const char *format, ...) {
  va_list list;
  va_start(list, format);
  std::fputs("error: ", stderr);
  std::vfprintf(stderr, format, list);
  std::fputs("\n", stderr);
  va_end(list);
  std::exit(2);
}

inline void check(int result, const char *call, const char *about) {
  if (result != 0)
    fail("%s failed (%s): code %d", call, about, result);
}

// ---- Whole numbers, as docs/semantics.md has them: towards zero; 0 for a divisor of 0

inline i64 quotientOf(i64 a, i64 b) {
  return b == 0 ? 0 : b == -1 ? i64(uint64_t(0) - uint64_t(a)) : a / b;
}
inline i64 remainderOf(i64 a, i64 b) {
  return b == 0 || b == -1 ? 0 : a % b;
}
/// Of any divisor.
inline i64 ceilDiv(i64 a, i64 b) {
  return quotientOf(a, b) + (remainderOf(a, b) != 0 && (a < 0) == (b < 0));
}
inline i64 shiftedLeft(i64 a, i64 b) {
  return i64(uint64_t(a) << (b & 63));
}
inline i64 shiftedRight(i64 a, i64 b) {
  return a >> (b & 63);
}

// ---- Elements -----------------------------------------------------------------------------------

struct f16 {
  uint16_t bits;
};
struct bf16 {
  uint16_t bits;
};

inline uint32_t bitsOf(float x) {
  uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline float floatOf(uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
inline double valueOf(float x) {
  return x;
}
inline double valueOf(bf16 x) {
  return floatOf(uint32_t(x.bits) << 16);
}
inline double valueOf(f16 x) {
  const int exponent = x.bits >> 10 & 31, fraction = x.bits & 0x3ff;
  const double size = exponent == 31  ? (fraction ? NAN : INFINITY)
                      : exponent == 0 ? std::ldexp(double(fraction), -24)
                                      : std::ldexp(double(fraction + 1024), exponent - 25);
  return x.bits & 0x8000 ? -size : size;
}
inline void store(float &to, float x) {
  to = x;
}
/// To the nearest, of two the even one; x is a number.
inline void store(bf16 &to, float x) {
  const uint32_t bits = bitsOf(x);
  to.bits = uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
inline void store(f16 &to, float x) {
  int exponent = 0;
  std::frexp(x, &exponent); // |x| is 0.5 to 1 times 2^exponent
  const int unit = std::max(exponent - 1, -14) - 10;
  const auto steps = uint32_t(std::nearbyint(std::ldexp(std::fabs(double(x)), -unit)));
  const uint32_t bits = steps ? uint32_t(unit + 24) * 1024 + steps : 0; // 2048 steps carry
  to.bits = uint16_t((std::signbit(x) ? 0x8000 : 0) | std::min(bits, 0x7c00u));
}

// ---- The device ---------------------------------------------------------------------------------

/// Device 0 and a stream, as long as it lives.
class Device {
public:
  Device() {
    check(aclInit(nullptr), "aclInit", "is CANN there?");
    check(aclrtSetDevice(0), "aclrtSetDevice", "device 0");
    check(aclrtCreateStream(&stream_), "aclrtCreateStream", "device 0");
    std::printf("%s\n", aclrtGetSocName());
  }
  Device(const Device &) = delete;
  ~Device() {
    aclrtDestroyStream(stream_);
    aclrtResetDevice(0);
    aclFinalize();
  }
  aclrtStream stream() const { return stream_; }
  void wait(const char *what) const {
    check(aclrtSynchronizeStream(stream_), "aclrtSynchronizeStream", what);
  }

private:
  aclrtStream stream_ = nullptr;
};

/// The largest extent: kernels count in 32 bits, also behind the last tile.
constexpr i64 mostExtent = (i64(1) << 31) - (1 << 20);

/// A tensor in device memory and its values here. Dimension `minor` is contiguous; every other
/// stride is padded to a multiple of `align` bytes.
template <class T> class Tensor {
public:
  Tensor(const char *name, std::vector<i64> extents, int minor, i64 align)
      : name_(name), extents_(std::move(extents)), strides_(extents_.size(), 1) {
    const i64 unit = std::max<i64>(align / i64(sizeof(T)), 1);
    i64 next =
        minor < int(extents_.size()) ? ceilDiv(std::max<i64>(extents_[minor], 1), unit) * unit : 1;
    for (int d = int(extents_.size()) - 1; d >= 0; --d)
      if (d != minor) {
        strides_[d] = next;
        next *= std::max<i64>(extents_[d], 1);
      }
    values_.resize(size_t(next));
    check(aclrtMalloc(&device_, bytes(), ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc", name);
  }
  Tensor(const Tensor &) = delete;
  ~Tensor() { aclrtFree(device_); }

  const char *name() const { return name_; }
  i64 extent(int d) const { return extents_[d]; }
  i64 stride(int d) const { return strides_[d]; }
  int rank() const { return int(extents_.size()); }
  /// All dimensions but the last are rows.
  i64 cols() const { return extents_.empty() ? 1 : extents_.back(); }
  i64 rows() const {
    i64 count = 1;
    for (int d = 0; d + 1 < rank(); ++d)
      count *= extents_[d];
    return count;
  }
  double at(i64 row, i64 col) const {
    i64 place = rank() ? col * strides_.back() : 0;
    for (int d = rank() - 2; d >= 0; row /= extents_[d--])
      place += row % extents_[d] * strides_[d];
    return valueOf(values_[size_t(place)]);
  }
  void *data() const { return device_; }

  template <class... I> double operator()(I... index) const {
    const i64 at[] = {i64(index)..., 0};
    i64 offset = 0;
    for (size_t d = 0; d < sizeof...(I); ++d)
      offset += at[d] * strides_[d];
    return valueOf(values_[size_t(offset)]);
  }

  /// Normal values.
  void randomise(unsigned seed) {
    std::mt19937 bits(seed);
    std::normal_distribution<float> normal;
    for (T &x : values_)
      store(x, normal(bits));
    upload();
  }
  void zero() {
    std::memset(static_cast<void *>(values_.data()), 0, bytes());
    upload();
  }
  /// All bits set: NaN, which whatever is not written stays.
  void poison() {
    std::memset(static_cast<void *>(values_.data()), 0xff, bytes());
    upload();
  }
  void upload() {
    check(aclrtMemcpy(device_, bytes(), values_.data(), bytes(), ACL_MEMCPY_HOST_TO_DEVICE),
          "aclrtMemcpy to the device", name_);
  }
  void download() {
    check(aclrtMemcpy(values_.data(), bytes(), device_, bytes(), ACL_MEMCPY_DEVICE_TO_HOST),
          "aclrtMemcpy from the device", name_);
  }

private:
  size_t bytes() const { return values_.size() * sizeof(T); }

  const char *name_;
  std::vector<i64> extents_, strides_;
  std::vector<T> values_;
  void *device_ = nullptr;
};

// ---- What a main does ---------------------------------------------------------------------------

/// A run-time size of the program: its name and value.
struct Size {
  const char *name;
  i64 *value;
};

/// "4096 4096 512" in order, or "M=4096 K=512".
inline void readSizes(int argc, char **argv, const std::vector<Size> &sizes) {
  std::string usage = std::string("usage: ") + argv[0];
  for (const Size &s : sizes)
    usage += std::string(" [") + s.name + "=" + std::to_string(*s.value) + "]";
  size_t next = 0;
  for (int a = 1; a < argc; ++a) {
    const char *equals = std::strchr(argv[a], '=');
    const std::string name = equals ? std::string(argv[a], size_t(equals - argv[a])) : "";
    i64 *target = nullptr;
    for (const Size &s : sizes)
      if (equals && name == s.name)
        target = s.value;
    if (!equals && next < sizes.size())
      target = sizes[next++].value;
    char *end = nullptr;
    const char *digits = equals ? equals + 1 : argv[a];
    const i64 value = std::strtoll(digits, &end, 10);
    if (!target || end == digits || *end || value < 0 || value > mostExtent)
      fail("'%s' is no size; %s", argv[a], usage.c_str());
    *target = value;
  }
}

/// Largest difference of a matrix from `expected(i, j)`, relative to the largest value there. All
/// elements where that takes at most 2^28 `terms`, else as many drawn at random.
template <class T, class Expected>
bool compare(const Tensor<T> &c, double terms, double tolerance, Expected expected) {
  const i64 rows = c.rows(), cols = c.cols(), most = i64(268435456.0 / std::max(terms, 1.0));
  const bool all = rows * cols <= most;
  const i64 count = all ? rows * cols : std::max<i64>(most, 1);
  std::mt19937_64 bits(7);
  double difference = 0, largest = 1e-30;
  for (i64 n = 0; n < count; ++n) {
    const i64 at = all ? n : i64(bits() % uint64_t(rows * cols));
    const double have = c.at(at / cols, at % cols), want = expected(at / cols, at % cols);
    if (!(std::fabs(have - want) <= std::numeric_limits<double>::max()) && have != want) {
      std::printf("%s(%lld, %lld) is %g, expected %g\n", c.name(), (long long)(at / cols),
                  (long long)(at % cols), have, want);
      return false;
    }
    difference = std::max(difference, have == want ? 0 : std::fabs(have - want));
    largest = std::max(largest, std::fabs(want));
  }
  const double error = difference / largest;
  std::printf("error  %.3g of the largest value (%s %.3g), %s%lld elements of %s\n", error,
              error <= tolerance ? "within" : "above", tolerance, all ? "all " : "a sample of ",
              (long long)count, c.name());
  return error <= tolerance;
}

/// Nothing to compare with: was every element written?
template <class T> bool isWritten(const Tensor<T> &c) {
  for (i64 i = 0; i < c.rows(); ++i)
    for (i64 j = 0; j < c.cols(); ++j)
      if (const double x = c.at(i, j); !(x == x)) {
        std::printf("%s(%lld, %lld) is NaN: not written, or computed so\n", c.name(), (long long)i,
                    (long long)j);
        return false;
      }
  std::printf("no reference for this kernel: every element of %s is written\n", c.name());
  return true;
}

/// Mean time of 20 launches behind each other, after 3, in milliseconds.
template <class Launch> double time(const Device &device, Launch launch) {
  constexpr int warmUps = 3, launches = 20;
  std::chrono::steady_clock::time_point begin;
  for (int n = 0; n < warmUps + launches; ++n) {
    if (n == warmUps) {
      device.wait("launches before those that are timed");
      begin = std::chrono::steady_clock::now();
    }
    launch();
  }
  device.wait("timed launches");
  const std::chrono::duration<double, std::milli> all = std::chrono::steady_clock::now() - begin;
  return all.count() / launches;
}

} // namespace host
} // namespace sluice
