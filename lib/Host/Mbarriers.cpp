// mbarriers on the host: eight bytes of shared memory each, so that who writes there breaks them.
#include "Host/HostMachine.h"

#include <bit>
#include <cstring>

namespace sluice::host {
namespace {

/// The state of a barrier as its word holds it. Memory that nobody initialised says a count that
/// no barrier has.
struct State {
  uint64_t phase : 1, expected : 20, pending : 20;
  int64_t bytes : 23;

  bool isOne() const { return expected != (1u << 20) - 1 && expected > 0; }
  void settle() {
    if (pending == 0 && bytes == 0) {
      pending = expected;
      phase = !phase;
    }
  }
};
static_assert(sizeof(State) == 8);

constexpr int64_t mostBytes = (1 << 20) - 1; // PTX ISA "mbarrier": of the tx-count

State load(const std::byte *word) {
  State state;
  std::memcpy(&state, word, sizeof state);
  return state;
}

std::string nameOf(uint32_t address) {
  return "the mbarrier at byte " + std::to_string(address - 1024) + " of shared memory";
}

struct Phase final : Waiting {
  const std::byte *word;
  uint32_t address, parity;
  Phase(const std::byte *w, uint32_t a, uint32_t p) : word(w), address(a), parity(p) {}
  bool isOver() const override { return load(word).phase != parity; }
  std::string text() const override {
    const State s = load(word);
    return "parity " + std::to_string(parity) + " of " + nameOf(address) + ", which misses " +
           std::to_string(int64_t(s.pending)) + " of " + std::to_string(int64_t(s.expected)) +
           " arrivals and " + std::to_string(int64_t(s.bytes)) + " bytes";
  }
};

} // namespace

void HostMachine::initBarrier(uint32_t barrier, uint32_t count) {
  const State state{0, count, count, 0};
  std::memcpy(shared(barrier, 8), &state, sizeof state);
}

void HostMachine::invalidateBarrier(uint32_t barrier) {
  std::memset(shared(barrier, 8), 0xff, 8);
}

void HostMachine::arrive(uint32_t barrier, int64_t count, int64_t bytes) {
  const Place place = placeOf(barrier);
  std::byte *const word = bytesAt(place, 8, 8);
  State state = load(word);
  if (!state.isOne())
    grid_.fail("there is no mbarrier at byte " + std::to_string(place.address - 1024));
  if (count > int64_t(state.pending))
    grid_.fail("more arrivals than the " + std::to_string(int64_t(state.expected)) + " of " +
               nameOf(place.address));
  if (std::abs(state.bytes + bytes) > mostBytes)
    grid_.fail("more bytes than an mbarrier counts at " + nameOf(place.address));
  state.bytes += bytes;
  state.pending -= uint64_t(count);
  state.settle();
  std::memcpy(word, &state, sizeof state);
}

bool HostMachine::hasPassed(uint32_t barrier, uint32_t parity) {
  const auto *word = static_cast<const std::byte *>(shared(barrier, 8));
  if (!load(word).isOne())
    grid_.fail("there is no mbarrier at byte " + std::to_string(barrier - 1024));
  return load(word).phase != (parity & 1);
}

void HostMachine::await(uint32_t barrier, uint32_t parity) {
  if (!hasPassed(barrier, parity))
    grid_.await(Phase(static_cast<const std::byte *>(shared(barrier, 8)), barrier, parity & 1));
}

} // namespace sluice::host
