// Launches drawn at random: what is said of every launch is said of these.
#pragma once

#include "Program/Program.h"

#include <optional>
#include <random>
#include <set>
#include <vector>

namespace sluice {

/// Whether a launch keeps what the author assumes and what the grid and the strides have to be.
bool isLegal(const Program &program, const Launch &launch);

/// Tensors of counters, whose number of elements the program relies on.
std::set<int> countersOf(const Program &program);

/// Rows as far apart as the tensors promise: what the checker shows says extents alone.
void takeLegalStrides(const Program &program, Launch &launch);

class RandomLaunches {
public:
  static constexpr int64_t mostTrips = 10'000, mostCtas = 4096, fewCtas = 16;
  static constexpr int64_t mostJoined = 64; // CTAs, where they wait for each other's counters

  /// What the program fixes is as in `given`.
  RandomLaunches(const Program &program, const Launch &given, uint64_t seed);

  /// Most are small: extents and arguments are next to small multiples of the program's constants.
  /// Of ten, one has a loop of up to `mostTrips` trips and one a grid of up to `mostCtas` CTAs.
  /// Nothing: none of many draws was legal.
  std::optional<Launch> draw();
  /// A small one, of up to `fewCtas` CTAs.
  std::optional<Launch> drawSmall() { return legal(Size::small, fewCtas); }

private:
  enum class Size { small, long_, wide };
  std::optional<Launch> legal(Size size, int64_t most);
  Launch drawn(Size size);
  int64_t number();
  void setExtents(Launch &launch, Size size);

  const Program &program_;
  const Launch given_;
  std::mt19937_64 random_;
  std::vector<int64_t> constants_, numbers_; // of the program; small multiples, with neighbours
  std::vector<bool> integers_;               // tensors whose elements are read as scalars
  std::set<int> counters_;                   // of them
};

} // namespace sluice
