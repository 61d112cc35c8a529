// The embedded language: a kernel is a C++ function that moves and computes tiles. No MLIR here.
#pragma once

#include "Program/Types.h"

#include <memory>
#include <string>

namespace sluice {

/// A kernel in the compiler's representation; cheap to copy.
class Kernel {
public:
  struct State; // owns the MLIR context and module
  explicit Kernel(std::shared_ptr<State> state);

  const std::string &name() const;
  /// The target it is written for, if it names one.
  std::optional<Target> target() const;
  /// Written at the barrier level, operation by operation.
  bool byHand() const;
  /// As KernelBuilder::mutexes.
  void useMutexes();
  /// Its text in the dialect.
  std::string text() const;
  const std::shared_ptr<State> &state() const { return state_; }

private:
  std::shared_ptr<State> state_;
};

} // namespace sluice
