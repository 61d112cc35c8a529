// How a printed kernel is launched: its tensors and arguments, parameters in order, tensor maps,
// block, shared memory, and the arithmetic of its grid. It says all that a launcher needs; no
// Program goes with it.
#pragma once

#include "Launch/GridPlan.h"
#include "Program/Extent.h"
#include "Program/Program.h"

#include <array>
#include <string>
#include <vector>

namespace sluice {

/// A map takes a dimension in parts (Program/Joined.h): one of its own dimensions has the parts,
/// another the elements of one.
struct MapPart {
  int64_t extent = 0; // 0: that of the tensor, no parts
  int64_t step = 1;   // elements along the dimension from one index to the next
};

/// A tensor map that the launcher encodes (cuTensorMapEncodeTiled).
struct TensorMapPlan {
  int tensor;
  std::vector<int> dims;    // dimensions of the tensor, contiguous one first
  std::vector<int64_t> box; // elements, one per entry of `dims`
  int64_t swizzle;          // bytes: 0, 32, 64, 128
  /// Bytes that a read brings into the second-level cache (0, 64, 128, 256): the first where it
  /// divides every stride, else the second. 256 where a box row of 128 bytes so brings its
  /// neighbour, which the same CTA reads with it or in the next step. What is another CTA's both
  /// would bring (64 x 8192 x 8192: 2.5 % slower, 16 x 4096 x 14336 5 %), and of rows that start
  /// anywhere two lines (4000 x 5000 x 3000: 0.68 of cuBLASLt's speed instead of 0.80).
  int64_t promotion = 256, promotionOtherwise = 128;
  /// Stores go through it, in whole 16 bytes (R40).
  bool stores = false;
  std::vector<MapPart> parts = {}; // one per entry of `dims`; empty: no dimension has any

  MapPart part(size_t i) const { return i < parts.size() ? parts[i] : MapPart(); }
};

struct KernelParameter {
  enum Kind : uint8_t { tensorMap, pointer, extent, stride, argument } kind;
  int object;  // index into LaunchPlan::maps, tensors or arguments
  int dim = 0; // extent, stride (elements)
  std::string name;
};

struct LaunchPlan {
  std::string kernel; // symbol
  Target target = Target::sm_90a;
  std::vector<Tensor> tensors;
  /// Per tensor and dimension, what its extent is called ("M", "groups+1"); one name stands for one
  /// number. Empty where it has none; the whole list of a tensor may be empty.
  std::vector<std::vector<Extent>> extentNames;
  std::vector<Argument> arguments;
  std::vector<TensorMapPlan> maps;
  std::vector<KernelParameter> parameters; // map: 128 bytes; pointer, stride: 8; else int32
  int threads = 0;                         // of a CTA
  int64_t sharedBytes = 0;                 // dynamic
  std::array<int64_t, 3> cluster{1, 1, 1};
  GridPlan grid;
  std::vector<Assumption> assumptions; // the author's, then the limits (Program/Ranges.h)
  bool overlapsPrevious = false; // waits by griddepcontrol, so it may start before the last ended
};

/// The parts of a plan that follow from the program alone: all but maps and parameters.
LaunchPlan launchPlan(const Program &program, std::string symbol);

} // namespace sluice
