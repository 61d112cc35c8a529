#include "Layout/ShapeStride.h"

#include <algorithm>

namespace sluice {
namespace {

void collect(const ShapeStride &layout, std::vector<Leaf> &found) {
  if (!layout.isTuple())
    found.push_back(layout.leaf());
  else
    for (const ShapeStride &mode : layout.modes())
      collect(mode, found);
}

std::string numbers(const ShapeStride &layout, int64_t Leaf::*number) {
  if (!layout.isTuple())
    return std::to_string(layout.leaf().*number);
  std::string text;
  for (const ShapeStride &mode : layout.modes())
    text += (text.empty() ? "" : ",") + numbers(mode, number);
  return "(" + text + ")";
}

int64_t limited(__int128 number) {
  return static_cast<int64_t>(std::min<__int128>(number, mostSize + 1));
}

} // namespace

std::vector<ShapeStride> ShapeStride::modes() const {
  return isTuple_ ? modes_ : std::vector<ShapeStride>{*this};
}

std::vector<Leaf> leaves(const ShapeStride &layout) {
  std::vector<Leaf> found;
  collect(layout, found);
  return found;
}

int64_t size(const ShapeStride &layout) {
  int64_t product = 1;
  for (const Leaf &leaf : leaves(layout))
    product = limited(__int128{product} * leaf.extent);
  return product;
}

int64_t cosize(const ShapeStride &layout) {
  int64_t last = 0;
  for (const Leaf &leaf : leaves(layout))
    last = limited(last + __int128{leaf.extent - 1} * leaf.stride);
  return limited(__int128{last} + 1);
}

int64_t offsetOf(const std::vector<Leaf> &leaves, int64_t index) {
  int64_t offset = 0;
  for (const Leaf &leaf : leaves) {
    offset += index % leaf.extent * leaf.stride;
    index /= leaf.extent;
  }
  return offset;
}

int64_t offsetOf(const ShapeStride &layout, int64_t index) {
  return offsetOf(leaves(layout), index);
}

ShapeStride flat(std::vector<Leaf> leaves) {
  if (leaves.size() == 1)
    return leaves.front();
  std::vector<ShapeStride> modes(leaves.begin(), leaves.end());
  return modes;
}

ShapeStride coalesce(const ShapeStride &layout) {
  std::vector<Leaf> kept;
  for (const Leaf &leaf : leaves(layout)) {
    if (leaf.extent == 1)
      continue;
    if (!kept.empty() && leaf.stride == kept.back().extent * kept.back().stride)
      kept.back().extent *= leaf.extent;
    else
      kept.push_back(leaf);
  }
  return kept.empty() ? ShapeStride() : flat(std::move(kept));
}

std::string shapeText(const ShapeStride &layout) {
  return numbers(layout, &Leaf::extent);
}

std::string strideText(const ShapeStride &layout) {
  return numbers(layout, &Leaf::stride);
}

std::string text(const ShapeStride &layout) {
  return shapeText(layout) + ":" + strideText(layout);
}

} // namespace sluice
