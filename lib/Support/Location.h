// Where the author wrote something.
#pragma once

#include <string>

namespace sluice {

/// Position in the text that the author wrote. line 0: unknown.
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
  std::string str() const; // "file:line:col" or "<unknown>"
};

} // namespace sluice
