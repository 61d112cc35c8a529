// What operations name: scalars, tensors, buffers, mbarriers, and the parts of them that one takes.
#pragma once

#include "Program/Types.h"

#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// A scalar SSA value: its number in the frame of an agent (int64 each; i1 as 0/1; a cursor as
/// slot * 2 + phase). kNone where no value is.
using ValueId = int32_t;
constexpr ValueId kNone = -1;

/// `value + constant`; just the constant when value is kNone.
struct Index {
  ValueId value = kNone;
  int64_t constant = 0;
  bool isConstant() const { return value == kNone; }
  bool operator==(const Index &) const = default;
};

/// A kernel argument in global memory. Extents and strides (elements) are run-time values.
struct Tensor {
  std::string name;
  DType type;
  int rank;
  int minor; // dimension with stride 1
  int64_t align =
      1; // bytes that divide the base and every other stride: an assumption checked at launch
  bool input = false, output = false; // both: read and written; neither: workspace
  Location loc;
  std::vector<int64_t> extents = {}; // what its type fixes; negative (or absent): known at launch
  bool previous = false; // the kernel before may still be writing it: griddepcontrol.wait
  int inPlaceOf = -1;    // written: the input whose memory it may be, index into Program::tensors
  /// A launch passes this dimension and the next as one, whose parts lie side by side (Joined.h);
  /// its type fixes both. -1: none.
  int joined = -1;
  /// Elements that a launch passes along it, where the last parts have fewer or none; 0: all parts
  /// are whole. What is beyond is outside of the tensor.
  int64_t joinedExtent = 0;
  /// Lines of extents[1] elements, side by side. A launch passes a dense tensor of any rank, whose
  /// elements are one line of numbers; the last line has what is left (Joined.h).
  bool isLine = false;
};

/// A run-time scalar argument of the kernel.
struct Argument {
  std::string name;
  DType type;
};

/// `slots` tiles of one shape in an on-chip memory, slot after slot.
struct Buffer {
  std::string name;
  Space space;
  DType type;
  std::vector<int64_t> shape; // elements of one slot, rank 2
  Layout layout = Layout::row;
  int minor = 1; // contiguous dimension
  int64_t slots = 1;
  int64_t offset = 0;    // bytes from the start of the space (of the CTA or core); not for reg
  int64_t slotBytes = 0; // distance of two slots, bytes; in tensor memory both are of a lane
  std::string role;      // reg: the role that owns it
  Location loc;
  int64_t bytes() const { return slots * slotBytes; }
};

/// An array of mbarriers in shared memory, 8 bytes each.
struct Mbarrier {
  std::string name;
  int64_t slots = 1;
  int64_t offset = 0; // bytes in shared memory
  Location loc;
};

/// A dimension of a tensor that ends at `end`, if the tensor does not end before.
struct Clip {
  int dimension;
  Index end;
};

/// A box of a tensor or of a buffer. Offsets and shape in elements, one per dimension of the
/// object.
struct View {
  enum Kind : uint8_t { tensor, buffer } kind = buffer;
  int object = -1; // index into Program::tensors / Program::buffers
  Index slot;      // buffers: which slot
  std::vector<Index> offset;
  std::vector<int64_t> shape;
  bool transposed = false;      // the two dimensions are read swapped
  std::vector<Clip> clips = {}; // tensors: copies by threads take what lies beyond as outside
  int64_t rows() const { return transposed ? shape[1] : shape[0]; }
  int64_t cols() const { return transposed ? shape[0] : shape[1]; }
};

/// One mbarrier of an array, in the own CTA or (remote != none) in the CTA of that cluster rank.
struct MbarrierRef {
  int object = -1; // index into Program::mbarriers
  Index slot;
  std::optional<Index> remote;
};

} // namespace sluice
