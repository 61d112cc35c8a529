// Colours on white. Hues after Okabe and Ito, "Color Universal Design" (2008), lightened under dark
// text; slots after Paul Tol's "high contrast" and "muted" schemes. No meaning rests on hue alone.
#pragma once

#include "Trace/Scene.h"

#include <string>

namespace sluice::trace {

inline constexpr const char *kInk = "#1c1c1c";    // text
inline constexpr const char *kDim = "#5a5a5a";    // secondary text
inline constexpr const char *kRule = "#d8d8d8";   // grid and frames
inline constexpr const char *kBand = "#f5f6f8";   // background of rows and panels
inline constexpr const char *kAccent = "#b23a00"; // the critical engine

/// Iterations alternate between the full and the light shade.
std::string fillColour(WorkKind kind, bool light);
std::string edgeColour(WorkKind kind);
/// The same slot has the same colour in every row.
std::string slotColour(int64_t slot);
/// Of what is equal modulo eight, under dark text.
std::string cellColour(int64_t number);

} // namespace sluice::trace
