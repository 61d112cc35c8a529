// A grid on the host: every lane is a fiber, which runs until it waits for another. Clusters begin
// in order, the next one when no lane of those before can go on, so that few are there at a time.
#pragma once

#include "sluice/values_machine.cuh"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <ucontext.h>
#include <vector>

namespace sluice::host {

/// What a lane waits for.
struct Waiting {
  virtual bool isOver() const = 0;
  virtual std::string text() const = 0;

protected:
  ~Waiting() = default;
};

constexpr int lanesOfWarp = 32;

struct Warp;
struct Lane {
  Warp *warp = nullptr;
  int number = 0;
  bool done = false;
  const Waiting *waiting = nullptr;
  int64_t clusterArrivals = 0;
  ucontext_t context{};
};

struct Cta;
struct Warp {
  Cta *cta = nullptr;
  int number = 0;
  std::array<Lane, lanesOfWarp> lanes;
  // what its lanes do together
  std::array<void *, lanesOfWarp> given{};
  int come = 0;
  values::Together what = nullptr;
  int64_t meetings = 0;
};

/// Arrivals of threads at a barrier of the hardware.
struct Meeting {
  int64_t threads = 0, arrived = 0, generation = 0;
  void arrive() {
    if (++arrived == threads) {
      arrived = 0;
      ++generation;
    }
  }
};

struct Cluster;
struct Cta {
  Cluster *cluster = nullptr;
  values::Index index;
  int rank = 0;
  std::vector<std::byte> shared;
  std::deque<Warp> warps;
  std::map<int, Meeting> named;
  std::vector<uint32_t> columns; // of tensor memory, 512 of each lane; empty: nothing is allocated
  uint32_t firstColumn = 0, columnCount = 0;
  bool sawNone = false; // a response that says that no cluster is left
};

struct Cluster {
  std::deque<Cta> ctas;
  Meeting meeting;
  int64_t live = 0; // lanes
  void *stacks = nullptr;
  size_t stackBytes = 0;
  Cluster() = default;
  Cluster(const Cluster &) = delete;
  ~Cluster();
};

/// Extents of what is launched.
struct GridShape {
  std::array<int64_t, 3> grid{1, 1, 1}, cluster{1, 1, 1};
  int warps = 1; // of a CTA
  int64_t sharedBytes = 0;
};

class Grid {
public:
  Grid(const GridShape &shape, const values::Kernel &kernel, void **parameters)
      : shape_(shape), kernel_(kernel), parameters_(parameters) {}

  /// Runs all of it. Empty, or why it could not go on.
  std::string run();

  Lane &running() { return *running_; }
  Warp &warp() { return *running_->warp; }
  Cta &cta() { return *warp().cta; }
  Cluster &cluster() { return *cta().cluster; }

  /// The number of the first CTA of the cluster that would begin next, and now does not; -1: all
  /// have begun.
  int64_t take();
  /// The lane goes on when it is over.
  void await(const Waiting &waiting);
  /// Ends the run; the lane that runs is named.
  [[noreturn]] void fail(const std::string &why);

private:
  /// The first CTA of the cluster that comes next; nothing: all have begun.
  std::optional<std::array<int64_t, 3>> nextFirst();
  std::unique_ptr<Cluster> next();
  void prepare(Lane &lane, void *stack);
  bool stepAll(Cluster &cluster);
  void step(Lane &lane);
  std::string stuck() const;
  static void enter();

  GridShape shape_;
  values::Kernel kernel_;
  void **parameters_;
  int64_t begun_ = 0; // clusters
  std::deque<std::unique_ptr<Cluster>> live_;
  Lane *running_ = nullptr;
  ucontext_t scheduler_{};
  std::string failure_;
};

/// "lane 3 of warp 7 of CTA (0,1,0)"
std::string nameOf(const Lane &lane);

} // namespace sluice::host
