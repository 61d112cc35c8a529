#include "Bench/CublasLt.h"

#include "Runtime/Library.h"

namespace sluice {
namespace {

Result<CublasLtCalls> findCalls() {
  auto library = Library::open({"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so",
                                "/usr/local/cuda/lib64/libcublasLt.so"},
                               "cuBLASLt library");
  if (!library)
    return library.error();
  CublasLtCalls c;
  const bool all = library->find("cublasLtCreate", c.create) &&
                   library->find("cublasLtDestroy", c.destroy) &&
                   library->find("cublasLtGetVersion", c.version) &&
                   library->find("cublasLtMatmulDescCreate", c.productCreate) &&
                   library->find("cublasLtMatmulDescDestroy", c.productDestroy) &&
                   library->find("cublasLtMatmulDescSetAttribute", c.productSet) &&
                   library->find("cublasLtMatrixLayoutCreate", c.layoutCreate) &&
                   library->find("cublasLtMatrixLayoutSetAttribute", c.layoutSet) &&
                   library->find("cublasLtMatrixLayoutDestroy", c.layoutDestroy) &&
                   library->find("cublasLtMatmulPreferenceCreate", c.preferenceCreate) &&
                   library->find("cublasLtMatmulPreferenceDestroy", c.preferenceDestroy) &&
                   library->find("cublasLtMatmulPreferenceSetAttribute", c.preferenceSet) &&
                   library->find("cublasLtMatmulAlgoGetHeuristic", c.heuristic) &&
                   library->find("cublasLtMatmul", c.matmul);
  if (!all)
    return inputError("the cuBLASLt library is older than CUDA 12");
  return c;
}

} // namespace

Result<std::shared_ptr<const CublasLt>> CublasLt::open() {
  auto calls = findCalls();
  if (!calls)
    return calls.error();
  auto workspace = DeviceMemory::allocate(workspaceBytes, "the vendor's workspace");
  if (!workspace)
    return workspace.error();
  std::shared_ptr<CublasLt> library(new CublasLt(*calls, std::move(*workspace)));
  if (int r = calls->create(&library->handle_))
    return inputError("cublasLtCreate failed: status " + std::to_string(r));
  return std::shared_ptr<const CublasLt>(std::move(library));
}

CublasLt::~CublasLt() {
  if (handle_)
    calls_.destroy(handle_);
}

} // namespace sluice
