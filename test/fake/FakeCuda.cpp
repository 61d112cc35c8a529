#include "fake/FakeCuda.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>

using namespace fake_cuda;

namespace {

constexpr int devices = 2;
char contexts[devices], theModule, theFunction, theStream, theGraph;
thread_local void *currentContext = nullptr;
std::mutex recording;

int answer(const char *call) {
  const Record &r = record();
  return r.failing && !std::strcmp(r.failing, call) ? r.failure : 0;
}

void count(int &calls) {
  std::lock_guard lock(recording);
  ++calls;
}

void *hostMemory = nullptr;

/// One note of the watchdog, and no end.
void hang() {
  constexpr uint32_t note[] = {1, 1}; // synchronisation, inside
  std::memcpy(hostMemory, note, sizeof note);
  for (;;)
    std::this_thread::sleep_for(std::chrono::hours(1));
}

struct Attribute {
  int id, pad, value[16];
};
struct Config {
  unsigned grid[3], block[3], sharedBytes;
  void *stream;
  Attribute *attributes;
  unsigned attributeCount;
};

} // namespace

namespace fake_cuda {

Record &record() {
  static Record r;
  return r;
}
void *context(int device) {
  return &contexts[device];
}
void setCurrent(void *context) {
  currentContext = context;
}
void *current() {
  return currentContext;
}

} // namespace fake_cuda

extern "C" {

/// For tests in other languages: launches, encoded maps, grid, stream, device, loaded modules.
void fake_cuda_record(int64_t *numbers) {
  std::lock_guard lock(recording);
  const Record &r = record();
  numbers[0] = r.calls.launch;
  numbers[1] = r.calls.tensorMapEncode;
  for (int d = 0; d < 3; ++d)
    numbers[2 + d] = r.launch.grid[d];
  numbers[5] = reinterpret_cast<int64_t>(r.launch.stream);
  numbers[6] = r.launch.context == &contexts[1];
  numbers[7] = r.calls.moduleLoad;
}

int cuInit(unsigned) {
  return answer("cuInit");
}
int cuDeviceGetCount(int *count) {
  *count = devices;
  return answer("cuDeviceGetCount");
}
int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return answer("cuDeviceGet");
}
int cuDeviceGetName(char *name, int length, int) {
  std::strncpy(name, "fake GPU", size_t(length));
  return answer("cuDeviceGetName");
}
int cuDeviceGetPCIBusId(char *id, int length, int) {
  std::strncpy(id, "0000:00:00.0", size_t(length));
  return answer("cuDeviceGetPCIBusId");
}
int cuDeviceGetAttribute(int *value, int attribute, int) {
  const int capability = record().capability;
  *value = attribute == 75 ? capability / 10 : attribute == 76 ? capability % 10 : 132;
  return answer("cuDeviceGetAttribute");
}
int cuDevicePrimaryCtxRetain(void **context, int device) {
  ++record().calls.contextRetain;
  *context = &contexts[device];
  return answer("cuDevicePrimaryCtxRetain");
}
int cuCtxSetCurrent(void *context) {
  currentContext = context;
  return answer("cuCtxSetCurrent");
}
int cuCtxGetCurrent(void **context) {
  *context = currentContext;
  return answer("cuCtxGetCurrent");
}
/// One level deep, as the launcher uses it.
static thread_local void *below = nullptr;
int cuCtxPushCurrent_v2(void *context) {
  count(record().calls.contextPush);
  below = currentContext;
  currentContext = context;
  return answer("cuCtxPushCurrent");
}
int cuCtxPopCurrent_v2(void **context) {
  count(record().calls.contextPop);
  *context = currentContext;
  currentContext = below;
  return answer("cuCtxPopCurrent");
}
int cuCtxGetDevice(int *device) {
  *device = currentContext == &contexts[1] ? 1 : 0;
  return answer("cuCtxGetDevice");
}
int cuCtxSynchronize() {
  ++record().calls.synchronise;
  return answer("cuCtxSynchronize");
}
int cuModuleLoadData(void **module, const void *) {
  ++record().calls.moduleLoad;
  *module = &theModule;
  return answer("cuModuleLoadData");
}
int cuModuleUnload(void *) {
  ++record().calls.moduleUnload;
  return answer("cuModuleUnload");
}
int cuModuleGetFunction(void **function, void *, const char *) {
  *function = &theFunction;
  return answer("cuModuleGetFunction");
}
int cuFuncSetAttribute(void *, int attribute, int value) {
  if (attribute == 8)
    record().sharedBytesAllowed = value;
  if (attribute == 14)
    record().nonPortableClusters = value;
  return answer("cuFuncSetAttribute");
}
/// Memories are apart; the first begins at 4096.
int cuMemAlloc_v2(uint64_t *address, size_t) {
  *address = 4096 + (static_cast<uint64_t>(record().calls.memoryAllocate++) << 36);
  return answer("cuMemAlloc");
}
int cuMemFree_v2(uint64_t) {
  return answer("cuMemFree");
}
int cuMemcpyHtoD_v2(uint64_t, const void *, size_t) {
  return answer("cuMemcpyHtoD");
}
/// What a kernel would have written: the file that FAKE_CUDA_WRITTEN names, for a copy of its size.
int cuMemcpyDtoH_v2(void *to, uint64_t, size_t bytes) {
  if (const char *path = std::getenv("FAKE_CUDA_WRITTEN")) {
    std::ifstream file(path, std::ios::binary);
    const std::string written{std::istreambuf_iterator<char>(file), {}};
    if (written.size() == bytes)
      std::memcpy(to, written.data(), bytes);
  }
  return answer("cuMemcpyDtoH");
}
/// With FAKE_CUDA_HANGS: a warp is inside synchronisation 1, and whoever waits for it waits for
/// ever.
int cuMemHostAlloc(void **memory, size_t bytes, unsigned) {
  *memory = hostMemory = std::calloc(1, bytes);
  return answer("cuMemHostAlloc");
}
int cuMemHostGetDevicePointer_v2(uint64_t *address, void *, unsigned) {
  *address = 8192;
  return answer("cuMemHostGetDevicePointer");
}
int cuMemsetD8_v2(uint64_t, unsigned char, size_t) {
  return answer("cuMemsetD8");
}
int cuLaunchKernelEx(const Config *config, void *function, void **parameters, void **) {
  std::lock_guard lock(recording);
  Record &r = record();
  ++r.calls.launch;
  Launch &l = r.launch;
  std::memcpy(l.grid, config->grid, sizeof l.grid);
  std::memcpy(l.block, config->block, sizeof l.block);
  l.sharedBytes = config->sharedBytes;
  l.stream = config->stream;
  l.context = currentContext;
  l.function = function;
  l.programmatic = config->attributeCount == 1 && config->attributes[0].id == 6 &&
                   config->attributes[0].value[0] == 1;
  size_t end = 0;
  for (size_t i = 0; i < 16 && r.parameterBytes[i]; end += r.parameterBytes[i++])
    std::memcpy(l.parameters + end, parameters[i], r.parameterBytes[i]);
  return answer("cuLaunchKernelEx");
}
int cuEventCreate(void **event, unsigned) {
  *event = &theModule;
  return answer("cuEventCreate");
}
int cuEventDestroy_v2(void *) {
  return answer("cuEventDestroy");
}
int cuEventRecord(void *, void *) {
  return answer("cuEventRecord");
}
int cuEventSynchronize(void *) {
  if (hostMemory && std::getenv("FAKE_CUDA_HANGS"))
    hang();
  ++record().calls.synchronise;
  return answer("cuEventSynchronize");
}
int cuEventElapsedTime(float *ms, void *, void *) {
  *ms = 1;
  return answer("cuEventElapsedTime");
}
int cuStreamCreate(void **stream, unsigned) {
  *stream = &theStream;
  return answer("cuStreamCreate");
}
int cuStreamDestroy_v2(void *) {
  return answer("cuStreamDestroy");
}
int cuStreamBeginCapture_v2(void *, int) {
  return answer("cuStreamBeginCapture");
}
int cuStreamEndCapture(void *, void **graph) {
  *graph = &theGraph;
  return answer("cuStreamEndCapture");
}
int cuGraphInstantiateWithFlags(void **executable, void *, unsigned long long) {
  *executable = &theGraph;
  return answer("cuGraphInstantiate");
}
int cuGraphLaunch(void *, void *) {
  return answer("cuGraphLaunch");
}
int cuGraphDestroy(void *) {
  return answer("cuGraphDestroy");
}
int cuGraphExecDestroy(void *) {
  return answer("cuGraphExecDestroy");
}
int cuTensorMapEncodeTiled(void *map, int type, uint32_t rank, void *base, const uint64_t *dims,
                           const uint64_t *strides, const uint32_t *box, const uint32_t *, int,
                           int swizzle, int promotion, int) {
  count(record().calls.tensorMapEncode);
  const EncodedMap encoded{reinterpret_cast<uint64_t>(base),
                           rank,
                           {dims[0], dims[1]},
                           strides[0],
                           {box[0], box[1]},
                           uint64_t(swizzle),
                           uint64_t(promotion),
                           uint64_t(type)};
  std::memset(map, 0, 128);
  std::memcpy(map, &encoded, sizeof encoded);
  return answer("cuTensorMapEncodeTiled");
}
int cuGetErrorName(int result, const char **name) {
  *name = result == 2 ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_INVALID_VALUE";
  return 0;
}
int cuGetErrorString(int result, const char **text) {
  *text = result == 2 ? "out of memory" : "invalid argument";
  return 0;
}

} // extern "C"
