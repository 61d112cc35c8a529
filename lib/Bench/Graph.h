// Work captured as a CUDA graph: many launches for one call of the driver.
#pragma once

#include "Runtime/Driver.h"

#include <functional>
#include <optional>

namespace sluice {

class Graph {
public:
  /// Captures what `work` puts on the stream that it is given.
  static Result<Graph> capture(const std::function<std::optional<Error>(CUstream)> &work);
  Graph(Graph &&o) noexcept;
  Graph &operator=(Graph &&) = delete;
  ~Graph();

  /// Puts all of it on the default stream.
  std::optional<Error> launch() const;

private:
  explicit Graph(void *executable) : executable_(executable) {}
  void *executable_;
};

} // namespace sluice
