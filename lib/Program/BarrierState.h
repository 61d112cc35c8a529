// State machines of the synchronisation objects, shared by the virtual machine and the checker.
#pragma once

#include <cstdint>
#include <string>

namespace sluice {

/// An mbarrier object (PTX ISA, "mbarrier"): phase, pending arrivals, signed tx-count.
class MbarrierState {
public:
  /// Layout v0 of the object: counts up to 2^20 - 1, tx-count within +-(2^20 - 1).
  static constexpr int64_t maxCount = (1 << 20) - 1;

  enum class Outcome : uint8_t {
    ok,
    completed,   // this operation ended the phase
    overArrival, // more arrivals than the phase still expects
    txRange,     // what is announced is negative, or the tx-count left its range
    notInitialised,
    alreadyValid, // init without inval
    badCount,
  };

  Outcome init(int64_t count);
  Outcome inval();
  Outcome arrive(int64_t count = 1);
  /// What several threads announce, of which each announces `bytes`. What is no operand of one
  /// (PTX ISA, expect-tx: 0 to 2^20 - 1) stays none.
  static int64_t announcedBy(int64_t threads, int64_t bytes) {
    return bytes < 0 || bytes > maxCount ? bytes : bytes * threads;
  }
  /// Raises the tx-count and no more: a phase is completed by arrivals and by bytes that end (PTX
  /// ISA, arrive-on, complete-tx and expect-tx operations). Where all arrivals and exactly these
  /// bytes have come already, it stays as it is.
  Outcome expectTx(int64_t bytes);
  /// expect_tx before the arrivals, as one operation.
  Outcome arriveExpectTx(int64_t bytes, int64_t count = 1);
  Outcome completeTx(int64_t bytes);

  /// try_wait.parity: true when the phase with that parity is the completed, preceding one.
  bool passes(int64_t parity) const { return valid_ && (phase_ & 1) != (parity & 1); }

  bool valid() const { return valid_; }
  int64_t phase() const { return phase_; } // number of completed phases
  int64_t expected() const { return expected_; }
  int64_t pending() const { return pending_; }
  int64_t tx() const { return tx_; }
  /// Bytes announced in this phase.
  int64_t announced() const { return announced_; }
  /// "phase 4, arrivals 0 of 1, bytes 0 of 32768"
  std::string str() const;

private:
  Outcome settle();

  bool valid_ = false;
  int64_t phase_ = 0, expected_ = 0, pending_ = 0, tx_ = 0, announced_ = 0;
};

std::string describe(MbarrierState::Outcome outcome);

/// An Ascend event flag (source pipe, destination pipe, id): one bit.
class FlagState {
public:
  /// False: the flag was set already.
  bool set() { return !set_ && (set_ = true); }
  bool passes() const { return set_; }
  void take() { set_ = false; }

private:
  bool set_ = false;
};

/// An Ascend cross-core flag: a counting semaphore that starts at 0.
class CrossFlagState {
public:
  static constexpr int64_t maxCount = 15; // sets not waited for; above it the system freezes

  /// False: more than maxCount sets are outstanding.
  bool set() { return ++count_ <= maxCount; }
  bool passes() const { return count_ > 0; }
  void take() { --count_; }
  int64_t count() const { return count_; }

private:
  int64_t count_ = 0;
};

} // namespace sluice
