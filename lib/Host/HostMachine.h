// What instructions do on the host: memory, barriers, copies and products of the lane that runs.
#pragma once

#include "Host/Grid.h"
#include "Host/TensorMemory.h"

namespace sluice::host {

struct Operand;

class HostMachine final : public values::Machine {
public:
  HostMachine(Grid &grid, const TensorMemory &tensors) : grid_(grid), tensors_(tensors) {}

  void together(values::Together what, void *mine) override;

  void *shared(uint32_t address, uint32_t bytes) override;
  void *sharedOfCluster(uint32_t address, uint32_t bytes) override;
  uint32_t addressInCluster(uint32_t address, uint32_t rank) override;
  int clusterRank() override { return grid_.cta().rank; }
  void require(bool holds, const char *otherwise) override {
    if (!holds)
      grid_.fail(otherwise);
  }
  void checkGlobal(const void *at, uint64_t bytes, uint32_t aligned) override;

  void initBarrier(uint32_t barrier, uint32_t count) override;
  void invalidateBarrier(uint32_t barrier) override;
  void arrive(uint32_t barrier, int64_t count, int64_t bytes) override;
  bool hasPassed(uint32_t barrier, uint32_t parity) override;
  void await(uint32_t barrier, uint32_t parity) override;

  void meet(int barrier, int threads, bool waits) override;
  void arriveAtCluster() override;
  void awaitCluster() override;
  int add(int *counter, int value) override;
  void awaitCounter(const int *counter, int value) override;

  void takeCluster(uint32_t response, uint32_t barrier, bool multicast) override;
  int queryCluster(uint32_t response) override;

  void loadBox(const TensorMap &map, const int *at, int rank, uint32_t to, uint32_t barrier,
               uint32_t mask) override;
  void prefetchBox(const TensorMap &map, const int *at, int rank) override;
  void storeBox(const TensorMap &map, const int *at, int rank, uint32_t from, bool add) override;
  void multiply(const values::Product *const *lanes) override;

  void allocateColumns(uint32_t address, uint32_t count) override;
  void freeColumns(uint32_t first, uint32_t count) override;
  uint32_t column(uint32_t address) override;
  void setColumn(uint32_t address, uint32_t word) override;
  void copyColumns(int rows, int ctas, int bits, uint32_t to, uint64_t from) override;
  void shiftColumns(int ctas, uint32_t columns) override;
  void multiplyColumns(const values::ColumnsProduct &product) override;

private:
  /// A place in shared memory: the CTA and the address in it.
  struct Place {
    Cta *cta;
    uint32_t address;
  };
  Place placeOf(uint32_t address);
  std::byte *bytesAt(const Place &place, uint32_t bytes, uint32_t aligned);
  void checkBox(const TensorMap &map, int rank, uint32_t shared);
  uint32_t &ownColumn(uint32_t address);
  /// The elements of a line of A or B that one instruction takes, in a CTA of the cluster.
  std::vector<float> lineOfShared(const Operand &o, uint32_t rank, uint32_t mn);
  std::vector<float> lineOfColumns(const values::ColumnsProduct &p, uint32_t rank, uint32_t lane);
  /// Rank of the first CTA that an instruction of `ctas` works in.
  uint32_t firstOf(uint32_t ctas);
  /// Factors of lines 0 to `count` in a CTA: the byte of each one's word that `number` says.
  std::vector<double> scales(Cta &cta, uint32_t address, uint32_t end, uint32_t count,
                             uint32_t number, uint32_t each, bool powers);
  /// The word of tensor memory at an address, which has to be allocated.
  uint32_t &columnAt(Cta &cta, uint32_t address);

  Grid &grid_;
  const TensorMemory &tensors_;
};

} // namespace sluice::host
