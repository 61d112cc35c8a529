// One box by the copy engine, for tma.cpp: what lies in shared memory behind a load, and what a
// store leaves in global memory.
#include <sluice/device.cuh>

using namespace sluice;

extern __shared__ __align__(1024) unsigned char memory[];

/// out = shared memory behind the load of a box at (c0, c1).
extern "C" __global__ void loadBox(const __grid_constant__ TensorMap map, u32 *out, int bytes,
                                   int c0, int c1) {
  __shared__ u64 word;
  const u32 to = sharedAddress(memory), barrier = sharedAddress(&word);
  if (threadIdx.x == 0) {
    mbarrierInit(barrier, 1);
    fenceMbarrierInit();
    mbarrierArriveExpectTx(barrier, bytes);
    tmaLoadBox(to, map, barrier, c0, c1);
  }
  __syncthreads();
  mbarrierWait(barrier, 0);
  for (int i = int(threadIdx.x); i < bytes / 4; i += int(blockDim.x))
    out[i] = reinterpret_cast<const u32 *>(memory)[i];
}

/// A box of bytes 0, 1, 2 ... in shared memory to (c0, c1).
extern "C" __global__ void storeBox(const __grid_constant__ TensorMap map, int bytes, int c0,
                                    int c1) {
  for (int i = int(threadIdx.x); i < bytes; i += int(blockDim.x))
    memory[i] = static_cast<unsigned char>(i % 251);
  fenceProxyAsync();
  __syncthreads();
  if (threadIdx.x != 0)
    return;
  tmaStoreBox(map, sharedAddress(memory), c0, c1);
  bulkCommit();
  bulkWait<0>();
}
