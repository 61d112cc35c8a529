#include "Support/Location.h"

namespace sluice {

std::string Location::str() const {
  if (line == 0)
    return "<unknown>";
  return file + ":" + std::to_string(line) + ":" + std::to_string(column);
}

} // namespace sluice
