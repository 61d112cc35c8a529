// Printed Ascend C on the host model of test/ascendc: texts compiled unchanged by the host's
// compiler, called with memory of this process, their queues run in many orders.
#pragma once

#include "Emit/Emit.h"
#include "Program/Program.h"
#include "Support/Command.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sluice::test {

/// From pipe, to pipe (MTE2, MTE1, M, FIX, V, MTE3: 0 to 5), id. Between cores both are 6.
using ModelFlag = std::array<int, 3>;

/// Memory of a tensor, of elements of 16 or 32 bits.
struct ModelTensor {
  std::vector<uint8_t> bytes;
};

class HostModel {
public:
  /// All texts as one library.
  static Result<HostModel> compile(const std::vector<EmittedSource> &sources,
                                   const std::string &headers);
  HostModel(HostModel &&) = default;

  /// Calls kernel `which`; yields what is wrong with a call, or nothing.
  std::string record(int which, const Program &program, const Launch &launch,
                     std::vector<ModelTensor> &tensors,
                     const std::vector<ModelFlag> &dropped = {}) const;
  /// Runs the queues of all blocks; yields what is wrong, or nothing.
  std::string play(unsigned seed) const;
  /// Calls of a pipe of a core, in the order of the text, each with the flag or the tiles that it
  /// touches: "set MTE2_MTE1 id 0", "copy a[1] to a_l0a[0]", "hear 2" of all pipes. Those of one
  /// tile behind each other are one; operands of a product have the bytes in front of them in their
  /// slot: "a_l0a[0]+512".
  std::vector<std::string> notes(const Program &program, int64_t core, int queue) const;

private:
  HostModel(WorkFolder folder, void *library, std::vector<LaunchPlan> plans)
      : folder_(std::move(folder)), library_(library), plans_(std::move(plans)) {}
  template <typename F> F *function(const char *name) const;

  WorkFolder folder_;
  void *library_;
  std::vector<LaunchPlan> plans_;
};

} // namespace sluice::test
