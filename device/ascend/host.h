// The host side of a kernel that is built on its own (host_main.h) on aclrt: device memory, time.
#pragma once

#include <sluice/host_main.h>

#include <acl/acl.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

namespace sluice {
namespace host {

inline void check(int result, const char *call, const char *about) {
  if (result != 0)
    fail("%s failed (%s): code %d", call, about, result);
}

// ---- Elements -----------------------------------------------------------------------------------

struct f16 {
  uint16_t bits;
};
struct bf16 {
  uint16_t bits;
};
struct s8 {
  int8_t value;
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
template <> struct HostElement<bf16> {
  static double value(bf16 x) { return floatOf(uint32_t(x.bits) << 16); }
  /// To the nearest, of two the even one; x is a number.
  static bf16 of(float x) {
    const uint32_t bits = bitsOf(x);
    return {uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
  }
};
template <> struct HostElement<f16> {
  static double value(f16 x) {
    const int exponent = x.bits >> 10 & 31, fraction = x.bits & 0x3ff;
    const double size = exponent == 31  ? (fraction ? NAN : INFINITY)
                        : exponent == 0 ? std::ldexp(double(fraction), -24)
                                        : std::ldexp(double(fraction + 1024), exponent - 25);
    return x.bits & 0x8000 ? -size : size;
  }
  /// To the nearest, of two the even one; x is a number.
  static f16 of(float x) {
    int exponent = 0;
    std::frexp(x, &exponent); // |x| is 0.5 to 1 times 2^exponent
    const int unit = std::max(exponent - 1, -14) - 10;
    const auto steps = uint32_t(std::nearbyint(std::ldexp(std::fabs(double(x)), -unit)));
    const uint32_t bits = steps ? uint32_t(unit + 24) * 1024 + steps : 0; // 2048 steps carry
    return {uint16_t((std::signbit(x) ? 0x8000 : 0) | std::min(bits, 0x7c00u))};
  }
};

template <> struct HostElement<s8> {
  static double value(s8 x) { return x.value; }
  static s8 of(float x) {
    return {int8_t(std::min(std::max(std::nearbyint(8 * x), -128.0f), 127.0f))};
  }
};

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

/// In device memory, too.
template <class T> class Tensor : public HostTensor<T> {
public:
  Tensor(const char *name, std::vector<i64> extents, int minor, i64 align)
      : HostTensor<T>(name, std::move(extents), minor, align) {
    check(aclrtMalloc(&device_, this->bytes(), ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc", name);
  }
  Tensor(const Tensor &) = delete;
  ~Tensor() override { aclrtFree(device_); }

  void *data() const { return device_; }

  void upload() override {
    check(aclrtMemcpy(device_, this->bytes(), this->values(), this->bytes(),
                      ACL_MEMCPY_HOST_TO_DEVICE),
          "aclrtMemcpy to the device", this->name());
  }
  void download() override {
    check(aclrtMemcpy(this->values(), this->bytes(), device_, this->bytes(),
                      ACL_MEMCPY_DEVICE_TO_HOST),
          "aclrtMemcpy from the device", this->name());
  }

private:
  void *device_ = nullptr;
};

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
