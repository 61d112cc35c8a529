// Stands for the header aclrtlaunch_KERNEL.h that the toolchain makes of a kernel: its call on the
// model, of the one kernel of the program.
#pragma once

#include <acl/acl.h>

#include <cstring>
#include <vector>

/// Parameters as numbers of 64 bits, in the order of the signature.
extern "C" uint32_t modelLaunch(uint32_t blocks, const int64_t *parameters, size_t count);

struct ModelLauncher {
  static int64_t packed(void *p) { return reinterpret_cast<int64_t>(p); }
  static int64_t packed(long long x) { return x; }
  static int64_t packed(int x) { return x; }
  static int64_t packed(float x) {
    int32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
  }
  template <typename... P>
  uint32_t operator()(uint32_t blocks, aclrtStream, P... parameters) const {
    const std::vector<int64_t> all = {packed(parameters)...};
    return modelLaunch(blocks, all.data(), all.size());
  }
};
#define ACLRT_LAUNCH_KERNEL(kernel)                                                                \
  ModelLauncher {}
