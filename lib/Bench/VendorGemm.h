// The vendor's matrix product (cuBLASLt, loaded at run time), as the yardstick of `bench`.
#pragma once

#include "Runtime/Run.h"
#include "Support/HostTensor.h"

#include <memory>

namespace sluice {

/// What the library makes of A B: activation(alpha A B + beta R + bias), R like C, bias[1,N]. Its
/// GELU is the approximation by tanh.
struct VendorEpilogue {
  enum Activation : uint8_t { none, relu, gelu };
  bool bias = false, residual = false;
  Activation activation = none;
  float alpha = 1, beta = 1; // beta counts where there is a residual
  bool promoted = false;     // f32 takes over sums of 8-bit floats every few steps
};

/// A matrix, or those of a batch: a tensor or part of one.
struct VendorOperand {
  DType type = DType::f32;
  std::vector<int64_t> extents, strides; // elements
  int tensor = 0;                        // of those whose addresses a call gives
  int64_t offset = 0;                    // bytes from the tensor's address
};

/// C = A B: A[M,K], B[K,N], C[M,N], or all with a first dimension more, each row- or column-major
/// (C row-major where there is a bias). Bias and then R come before C.
struct VendorProduct {
  std::vector<VendorOperand> operands;
  VendorEpilogue epilogue = {};
};

class CublasLt;

/// A product with the algorithms that the library's heuristics put first: accumulation in f32, of
/// s8 in s32, and a workspace of 64 MiB. Types for which the library has no product, such as e5m2
/// by e5m2, are unsupported.
class VendorGemm {
public:
  /// One for each product; they share the workspace, so calls of all go to one stream.
  static Result<std::vector<VendorGemm>> prepare(const std::vector<VendorProduct> &products);
  VendorGemm(VendorGemm &&) noexcept;
  ~VendorGemm();

  int algorithms() const; // at least one, at most eight
  std::string version() const;
  /// Puts the product on a stream; `at`: addresses of the tensors.
  std::optional<Error> call(int algorithm, const std::vector<CUdeviceptr> &at,
                            CUstream stream = nullptr) const;

private:
  struct State;
  explicit VendorGemm(std::unique_ptr<State> state);
  static Result<VendorGemm> prepare(std::shared_ptr<const CublasLt> library,
                                    const VendorProduct &product);
  std::unique_ptr<State> state_;
};

/// Times C = A B on device 0 with the first algorithm. C receives the product.
Result<RunResult> runVendorGemm(std::vector<HostTensor> &tensors, const CudaRunOptions &options);

} // namespace sluice
