// The vendor's matrix product (cuBLASLt, loaded at run time), as the yardstick of `bench`.
#pragma once

#include "Machine/HostTensor.h"
#include "Runtime/Run.h"

#include <memory>

namespace sluice {

/// What the library does to C before it stores it; bias[1,N] is added to every row. Its GELU is the
/// approximation by tanh.
enum class VendorEpilogue { none, bias, biasRelu, biasGelu };

/// C = A B with the algorithms that the library's heuristics put first. Tensors A[M,K], B[K,N],
/// C[M,N] as gemm takes them, each row- or column-major (C row-major where there is a bias);
/// accumulation in f32, of s8 in s32, and a workspace of 64 MiB. A bias comes before C. Types for
/// which the library has no product, such as e5m2 by e5m2, are unsupported.
class VendorGemm {
public:
  static Result<VendorGemm> prepare(const std::vector<HostTensor> &tensors,
                                    VendorEpilogue epilogue = VendorEpilogue::none);
  VendorGemm(VendorGemm &&) noexcept;
  ~VendorGemm();

  int algorithms() const; // at least one, at most eight
  std::string version() const;
  /// Puts one product on a stream; addresses in the order of the tensors.
  std::optional<Error> call(int algorithm, const std::vector<CUdeviceptr> &at,
                            CUstream stream = nullptr) const;

private:
  struct State;
  explicit VendorGemm(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Times C = A B on device 0 with the first algorithm. C receives the product.
Result<RunResult> runVendorGemm(std::vector<HostTensor> &tensors, const CudaRunOptions &options);

} // namespace sluice
