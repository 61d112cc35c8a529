#include "Layout/Algebra.h"

#include <algorithm>

namespace sluice {
namespace {

int64_t ceilDiv(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

Result<ShapeStride> limited(ShapeStride layout) {
  if (size(layout) > mostSize || cosize(layout) > mostSize)
    return inputError("the result has more than 2^40 elements or offsets");
  return layout;
}

/// An outer layout, and how far an inner one moves along each of its modes.
class Composer {
public:
  explicit Composer(const ShapeStride &outer)
      : outer_(leaves(coalesce(outer))), reached_(outer_.size(), 0) {}

  Result<ShapeStride> of(const ShapeStride &inner) {
    if (!inner.isTuple())
      return ofLeaf(inner.leaf());
    std::vector<ShapeStride> modes;
    for (const ShapeStride &mode : inner.modes()) {
      auto composed = of(mode);
      if (!composed)
        return composed;
      modes.push_back(std::move(*composed));
    }
    return ShapeStride(std::move(modes));
  }

  /// A mode of the outer layout that the modes of the inner one leave together, though none does
  /// alone: the offset of a sum is then not the sum of the offsets. nullptr: none.
  const Leaf *overrun() const {
    for (size_t i = 0; i < outer_.size(); ++i)
      if (reached_[i] >= outer_[i].extent)
        return &outer_[i];
    return nullptr;
  }

private:
  /// Walks up the outer modes: steps of `stride` leave out whole modes first, then take up what is
  /// left of one after the other.
  Result<ShapeStride> ofLeaf(const Leaf &inner) {
    std::vector<Leaf> result;
    int64_t extent = inner.extent, stride = inner.stride;
    for (size_t i = 0; i < outer_.size() && extent > 1 && stride > 0; ++i) {
      const Leaf &mode = outer_[i];
      if (stride >= mode.extent) {
        if (stride % mode.extent != 0)
          return indivisible(inner, mode);
        stride /= mode.extent;
        continue;
      }
      int64_t taken = extent;
      if ((extent - 1) * stride >= mode.extent) {
        taken = mode.extent / stride;
        if (mode.extent % stride != 0 || extent % taken != 0)
          return indivisible(inner, mode);
      }
      result.push_back({taken, stride * mode.stride});
      reached_[i] += (taken - 1) * stride;
      extent /= taken;
      stride = 1;
    }
    return result.empty() ? ShapeStride(Leaf{inner.extent, 0}) : coalesce(flat(std::move(result)));
  }

  static Error indivisible(const Leaf &inner, const Leaf &mode) {
    return inputError("steps of " + text(inner) + " do not divide mode " + text(mode) +
                      " of the outer layout, nor it them");
  }

  std::vector<Leaf> outer_;
  std::vector<int64_t> reached_;
};

/// Modes that reach an offset of their own, by stride.
std::vector<Leaf> byStride(const ShapeStride &layout) {
  std::vector<Leaf> modes = leaves(coalesce(layout));
  std::erase_if(modes, [](const Leaf &l) { return l.extent == 1 || l.stride == 0; });
  std::ranges::stable_sort(modes, {}, &Leaf::stride);
  return modes;
}

using Operation = Result<ShapeStride> (*)(const ShapeStride &, const ShapeStride &);

/// The operation on a mode and its operand each: pairs, and the modes that have none.
Result<std::vector<ShapeStride>> byMode(Operation operation, const ShapeStride &layout,
                                        const std::vector<ShapeStride> &operands) {
  std::vector<ShapeStride> modes = layout.modes();
  if (operands.size() > modes.size())
    return inputError(std::to_string(operands.size()) + " layouts for the " +
                      std::to_string(modes.size()) + " modes of " + text(layout));
  for (size_t i = 0; i < operands.size(); ++i) {
    auto pair = operation(modes[i], operands[i]);
    if (!pair)
      return pair.error();
    modes[i] = std::move(*pair);
  }
  return modes;
}

Result<ShapeStride> together(Result<std::vector<ShapeStride>> pairs) {
  return pairs ? limited(std::move(*pairs)) : Result<ShapeStride>(pairs.error());
}

/// ((first of each pair), (second of each, then what is no pair))
Result<ShapeStride> zipped(Result<std::vector<ShapeStride>> modes, size_t pairs) {
  if (!modes)
    return modes.error();
  std::vector<ShapeStride> firsts, seconds;
  for (size_t i = 0; i < modes->size(); ++i) {
    const ShapeStride &mode = (*modes)[i];
    if (i < pairs)
      firsts.push_back(mode.modes()[0]);
    seconds.push_back(i < pairs ? mode.modes()[1] : mode);
  }
  return limited(std::vector<ShapeStride>{firsts, seconds});
}

} // namespace

Result<ShapeStride> composition(const ShapeStride &outer, const ShapeStride &inner) {
  if (cosize(inner) > size(outer))
    return inputError(text(inner) + " reaches offset " + std::to_string(cosize(inner) - 1) +
                      "; the outer layout " + text(outer) + " has " + std::to_string(size(outer)) +
                      " elements");
  Composer composer(outer);
  auto result = composer.of(inner);
  if (!result)
    return result;
  if (const Leaf *mode = composer.overrun())
    return inputError("the modes of " + text(inner) + " together leave mode " + text(*mode) +
                      " of the outer layout " + text(outer) + ": no layout is their composition");
  return limited(std::move(*result));
}

Result<ShapeStride> complement(const ShapeStride &layout, int64_t total) {
  std::vector<Leaf> gaps;
  int64_t covered = 1;
  for (const Leaf &mode : byStride(layout)) {
    if (mode.stride < covered)
      return inputError("modes of " + text(layout) + " overlap: " + text(mode) +
                        " starts anew below offset " + std::to_string(covered));
    if (mode.stride % covered != 0)
      return inputError("stride of mode " + text(mode) + " of " + text(layout) +
                        " is no multiple of " + std::to_string(covered) +
                        ", where the modes before end: the gap has no layout");
    gaps.push_back({mode.stride / covered, covered});
    covered = mode.stride * mode.extent;
  }
  gaps.push_back({std::max<int64_t>(ceilDiv(total, covered), 1), covered});
  return limited(coalesce(flat(std::move(gaps))));
}

Result<ShapeStride> logicalDivide(const ShapeStride &layout, const ShapeStride &tiler) {
  auto rest = complement(tiler, size(layout));
  if (!rest)
    return rest;
  if (size(tiler) * __int128{size(*rest)} != size(layout))
    return inputError("tiles " + text(tiler) + " do not divide the " +
                      std::to_string(size(layout)) + " elements of " + text(layout));
  return composition(layout, std::vector<ShapeStride>{tiler, *rest});
}

Result<ShapeStride> logicalDivide(const ShapeStride &layout,
                                  const std::vector<ShapeStride> &tilers) {
  return together(byMode(&logicalDivide, layout, tilers));
}

Result<ShapeStride> zippedDivide(const ShapeStride &layout,
                                 const std::vector<ShapeStride> &tilers) {
  return zipped(byMode(&logicalDivide, layout, tilers), tilers.size());
}

Result<ShapeStride> logicalProduct(const ShapeStride &block, const ShapeStride &grid) {
  const __int128 total = __int128{size(block)} * cosize(grid);
  auto places = complement(block, static_cast<int64_t>(std::min<__int128>(total, mostSize)));
  if (!places)
    return places;
  auto repeated = composition(*places, grid);
  if (!repeated)
    return repeated;
  return limited(std::vector<ShapeStride>{block, *repeated});
}

Result<ShapeStride> logicalProduct(const ShapeStride &block,
                                   const std::vector<ShapeStride> &grids) {
  return together(byMode(&logicalProduct, block, grids));
}

Result<ShapeStride> zippedProduct(const ShapeStride &block, const std::vector<ShapeStride> &grids) {
  return zipped(byMode(&logicalProduct, block, grids), grids.size());
}

ShapeStride rightInverse(const ShapeStride &layout) {
  const std::vector<Leaf> modes = leaves(coalesce(layout));
  std::vector<Leaf> inverse;
  for (int64_t next = 1;;) { // offsets below it are reached
    int64_t before = 1;      // coordinates for a step of the mode
    const Leaf *found = nullptr;
    for (const Leaf &mode : modes) {
      if (mode.stride == next && mode.extent > 1) {
        found = &mode;
        break;
      }
      before *= mode.extent;
    }
    if (!found)
      return inverse.empty() ? ShapeStride() : coalesce(flat(std::move(inverse)));
    inverse.push_back({found->extent, before});
    next *= found->extent;
  }
}

Result<ShapeStride> leftInverse(const ShapeStride &layout) {
  for (const Leaf &mode : leaves(layout))
    if (mode.extent > 1 && mode.stride == 0)
      return inputError("mode " + text(mode) + " of " + text(layout) +
                        " reaches one offset several times: there is no left inverse");
  auto gaps = complement(layout, cosize(layout));
  if (!gaps)
    return gaps;
  return rightInverse(std::vector<ShapeStride>{layout, *gaps});
}

} // namespace sluice
