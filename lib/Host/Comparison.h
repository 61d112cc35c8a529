// Outputs of the host beside those of the virtual machine, element by element.
#pragma once

#include "Program/Program.h"
#include "Support/HostTensor.h"

#include <string>
#include <vector>

namespace sluice {

struct HostComparison {
  bool exact = false;                  // what the kernel computes of these inputs is
  int64_t elements = 0, different = 0; // different: in a bit; NaN is NaN
  int64_t wrong = 0;                   // further apart than two machines may be
  double largest = 0;                  // difference, of the largest value of its tensor
  std::string first = {};              // wrong one: "C[3,17] is 2, the virtual machine's 2.5"
  bool good() const { return wrong == 0; }
  std::string text() const;
};

/// What no kernel reads before it writes it becomes bytes of 255 (NaN), but for counters.
void poisonOutputs(const Program &program, std::vector<HostTensor> &tensors);

/// `exact`: every bit is compared. Else an element may be apart by two units of its last place and
/// 2^-12 of the largest value of its tensor: sums in another order, functions rounded otherwise.
HostComparison compareOutputs(const Program &program, const std::vector<HostTensor> &host,
                              const std::vector<HostTensor> &machine, bool exact);

} // namespace sluice
