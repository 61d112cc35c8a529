// The text of an element function. What the operations mean is written in docs/semantics.md.
#pragma once

#include "Emit/Text.h"
#include "Program/ElementFn.h"

#include <functional>

namespace sluice::cuda {

using namespace emit;

/// Literals of float, and of the types that integers have (int, and i64 where int is too small).
std::string floatLiteral(double x);
std::string integerLiteral(int64_t x);

/// Whether `text` needs no parentheses as an operand.
bool isAtom(const std::string &text);
/// The C++ type of values of a type.
const char *cppType(DType type);

/// Where an element function is printed, and what it works on.
struct ElementPlace {
  Text &out;    // statements in front of the results
  Names &names; // of values that are used more than once
  std::vector<std::string> arguments;
  std::vector<DType> resultTypes; // of the tiles; what is put into one of 16 bits is rounded there
  std::function<std::string(int)> parameter;
  std::vector<double> shared = {}; // upper bounds of what is the same for all elements: its size
};

/// The texts of the results; values that are used more than once get a line of their own before.
std::vector<std::string> elementText(const ElementFn &fn, const ElementPlace &place);

} // namespace sluice::cuda
