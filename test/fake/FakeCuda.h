// A CUDA driver for tests without a GPU: two devices that run nothing, and a record of the calls.
// The library's name is that of the real driver, so that what looks for that finds this.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fake_cuda {

struct Calls {
  int moduleLoad = 0, moduleUnload = 0, tensorMapEncode = 0, launch = 0, memoryAllocate = 0;
  int synchronise = 0, contextPush = 0, contextPop = 0, contextRetain = 0;
};

/// What one launch was given; parameters are copied one after the other, by parameterBytes.
struct Launch {
  unsigned grid[3], block[3], sharedBytes;
  void *stream, *context, *function;
  bool programmatic; // stream serialization
  unsigned char parameters[4096];
};

struct Record {
  Calls calls;
  Launch launch{};
  int sharedBytesAllowed = 0, nonPortableClusters = 0; // function attributes
  size_t parameterBytes[16] = {};                      // set by the test; 0 ends the list
  const char *failing = nullptr;                       // this call fails ...
  int failure = 0;                                     // ... with this CUresult
  int capability = 90;
};

Record &record();
void *context(int device);      // its primary context
void setCurrent(void *context); // of this thread
void *current();

/// What the fake writes into the 128 bytes of a tensor map.
struct EncodedMap {
  uint64_t address, rank, extents[2], stride, box[2], swizzle, promotion, type;
};

} // namespace fake_cuda
