// The host side of a kernel that is built on its own (host_main.h) on CUDA: device memory, tensor
// maps, the watchdog, time. For nvcc, not for NVRTC; nothing but nvcc's default libraries
// is linked, since the driver's one function is looked up at run time.
#pragma once

#include <sluice/host_main.h>
#include <sluice/number.cuh>
#include <sluice/tma.cuh>

#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

namespace sluice {
namespace host {

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

template <> struct HostElement<f16> {
  static double value(f16 x) { return __half2float(__half(__half_raw{x.bits})); }
  static f16 of(float x) { return {__half_raw(__float2half_rn(x)).x}; }
};
template <> struct HostElement<bf16> {
  static double value(bf16 x) { return __bfloat162float(__nv_bfloat16(__nv_bfloat16_raw{x.bits})); }
  static bf16 of(float x) { return {__nv_bfloat16_raw(__float2bfloat16_rn(x)).x}; }
};
template <> struct HostElement<tf32> {
  static double value(tf32 x) { return x.value; }
  static tf32 of(float x) { return {x}; }
};
template <> struct HostElement<e4m3> {
  static double value(e4m3 x) {
    return __half2float(__half(__nv_cvt_fp8_to_halfraw(x.bits, __NV_E4M3)));
  }
  static e4m3 of(float x) { return {__nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3)}; }
};
template <> struct HostElement<e5m2> {
  static double value(e5m2 x) {
    return __half2float(__half(__nv_cvt_fp8_to_halfraw(x.bits, __NV_E5M2)));
  }
  static e5m2 of(float x) { return {__nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E5M2)}; }
};
/// The power of two below the number's size, 1/4 to 4.
template <> struct HostElement<ue8m0> {
  static double value(ue8m0 x) { return std::ldexp(1.0, x.bits - 127); }
  static ue8m0 of(float x) {
    return {static_cast<unsigned char>(127 + (x ? std::min(std::max(std::ilogb(x), -2), 2) : 0))};
  }
};
/// Floats of 4 and 6 bits: the nearest, of two as near the even one; the largest beyond it.
template <class T, int exponents, int digits> struct SmallFloat {
  static constexpr int bias = (1 << (exponents - 1)) - 1, sign = exponents + digits;
  static double value(T x) {
    const int exponent = x.bits >> digits & ((1 << exponents) - 1);
    const int fraction = x.bits & ((1 << digits) - 1);
    const double size = std::ldexp(exponent ? fraction + (1 << digits) : fraction,
                                   std::max(exponent, 1) - bias - digits);
    return x.bits >> sign & 1 ? -size : size;
  }
  static T of(float x) {
    const int exponent = x == 0 ? 1 - bias : std::max(std::ilogb(x), 1 - bias);
    const double units = std::nearbyint(std::ldexp(std::fabs(double(x)), digits - exponent));
    const double code = double(exponent + bias - 1) * (1 << digits) + units;
    const double most = (1 << sign) - 1;
    return {u8(unsigned(std::min(code, most)) | unsigned(std::signbit(x)) << sign)};
  }
};
template <> struct HostElement<e2m1> : SmallFloat<e2m1, 2, 1> {};
template <> struct HostElement<e2m3> : SmallFloat<e2m3, 2, 3> {};
template <> struct HostElement<e3m2> : SmallFloat<e3m2, 3, 2> {};

/// As tensors have them: the first one in the lowest bits.
inline std::vector<u8> packedCodes(const void *codes, size_t count, int bits) {
  std::vector<u8> bytes((count * bits + 7) / 8);
  for (size_t i = 0; i < count; ++i)
    for (int bit = 0; bit < bits; ++bit)
      if (static_cast<const u8 *>(codes)[i] >> bit & 1)
        bytes[(i * bits + bit) / 8] |= u8(1 << (i * bits + bit) % 8);
  return bytes;
}

/// The byte; of a number, and of three times it, the codes of those in size below.
template <> struct HostElement<e2m1x2> {
  static double value(e2m1x2 x) { return x.bits; }
  static e2m1x2 of(float x) { return {static_cast<unsigned char>(code(x) | code(3 * x) << 4)}; }

private:
  static unsigned code(float x) {
    const float sizes[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};
    unsigned code = 0;
    while (code < 7 && sizes[code + 1] <= std::fabs(x))
      ++code;
    return x < 0 ? code | 8 : code;
  }
};
/// Eight times the number, so that normal ones have several bits.
template <> struct HostElement<s8> {
  static double value(s8 x) { return x.value; }
  static s8 of(float x) {
    return {static_cast<signed char>(std::min(std::max(std::nearbyint(8 * x), -128.0f), 127.0f))};
  }
};

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
inline CUtensorMapDataType mapType(ue8m0) {
  return CU_TENSOR_MAP_DATA_TYPE_UINT8;
}
inline CUtensorMapDataType mapType(e2m1x2) {
  return CU_TENSOR_MAP_DATA_TYPE_UINT8;
}
inline CUtensorMapDataType mapType(s8) {
  return CU_TENSOR_MAP_DATA_TYPE_UINT8;
}

/// CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B and 16U6_ALIGN16B, which headers have since CUDA 12.8.
inline CUtensorMapDataType mapType(e2m1) {
  return CUtensorMapDataType(14);
}
inline CUtensorMapDataType mapType(e2m3) {
  return CUtensorMapDataType(15);
}
inline CUtensorMapDataType mapType(e3m2) {
  return CUtensorMapDataType(15);
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

/// A dimension of a tensor map that has parts of one of the tensor, or the elements of a part.
struct MapPart {
  i64 extent, step;
};

/// In device memory, too: numbers of 4 and 6 bits packed, lines of a multiple of 128 of them.
template <class T> class Tensor : public HostTensor<T> {
public:
  Tensor(const char *name, std::vector<i64> extents, int minor, i64 align)
      : HostTensor<T>(name, std::move(extents), minor, packedBits<T> ? 128 : align) {
    if (packedBits<T> && this->extent(minor) % 128)
      fail("tensor %s: its numbers come 128 at a time, and it has %lld side by side", name,
           this->extent(minor));
    const cudaError_t result = cudaMalloc(&device_, size_t(inDevice(i64(this->bytes()))));
    if (result != cudaSuccess)
      fail("no %.1f MB of device memory for tensor %s: %s", double(this->bytes()) / 1e6, name,
           cudaGetErrorString(result));
  }
  Tensor(const Tensor &) = delete;
  ~Tensor() override { cudaFree(device_); }

  T *data() const { return device_; }

  void upload() override {
    if (packedBits<T>) {
      const std::vector<u8> codes = packedCodes(this->values(), this->bytes(), packedBits<T>);
      return check(cudaMemcpy(device_, codes.data(), codes.size(), cudaMemcpyHostToDevice),
                   "cudaMemcpy to the device", this->name());
    }
    check(cudaMemcpy(device_, this->values(), this->bytes(), cudaMemcpyHostToDevice),
          "cudaMemcpy to the device", this->name());
  }
  void download() override {
    check(cudaMemcpy(this->values(), device_, this->bytes(), cudaMemcpyDeviceToHost),
          "cudaMemcpy from the device", this->name());
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
      const i64 least = packedBits<T> && i == 0 ? 128 : 1;
      extents[i] =
          cuuint64_t(part.extent ? part.extent : std::max<i64>(this->extent(dims[i]), least));
      boxes[i] = box[i];
      if (i == 0)
        continue;
      const i64 bytes = inDevice(this->stride(dims[i]) * part.step * i64(sizeof(T)));
      const i64 unit = packedBits<T> ? 32 : 16;
      strides[i - 1] = cuuint64_t(extents[i] > 1 ? bytes : ceilDiv(bytes, unit) * unit);
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
      fail("cuTensorMapEncodeTiled failed (tensor %s): code %d", this->name(), int(result));
    TensorMap opaque;
    static_assert(sizeof opaque == sizeof map, "a tensor map has 128 bytes");
    std::memcpy(static_cast<void *>(&opaque), &map, sizeof map);
    return opaque;
  }

private:
  static i64 inDevice(i64 bytes) { return packedBits<T> ? bytes * packedBits<T> / 8 : bytes; }

  T *device_ = nullptr;
};

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
