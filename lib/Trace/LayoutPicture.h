// Pictures of layouts: a cell for each coordinate or element.
#pragma once

#include "Layout/Grid.h"

namespace sluice {

/// A picture in SVG 1.1.
std::string layoutSvg(const LayoutGrid &grid);
/// A document of its own in LaTeX, drawn by TikZ.
std::string layoutTex(const LayoutGrid &grid);

} // namespace sluice
