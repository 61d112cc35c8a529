// cuBLASLt, loaded at run time: its functions, a handle, and the memory that its products work in.
#pragma once

#include "Runtime/DeviceMemory.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace sluice {

/// cublasLtMatmulHeuristicResult_t of cublasLt.h.
struct CublasLtHeuristic {
  uint64_t algorithm[8];
  size_t workspace;
  int state; // 0: usable
  float waves;
  int reserved[4];
};

/// cublasLt.h; 0 is success. Descriptors are opaque.
struct CublasLtCalls {
  int (*create)(void **handle);
  int (*destroy)(void *handle);
  size_t (*version)();
  int (*productCreate)(void **product, int compute, int scaleType);
  int (*productDestroy)(void *product);
  int (*productSet)(void *product, int attribute, const void *value, size_t bytes);
  int (*layoutCreate)(void **layout, int type, uint64_t rows, uint64_t cols, int64_t leading);
  int (*layoutSet)(void *layout, int attribute, const void *value, size_t bytes);
  int (*layoutDestroy)(void *layout);
  int (*preferenceCreate)(void **preference);
  int (*preferenceDestroy)(void *preference);
  int (*preferenceSet)(void *preference, int attribute, const void *value, size_t bytes);
  int (*heuristic)(void *handle, void *product, void *a, void *b, void *c, void *d,
                   void *preference, int wanted, CublasLtHeuristic *found, int *count);
  int (*matmul)(void *handle, void *product, const void *alpha, const void *a, void *layoutA,
                const void *b, void *layoutB, const void *beta, const void *c, void *layoutC,
                void *d, void *layoutD, const void *algorithm, void *workspace, size_t bytes,
                void *stream);
};

/// For products that run one after the other.
class CublasLt {
public:
  static constexpr int64_t workspaceBytes = int64_t{64} << 20;

  static Result<std::shared_ptr<const CublasLt>> open();
  CublasLt(const CublasLt &) = delete;
  CublasLt &operator=(const CublasLt &) = delete;
  ~CublasLt();

  const CublasLtCalls &calls() const { return calls_; }
  void *handle() const { return handle_; }
  CUdeviceptr workspace() const { return workspace_.address(); }

private:
  CublasLt(const CublasLtCalls &calls, DeviceMemory workspace)
      : calls_(calls), workspace_(std::move(workspace)) {}

  CublasLtCalls calls_;
  DeviceMemory workspace_;
  void *handle_ = nullptr;
};

} // namespace sluice
