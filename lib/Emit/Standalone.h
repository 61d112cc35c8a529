// A printed kernel with a main of its own, which fills tensors, launches, compares with a reference
// in double and takes the time. Of CUDA C++ nvcc alone makes a program; of Ascend C CMake does.
#pragma once

#include "Emit/Emit.h"

#include <map>

namespace sluice {

/// What the main needs to know beside the program.
struct Standalone {
  struct Size {
    std::string name;
    int64_t value;
  };
  std::vector<Size> sizes;     // arguments of the main, with their defaults
  std::vector<Size> constants; // sizes that the kernel was built for
  /// Of every tensor, by name: sizes, constants or numbers.
  std::map<std::string, std::vector<std::string>> extents;
  /// Of tensors whose numbers steer the kernel, by name: C++ of element i.
  std::map<std::string, std::string> integers;
  std::vector<std::string> arguments; // of the kernel: sizes, or names of `numbers`
  std::vector<std::pair<std::string, float>> numbers;
  /// C++ that returns element (i, j) of `output` in double from the inputs as functions of their
  /// indices; empty: there is none.
  std::string output, reference;
  std::string terms = "1"; // of one element of the reference
  std::string work;        // operations of the kernel; empty: not known
  double tolerance = 0;
  EmitOptions printed; // what the kernel was printed with
};

/// The kernel's text and the host's behind it.
Result<std::string> standaloneText(const Program &program, const EmittedSource &source,
                                   const Standalone &how);

/// The host program of a kernel in Ascend C, a file beside it.
Result<std::string> ascendMainText(const Program &program, const EmittedSource &source,
                                   const Standalone &how);
/// The CMake file that makes a program of both with the toolchain.
std::string ascendBuildText(const Program &program);

/// The text with the headers of device/ in place of its includes.
std::string inlineHeaders(const std::string &text);

} // namespace sluice
