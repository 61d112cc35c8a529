// A product whose last columns, or rows, a second launch computes with settings of its own, where
// one launch would leave SMs idle at its end: --set M=4096 N=11008 bn=256 + N=512 bn=128.
#pragma once

#include "Load.h"

#include <vector>

namespace sluice::tool {

/// A kernel on a part of every tensor.
struct Part {
  Loaded loaded;                // its launch has the strides of the whole tensors
  std::vector<int64_t> offsets; // bytes from the start of each tensor
};

struct Parts {
  Loaded whole; // as if the first launch did all
  std::vector<Part> parts;
};

/// Settings that nobody chose one by one, as of a second launch or a candidate: the order of steps
/// is of CTAs that take several tiles, and left out where they take one.
std::map<std::string, std::string> whereTilesFollow(std::map<std::string, std::string> settings);

/// One part, the whole, where the options ask for no second launch.
Result<Parts> loadParts(const Options &options);

} // namespace sluice::tool
