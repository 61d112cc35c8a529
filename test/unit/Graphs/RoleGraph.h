// Random graphs of roles: who hands tiles to whom through which rings. Each is a kernel in the
// middle level, and what it computes is known.
#pragma once

#include "sluice/KernelBuilder.h"
#include "sluice/PipelineKinds.h"

#include "Support/HostTensor.h"

#include <functional>
#include <string>
#include <vector>

namespace sluice::test {

/// Steps in which a ring is used.
enum class Steps : uint8_t { all, even, notFirst, notLast };

/// From a role to roles behind it, or a turn back to one before it.
struct GraphRing {
  int from = 0;
  std::vector<int> to = {};
  int64_t stages = 1;
  bool tile = true;           // it hands on a tile; else that a step has come
  int64_t primed = 0;         // turns that are there at the beginning: of rings that go back
  int64_t lent = 0;           // slots, the last ones, that start with those who take from it
  int merged = -1;            // a ring before it, to the same role, whose full side is its own
  int64_t late = 0;           // steps by which its slots come back later
  bool releasesAtEnd = false; // behind what its consumer hands on itself
  Steps steps = Steps::all;
  lang::Arrive arrive = lang::Arrive::warp;
};

/// Where a role's own part of a step comes from.
enum class Source : uint8_t { none, tma, registers, ahead };

struct GraphRole {
  Source source = Source::none; // tma: a role of one warp that loads into its rings, and no more
  int64_t ahead = 0;            // steps that it loads ahead, itself, through a ring of its own
};

struct RoleGraph {
  std::vector<GraphRole> roles;
  std::vector<GraphRing> rings;

  bool handsOn(int role) const;
  std::string str() const;
};

constexpr int64_t graphRows = 64, graphColumns = 8; // of a tile, f32

RoleGraph drawGraph(uint64_t seed);
Result<Kernel> kernelOf(const RoleGraph &graph);
/// Elements of the tensors X, by role.
using ElementsOf = std::function<double(int role, int64_t row, int64_t column)>;
/// What tensor Y of a role holds in a place.
double expectedAt(const RoleGraph &graph, int role, int64_t steps, const ElementsOf &x, int64_t row,
                  int64_t column);

} // namespace sluice::test
