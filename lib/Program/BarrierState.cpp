#include "Program/BarrierState.h"

namespace sluice {

using Outcome = MbarrierState::Outcome;

Outcome MbarrierState::init(int64_t count) {
  if (count < 1 || count > maxCount)
    return Outcome::badCount;
  bool again = valid_;
  *this = {};
  valid_ = true;
  expected_ = pending_ = count;
  return again ? Outcome::alreadyValid : Outcome::ok;
}

Outcome MbarrierState::inval() {
  bool was = valid_;
  valid_ = false;
  return was ? Outcome::ok : Outcome::notInitialised;
}

Outcome MbarrierState::settle() {
  if (tx_ > maxCount || tx_ < -maxCount)
    return Outcome::txRange;
  if (pending_ != 0 || tx_ != 0)
    return Outcome::ok;
  ++phase_;
  pending_ = expected_;
  announced_ = 0;
  return Outcome::completed;
}

Outcome MbarrierState::arrive(int64_t count) {
  if (!valid_)
    return Outcome::notInitialised;
  if (count > pending_)
    return Outcome::overArrival;
  pending_ -= count;
  return settle();
}

Outcome MbarrierState::expectTx(int64_t bytes) {
  if (!valid_)
    return Outcome::notInitialised;
  if (bytes < 0 || bytes > maxCount)
    return Outcome::txRange;
  tx_ += bytes;
  announced_ += bytes;
  return tx_ > maxCount ? Outcome::txRange : Outcome::ok;
}

Outcome MbarrierState::arriveExpectTx(int64_t bytes, int64_t count) {
  const Outcome announced = expectTx(bytes);
  return announced == Outcome::ok ? arrive(count) : announced;
}

Outcome MbarrierState::completeTx(int64_t bytes) {
  if (!valid_)
    return Outcome::notInitialised;
  tx_ -= bytes;
  return settle();
}

std::string MbarrierState::str() const {
  if (!valid_)
    return "not initialised";
  return "phase " + std::to_string(phase_) + ", arrivals " + std::to_string(expected_ - pending_) +
         " of " + std::to_string(expected_) + ", bytes " + std::to_string(announced_ - tx_) +
         " of " + std::to_string(announced_);
}

std::string describe(Outcome outcome) {
  switch (outcome) {
  case Outcome::overArrival:
    return "more arrivals than the phase expects";
  case Outcome::txRange:
    return "what it announces is negative, or the tx-count leaves its range of +-(2^20 - 1) bytes";
  case Outcome::notInitialised:
    return "the barrier is not initialised";
  case Outcome::alreadyValid:
    return "the barrier is initialised again without mbarrier.inval";
  case Outcome::badCount:
    return "the arrival count is not in 1 .. 2^20 - 1";
  default:
    return "no fault";
  }
}

} // namespace sluice
