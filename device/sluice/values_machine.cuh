// The machine of value mode: with SLUICE_VALUES defined the host's compiler takes a printed kernel
// with the headers of a device, every lane of a warp runs as a fiber on bytes of its own, and what
// is one instruction on a device asks this machine. It has no header but the standard ones, and is
// carried out by lib/Host. What is asynchronous on a device has ended when it was started.
#pragma once

#include <cstdint>

namespace sluice {

/// What a launcher tells the copy engine of a tensor: cuTensorMapEncodeTiled.
struct alignas(64) TensorMap {
  const char *tensor; // its name
  unsigned char *address;
  uint64_t extents[5]; // elements, the contiguous dimension first
  uint64_t strides[5]; // bytes
  uint32_t box[5];     // elements
  int rank, elementBytes, swizzle;
  int packedBits; // of an element of the tensor, where 16 come into 16 bytes; else 0
  int element;    // of values::Element, where boxes are added
};

namespace values {

enum class Element : int { f32, f16, bf16, tf32, e4m3, e5m2, s8, i32, e2m1x2, e2m1, e2m3, e3m2 };

/// One wgmma as a lane of a warp issues it. PTX ISA "wgmma.mma_async".
struct Product {
  Element a, b;
  int n;
  bool transposedA, transposedB; // not K-major
  uint64_t descriptorA, descriptorB;
  const uint32_t *registersA; // four of the lane; null: A is in shared memory
  int accumulate;
  void *d; // n / 2 numbers of the lane, f32 or s32
};

/// One tcgen05.mma of one CTA or of a pair. PTX ISA "tcgen05.mma". `a`: a descriptor of shared
/// memory, or, where A lies in tensor memory, its address there.
struct ColumnsProduct {
  int kind; // Tcgen05Kind
  int ctas;
  uint32_t d, instruction;
  uint64_t a, b;
  bool accumulate, columnsOfA;
  uint32_t scalesA = 0, scalesB = 0; // with factors: where they lie in tensor memory
};

/// The lane that electLane() names. Not the first: what is right for one lane is right for any.
constexpr int electedLane = 5;

/// Done for all lanes of a warp when the last one has come; of each there is what it gave.
using Together = void (*)(void *const *lanes);

/// Of the lane that runs. What breaks a rule of the hardware (an address beside its unit, bytes
/// that are not there, an arrival too many) ends the run with a message.
class Machine {
public:
  virtual void together(Together what, void *mine) = 0;

  // `bytes` at an address of shared memory, a multiple of them: of the own CTA, and of the cluster.
  virtual void *shared(uint32_t address, uint32_t bytes) = 0;
  virtual void *sharedOfCluster(uint32_t address, uint32_t bytes) = 0;
  virtual uint32_t addressInCluster(uint32_t address, uint32_t rank) = 0;
  virtual int clusterRank() = 0;
  /// Ends the run where it does not hold.
  virtual void require(bool holds, const char *otherwise) = 0;
  /// The bytes belong to one tensor and start at a multiple of `aligned`.
  virtual void checkGlobal(const void *at, uint64_t bytes, uint32_t aligned) = 0;

  // mbarriers, by addresses of the CTA or of the cluster
  virtual void initBarrier(uint32_t barrier, uint32_t count) = 0;
  virtual void invalidateBarrier(uint32_t barrier) = 0;
  /// `bytes` are expected (positive) or have come (negative), then `count` arrive.
  virtual void arrive(uint32_t barrier, int64_t count, int64_t bytes) = 0;
  virtual bool hasPassed(uint32_t barrier, uint32_t parity) = 0;
  virtual void await(uint32_t barrier, uint32_t parity) = 0;

  // other barriers, counters
  virtual void meet(int barrier, int threads, bool waits) = 0;
  virtual void arriveAtCluster() = 0;
  virtual void awaitCluster() = 0;
  virtual int add(int *counter, int value) = 0; // what it held
  virtual void awaitCounter(const int *counter, int value) = 0;

  // clusters that have not begun (clusterlaunchcontrol)
  virtual void takeCluster(uint32_t response, uint32_t barrier, bool multicast) = 0;
  /// The number in the grid of its first CTA, x fastest; -1: there was none.
  virtual int queryCluster(uint32_t response) = 0;

  // copies and products
  virtual void loadBox(const TensorMap &map, const int *at, int rank, uint32_t to, uint32_t barrier,
                       uint32_t mask) = 0; // mask 0: to the CTA of `to` alone
  /// Brings nothing; what of it TMA would refuse of a load it refuses.
  virtual void prefetchBox(const TensorMap &map, const int *at, int rank) = 0;
  virtual void storeBox(const TensorMap &map, const int *at, int rank, uint32_t from, bool add) = 0;
  virtual void multiply(const Product *const *lanes) = 0;

  // tensor memory
  virtual void allocateColumns(uint32_t address, uint32_t count) = 0;
  virtual void freeColumns(uint32_t first, uint32_t count) = 0;
  /// What a lane of the warp reads at an address of its own.
  virtual uint32_t column(uint32_t address) = 0;
  virtual void setColumn(uint32_t address, uint32_t word) = 0;
  /// tcgen05.cp of `rows` (Tcgen05Rows), in one CTA or in both of a pair, from a descriptor of
  /// shared memory; numbers of 4 or 6 `bits` get a byte each.
  virtual void copyColumns(int rows, int ctas, int bits, uint32_t to, uint64_t from) = 0;
  /// tcgen05.shift.down of 8 columns of 32 lanes.
  virtual void shiftColumns(int ctas, uint32_t columns) = 0;
  virtual void multiplyColumns(const ColumnsProduct &product) = 0;

protected:
  ~Machine() = default;
};

struct Index {
  unsigned x = 0, y = 0, z = 0;
};

/// What a compiled kernel shows: `sluiceKernel`.
struct Kernel {
  void (*call)(void **parameters);
  Index *block, *thread, *grid, *blockExtents;
  Machine **machine;
};

} // namespace values
} // namespace sluice
