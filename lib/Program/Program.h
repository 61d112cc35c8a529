// A kernel at the allocated barrier level: what the virtual machine runs, the checker proves and
// the printers print. A structured program (loops and branches stay loops and branches) over
// scalars that all lanes of a warp share, mutable buffers at fixed addresses, and one struct per
// hardware operation.
#pragma once

#include "Program/Operations.h"

namespace sluice {

/// What every launch has to keep (Program/Assumption.h). `scalars` have only constants,
/// extents, integer arguments and arithmetic on them; scalar i defines value i, and the last is the
/// condition.
struct Assumption {
  std::vector<Scalar> scalars;
  std::string text; // the author's
  Location loc;
  bool needed = false; // not stated by the author: the operation at `loc` needs it
};

/// A load into a unified buffer that leaves elements unknown which are read: what lies behind the
/// end of the tensor.
struct UnknownRest {
  int tensor = 0, buffer = 0;
  Location loc;
};

struct Program {
  std::string name;
  Target target = Target::sm_90a;
  std::vector<Tensor> tensors;
  std::vector<Argument> arguments;
  std::vector<Buffer> buffers;
  std::vector<Mbarrier> mbarriers;
  std::vector<Assumption> assumptions;
  std::vector<UnknownRest> unknownRests;
  int64_t cluster[3] = {1, 1, 1};
  int warps = 0;                       // NVIDIA: warps of a CTA
  int ctasPerSm = 1;                   // NVIDIA: that have room at once
  int64_t sharedBytes = 0;             // dynamic shared memory of a CTA
  int32_t values = 0;                  // size of an agent's frame
  std::vector<std::string> valueNames; // for printed code; may be empty strings
  Block body;
  Location loc;
  int gridRank = 0;

  const Buffer *buffer(const View &v) const {
    return v.kind == View::buffer ? &buffers[v.object] : nullptr;
  }
  const Tensor *tensor(const View &v) const {
    return v.kind == View::tensor ? &tensors[v.object] : nullptr;
  }
  /// Whether threads store a tile that they hold (st.async) and no engine copies it.
  bool storesRegisters(const RemoteCopy &copy) const {
    return buffers[copy.source.object].space == Space::reg;
  }
  DType type(const View &v) const {
    return v.kind == View::buffer ? buffers[v.object].type : tensors[v.object].type;
  }
  /// What a copy that lands a tile completes; padding between packed numbers (R52) does not count.
  int64_t bytesOfCopy(const View &tile) const {
    int64_t elements = 1;
    for (const int64_t extent : tile.shape)
      elements *= extent;
    return bytesInTensors(type(tile), elements);
  }
};

/// Run-time extents of a launch: what the scalars of a program depend on.
struct Launch {
  struct Shape {
    std::vector<int64_t> extents, strides; // elements
    /// What scalar loads read, in row-major order; empty: not known, and 1 stands for each.
    std::vector<int64_t> integers = {};
    /// Extents of the dense tensor that is passed as one line (Tensor::isLine); empty: those of the
    /// lines, all of which are whole.
    std::vector<int64_t> given = {};
  };
  std::vector<Shape> tensors;     // one per Program::tensors
  std::vector<int64_t> arguments; // one per Program::arguments
};

} // namespace sluice
