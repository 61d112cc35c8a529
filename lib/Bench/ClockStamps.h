// The clock of a GPU's SMs while it works: every SM counts its clocks and knows the time.
#pragma once

#include "Runtime/DeviceMemory.h"
#include "Runtime/Driver.h"

#include <optional>
#include <vector>

namespace sluice {

class ClockStamps {
public:
  /// Compiles and loads the kernel that reads the counters, for the current context.
  static Result<ClockStamps> create(int spans);
  ClockStamps(ClockStamps &&o) noexcept;
  ClockStamps &operator=(ClockStamps &&) = delete;
  ~ClockStamps();

  /// Puts a reading on the default stream, without waiting.
  std::optional<Error> begin(int span) const { return read(2 * span); }
  std::optional<Error> end(int span) const { return read(2 * span + 1); }
  /// Mean clock of the SMs in every span, in MHz; waits for the stream.
  Result<std::vector<double>> megahertz() const;

private:
  ClockStamps(CUmodule module, DeviceMemory readings, int spans, int multiprocessors)
      : module_(module), readings_(std::move(readings)), spans_(spans),
        multiprocessors_(multiprocessors) {}
  std::optional<Error> read(int reading) const;

  CUmodule module_;
  CUfunction function_ = nullptr;
  DeviceMemory readings_; // by reading and SM: clocks, nanoseconds
  int spans_, multiprocessors_;
};

} // namespace sluice
