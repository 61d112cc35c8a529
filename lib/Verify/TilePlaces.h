// Where along a tensor tiles lie, in every launch: what R28 compares, as far as normal forms tell
// it (docs/proof.md). A coordinate that they do not tell has no place.
#pragma once

#include "Verify/Scalars.h"

#include <map>
#include <vector>

namespace sluice {

/// A coordinate of a tile, by how it has been computed where the tile was loaded. Two states with
/// one normal form have the same, but for the numbers of iterations, which are as far apart.
struct TilePlace {
  int32_t path = 0;                  // Terms::path: iterations of the loops around, when loaded
  std::vector<int64_t> strides;      // elements in each iteration of them, outermost first
  std::map<int32_t, int64_t> terms;  // elements for each of what else is unknown
  std::map<ValueId, int64_t> values; // the same, by where the program computes it
  int64_t constant = 0, least = 0;   // least: of what loops that start at constants add
  auto operator<=>(const TilePlace &) const = default;
};

/// Buffers that products read, or that are copied to such: of their tiles it matters whence they
/// are.
std::vector<bool> multipliedBuffers(const Program &program);

class TilePlaces {
public:
  static constexpr int32_t none = -1;

  TilePlaces(const Program &program, const Terms &terms);

  /// Number of the place that an index has for an agent now.
  int32_t at(const ProofAgent &agent, const Index &i);
  int32_t shifted(int32_t place, int64_t by);
  /// So many times as far from the start of the tensor, in every iteration.
  int32_t times(int32_t place, int64_t factor);
  const TilePlace &operator[](int32_t place) const { return places_[place]; }
  /// Number of what equal normal forms have in common, but for path and constant.
  int32_t shape(int32_t place) const { return shapes_[place]; }

  /// From one place to the other, where that is told.
  std::optional<int64_t> distance(int32_t from, int32_t to) const;
  /// Whether the second lies behind the first, however far.
  bool goesUp(int32_t from, int32_t to) const;

private:
  struct Sum;
  bool isPure(ValueId v) const { return pure_[v]; }
  void findPure(const Block &block);
  int32_t outside(int32_t path, size_t depth) const; // the path of that depth around
  int32_t number(TilePlace place);

  const Terms &terms_;
  std::vector<bool> pure_; // computed from launches, loop variables and constants alone
  std::map<ValueId, const Scalar *> scalars_;
  std::map<ValueId, std::pair<const For *, size_t>> ofLoops_; // 0: its variable; else 1 + iterArg
  std::vector<TilePlace> places_;
  std::vector<int32_t> shapes_; // of the places
  std::map<TilePlace, int32_t> numbers_, shapeNumbers_;
};

} // namespace sluice
