// A printed kernel and aclrt on the model: -DKERNEL=gemm -DKERNEL_FILE="gemm.cpp" (quoted). A
// launch takes place at once, in an order of the pipes of its own.
#include KERNEL_FILE

#include <acl/acl.h>

#include "run.h"

#include <cstdio>
#include <cstdlib>

namespace {

std::vector<ascendc::Region> allocated;
unsigned launches = 0;
int streams = 0;

template <typename P> P unpacked(int64_t x) {
  if constexpr (std::is_pointer_v<P>) {
    return reinterpret_cast<P>(x);
  } else if constexpr (std::is_same_v<P, float>) {
    return ascendc::floatOf(uint32_t(x));
  } else {
    ascendc::require(int64_t(P(x)) == x, "a parameter is cut off");
    return P(x);
  }
}
template <typename... P, size_t... i>
void call(void (*kernel)(P...), const int64_t *parameters, std::index_sequence<i...>) {
  kernel(unpacked<P>(parameters[i])...);
}
template <typename... P> size_t countOf(void (*)(P...)) {
  return sizeof...(P);
}
template <typename... P> void callWith(void (*kernel)(P...), const int64_t *parameters) {
  call(kernel, parameters, std::index_sequence_for<P...>());
}

bool isAllocated(const void *at, size_t bytes) {
  const auto *begin = static_cast<const uint8_t *>(at);
  for (const ascendc::Region &r : allocated)
    if (begin >= r.begin && begin + bytes <= r.end)
      return true;
  return false;
}
uint32_t told(const char *message) {
  if (*message)
    std::fprintf(stderr, "%s\n", message);
  return *message ? 1 : 0;
}

} // namespace

void callKernel(int, const int64_t *parameters) {
  callWith(KERNEL, parameters);
}

extern "C" {

uint32_t modelLaunch(uint32_t blocks, const int64_t *parameters, size_t count) {
  using namespace ascendc;
  if (count != countOf(KERNEL) || streams == 0)
    return told(streams ? "the kernel has other parameters" : "there is no stream");
  ascendc::call().asksForKind = true;
  callKernel(0, parameters);
  const bool halves = ascendc::call().kind == vectors; // two blocks for each of the grid
  if (halves && blocks % 2)
    return told("vector cores alone come in pairs");
  const Launched launched{
      0, halves ? blocks / 2 : blocks, parameters, allocated.data(), int(allocated.size()), nullptr,
      0};
  if (const uint32_t failed = told(ascendRecord(&launched)))
    return failed;
  return told(ascendPlay(launches++));
}

aclError aclInit(const char *) {
  return 0;
}
aclError aclFinalize() {
  return 0;
}
aclError aclrtSetDevice(int32_t device) {
  return device != 0;
}
aclError aclrtResetDevice(int32_t device) {
  return device != 0;
}
aclError aclrtCreateStream(aclrtStream *stream) {
  *stream = &streams;
  return ++streams, 0;
}
aclError aclrtDestroyStream(aclrtStream stream) {
  --streams;
  return stream != &streams;
}
aclError aclrtSynchronizeStream(aclrtStream stream) {
  return stream != &streams;
}
const char *aclrtGetSocName() {
  return "our model of Ascend910B";
}
aclError aclrtMalloc(void **device, size_t size, aclrtMemMallocPolicy) {
  auto *memory = static_cast<uint8_t *>(std::malloc(size));
  std::memset(memory, 0xff, size); // not initialised: no numbers
  allocated.push_back({memory, memory + size});
  *device = memory;
  return 0;
}
aclError aclrtFree(void *device) {
  const auto at = std::find_if(allocated.begin(), allocated.end(),
                               [&](const ascendc::Region &r) { return r.begin == device; });
  if (at == allocated.end())
    return 1;
  allocated.erase(at);
  std::free(device);
  return 0;
}
aclError aclrtMemcpy(void *to, size_t most, const void *from, size_t count, aclrtMemcpyKind kind) {
  const void *device = kind == ACL_MEMCPY_HOST_TO_DEVICE ? to : from;
  if (count > most || !isAllocated(device, count))
    return 1;
  std::memcpy(to, from, count);
  return 0;
}
}
