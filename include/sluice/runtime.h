/* Launches kernels that `sluice build` made, from C and from anything that calls C: libsluice_rt.
 * Needs the CUDA driver and nothing else; NVRTC or nvcc only to compile a source. docs/runtime.md.
 */
#ifndef SLUICE_RUNTIME_H
#define SLUICE_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define SLUICE_API __attribute__((visibility("default")))
#else
#define SLUICE_API
#endif

/* Every function that can fail answers with one of these; sluice_error() has the words. */
typedef enum sluice_status {
  SLUICE_OK = 0,
  SLUICE_UNREAD = 1,     /* sluice_launch_objects alone; there are no words */
  SLUICE_FAILED = 2,     /* bad input, or a call of the driver that failed */
  SLUICE_UNSUPPORTED = 3 /* nothing is wrong, but this version cannot do it */
} sluice_status;

/* What went wrong at the last call of this thread that failed: call, kernel and argument by name.
 * Valid until the next failure on the same thread; never null. */
SLUICE_API const char *sluice_error(void);

typedef enum sluice_type {
  SLUICE_S8 = 1,
  SLUICE_I32 = 2,
  SLUICE_E4M3 = 4,
  SLUICE_E5M2 = 5,
  SLUICE_F16 = 6,
  SLUICE_BF16 = 7,
  SLUICE_TF32 = 8,
  SLUICE_F32 = 9
} sluice_type;

/* A tensor in device memory, as it is at one launch. */
typedef struct sluice_tensor {
  void *data;
  const int64_t *extents; /* `rank` of each */
  const int64_t *strides; /* elements */
  int32_t rank;
  int32_t type; /* sluice_type */
} sluice_tensor;

/* A kernel: for any number of devices, streams and threads. */
typedef struct sluice_kernel sluice_kernel;

/* Reads a manifest and the cubin that it names; where that file is missing, compiles the source
 * that it names, through the disk cache. Loads nothing on a device yet. */
SLUICE_API sluice_status sluice_load(const char *manifest_path, sluice_kernel **kernel);
/* The same from memory; `manifest` ends with a zero. */
SLUICE_API sluice_status sluice_load_memory(const char *manifest, const void *cubin,
                                            size_t cubin_bytes, sluice_kernel **kernel);
/* No launch of it may be under way. Null is fine. */
SLUICE_API void sluice_release(sluice_kernel *kernel);

enum { SLUICE_CURRENT_DEVICE = -1 };

/* Loads the kernel on a device. The first launch there does it too; before a launch that a CUDA
 * graph captures it must have happened. */
SLUICE_API sluice_status sluice_prepare(const sluice_kernel *kernel, int32_t device);

/* Puts one launch on `stream` (a CUstream or cudaStream_t of `device`; null: its default stream)
 * and returns without waiting for it. `tensors` and `arguments` are in the manifest's order; an
 * argument of type f32 is given by its bits, as a signed integer of 32 bits.
 * Allocates nothing and waits for nothing once the kernel is prepared. */
SLUICE_API sluice_status sluice_launch(const sluice_kernel *kernel, const sluice_tensor *tensors,
                                       int32_t tensor_count, const int64_t *arguments,
                                       int32_t argument_count, int32_t device, void *stream);

/* The same in one block, for callers to whom every argument of a foreign function is dear. */
typedef struct sluice_call {
  const sluice_kernel *kernel;
  const sluice_tensor *tensors;
  const int64_t *arguments;
  int32_t tensor_count, argument_count;
  int32_t device, reserved; /* reserved: 0 */
  void *stream;
} sluice_call;
SLUICE_API sluice_status sluice_launch_call(const sluice_call *call);

/* Tensors that are objects of a language, read through DLPack's exchange API (dlpack.h 1.3); the
 * comments name the functions for Python. */
typedef struct sluice_objects_call {
  const sluice_kernel *kernel;
  void *(*item)(void *objects, ptrdiff_t i);                  /* PyTuple_GetItem */
  int (*read)(void *object, void *tensor);                    /* dltensor_from_py_object_no_sync */
  int (*stream)(int32_t type, int32_t device, void **stream); /* current_work_stream */
  void *(*leave)(void);                                       /* PyEval_SaveThread */
  void (*enter)(void *left);                                  /* PyEval_RestoreThread */
  void *(*bytes)(const char *text, ptrdiff_t count);          /* PyBytes_FromStringAndSize */
} sluice_objects_call;
/* A launch on the library's current stream of the tensors' device. The kernel takes no arguments;
 * `objects` has as many items as it has tensors. SLUICE_UNREAD: one of them is no tensor of the
 * kernel's element type, or they are not on one CUDA device; nothing was launched. */
SLUICE_API sluice_status sluice_launch_objects(const sluice_objects_call *call, void *objects);
/* What decides which kernel serves `count` tensors, for a cache of kernels: types, extents, strides
 * and addresses modulo 16 as an object of `bytes`; an empty one where a tensor cannot be read. */
SLUICE_API void *sluice_objects_key(const sluice_objects_call *call, void *objects, int32_t count);

/* What the manifest says of the kernel's tensors. */
typedef struct sluice_tensor_info {
  const char *name; /* lives as long as the kernel */
  int32_t type;     /* sluice_type */
  int32_t rank;
  int32_t contiguous; /* dimension whose stride is 1 */
  int32_t input, output;
  int64_t align; /* bytes */
} sluice_tensor_info;

SLUICE_API const char *sluice_name(const sluice_kernel *kernel);
SLUICE_API int32_t sluice_tensor_count(const sluice_kernel *kernel);
SLUICE_API int32_t sluice_argument_count(const sluice_kernel *kernel);
SLUICE_API sluice_status sluice_describe(const sluice_kernel *kernel, int32_t tensor,
                                         sluice_tensor_info *info);

/* Compiles CUDA C++ that includes <sluice/device.cuh>, through the disk cache; `kernel` names the
 * file in messages. The cubin is freed with sluice_free. */
SLUICE_API sluice_status sluice_compile(const char *source, const char *kernel, void **cubin,
                                        size_t *cubin_bytes);
SLUICE_API void sluice_free(void *cubin);

/* Device memory for programs that have no other CUDA library. Copies wait until all work of the
 * device's default stream before them is done. */
SLUICE_API sluice_status sluice_memory_allocate(int32_t device, size_t bytes, void **data);
SLUICE_API sluice_status sluice_memory_free(int32_t device, void *data);
SLUICE_API sluice_status sluice_memory_write(int32_t device, void *to, const void *host,
                                             size_t bytes);
SLUICE_API sluice_status sluice_memory_read(int32_t device, void *host, const void *from,
                                            size_t bytes);
/* Waits for all work of the device. */
SLUICE_API sluice_status sluice_wait(int32_t device);

#ifdef __cplusplus
}
#endif

#endif
