// The vendor's matrix product (cuBLASLt, loaded at run time), as the yardstick of `bench`.
#pragma once

#include "Machine/HostTensor.h"
#include "Runtime/Run.h"

#include <memory>

namespace sluice {

/// C = A B with the algorithms that the library's heuristics put first. Tensors A[M,K], B[K,N],
/// C[M,N] as gemm takes them, each row- or column-major, f16, bf16 or f32; f32 accumulation and a
/// workspace of 64 MiB.
class VendorGemm {
public:
  static Result<VendorGemm> prepare(const std::vector<HostTensor> &tensors);
  VendorGemm(VendorGemm &&) noexcept;
  ~VendorGemm();

  int algorithms() const; // at least one, at most eight
  std::string version() const;
  /// Puts one product on the default stream.
  std::optional<Error> call(int algorithm, const std::vector<CUdeviceptr> &at) const;

private:
  struct State;
  explicit VendorGemm(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Times C = A B on device 0 with the first algorithm. C receives the product.
Result<RunResult> runVendorGemm(std::vector<HostTensor> &tensors, const CudaRunOptions &options);

} // namespace sluice
