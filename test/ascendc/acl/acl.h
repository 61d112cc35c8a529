// The part of aclrt that printed host programs call, with the names and types of the vendor's
// public documents; our own code. One device, whose memory is the host's (launch_model.cpp).
#pragma once

#include <cstddef>
#include <cstdint>

using aclError = int;
using aclrtStream = void *;
enum aclrtMemMallocPolicy { ACL_MEM_MALLOC_HUGE_FIRST };
enum aclrtMemcpyKind {
  ACL_MEMCPY_HOST_TO_HOST,
  ACL_MEMCPY_HOST_TO_DEVICE,
  ACL_MEMCPY_DEVICE_TO_HOST,
  ACL_MEMCPY_DEVICE_TO_DEVICE
};

extern "C" {
aclError aclInit(const char *configPath);
aclError aclFinalize();
aclError aclrtSetDevice(int32_t device);
aclError aclrtResetDevice(int32_t device);
aclError aclrtCreateStream(aclrtStream *stream);
aclError aclrtDestroyStream(aclrtStream stream);
aclError aclrtSynchronizeStream(aclrtStream stream);
const char *aclrtGetSocName();
aclError aclrtMalloc(void **device, size_t size, aclrtMemMallocPolicy policy);
aclError aclrtFree(void *device);
aclError aclrtMemcpy(void *to, size_t most, const void *from, size_t count, aclrtMemcpyKind kind);
}
