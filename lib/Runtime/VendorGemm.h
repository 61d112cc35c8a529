// The vendor's matrix product (cuBLAS, loaded at run time), as the yardstick of `bench`.
#pragma once

#include "Machine/HostTensor.h"
#include "Runtime/Run.h"

namespace sluice {

/// Times C = A B on device 0: tensors A[M,K], B[K,N], C[M,N] as gemm takes them, each row- or
/// column-major, f16, bf16 or f32 with f32 accumulation. C receives the product.
Result<RunResult> runVendorGemm(std::vector<HostTensor> &tensors, const CudaRunOptions &options);

} // namespace sluice
