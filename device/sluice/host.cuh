// The host side of a kernel that is built on its own: tensors, random inputs, tensor maps, the
// comparison with a reference, time. For nvcc, not for NVRTC; nothing but nvcc's default libraries
// is linked, since the driver's one function is looked up at run time.
#pragma once

#include <sluice/host_integers.cuh>
#include <sluice/number.cuh>
#include <sluice/tma.cuh>

#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>
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

inline void check(cudaError_t result, const char *call, const char *about) {
  if (result != cudaSuccess)
    fail("%s failed (%s): %s, %s", call, about, cudaGetErrorName(result),
         cudaGetErrorString(result));
}

/// CTAs along one side of a grid. CUDA C++ Programming Guide, "Compute Capabilities": x to 2^31 -
/// 1, y and z to 65535.
inline unsigned sideOfGrid(int side, i64 ctas, i64 cluster) {
  const i64 most = side == 0 ? 0x7fffffff : 65535;
  if (ctas < 0 || ctas > most)
    fail("side %d of the grid is %lld, the limit is %lld", side, ctas, most);
  if (ctas % cluster)
    fail("side %d of the grid is %lld, no multiple of the cluster's %lld", side, ctas, cluster);
  return unsigned(ctas);
}

inline double valueOf(f16 x) {
  return __half2float(__half(__half_raw{x.bits}));
}
inline double valueOf(bf16 x) {
  return __bfloat162float(__nv_bfloat16(__nv_bfloat16_raw{x.bits}));
}
inline double valueOf(float x) {
  return x;
}
inline double valueOf(int x) {
  return x;
}
inline double valueOf(tf32 x) {
  return x.value;
}
inline double valueOf(e4m3 x) {
  return __half2float(__half(__nv_cvt_fp8_to_halfraw(x.bits, __NV_E4M3)));
}
inline double valueOf(e5m2 x) {
  return __half2float(__half(__nv_cvt_fp8_to_halfraw(x.bits, __NV_E5M2)));
}
inline double valueOf(s8 x) {
  return x.value;
}
inline void store(f16 &to, float x) {
  to.bits = __half_raw(__float2half_rn(x)).x;
}
inline void store(bf16 &to, float x) {
  to.bits = __nv_bfloat16_raw(__float2bfloat16_rn(x)).x;
}
inline void store(float &to, float x) {
  to = x;
}
inline void store(int &to, float) {
  to = 0;
}
inline void store(tf32 &to, float x) {
  to.value = x;
}
inline void store(e4m3 &to, float x) {
  to.bits = __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3);
}
inline void store(e5m2 &to, float x) {
  to.bits = __nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E5M2);
}
/// Eight times the number, so that normal ones have several bits.
inline void store(s8 &to, float x) {
  to.value = static_cast<signed char>(std::min(std::max(std::nearbyint(8 * x), -128.0f), 127.0f));
}

inline CUtensorMapDataType mapType(f16) {
  return CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
}
inline CUtensorMapDataType mapType(bf16) {
  return CU_TENSOR_MAP_DATA_TYPE_BFLOAT16;
}
inline CUtensorMapDataType mapType(float) {
  return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
}
inline CUtensorMapDataType mapType(int) {
  return CU_TENSOR_MAP_DATA_TYPE_INT32;
}
/// Bits as they are: as TFLOAT32 the copy would round, which copies by threads do not.
inline CUtensorMapDataType mapType(tf32) {
  return CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
}
inline CUtensorMapDataType mapType(e4m3) {
  return CU_TENSOR_MAP_DATA_TYPE_UINT8;
}
inline CUtensorMapDataType mapType(e5m2) {
  return CU_TENSOR_MAP_DATA_TYPE_UINT8;
}
inline CUtensorMapDataType mapType(s8) {
  return CU_TENSOR_MAP_DATA_TYPE_UINT8;
}

/// cuTensorMapEncodeTiled of the driver that is there.
inline decltype(&cuTensorMapEncodeTiled) encodeTiled() {
  static decltype(&cuTensorMapEncodeTiled) found = nullptr;
  if (found)
    return found;
  void *address = nullptr;
  cudaDriverEntryPointQueryResult state;
#if CUDART_VERSION >= 12050
  check(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &address, 12000,
                                         cudaEnableDefault, &state),
        "cudaGetDriverEntryPointByVersion", "cuTensorMapEncodeTiled");
#else
  check(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &address, cudaEnableDefault, &state),
        "cudaGetDriverEntryPoint", "cuTensorMapEncodeTiled");
#endif
  if (state != cudaDriverEntryPointSuccess || !address)
    fail("this driver has no cuTensorMapEncodeTiled; CUDA 12 or later is needed");
  return found = reinterpret_cast<decltype(found)>(address);
}

/// The largest extent: kernels count in 32 bits, also behind the last tile.
constexpr i64 mostExtent = (i64(1) << 31) - (1 << 20);

/// A dimension of a tensor map that has parts of one of the tensor, or the elements of a part.
struct MapPart {
  i64 extent, step;
};

/// A tensor in device memory and its values here. Dimension `minor` is contiguous; every other
/// stride is padded to a multiple of `align` bytes.
template <class T> class Tensor {
public:
  Tensor(const char *name, std::vector<i64> extents, int minor, i64 align)
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
    const cudaError_t result = cudaMalloc(&device_, values_.size() * sizeof(T));
    if (result != cudaSuccess)
      fail("no %.1f MB of device memory for tensor %s: %s", values_.size() * sizeof(T) / 1e6, name,
           cudaGetErrorString(result));
  }
  Tensor(const Tensor &) = delete;
  ~Tensor() { cudaFree(device_); }

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
  T *data() const { return device_; }
  bool isEmpty() const { return std::find(extents_.begin(), extents_.end(), 0) != extents_.end(); }

  template <class... I> double operator()(I... index) const {
    const i64 at[] = {i64(index)..., 0};
    i64 offset = 0;
    for (size_t d = 0; d < sizeof...(I); ++d)
      offset += at[d] * strides_[d];
    return valueOf(values_[size_t(offset)]);
  }

  /// Normal values; of a tensor without elements zeros, which is what every read of it gives.
  void randomise(unsigned seed) {
    if (isEmpty())
      return zero();
    std::mt19937 bits(seed);
    std::normal_distribution<float> normal;
    for (T &x : values_)
      store(x, normal(bits));
    upload();
  }
  /// Element i of the only dimension is value(i).
  template <class Value> void fill(Value value) {
    for (size_t i = 0; i < values_.size(); ++i)
      values_[i] = T(value(i64(i)));
    upload();
  }
  void zero() {
    std::memset(static_cast<void *>(values_.data()), 0, values_.size() * sizeof(T));
    upload();
  }
  /// All bits set: NaN, of integers -1, which whatever is not written stays.
  void poison() {
    check(cudaMemset(device_, 0xff, values_.size() * sizeof(T)), "cudaMemset", name_);
  }
  void upload() {
    check(cudaMemcpy(device_, values_.data(), values_.size() * sizeof(T), cudaMemcpyHostToDevice),
          "cudaMemcpy to the device", name_);
  }
  void download() {
    check(cudaMemcpy(values_.data(), device_, values_.size() * sizeof(T), cudaMemcpyDeviceToHost),
          "cudaMemcpy from the device", name_);
  }

  /// How the copy engine sees the tensor: `dims`, the contiguous one first; elements of a box along
  /// each; bytes of the swizzle; bytes that a read brings into the second-level cache, 128 where
  /// these do not divide the strides. Of a dimension that is taken in parts `parts` has the extent
  /// and the step, of others an extent of 0. CUDA driver API "cuTensorMapEncodeTiled".
  TensorMap map(const std::vector<int> &dims, const std::vector<unsigned> &box, int swizzle,
                int promotion, const std::vector<MapPart> &parts = {}) const {
    cuuint64_t extents[5] = {}, strides[5] = {};
    cuuint32_t boxes[5] = {}, steps[5] = {1, 1, 1, 1, 1};
    bool aligned = promotion == 256; // and rows of a box start at multiples of it
    for (size_t i = 0; i < dims.size(); ++i) {
      const MapPart part = i < parts.size() ? parts[i] : MapPart{0, 1};
      extents[i] = cuuint64_t(part.extent ? part.extent : std::max<i64>(extents_[dims[i]], 1));
      boxes[i] = box[i];
      if (i == 0)
        continue;
      const i64 bytes = strides_[dims[i]] * part.step * i64(sizeof(T));
      strides[i - 1] = cuuint64_t(extents[i] > 1 ? bytes : ceilDiv(bytes, 16) * 16);
      aligned = aligned && strides[i - 1] % 256 == 0;
    }
    const CUtensorMapSwizzle swizzles[] = {CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_32B,
                                           CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_128B};
    CUtensorMap map;
    const CUresult result = encodeTiled()(
        &map, mapType(T{}), cuuint32_t(dims.size()), device_, extents, strides, boxes, steps,
        CU_TENSOR_MAP_INTERLEAVE_NONE, swizzles[swizzle == 128 ? 3 : swizzle / 32],
        aligned ? CU_TENSOR_MAP_L2_PROMOTION_L2_256B : CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result != CUDA_SUCCESS)
      fail("cuTensorMapEncodeTiled failed (tensor %s): code %d", name_, int(result));
    TensorMap opaque;
    static_assert(sizeof opaque == sizeof map, "a tensor map has 128 bytes");
    std::memcpy(static_cast<void *>(&opaque), &map, sizeof map);
    return opaque;
  }

private:
  const char *name_;
  std::vector<i64> extents_, strides_;
  std::vector<T> values_;
  T *device_ = nullptr;
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

/// The device is there and is what the code was made for.
inline void needDevice(int major, int minor) {
  int count = 0;
  check(cudaGetDeviceCount(&count), "cudaGetDeviceCount", "is there a GPU and a driver?");
  cudaDeviceProp device;
  check(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties", "device 0");
  if (device.major != major || device.minor != minor)
    fail("this program is for compute capability %d.%d; %s has %d.%d", major, minor, device.name,
         device.major, device.minor);
  std::printf("%s\n", device.name);
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
template <class T> bool isWritten(const Tensor<T> &c) {
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

#ifdef SLUICE_WATCHDOG
/// Memory where warps say what they wait on when a wait takes too long.
class Watchdog {
public:
  Watchdog() {
    const size_t bytes = SLUICE_WATCHDOG_RECORDS * sizeof(WatchdogRecord);
    check(cudaHostAlloc(reinterpret_cast<void **>(&records_), bytes, cudaHostAllocMapped),
          "cudaHostAlloc", "the watchdog's records");
    std::memset(static_cast<void *>(records_), 0, bytes);
    void *device = nullptr;
    check(cudaHostGetDevicePointer(&device, records_, 0), "cudaHostGetDevicePointer", "records");
    check(cudaMemcpyToSymbol(watchdogReport, &device, sizeof device), "cudaMemcpyToSymbol",
          "watchdogReport");
  }
  /// A line for every warp that waits; `names` are those of the synchronisations, from 1.
  void report(const std::vector<const char *> &names) const {
    for (int i = 0; i < SLUICE_WATCHDOG_RECORDS; ++i) {
      const WatchdogRecord &r = records_[i];
      if (r.state == WatchdogRecord::none || r.sync == 0 || r.sync > names.size())
        continue;
      std::fprintf(stderr, "blocked: warp %u of CTA (%u,%u,%u) on %s", r.warp, r.cta[0], r.cta[1],
                   r.cta[2], names[r.sync - 1]);
      if (r.state == WatchdogRecord::expired)
        std::fprintf(stderr,
                     ", barrier at %u: parity %u awaited, that of parity %u runs, 0x%016llx",
                     r.offset, r.parity, r.phase, r.seen);
      std::fputs("\n", stderr);
    }
  }

private:
  WatchdogRecord *records_ = nullptr;
};
#endif

/// Median time of 20 launches after 3, in milliseconds. `before`: what each of them needs.
template <class Launch, class Before> double time(Launch launch, Before before) {
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "cudaEventCreate", "begin");
  check(cudaEventCreate(&end), "cudaEventCreate", "end");
  std::vector<float> times;
  for (int n = 0; n < 23; ++n) {
    before();
    check(cudaEventRecord(begin), "cudaEventRecord", "begin");
    launch();
    check(cudaEventRecord(end), "cudaEventRecord", "end");
    check(cudaEventSynchronize(end), "cudaEventSynchronize", "a timed launch");
    float ms = 0;
    check(cudaEventElapsedTime(&ms, begin, end), "cudaEventElapsedTime", "a timed launch");
    if (n >= 3)
      times.push_back(ms);
  }
  std::nth_element(times.begin(), times.begin() + 10, times.end());
  return times[10];
}
template <class Launch> double time(Launch launch) {
  return time(launch, [] {});
}

} // namespace host
} // namespace sluice
