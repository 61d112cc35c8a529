#include "Layout/Swizzle.h"

namespace sluice {

std::string text(const Swizzled &s) {
  const Swizzle &w = s.swizzle;
  const std::string before = "Sw<" + std::to_string(w.bits) + "," + std::to_string(w.base) + "," +
                             std::to_string(w.shift) + "> o ";
  return (w.bits ? before : "") + text(s.layout);
}

} // namespace sluice
