// Compiles printed text with nvcc, where there is one.
#pragma once

#include <optional>
#include <string>

namespace sluice::test {

/// Path of nvcc: $NVCC, the PATH, /usr/local/cuda.
std::optional<std::string> findNvcc();

struct Compilation {
  int status;
  std::string log;   // of nvcc and ptxas -v
  std::string cubin; // path
};

/// Warnings are errors.
Compilation compile(const std::string &text, const std::string &name);

} // namespace sluice::test
