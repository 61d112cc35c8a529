// What the operations of a Hopper SM cost, in clocks of the SM (%clock64). Written with the headers
// of device/, as a person would; micro.cpp launches them and says what each means.
#include <sluice/device.cuh>

using namespace sluice;

namespace {

__device__ __forceinline__ u64 now() {
  u64 t;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
  return t;
}

constexpr int most = 16; // mbarriers of a ring

/// Count 1 each, but the second half: `empties`.
__device__ __forceinline__ void initialise(u32 barriers, int empties) {
  if (threadIdx.x == 0) {
    for (int i = 0; i < 2 * most; ++i)
      mbarrierInit(barriers + 8 * i, i < most ? 1 : empties);
    fenceMbarrierInit();
  }
  __syncthreads();
}

extern __shared__ __align__(1024) unsigned char memory[];

} // namespace

/// One box at a time: out[i] from the announcement of its bytes to the return of the wait.
extern "C" __global__ void tmaLatency(const __grid_constant__ TensorMap map, u64 *out, int bytes,
                                      int step, int count) {
  __shared__ u64 words[2 * most];
  const u32 to = sharedAddress(memory), barrier = sharedAddress(words);
  initialise(barrier, 1);
  if (threadIdx.x != 0)
    return;
  for (int i = 0; i < count; ++i) {
    const u64 begin = now();
    mbarrierArriveExpectTx(barrier, bytes);
    tmaLoadBox(to, map, barrier, 0, i * step);
    mbarrierWait(barrier, i & 1);
    out[i] = now() - begin;
  }
}

/// From the first instruction of a CTA to the end of its first load: tensor map and code are cold.
extern "C" __global__ void firstLoad(const __grid_constant__ TensorMap map, u64 *out, int bytes,
                                     int step) {
  const u64 begin = now();
  __shared__ u64 words[2 * most];
  const u32 to = sharedAddress(memory), barrier = sharedAddress(words);
  if (threadIdx.x == 0)
    tmaPrefetch(map);
  initialise(barrier, 1);
  if (threadIdx.x != 0)
    return;
  mbarrierArriveExpectTx(barrier, bytes);
  tmaLoadBox(to, map, barrier, 0, int(blockIdx.x) * step);
  mbarrierWait(barrier, 0);
  out[blockIdx.x] = now() - begin;
}

/// What the issuing thread pays: out[0] for `count` arrivals that announce bytes, out[1] for the
/// loads that bring them, out[2] for waits on a phase that is over; the boxes are of `bytes`.
extern "C" __global__ void issues(const __grid_constant__ TensorMap map, u64 *out, int bytes,
                                  int count) {
  __shared__ u64 words[2 * most];
  const u32 to = sharedAddress(memory), barriers = sharedAddress(words);
  initialise(barriers, 1);
  if (threadIdx.x != 0)
    return;
  const u64 begin = now();
  for (int i = 0; i < count; ++i)
    mbarrierArriveExpectTx(barriers + 8 * i, bytes);
  const u64 announced = now();
  for (int i = 0; i < count; ++i)
    tmaLoadBox(to, map, barriers + 8 * i, 0, 0);
  const u64 issued = now();
  for (int i = 0; i < count; ++i)
    mbarrierWait(barriers + 8 * i, 0);
  const u64 ended = now();
  for (int i = 0; i < count; ++i)
    mbarrierWait(barriers + 8 * i, 0);
  out[0] = announced - begin;
  out[1] = issued - announced;
  out[2] = now() - ended;
}

namespace {

/// Round and round over the rows of a part, without a division.
struct Walk {
  int begin, end, step, at;
  __device__ __forceinline__ int next() {
    const int here = at;
    at = at + step < end ? at + step : begin;
    return here;
  }
};

/// The next slot of a ring.
struct Turn {
  int slot = 0, phase = 0;
  __device__ __forceinline__ void advance(int depth) {
    if (++slot == depth) {
      slot = 0;
      phase ^= 1;
    }
  }
};

} // namespace

/// `count` boxes of `bytes` and `step` rows through a ring of `depth` slots. CTA c goes round and
/// round over `rows` rows from (c % parts) rows on. out[c]: clocks of the whole.
extern "C" __global__ void tmaStream(const __grid_constant__ TensorMap map, u64 *out, int bytes,
                                     int step, int count, int depth, int rows, int parts) {
  __shared__ u64 words[2 * most];
  const u32 to = sharedAddress(memory), full = sharedAddress(words);
  initialise(full, 1);
  if (threadIdx.x != 0)
    return;
  const int first = int(blockIdx.x) % parts * rows;
  Walk walk{first, first + rows, step, first};
  Turn issued, seen;
  const u64 begin = now();
  for (int i = 0; i < count + depth; ++i) {
    if (i >= depth) {
      mbarrierWait(full + 8 * seen.slot, seen.phase);
      seen.advance(depth);
    }
    if (i < count) {
      mbarrierArriveExpectTx(full + 8 * issued.slot, bytes);
      tmaLoadBox(to + issued.slot * bytes, map, full + 8 * issued.slot, 0, walk.next());
      issued.advance(depth);
    }
  }
  out[blockIdx.x] = now() - begin;
}

/// The same by clusters of `ctas`: each CTA loads its part of a box and multicasts it to all. Every
/// CTA receives `count` whole boxes of `bytes`; every cluster reads the same rows.
extern "C" __global__ void tmaMulticastStream(const __grid_constant__ TensorMap map, u64 *out,
                                              int bytes, int step, int count, int depth, int rows,
                                              int ctas) {
  __shared__ u64 words[2 * most];
  const u32 to = sharedAddress(memory), full = sharedAddress(words), empty = full + 8 * most;
  const int rank = clusterRank();
  initialise(full, ctas);
  clusterArrive();
  clusterWait();
  if (threadIdx.x == 0) {
    const int part = bytes / ctas, own = rank * (step / ctas);
    Walk walk{own, own + rows, step, own};
    Turn issued, seen;
    const u64 begin = now();
    for (int i = 0; i < count + depth; ++i) {
      if (i >= depth) {
        mbarrierWait(full + 8 * seen.slot, seen.phase);
        for (int peer = 0; peer < ctas; ++peer)
          mbarrierArriveRemote(empty + 8 * seen.slot, peer);
        mbarrierWait(empty + 8 * seen.slot, seen.phase);
        seen.advance(depth);
      }
      if (i < count) {
        mbarrierArriveExpectTx(full + 8 * issued.slot, bytes);
        tmaMulticastBox(u16((1 << ctas) - 1), to + issued.slot * bytes + rank * part, map,
                        full + 8 * issued.slot, 0, walk.next());
        issued.advance(depth);
      }
    }
    out[blockIdx.x] = now() - begin;
  }
  clusterArrive();
  clusterWait();
}

/// One box at a time: out[2 i] until its source may be written, out[2 i + 1] until it has arrived.
extern "C" __global__ void tmaStoreLatency(const __grid_constant__ TensorMap map, u64 *out,
                                           int step, int count) {
  const u32 from = sharedAddress(memory);
  if (threadIdx.x != 0)
    return;
  for (int i = 0; i < count; ++i) {
    const u64 begin = now();
    tmaStoreBox(map, from, 0, i * step);
    bulkCommit();
    bulkWaitRead<0>();
    out[2 * i] = now() - begin;
    bulkWait<0>();
    out[2 * i + 1] = now() - begin;
  }
}

/// Boxes one after the other, at most 4 groups under way; each CTA over `rows` rows of its own.
extern "C" __global__ void tmaStoreStream(const __grid_constant__ TensorMap map, u64 *out, int step,
                                          int count, int rows) {
  const u32 from = sharedAddress(memory);
  if (threadIdx.x != 0)
    return;
  const int first = int(blockIdx.x) * rows;
  Walk walk{first, first + rows, step, first};
  const u64 begin = now();
  for (int i = 0; i < count; ++i) {
    tmaStoreBox(map, from, 0, walk.next());
    bulkCommit();
    bulkWaitRead<4>();
  }
  bulkWait<0>();
  out[blockIdx.x] = now() - begin;
}

namespace {

/// `count` groups of `group` products of m64nNk16, `pending` groups under way; out: clocks of all,
/// by each warpgroup.
template <int N, bool inRegisters, int group, int pending>
__device__ void products(u64 *out, int count) {
  const u32 base = sharedAddress(memory);
  const u32 start = (base >> 4 & 0x3fff) | 1u << 16;
  const u64 high = u64(8 * 128 / 16 | 1u << 30) << 32;
  const u64 a = high | start, b = high | (start + 16384 / 16);
  Fragment<float, N, 1> d;
  u32 fragment[4] = {0x3c003800u, 0x38003c00u, 0xb8003c00u, 0x3c00b800u};
  for (int i = 0; i < N / 2; ++i)
    d.v[i] = 0;
  for (unsigned i = threadIdx.x; i < 49152 / 4; i += blockDim.x)
    reinterpret_cast<u32 *>(memory)[i] = (i * 2654435761u & 0x83ff83ffu) | 0x38003800u;
  fenceProxyAsync();
  __syncthreads();
  const u64 begin = now();
  for (int i = 0; i < count; ++i) {
    wgmmaFence(d);
#pragma unroll
    for (int k = 0; k < group; ++k) {
      if constexpr (inRegisters)
        WgmmaShape<N>::template rs<f16, 0>(d.v, fragment, b + 2 * (k % 4), 1);
      else
        WgmmaShape<N>::template ss<f16, f16, 0, 0>(d.v, a + 2 * (k % 4), b + 2 * (k % 4), 1);
    }
    wgmmaCommit();
    wgmmaWait<pending>(d);
  }
  wgmmaWait<0>(d);
  const u64 end = now();
  float sum = 0;
  for (int i = 0; i < N / 2; ++i)
    sum += d.v[i];
  if (threadIdx.x % 128 == 0)
    out[threadIdx.x / 128] = end - begin;
  if (sum == 1.2345f) // never: keeps the products
    out[0] = 0;
}

} // namespace

#define PRODUCTS(N)                                                                                \
  extern "C" __global__ void products##N(u64 *out, int count) {                                    \
    products<N, false, 4, 1>(out, count);                                                          \
  }                                                                                                \
  extern "C" __global__ void productsOfRegisters##N(u64 *out, int count) {                         \
    products<N, true, 4, 1>(out, count);                                                           \
  }                                                                                                \
  extern "C" __global__ void singleProducts##N(u64 *out, int count) {                              \
    products<N, false, 1, 0>(out, count);                                                          \
  }
PRODUCTS(8)
PRODUCTS(32)
PRODUCTS(64)
PRODUCTS(128)
PRODUCTS(192)
PRODUCTS(256)

/// Two warps, of one CTA or of the two CTAs of a cluster, hand a turn to and fro.
extern "C" __global__ void mbarrierTurns(u64 *out, int count, int remote) {
  __shared__ u64 words[2 * most];
  const u32 barriers = sharedAddress(words);
  initialise(barriers, 1);
  clusterArrive();
  clusterWait();
  const int warp = warpOfCta(), rank = clusterRank();
  const int me = remote ? rank : warp;
  if (remote ? warp == 0 : (rank == 0 && warp < 2)) {
    const u64 begin = now();
    for (int i = 0; i < count; ++i) {
      if (me == 1)
        mbarrierWait(barriers, i & 1);
      if (laneOfWarp() == 0) {
        if (remote)
          mbarrierArriveRemote(barriers + 8 * (me == 0 ? 0 : 1), 1 - rank);
        else
          mbarrierArrive(barriers + 8 * (me == 0 ? 0 : 1));
      }
      __syncwarp();
      if (me == 0)
        mbarrierWait(barriers + 8, i & 1);
    }
    if (me == 0 && laneOfWarp() == 0)
      *out = now() - begin;
  }
  clusterArrive();
  clusterWait();
}

/// All threads of the CTA meet `count` times.
extern "C" __global__ void namedBarriers(u64 *out, int count) {
  const u64 begin = now();
  for (int i = 0; i < count; ++i)
    namedBarrierSync(1, int(blockDim.x));
  if (threadIdx.x == 0)
    *out = now() - begin;
}

/// The two CTAs of a cluster meet `count` times.
extern "C" __global__ void clusterBarriers(u64 *out, int count) {
  const u64 begin = now();
  for (int i = 0; i < count; ++i) {
    clusterArrive();
    clusterWait();
  }
  if (threadIdx.x == 0 && clusterRank() == 0)
    *out = now() - begin;
}

/// Every warp writes matrices of 8 x 8, four at a time, without bank conflicts.
extern "C" __global__ void matrixStores(u64 *out, int count) {
  const u32 to = sharedAddress(memory) + (threadIdx.x / 32) * 2048 + laneOfWarp() * 16;
  __syncthreads();
  const u64 begin = now();
  for (int i = 0; i < count; ++i)
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                     to + (i & 3) * 512),
                 "r"(i), "r"(i + 1), "r"(i + 2), "r"(i + 3)
                 : "memory");
  __syncthreads();
  if (threadIdx.x == 0)
    *out = now() - begin;
}

/// Copies of `bytes` into the peer's shared memory and back, one at a time: out: clocks of `count`
/// rounds.
extern "C" __global__ void peerCopies(u64 *out, int bytes, int count) {
  __shared__ u64 words[2 * most];
  const u32 data = sharedAddress(memory), barrier = sharedAddress(words);
  const int rank = clusterRank();
  initialise(barrier, 1);
  clusterArrive();
  clusterWait();
  if (threadIdx.x == 0) {
    const u32 toPeer = addressInCluster(data + 65536, 1 - rank);
    const u32 barrierOfPeer = addressInCluster(barrier, 1 - rank);
    const u64 begin = now();
    for (int i = 0; i < count; ++i) {
      mbarrierArriveExpectTx(barrier, bytes);
      if (rank == 0)
        bulkCopyToPeer(toPeer, data, bytes, barrierOfPeer);
      mbarrierWait(barrier, i & 1);
      if (rank == 1)
        bulkCopyToPeer(toPeer, data, bytes, barrierOfPeer);
    }
    if (rank == 0)
      *out = now() - begin;
  }
  clusterArrive();
  clusterWait();
}

/// A chain of loads, each at the address that the one before gave.
extern "C" __global__ void chase(const u64 *from, u64 *out, int count) {
  const u64 *at = from;
  const u64 begin = now();
  for (int i = 0; i < count; ++i)
    asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(at) : "l"(at) : "memory");
  *out = now() - begin;
  if (at == nullptr)
    *out = 0;
}

/// For what passes between kernels: each CTA takes `ns`, and lets the next kernel start early.
extern "C" __global__ void spin(u64 *out, int ns) {
  u64 begin, t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin)::"memory");
  launchDependents();
  waitForPreviousKernel();
  do
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
  while (t < begin + ns);
  if (out == nullptr)
    memory[threadIdx.x] = 0;
}
