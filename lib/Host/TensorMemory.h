// Tensors of a run on the host: memory that a process shares with its child, each between margins
// that nobody may touch.
#pragma once

#include "Launch/LaunchPlan.h"
#include "Support/HostTensor.h"
#include "Support/Result.h"

#include <cstddef>
#include <string>
#include <vector>

namespace sluice::host {

class TensorMemory {
public:
  /// Copies in what the kernel reads; the rest, and the margins, are bytes of 255 (NaN in every
  /// floating-point type), counters of a workspace zero.
  static Result<TensorMemory> make(const LaunchPlan &plan, const std::vector<HostTensor> &tensors);
  TensorMemory(TensorMemory &&o) noexcept;
  TensorMemory &operator=(TensorMemory &&) = delete;
  ~TensorMemory();

  std::byte *address(size_t tensor) const { return parts_[tensor].begin; }
  bool has(const std::byte *at, uint64_t bytes) const;
  /// "bytes 16 to 31 behind the end of C", or "of C".
  std::string told(const std::byte *at, uint64_t bytes) const;

  /// Room for a message of the child.
  char *message() const { return reinterpret_cast<char *>(memory_); }
  static constexpr size_t messageBytes = 4096;

  /// Copies outputs out. An error where a margin, or a tensor that is only read, has changed.
  std::optional<Error> copyOut(const LaunchPlan &plan, std::vector<HostTensor> &tensors) const;

private:
  struct Part {
    std::string name;
    std::byte *begin;
    size_t bytes;
  };
  TensorMemory() = default;
  std::optional<Error> checkMargins() const;

  std::byte *memory_ = nullptr;
  size_t bytes_ = 0;
  std::vector<Part> parts_;
};

} // namespace sluice::host
