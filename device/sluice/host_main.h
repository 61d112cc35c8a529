// The host side of a kernel that is built on its own, whatever the device: tensors, random inputs,
// sizes from the command line, the comparison with a reference. C++17.
#pragma once

#include <sluice/host_integers.h>

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace sluice {
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

/// An element's number, and the element next to one.
template <class T> struct HostElement;
template <> struct HostElement<float> {
  static double value(float x) { return x; }
  static float of(float x) { return x; }
};
template <> struct HostElement<int> {
  static double value(int x) { return x; }
  static int of(float) { return 0; }
};

/// The largest extent: kernels count in 32 bits, also behind the last tile.
constexpr i64 mostExtent = (i64(1) << 31) - (1 << 20);

/// A tensor's values on the host, and how they lie, there and on the device. Dimension `minor` is
/// contiguous; every other stride is padded to a multiple of `align` bytes.
template <class T> class HostTensor {
public:
  HostTensor(const char *name, std::vector<i64> extents, int minor, i64 align)
      : name_(name), extents_(std::move(extents)), strides_(extents_.size(), 1) {
    for (const i64 extent : extents_)
      if (extent < 0 || extent > mostExtent)
        fail("tensor %s: an extent of %lld is not 0 to 2^31 - 2^20", name, extent);
    const i64 unit = std::max<i64>(align / i64(sizeof(T)), 1);
    i64 next =
        minor < int(extents_.size()) ? ceilDiv(std::max<i64>(extents_[minor], 1), unit) * unit : 1;
    for (int d = int(extents_.size()) - 1; d >= 0; --d)
      if (d != minor) {
        strides_[d] = next;
        next *= std::max<i64>(extents_[d], 1);
      }
    values_.resize(size_t(next));
  }
  virtual ~HostTensor() = default;

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
  /// Of all dimensions, where a kernel takes them as one.
  i64 elements() const {
    const i64 count = rows() * cols();
    if (count > mostExtent)
      fail("tensor %s is passed as one line, of at most 2^31 - 2^20 elements", name_);
    return count;
  }
  bool isEmpty() const { return std::find(extents_.begin(), extents_.end(), 0) != extents_.end(); }

  double at(i64 row, i64 col) const {
    i64 place = rank() ? col * strides_.back() : 0;
    for (int d = rank() - 2; d >= 0; row /= extents_[d--])
      place += row % extents_[d] * strides_[d];
    return HostElement<T>::value(values_[size_t(place)]);
  }
  template <class... I> double operator()(I... index) const {
    const i64 at[] = {i64(index)..., 0};
    i64 offset = 0;
    for (size_t d = 0; d < sizeof...(I); ++d)
      offset += at[d] * strides_[d];
    return HostElement<T>::value(values_[size_t(offset)]);
  }

  /// Normal values; of a tensor without elements zeros, which is what every read of it gives.
  void randomise(unsigned seed) {
    if (isEmpty())
      return zero();
    std::mt19937 bits(seed);
    std::normal_distribution<float> normal;
    for (T &x : values_)
      x = HostElement<T>::of(normal(bits));
    upload();
  }
  /// Element i of the only dimension is value(i).
  template <class Value> void fill(Value value) {
    for (size_t i = 0; i < values_.size(); ++i)
      values_[i] = T(value(i64(i)));
    upload();
  }
  void zero() { setBytes(0); }
  /// All bits set: NaN, of integers -1, which whatever is not written stays.
  void poison() { setBytes(0xff); }

  virtual void upload() = 0;
  virtual void download() = 0;

protected:
  T *values() { return values_.data(); }
  size_t bytes() const { return values_.size() * sizeof(T); }

private:
  void setBytes(int byte) {
    std::memset(static_cast<void *>(values_.data()), byte, bytes());
    upload();
  }

  const char *name_;
  std::vector<i64> extents_, strides_;
  std::vector<T> values_;
};

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
bool compare(const HostTensor<T> &c, double terms, double tolerance, Expected expected) {
  const i64 rows = c.rows(), cols = c.cols(), most = i64(268435456.0 / std::max(terms, 1.0));
  const bool all = rows * cols <= most;
  const i64 count = all ? rows * cols : std::max<i64>(most, 1);
  std::mt19937_64 bits(7);
  double difference = 0, largest = 1e-30;
  for (i64 n = 0; n < count; ++n) {
    const i64 at = all ? n : i64(bits() % (unsigned long long)(rows * cols));
    const double have = c.at(at / cols, at % cols), want = expected(at / cols, at % cols);
    if (!(std::fabs(have - want) <= std::numeric_limits<double>::max()) && have != want) {
      std::printf("%s(%lld, %lld) is %g, expected %g\n", c.name(), at / cols, at % cols, have,
                  want);
      return false;
    }
    difference = std::max(difference, have == want ? 0 : std::fabs(have - want));
    largest = std::max(largest, std::fabs(want));
  }
  const double error = difference / largest;
  std::printf("error  %.3g of the largest value (%s %.3g), %s%lld elements of %s\n", error,
              error <= tolerance ? "within" : "above", tolerance, all ? "all " : "a sample of ",
              count, c.name());
  return error <= tolerance;
}

/// Nothing to compare with: was every element written?
template <class T> bool isWritten(const HostTensor<T> &c) {
  const i64 rows = c.rows(), cols = c.cols();
  for (i64 i = 0; i < rows; ++i)
    for (i64 j = 0; j < cols; ++j)
      if (const double x = c.at(i, j); !(x == x)) {
        std::printf("%s(%lld, %lld) is NaN: not written, or computed so\n", c.name(), i, j);
        return false;
      }
  std::printf("no reference for this kernel: every element of %s is written\n", c.name());
  return true;
}

} // namespace host
} // namespace sluice
