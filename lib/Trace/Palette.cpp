#include "Trace/Palette.h"

#include <array>

namespace sluice::trace {
namespace {

struct Shades {
  const char *full, *light, *edge;
};

constexpr std::array<Shades, kWorkKinds> kShades = {{
    {"#7cc0ea", "#c3e2f6", "#2f7fb0"}, // load: sky blue
    {"#f2e264", "#faf3b8", "#a39416"}, // on-chip move: yellow
    {"#f3ab3c", "#fad9a6", "#ac6d00"}, // matrix multiply: orange
    {"#d39cc0", "#ebd2e2", "#95527d"}, // vector: reddish purple
    {"#52b898", "#b1ded0", "#00694d"}, // store: bluish green
    {"#bcbcbc", "#dedede", "#787878"}, // other
}};

constexpr std::array<const char *, 8> kSlots = {"#004488", "#bb4455", "#117733", "#8a5a00",
                                                "#662288", "#1a8f9e", "#222222", "#7f7f2a"};

constexpr std::array<const char *, 8> kCells = {"#C3E2F6", "#FAD9A6", "#B1DED0", "#EBD2E2",
                                                "#FAF3B8", "#C9CCF0", "#F4C0B0", "#DEDEDE"};

} // namespace

std::string fillColour(WorkKind kind, bool light) {
  const Shades &s = kShades[static_cast<size_t>(kind)];
  return light ? s.light : s.full;
}

std::string edgeColour(WorkKind kind) {
  return kShades[static_cast<size_t>(kind)].edge;
}

std::string slotColour(int64_t slot) {
  return kSlots[static_cast<uint64_t>(slot) % kSlots.size()];
}

std::string cellColour(int64_t number) {
  return kCells[static_cast<uint64_t>(number) % kCells.size()];
}

} // namespace sluice::trace
