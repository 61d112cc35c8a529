// Random layouts of few elements, and what a layout is, said once more.
#pragma once

#include "Layout/ShapeStride.h"

#include <random>

namespace sluice {

class RandomLayouts {
public:
  explicit RandomLayouts(uint32_t seed) : random_(seed) {}

  int64_t number(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random_);
  }
  template <typename T> T one(std::initializer_list<T> of) {
    return of.begin()[number(0, static_cast<int64_t>(of.size()) - 1)];
  }

  /// Any strides, and at most 256 elements.
  ShapeStride any(int depth = 2) {
    for (;;)
      if (ShapeStride layout = ofDepth(depth); size(layout) <= 256)
        return layout;
  }

  /// Every offset at most once: modes one above the other, some with a gap, in any order.
  ShapeStride injective(bool gaps) {
    std::vector<ShapeStride> modes;
    int64_t next = 1;
    for (int64_t i = 0, rank = number(1, 4); i < rank; ++i) {
      const Leaf leaf{number(1, 4), gaps ? next * number(1, 3) : next};
      next = leaf.stride * leaf.extent;
      modes.push_back(leaf);
    }
    std::shuffle(modes.begin(), modes.end(), random_);
    if (modes.size() > 2) {
      modes[1] = std::vector<ShapeStride>{modes[1], modes.back()};
      modes.pop_back();
    }
    return modes;
  }

private:
  ShapeStride ofDepth(int depth) {
    if (depth == 0 || number(0, 2) == 0)
      return Leaf{one<int64_t>({1, 2, 2, 3, 4, 6, 8}),
                  one<int64_t>({0, 1, 1, 2, 3, 4, 6, 8, 12, 16, 32})};
    std::vector<ShapeStride> modes;
    for (int64_t i = 0, rank = number(1, 3); i < rank; ++i)
      modes.push_back(ofDepth(depth - 1));
    return modes;
  }

  std::mt19937 random_;
};

/// Offset of a coordinate, mode by mode.
inline int64_t evaluated(const ShapeStride &layout, int64_t index) {
  if (!layout.isTuple())
    return index * layout.leaf().stride;
  int64_t offset = 0;
  for (const ShapeStride &mode : layout.modes()) {
    offset += evaluated(mode, index % size(mode));
    index /= size(mode);
  }
  return offset;
}

inline std::vector<int64_t> offsets(const ShapeStride &layout) {
  std::vector<int64_t> all;
  for (int64_t i = 0; i < size(layout); ++i)
    all.push_back(evaluated(layout, i));
  return all;
}

} // namespace sluice
