// A function from coordinates to offsets, written shape:stride, as in ((4,8),2):((1,16),8). What
// the rest of the project calls a Layout (Program/Types.h) is a kind of tile; this is the algebra
// of CuTe in which such kinds can be written down (docs/layouts.md).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace sluice {

/// `extent` places that lie `stride` apart.
struct Leaf {
  int64_t extent = 1, stride = 0;
  bool operator==(const Leaf &) const = default;
};

/// A leaf, or a tuple of modes. Shape and stride are of one form by construction.
class ShapeStride {
public:
  ShapeStride() : ShapeStride(Leaf{}) {}
  ShapeStride(Leaf leaf) : leaf_(leaf) {}
  ShapeStride(std::vector<ShapeStride> modes) : modes_(std::move(modes)), isTuple_(true) {}

  bool isTuple() const { return isTuple_; }
  const Leaf &leaf() const { return leaf_; } // of what is no tuple
  /// Those of a tuple; of a leaf itself.
  std::vector<ShapeStride> modes() const;
  size_t rank() const { return isTuple_ ? modes_.size() : 1; }
  bool operator==(const ShapeStride &) const = default;

private:
  Leaf leaf_;
  std::vector<ShapeStride> modes_;
  bool isTuple_ = false;
};

/// Largest size and cosize that a layout may have.
constexpr int64_t mostSize = int64_t{1} << 40;

/// Leaves from left to right.
std::vector<Leaf> leaves(const ShapeStride &layout);
/// Number of coordinates, at most mostSize + 1 however many there are.
int64_t size(const ShapeStride &layout);
/// One more than the largest offset, at most mostSize + 1.
int64_t cosize(const ShapeStride &layout);
/// Offset of coordinate `index`, counted with the first mode fastest; below size().
int64_t offsetOf(const ShapeStride &layout, int64_t index);
/// The same of a list of leaves.
int64_t offsetOf(const std::vector<Leaf> &leaves, int64_t index);

/// The same function with as few modes as possible: a leaf, or a flat tuple.
ShapeStride coalesce(const ShapeStride &layout);
/// The leaves as a layout: itself where there is one.
ShapeStride flat(std::vector<Leaf> leaves);

/// "((4,8),2)", "((1,16),8)", "((4,8),2):((1,16),8)"
std::string shapeText(const ShapeStride &layout);
std::string strideText(const ShapeStride &layout);
std::string text(const ShapeStride &layout);

} // namespace sluice
