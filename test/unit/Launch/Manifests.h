// A kernel for the fake driver: its manifest as text, its tensors on the stack of the test.
#pragma once

#include "fake/FakeCuda.h"
#include "sluice/Launch.h"

#include <string>

namespace sluice::test {

inline const std::string kCubin = "machine code";

/// gemm with tiles of 128 x 128; `change`: a member to put in place of another's first occurrence.
std::string gemmManifest(const std::string &from = "", const std::string &to = "");

/// A driver that has recorded nothing and knows the parameters of gemm; device 0 is current.
void startDriver();

/// Loaded from memory; fails the test where that fails.
sluice_kernel *loadGemm(const std::string &from = "", const std::string &to = "");

/// A[m,k], B[k,n], C[m,n] at addresses of their own.
struct Gemm {
  Gemm(int64_t m, int64_t n, int64_t k)
      : a(reinterpret_cast<void *>(0x100000), SLUICE_F16, m, k),
        b(reinterpret_cast<void *>(0x200000), SLUICE_F16, k, n),
        c(reinterpret_cast<void *>(0x300000), SLUICE_F16, m, n), tensors{a.tensor(), b.tensor(),
                                                                         c.tensor()} {}
  Gemm(const Gemm &) = delete;
  sluice_status launch(const sluice_kernel *kernel, int device = SLUICE_CURRENT_DEVICE,
                       void *stream = nullptr) {
    return sluice_launch(kernel, tensors, 3, nullptr, 0, device, stream);
  }
  launch::Matrix a, b, c;
  sluice_tensor tensors[3];
};

} // namespace sluice::test
