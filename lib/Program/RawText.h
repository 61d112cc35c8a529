// Text of the author in a target's language, with placeholders for its operands: $name stands for
// one that the text reads, $=name for one that it writes, $$ for a dollar.
#pragma once

#include <string>
#include <vector>

namespace sluice {

/// A stretch of text as it is, or an operand.
struct RawPiece {
  std::string text; // of an operand: its name
  bool operand = false, writes = false;
};
std::vector<RawPiece> rawPieces(const std::string &text);

/// Operands by name, as they are declared.
struct RawOperands {
  std::vector<std::string> writes, reads; // a tile that is read and written stands in both
};
/// What is wrong with a text that has these operands; empty: nothing.
std::string rawFault(const std::string &text, const RawOperands &operands);

} // namespace sluice
