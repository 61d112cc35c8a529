// The printed text as a library of the host, by the host's compiler.
#pragma once

#include "Launch/EmittedSource.h"
#include "Support/Command.h"

namespace sluice::host {

/// A folder with the library in it.
struct CompiledKernel {
  WorkFolder folder;
  std::string library; // its path
};

/// $CXX, else c++, g++ or clang++ of $PATH.
Result<CompiledKernel> compileForHost(const EmittedSource &source);

} // namespace sluice::host
