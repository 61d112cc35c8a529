#include "Host/HostMachine.h"

#include <cstring>

namespace sluice::host {
namespace {

/// Addresses of shared memory begin here; those of the cluster have 1 + the rank of a CTA above.
constexpr uint32_t firstAddress = 1024, rankBit = 24;

struct TogetherAgain final : Waiting {
  const Warp &warp;
  int64_t before;
  explicit TogetherAgain(const Warp &w) : warp(w), before(w.meetings) {}
  bool isOver() const override { return warp.meetings != before; }
  std::string text() const override { return "the other lanes of its warp"; }
};

struct Generation final : Waiting {
  const Meeting &meeting;
  int64_t wanted;
  std::string name;
  Generation(const Meeting &m, int64_t generation, std::string what)
      : meeting(m), wanted(generation), name(std::move(what)) {}
  bool isOver() const override { return meeting.generation >= wanted; }
  std::string text() const override {
    return name + ", where " + std::to_string(meeting.arrived) + " of " +
           std::to_string(meeting.threads) + " threads are";
  }
};

struct AtLeast final : Waiting {
  const int *counter;
  int value;
  AtLeast(const int *c, int v) : counter(c), value(v) {}
  bool isOver() const override { return *counter >= value; }
  std::string text() const override {
    return "a counter to be " + std::to_string(value) + ", which is " + std::to_string(*counter);
  }
};

} // namespace

void HostMachine::together(values::Together what, void *mine) {
  Warp &warp = grid_.warp();
  if (warp.come > 0 && warp.what != what)
    grid_.fail("the lanes of a warp come to different operations");
  warp.what = what;
  warp.given[size_t(grid_.running().number)] = mine;
  if (++warp.come < lanesOfWarp)
    return grid_.await(TogetherAgain(warp));
  warp.come = 0;
  what(warp.given.data());
  ++warp.meetings;
}

HostMachine::Place HostMachine::placeOf(uint32_t address) {
  if (!(address >> rankBit))
    return {&grid_.cta(), address};
  const uint32_t rank = (address >> rankBit) - 1;
  if (rank >= grid_.cluster().ctas.size())
    grid_.fail("an address of CTA " + std::to_string(rank) + ", which the cluster has not");
  return {&grid_.cluster().ctas[rank], address & ((1u << rankBit) - 1)};
}

std::byte *HostMachine::bytesAt(const Place &place, uint32_t bytes, uint32_t aligned) {
  const uint64_t size = place.cta->shared.size();
  if (place.address < firstAddress || uint64_t(place.address) + bytes > firstAddress + size)
    grid_.fail("bytes " + std::to_string(int64_t(place.address) - firstAddress) + " to " +
               std::to_string(int64_t(place.address) + bytes - firstAddress - 1) + " of " +
               std::to_string(size) + " of shared memory");
  if (place.address % aligned)
    grid_.fail("byte " + std::to_string(place.address - firstAddress) +
               " of shared memory is no multiple of " + std::to_string(aligned));
  return place.cta->shared.data() + (place.address - firstAddress);
}

void *HostMachine::shared(uint32_t address, uint32_t bytes) {
  if (address >> rankBit)
    grid_.fail("an address of the cluster where only the CTA's own are taken");
  return bytesAt({&grid_.cta(), address}, bytes, bytes);
}
void *HostMachine::sharedOfCluster(uint32_t address, uint32_t bytes) {
  return bytesAt(placeOf(address), bytes, bytes);
}
uint32_t HostMachine::addressInCluster(uint32_t address, uint32_t rank) {
  return (address & ((1u << rankBit) - 1)) | (rank + 1) << rankBit;
}

void HostMachine::checkGlobal(const void *at, uint64_t bytes, uint32_t aligned) {
  const auto *first = static_cast<const std::byte *>(at);
  if (!tensors_.has(first, bytes))
    grid_.fail("bytes outside of every tensor: " + tensors_.told(first, bytes));
  if (reinterpret_cast<uintptr_t>(at) % aligned)
    grid_.fail(tensors_.told(first, bytes) + " do not start at a multiple of " +
               std::to_string(aligned));
}

/// A response is its number, in words that nothing else writes.
constexpr int32_t responseMark[3] = {0x636c75, 0x737465, 0x7273};

void HostMachine::takeCluster(uint32_t response, uint32_t barrier, bool multicast) {
  if (grid_.cta().sawNone)
    grid_.fail("asks for a cluster although its CTA has seen that none is left");
  const auto number = static_cast<int32_t>(grid_.take());
  for (const Cta &cta : grid_.cluster().ctas) {
    if (!multicast && &cta != &grid_.cta())
      continue;
    const auto rank = uint32_t(cta.rank);
    std::byte *const to = bytesAt(placeOf(addressInCluster(response, rank)), 16, 16);
    std::memcpy(to, &number, sizeof number);
    std::memcpy(to + sizeof number, responseMark, sizeof responseMark);
    arrive(addressInCluster(barrier, rank), 0, -16);
  }
}

int HostMachine::queryCluster(uint32_t response) {
  const auto *from = static_cast<const std::byte *>(shared(response, 16));
  require(std::memcmp(from + 4, responseMark, sizeof responseMark) == 0,
          "what is asked for a cluster is no response");
  int32_t number = 0;
  std::memcpy(&number, from, sizeof number);
  grid_.cta().sawNone |= number < 0;
  return number;
}

void HostMachine::meet(int barrier, int threads, bool waits) {
  Meeting &meeting = grid_.cta().named[barrier];
  if (meeting.arrived > 0 && meeting.threads != threads)
    grid_.fail("barrier " + std::to_string(barrier) + " of " + std::to_string(threads) +
               " threads, others came for " + std::to_string(meeting.threads));
  meeting.threads = threads;
  const int64_t next = meeting.generation + 1;
  meeting.arrive();
  if (waits)
    grid_.await(Generation(meeting, next, "named barrier " + std::to_string(barrier)));
}

void HostMachine::arriveAtCluster() {
  grid_.cluster().meeting.arrive();
  ++grid_.running().clusterArrivals;
}
/// A thread arrives before it waits, so the phase it waits for is the number of its arrivals.
void HostMachine::awaitCluster() {
  grid_.await(Generation(grid_.cluster().meeting, grid_.running().clusterArrivals,
                         "the cluster's barrier"));
}

int HostMachine::add(int *counter, int value) {
  checkGlobal(counter, sizeof *counter, sizeof *counter);
  const int old = *counter;
  *counter = int(unsigned(old) + unsigned(value));
  return old;
}
void HostMachine::awaitCounter(const int *counter, int value) {
  checkGlobal(counter, sizeof *counter, sizeof *counter);
  grid_.await(AtLeast(counter, value));
}

} // namespace sluice::host
