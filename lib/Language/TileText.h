// How messages name extents and types of tiles: "128x64", "bf16".
#pragma once

#include "sluice/Tile.h"

#include <string>

namespace sluice::lang {

inline std::string text(Shape shape) {
  return std::to_string(shape.rows) + "x" + std::to_string(shape.cols);
}
inline std::string text(DType type) {
  return std::string(name(type));
}

} // namespace sluice::lang
