// Loops that go on while a value holds which everybody finds alike: it follows from extents,
// arguments, coordinates and integers that nobody writes, by the same functions in every role.
#pragma once

#include "Program/Program.h"

#include <optional>
#include <string>
#include <vector>

namespace sluice {

/// How a loop finds out whether it goes on: functions, told by a text, of what it begins with.
struct Decision {
  std::string functions;        // the same text: the same functions of `inputs`
  std::vector<ValueId> inputs;  // values from outside of the loop
  std::vector<ValueId> carried; // iteration arguments that decide, in the order of the text
};
/// Nothing: other things decide, too.
std::optional<Decision> decisionOf(const Program &program, const For &loop);

/// A tensor of numbers of rounds, which the author's program does not have: it has no name.
inline bool isImagined(const Tensor &tensor) {
  return tensor.name.empty();
}

struct CountedWhiles {
  Program program;
  std::vector<std::string> assumptions; // that the loops end
};
/// The program in which such loops make as many rounds as an integer says, one that the program
/// does not have, for the same functions of the same inputs the same one. Where the loops end, some
/// such integers make it do what the program does. Nothing where there is no such loop.
std::optional<CountedWhiles> withCountedWhiles(const Program &program);

} // namespace sluice
