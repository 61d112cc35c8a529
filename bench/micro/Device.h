// The GPU as the microbenchmarks use it: kernels of one text, launches, tensor maps. A failed call
// ends the program with the driver's words.
#pragma once

#include "Runtime/DeviceMemory.h"
#include "Runtime/Driver.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace sluice::micro {

struct Shape {
  unsigned ctas = 1, threads = 32, cluster = 1, sharedBytes = 0;
  bool early = false; // may start before the kernel before has ended
};

class Device {
public:
  /// Compiles the text by NVRTC for device 0.
  explicit Device(const std::string &text);

  int multiprocessors() const { return device_.multiprocessors; }
  const std::string &name() const { return device_.name; }

  /// f16 rows of 64 elements, 128 bytes apart, in boxes of `rows`, swizzled by 128 bytes.
  CUtensorMap map(CUdeviceptr data, int64_t allRows, int rows) const;

  /// Puts a launch on the stream; arguments are addresses of the parameters.
  void launch(const std::string &kernel, Shape shape, std::vector<void *> arguments);
  void wait() const;
  /// Launches, waits, and returns the first `count` numbers of the output, which is the parameter
  /// `out()`.
  std::vector<double> numbers(const std::string &kernel, Shape shape, std::vector<void *> arguments,
                              int count);
  void *out() { return &out_; }
  /// Microseconds from one of these launches to the next.
  double interval(const std::string &kernel, Shape shape, std::vector<void *> arguments);
  /// Empties the L2 cache of what is of use.
  void flush();
  CUdeviceptr data() const { return data_.address(); } // of dataBytes
  static constexpr int64_t dataBytes = int64_t{2} << 30;

private:
  void check(const char *call, CUresult result) const;

  CudaDevice device_;
  const Driver &driver_;
  CUmodule module_ = nullptr;
  struct Loaded {
    CUfunction function = nullptr;
    unsigned sharedBytes = 0;
  };
  std::map<std::string, Loaded> functions_;
  DeviceMemory data_, outputs_, noise_;
  CUdeviceptr out_;
};

} // namespace sluice::micro
