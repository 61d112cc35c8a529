// The flags of a kernel: what they hand over, and so what they are called.
#pragma once

#include "Program/Program.h"
#include "Program/Ranges.h"

#include <map>
#include <string>
#include <vector>

namespace sluice::ascend {

/// Ids from `first` to `last` of one pair of pipes that are used alike: the slots of a ring.
struct FlagGroup {
  Pipe source, destination;
  int64_t first, last;
  std::string name;       // "full_a_b"; of flags that hand over nothing "mte2_mte1"
  std::vector<int> tiles; // buffers that it hands over, in the order of the program
  bool fills = true;      // the source writes them and the destination reads; else they come back
};

/// A flag between the cube core and its vector cores, which counts; or of the meeting of all cores.
struct CrossFlag {
  int64_t id;
  std::string name;         // "full_acc_workspace"
  std::vector<int> tensors; // workspaces that it hands over
  bool fills = true;        // who sets it writes them; else they come back
  bool fromCube = true;
  bool meets = false; // all cores set it, and wait
};
/// In the order of their ids.
std::vector<CrossFlag> crossFlagsOf(const Program &program);

/// Ids that are a constant away from a value say so themselves.
Program withPlainFlagIds(Program program);

class Flags {
public:
  Flags(const Program &program, const Ranges &ranges);

  /// By pipes, then ids. Ids that some launch may share are one group; where they are not known,
  /// it goes beyond what the hardware has.
  const std::vector<FlagGroup> &groups() const { return groups_; }
  /// Index of the group of this flag.
  size_t groupOf(Pipe source, Pipe destination, const Index &id) const;

private:
  IntegerRange rangeOf(const Index &id) const;
  IntegerRange rangeOf(ValueId v) const;

  const Ranges &ranges_;
  std::map<ValueId, const Scalar *> definitions_;
  std::vector<FlagGroup> groups_;
};

} // namespace sluice::ascend
