// Launches kernels that `sluice build` made, from C++17 and later: a thin cover of runtime.h.
#pragma once

#include "sluice/runtime.h"

#include <cstring>
#include <initializer_list>
#include <string>
#include <utility>

namespace sluice::launch {

/// How a call ended: true where it went well.
class [[nodiscard]] Status {
public:
  explicit Status(sluice_status code) : code_(code) {
    if (code_ != SLUICE_OK)
      message_ = sluice_error();
  }
  explicit operator bool() const { return code_ == SLUICE_OK; }
  sluice_status code() const { return code_; }
  /// The call, the kernel and the argument that it is about; empty where all went well.
  const std::string &message() const { return message_; }

private:
  sluice_status code_;
  std::string message_;
};

/// A matrix in device memory whose rows are contiguous; or with `columns`, whose columns are.
class Matrix {
public:
  Matrix(void *data, sluice_type type, int64_t rows, int64_t cols, bool columns = false)
      : data_(data),
        type_(type), extents_{rows, cols}, strides_{columns ? 1 : cols, columns ? rows : 1} {}
  sluice_tensor tensor() const { return {data_, extents_, strides_, 2, type_}; }

private:
  void *data_;
  sluice_type type_;
  int64_t extents_[2], strides_[2];
};

/// An argument of type f32 as a launch takes it.
inline int64_t argument(float value) {
  int32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Owns a sluice_kernel.
class Kernel {
public:
  static Kernel load(const std::string &manifest, Status &status) {
    sluice_kernel *kernel = nullptr;
    status = Status(sluice_load(manifest.c_str(), &kernel));
    return Kernel(kernel);
  }
  Kernel(Kernel &&other) noexcept : kernel_(std::exchange(other.kernel_, nullptr)) {}
  Kernel &operator=(Kernel &&other) noexcept {
    std::swap(kernel_, other.kernel_);
    return *this;
  }
  ~Kernel() { sluice_release(kernel_); }

  /// False after a load that failed.
  explicit operator bool() const { return kernel_ != nullptr; }
  sluice_kernel *get() const { return kernel_; }

  Status prepare(int device) const { return Status(sluice_prepare(kernel_, device)); }
  Status operator()(std::initializer_list<sluice_tensor> tensors, void *stream = nullptr,
                    std::initializer_list<int64_t> arguments = {},
                    int device = SLUICE_CURRENT_DEVICE) const {
    return Status(sluice_launch(kernel_, tensors.begin(), int32_t(tensors.size()),
                                arguments.begin(), int32_t(arguments.size()), device, stream));
  }

private:
  explicit Kernel(sluice_kernel *kernel) : kernel_(kernel) {}
  sluice_kernel *kernel_;
};

} // namespace sluice::launch
