// The CUDA driver, loaded at run time. Types and values as in the CUDA driver API's cuda.h; only
// what this library calls.
#pragma once

#include "Runtime/Library.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace sluice {

using CUresult = int; // 0: success
using CUdevice = int;
using CUdeviceptr = uint64_t;
using CUcontext = void *;
using CUmodule = void *;
using CUfunction = void *;
using CUstream = void *;
using CUevent = void *;

struct alignas(64) CUtensorMap {
  uint64_t opaque[16];
};

struct CUlaunchAttribute {
  int id;
  int pad = 0;
  int value[16] = {}; // a union of 64 bytes
};
struct CUlaunchConfig {
  unsigned gridX, gridY, gridZ, blockX, blockY, blockZ, sharedBytes;
  CUstream stream;
  CUlaunchAttribute *attributes;
  unsigned attributeCount;
};

struct Driver {
  CUresult (*init)(unsigned flags);
  CUresult (*deviceGetCount)(int *);
  CUresult (*deviceGet)(CUdevice *, int ordinal);
  CUresult (*deviceGetName)(char *, int length, CUdevice);
  CUresult (*deviceGetPCIBusId)(char *, int length, CUdevice);
  CUresult (*deviceGetAttribute)(int *, int attribute, CUdevice);
  CUresult (*primaryContextRetain)(CUcontext *, CUdevice);
  CUresult (*contextSetCurrent)(CUcontext);
  CUresult (*contextGetCurrent)(CUcontext *);
  CUresult (*contextPush)(CUcontext);
  CUresult (*contextPop)(CUcontext *);
  CUresult (*contextGetDevice)(CUdevice *); // of the current context
  CUresult (*contextSynchronize)();
  CUresult (*moduleLoadData)(CUmodule *, const void *image);
  CUresult (*moduleUnload)(CUmodule);
  CUresult (*moduleGetFunction)(CUfunction *, CUmodule, const char *name);
  CUresult (*functionSetAttribute)(CUfunction, int attribute, int value);
  CUresult (*memAlloc)(CUdeviceptr *, size_t bytes);
  CUresult (*memFree)(CUdeviceptr);
  CUresult (*copyToDevice)(CUdeviceptr, const void *, size_t bytes);
  CUresult (*copyToHost)(void *, CUdeviceptr, size_t bytes);
  CUresult (*memsetD8)(CUdeviceptr, unsigned char, size_t bytes);
  CUresult (*launchKernel)(const CUlaunchConfig *, CUfunction, void **parameters, void **extra);
  CUresult (*eventCreate)(CUevent *, unsigned flags);
  CUresult (*eventDestroy)(CUevent);
  CUresult (*eventRecord)(CUevent, CUstream);
  CUresult (*eventSynchronize)(CUevent);
  CUresult (*eventElapsedTime)(float *ms, CUevent begin, CUevent end);
  CUresult (*tensorMapEncodeTiled)(CUtensorMap *, int type, uint32_t rank, void *base,
                                   const uint64_t *dims, const uint64_t *strides,
                                   const uint32_t *box, const uint32_t *elementStrides,
                                   int interleave, int swizzle, int l2Promotion, int fill);
  CUresult (*getErrorName)(CUresult, const char **);
  CUresult (*getErrorString)(CUresult, const char **);

  /// Loads the library and initialises it; once per process, the same answer afterwards. Leaves the
  /// thread's context as it is.
  static Result<const Driver *> get();

  /// "cuMemAlloc failed (kernel gemm): CUDA_ERROR_OUT_OF_MEMORY, out of memory"
  Error error(const char *call, const std::string &about, CUresult result) const;
};

/// "NVIDIA H100 80GB HBM3", 90.
struct CudaDevice {
  std::string name;
  int capability; // 10 * major + minor
  int multiprocessors;
};
Result<CudaDevice> describeDevice(int device);

/// Device 0, for programs of our own: its primary context becomes the thread's current one.
Result<CudaDevice> cudaDevice();

} // namespace sluice
