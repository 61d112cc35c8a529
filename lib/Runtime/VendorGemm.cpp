#include "Runtime/VendorGemm.h"

#include "Runtime/Library.h"

#include <algorithm>

namespace sluice {
namespace {

/// cublas_api.h; 0 is success.
struct Cublas {
  int (*create)(void **handle);
  int (*destroy)(void *handle);
  int (*gemmEx)(void *handle, int transA, int transB, int m, int n, int k, const void *alpha,
                const void *a, int typeA, int lda, const void *b, int typeB, int ldb,
                const void *beta, void *c, int typeC, int ldc, int compute, int algorithm);
};

Result<Cublas> loadCublas() {
  auto library = Library::open(
      {"libcublas.so.13", "libcublas.so.12", "libcublas.so", "/usr/local/cuda/lib64/libcublas.so"},
      "cuBLAS library");
  if (!library)
    return library.error();
  Cublas c;
  if (!library->find("cublasCreate_v2", c.create) ||
      !library->find("cublasDestroy_v2", c.destroy) || !library->find("cublasGemmEx", c.gemmEx))
    return inputError("the cuBLAS library is older than CUDA 12");
  return c;
}

/// cudaDataType of library_types.h; -1: none of ours.
int dataType(DType type) {
  return type == DType::f32 ? 0 : type == DType::f16 ? 2 : type == DType::bf16 ? 14 : -1;
}

/// A matrix as the column-major library sees it: row-major memory is its transpose.
struct Operand {
  bool rowMajor;
  int leading;
  int type;
  CUdeviceptr address;
};

Operand operandOf(const HostTensor &t, CUdeviceptr address) {
  bool rowMajor = t.strides[1] == 1;
  return {rowMajor, static_cast<int>(std::max<int64_t>(t.strides[rowMajor ? 0 : 1], 1)),
          dataType(t.type), address};
}

std::optional<Error> wrongShapes(const std::vector<HostTensor> &t) {
  bool fits = t.size() == 3;
  for (size_t i = 0; fits && i < 3; ++i)
    fits = t[i].extents.size() == 2 && dataType(t[i].type) >= 0 &&
           (t[i].strides[0] == 1 || t[i].strides[1] == 1);
  if (fits && t[0].extents[1] == t[1].extents[0] && t[0].extents[0] == t[2].extents[0] &&
      t[1].extents[1] == t[2].extents[1])
    return std::nullopt;
  return inputError("the vendor's matrix product takes A[M,K], B[K,N], C[M,N] of f16, bf16 or f32,"
                    " each with one contiguous dimension");
}

/// One call. The library is column-major: a row-major C = A B is its C^T = B^T A^T.
int multiply(const Cublas &c, void *handle, const std::vector<HostTensor> &t,
             const std::vector<CUdeviceptr> &at) {
  constexpr int compute32F = 68, defaultAlgorithm = -1;
  constexpr float one = 1, zero = 0;
  Operand a = operandOf(t[0], at[0]), b = operandOf(t[1], at[1]), d = operandOf(t[2], at[2]);
  int m = int(t[2].extents[0]), n = int(t[2].extents[1]), k = int(t[0].extents[1]);
  Operand &left = d.rowMajor ? b : a, &right = d.rowMajor ? a : b;
  if (d.rowMajor)
    std::swap(m, n);
  auto pointer = [](CUdeviceptr p) { return reinterpret_cast<void *>(p); };
  return c.gemmEx(handle, left.rowMajor != d.rowMajor, right.rowMajor != d.rowMajor, m, n, k, &one,
                  pointer(left.address), left.type, left.leading, pointer(right.address),
                  right.type, right.leading, &zero, pointer(d.address), d.type, d.leading,
                  compute32F, defaultAlgorithm);
}

} // namespace

Result<RunResult> runVendorGemm(std::vector<HostTensor> &tensors, const CudaRunOptions &options) {
  if (auto wrong = wrongShapes(tensors))
    return *wrong;
  auto device = cudaDevice();
  if (!device)
    return device.error();
  auto cublas = loadCublas();
  if (!cublas)
    return cublas.error();
  const Driver &d = **Driver::get();
  std::vector<DeviceMemory> memories;
  std::vector<CUdeviceptr> addresses;
  for (const HostTensor &t : tensors) {
    auto memory = DeviceMemory::allocate(int64_t(t.bytes.size()), "of the vendor's product");
    if (!memory)
      return memory.error();
    if (CUresult r = d.copyToDevice(memory->address(), t.bytes.data(), t.bytes.size()))
      return d.error("cuMemcpyHtoD", "the vendor's product", r);
    addresses.push_back(memory->address());
    memories.push_back(std::move(*memory));
  }
  void *handle = nullptr;
  if (int r = cublas->create(&handle))
    return inputError("cublasCreate failed: status " + std::to_string(r));
  auto once = [&]() -> std::optional<Error> {
    if (int r = multiply(*cublas, handle, tensors, addresses))
      return inputError("cublasGemmEx failed: status " + std::to_string(r));
    return std::nullopt;
  };
  auto ms = timeCalls(once, 1);
  if (ms)
    if (CUresult r = d.copyToHost(tensors[2].bytes.data(), addresses[2], tensors[2].bytes.size()))
      ms = d.error("cuMemcpyDtoH", "the vendor's product", r);
  if (ms && options.repeats > 0) {
    if (options.warmups > 0)
      ms = timeCalls(once, options.warmups);
    if (ms)
      ms = timeCalls(once, options.repeats);
  }
  cublas->destroy(handle);
  if (!ms)
    return ms.error();
  return RunResult{*ms, device->name};
}

} // namespace sluice
