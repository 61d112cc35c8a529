// What all runs of one proof share: the program, terms, names of components and of tiles' origins,
// footprints. It only grows; a run refers to it by numbers that mean the same in every run.
#pragma once

#include "Program/CoreMeeting.h"
#include "Program/LayoutMap.h"
#include "Program/Program.h"
#include "Support/ThreadClock.h"
#include "Verify/CounterOrder.h"
#include "Verify/Observations.h"
#include "Verify/Partition.h"
#include "Verify/ProductsOfNumbers.h"
#include "Verify/Terms.h"
#include "Verify/TilePlaces.h"

#include <array>
#include <compare>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace sluice {

/// Element (i, j) of a buffer is element at + (i, j) of the tensor, with i and j swapped when
/// `swapped`; the tensor's dimensions are the last two.
struct Origin {
  int tensor = -1;
  std::array<Affine, 2> at{};
  bool swapped = false;
  std::array<bool, 2> gathered{};                                   // gatheredViews
  std::array<int32_t, 2> place{TilePlaces::none, TilePlaces::none}; // in runs for every launch
  auto operator<=>(const Origin &) const = default;
};

/// One side of a product: a tile of a tensor and what D has of it.
struct Operand {
  int tensor = -1;
  std::array<Affine, 2> at{};       // of the tile's first element
  int along = 0;                    // dimension that D's rows (of A) or columns (of B) run along
  int64_t first = 0;                // what D's buffer has before the tile, times -1
  int32_t place = TilePlaces::none; // along there, in runs for every launch
  auto operator<=>(const Operand &) const = default;
};

/// The last step of a sum of products: which tiles of A and of B.
struct Product {
  std::array<Operand, 2> operands{};
  auto operator<=>(const Product &) const = default;
};

/// The boxes of bytes of a view, once worked out. A key is all that they depend on: buffer, slot,
/// offsets, shape and rows.
class FootprintCache {
public:
  using Key = std::vector<int64_t>;

  const std::vector<Interval> *find(const Key &key) const;
  const std::vector<Interval> *add(const Key &key, std::vector<Interval> bytes);

private:
  struct Hash {
    size_t operator()(const Key &key) const;
  };
  std::unordered_map<Key, std::vector<Interval>, Hash> entries_;
};

struct Context {
  /// `launch`: extents and arguments are those; null: they are unknown, the run is for every
  /// launch.
  Context(const Program &theProgram, const Launch *theLaunch);

  /// Number of the sequential strand `kind` of an actor, or of its operation on a barrier.
  int32_t component(int32_t kind, int32_t actor, const Stmt *stmt, int64_t barrier);
  int32_t components() const { return static_cast<int32_t>(names_.size()); }
  /// Whose strand a component is.
  int32_t actorOf(int32_t component) const { return names_[component].actor; }
  /// What a component is of.
  struct Component {
    // Kinds: the loads of a statement on one barrier; tcgen05.commits to one barrier.
    static constexpr int32_t loads = 100, commits = 101;
    int32_t kind, actor;
    const Stmt *stmt;
    int64_t barrier; // barrierNumber
    auto operator<=>(const Component &) const = default;
  };
  const Component &componentAt(int32_t number) const { return names_[number]; }
  /// A number of the barrier in all CTAs, which tells its array and its slot.
  static int64_t barrierNumber(int64_t cta, int64_t array, int64_t slot) {
    return (cta * arrays + array) * slots + slot;
  }
  static std::tuple<int64_t, int, int64_t> barrierAt(int64_t number) {
    return {number / slots / arrays, static_cast<int>(number / slots % arrays), number % slots};
  }
  int64_t tagOf(const Origin &origin);
  int64_t productNumber(const Product &product);

  const Program &program;
  const Launch *launch;
  /// CTAs that one run has: a cluster, or the whole grid where counters join it.
  std::array<int64_t, 3> group;
  int64_t mostGiven = 0; // RunGroup::given
  Terms terms;
  TilePlaces places;
  FootprintCache footprints;
  /// NormalForm::ahead, by actor, block and statement.
  std::map<std::tuple<int32_t, const Block *, size_t>, std::vector<const For *>> ahead;
  std::map<int64_t, Partition> partitions; // of memories, see RunMemory::of
  /// Accesses met at places counted from different unknowns, which are set against each other in no
  /// way: AccessPairs.h tells whether they may meet.
  /// True: some two of them in one CTA.
  std::map<std::pair<const Stmt *, const Stmt *>, bool> uncompared;
  /// Accesses at places that numbers drawn told, which nobody has any more: by memory of a tensor,
  /// the statement and its CTA.
  std::map<int, std::set<std::pair<const Stmt *, int>>> leftBehind;
  /// Pairs of which runs tell whether something orders every access of one with every earlier one
  /// of the other; those that they have found to be in no order.
  std::set<std::pair<const Stmt *, const Stmt *>> asked, unordered;
  /// Of those asked: what two agents touch is apart, so that each is asked of its own accesses.
  std::set<std::pair<const Stmt *, const Stmt *>> ofOneAgent;
  std::set<std::pair<const Stmt *, const Stmt *>> ofOneCta; // or two CTAs of a cluster
  /// Loops of which an iteration is in the path of a statement's boxes; null: they have had none.
  std::map<const Stmt *, std::set<const For *>> movesWith;
  std::vector<int> memory;                // of a tensor, Program/Apart.h
  std::vector<bool> trackedTensor;        // its memory is written by some operation
  std::vector<bool> asyncTensor;          // its memory is loaded or stored by TMA
  const Stmt *waitsForPrevious = nullptr; // some griddepcontrol.wait
  bool allocatesTensorMemory = false;     // some tcgen05.alloc
  /// Of the text: whether a vector core may get a cross-core flag from the cube core, from its
  /// peer.
  struct CrossSources {
    bool cube = false, peer = false;
  };
  const CrossSources &crossSources(int64_t id);
  std::vector<bool> awaited;                          // counters that somebody waits for
  std::optional<CoreMeeting> meeting;                 // Ascend: of all cores
  CounterOrder counters;                              // of unknown launches
  std::map<const View *, std::vector<bool>> gathered; // gatheredViews
  std::vector<bool> multiplied;                       // multipliedBuffers
  std::set<const Stmt *> sumsApart;    // products each of which begins a sum of its own
  ProductsOfNumbers productsOfNumbers; // wgmma operations, see RunWarpgroups.cpp
  std::vector<Origin> origins;         // of tags
  std::vector<Product> products;       // by number
  std::vector<std::vector<bool>> used; // mbarrier, slot: a phase has completed
  std::set<std::string> assumptions, notes;
  Observations observed;
  using Clock = ThreadClock;
  Clock::time_point deadline = Clock::time_point::max(); // runs end there
  bool strict = false;                                   // R39 is refused, not noted
  int64_t maxEvents = 50'000'000;                        // of a run of real trip counts

  /// What is touched of a tensor in front of griddepcontrol.wait.
  void assumeNoneBefore(int tensor);

private:
  std::map<int64_t, CrossSources> crossSources_;         // by id
  static constexpr int64_t arrays = 4096, slots = 65536; // more than there are
  std::map<Component, int32_t> components_;
  std::vector<Component> names_; // by number
  std::map<Origin, int64_t> originNumbers_;
  std::map<Product, int64_t> productNumbers_;
};

} // namespace sluice
