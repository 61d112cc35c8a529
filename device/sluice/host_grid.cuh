// The machine of host mode: every warp of a grid is two fibers, its elected lane and the others;
// barriers, counters and the numbers that warps hand on through shared memory are real. C++17,
// glibc's ucontext.
#pragma once

#include <sluice/base.cuh>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <ucontext.h>
#include <vector>

namespace sluice {
namespace host_mode {

struct Barrier {
  i64 expected = 0, pending = 0, bytes = 0;
  u32 phase = 0;
  void settle() {
    if (pending == 0 && bytes == 0) {
      pending = expected;
      phase ^= 1;
    }
  }
};

/// Arrivals of threads at a barrier of the hardware.
struct Meeting {
  i64 arrived = 0, generation = 0;
  void arrive(i64 count, i64 all) {
    arrived += count;
    if (arrived >= all) {
      arrived = 0;
      ++generation;
    }
  }
};

struct Cta {
  HostIndex index;
  int rank = 0;
  std::map<u32, Barrier> barriers;
  std::map<int, Meeting> named;
  std::map<u32, int> numbers; // in shared memory, by address
};

struct Cluster {
  std::deque<int> responses; // to its requests for other clusters
  std::vector<Cta> ctas;
  Meeting meeting;
  i64 threads = 0;
};

/// One strand of a warp: the elected lane, which writes down what the warp does, or the 31 others.
struct Warp {
  Cluster *cluster = nullptr;
  Cta *cta = nullptr;
  int number = 0;
  int lanes = 1;        // of this strand
  Warp *peer = nullptr; // the other one
  i64 meetings = 0;     // of the two
  i64 clusterArrivals = 0;
  std::vector<int> drawn; // what counters held when the warp added to them
  size_t taken = 0;       // of those, by the other lanes
  std::vector<std::string> lines;
  std::unique_ptr<char[]> stack;
  ucontext_t context{};
  bool done = false;
  std::string name() const {
    const HostIndex at = cta->index;
    char text[64];
    std::snprintf(text, sizeof text, "%u,%u,%u %d", at.x, at.y, at.z, number);
    return text;
  }
};

/// A tensor of which only its place is known: addresses of its own, of which none is read. A tile
/// may begin before it, as above the first row of an image.
class Place {
public:
  explicit Place(const char *name) : name_(name) {
    all().push_back(this);
    address_ = (u64(all().size()) << bits) + (u64(1) << (bits - 1));
  }
  template <class T> operator T *() const { return reinterpret_cast<T *>(address_); }

  /// "B", or "B + 4615": so many elements further on.
  template <class T> static std::string text(const T *at) {
    const u64 address = reinterpret_cast<u64>(at), number = address >> bits;
    if (number == 0 || number > all().size())
      return "?";
    const Place &place = *all()[number - 1];
    const i64 further = i64(address - place.address_) / i64(sizeof(T));
    return place.name_ + (further ? " + " + std::to_string(further) : std::string());
  }

private:
  static constexpr int bits = 40; // of the bytes of a tensor
  static std::vector<Place *> &all() {
    static std::vector<Place *> places;
    return places;
  }
  std::string name_;
  u64 address_;
};

/// A tensor of i32: what it holds may steer a kernel.
class Integers {
public:
  Integers(const char *name, size_t size, std::vector<int> values = {})
      : name_(name), values_(std::move(values)) {
    values_.resize(size + 1);
    all().push_back(this);
  }
  operator int *() { return values_.data(); }

  /// "counter 3", for an element of such a tensor.
  static std::string text(const int *element) {
    for (const Integers *i : all())
      if (element >= i->values_.data() && element < i->values_.data() + i->values_.size())
        return std::string(i->name_) + " " + std::to_string(element - i->values_.data());
    return "?";
  }
  /// "lengths", or "lengths + 4615" for a matrix of it that starts so many elements further on;
  /// empty: of no such tensor.
  static std::string tensor(const void *base) {
    for (const Integers *i : all())
      if (const int *data = i->values_.data(); base >= data && base < data + i->values_.size())
        return i->name_ +
               (base == data ? std::string() : " + " + std::to_string((const int *)base - data));
    return "";
  }

private:
  static std::vector<Integers *> &all() {
    static std::vector<Integers *> tensors;
    return tensors;
  }
  const char *name_;
  std::vector<int> values_;
};

/// All CTAs at once, warp after warp.
class Grid {
public:
  static Grid *&current() {
    static Grid *grid = nullptr;
    return grid;
  }

  std::deque<Cluster> clusters;
  std::vector<std::unique_ptr<Warp>> warps;
  /// Names of the warps that add to counters, in the order in which they do; empty: as it comes.
  std::deque<std::string> additions;
  i64 changes = 0;
  Warp *running = nullptr;

  /// The elected lane: what a warp does once, and not lane by lane, is done here.
  bool speaks() const { return running->lanes == 1; }
  Cta &here() { return *running->cta; }
  Cluster &cluster() { return *running->cluster; }
  Barrier &barrier(u32 address, int rank) {
    ++changes;
    return cluster().ctas[size_t(rank)].barriers[address];
  }
  void say(const char *format, ...) __attribute__((format(printf, 2, 3))) {
    if (!speaks())
      return;
    char line[512];
    va_list list;
    va_start(list, format);
    std::vsnprintf(line, sizeof line, format, list);
    va_end(list);
    running->lines.emplace_back(line);
    ++changes;
  }
  /// Until `holds`; other warps run meanwhile.
  template <class Condition> void await(Condition holds) {
    while (!holds())
      swapcontext(&running->context, &scheduler_);
    ++changes;
  }
  /// All lanes of the warp come before one goes on.
  void meet() {
    const Warp *self = running;
    ++running->meetings;
    ++changes;
    await([self] { return self->peer->meetings >= self->meetings; });
  }
  /// What the counter held before. The other lanes learn it from the elected one, and add
  /// `byEach` after it.
  int add(int *counter, int value, int byEach) {
    if (!speaks()) {
      const Warp *self = running;
      await([self] { return self->peer->drawn.size() > self->taken; });
      *counter += running->lanes * byEach;
      return self->peer->drawn[running->taken++];
    }
    const bool given = !additions.empty();
    await([&] { return !given || (!additions.empty() && additions.front() == running->name()); });
    if (given)
      additions.pop_front();
    const int old = *counter;
    *counter += value;
    running->drawn.push_back(old);
    return old;
  }

  /// -1: no cluster is left.
  int nextResponse() {
    std::deque<int> &left = cluster().responses;
    if (left.empty())
      return -1;
    const int number = left.front();
    left.pop_front();
    return number;
  }

  void place(HostIndex first, HostIndex shape, int warpsOfCta) {
    const unsigned size = shape.x * shape.y * shape.z;
    clusters.emplace_back();
    Cluster &cluster = clusters.back();
    cluster.ctas.resize(size);
    cluster.threads = i64(size) * warpsOfCta * 32;
    for (unsigned r = 0; r < size; ++r) {
      Cta &cta = cluster.ctas[r];
      cta.rank = int(r);
      cta.index = {first.x + r % shape.x, first.y + r / shape.x % shape.y,
                   first.z + r / (shape.x * shape.y)};
      for (int w = 0; w < warpsOfCta; ++w)
        placeWarp(cluster, cta, w);
    }
  }

  void placeWarp(Cluster &cluster, Cta &cta, int number) {
    Warp *strands[2];
    for (Warp *&strand : strands) {
      warps.emplace_back(new Warp);
      strand = warps.back().get();
      strand->cluster = &cluster;
      strand->cta = &cta;
      strand->number = number;
    }
    strands[0]->peer = strands[1];
    strands[1]->peer = strands[0];
    strands[1]->lanes = 31;
  }

  /// False: some warps can never go on.
  bool run(const std::function<void()> &kernel) {
    current() = this;
    kernel_ = kernel;
    for (auto &warp : warps)
      prepare(*warp);
    for (bool live = true; live;) {
      const i64 before = changes;
      live = false;
      for (auto &warp : warps)
        if (!warp->done) {
          live = true;
          step(*warp);
        }
      if (live && changes == before)
        return false;
    }
    return true;
  }

private:
  static constexpr size_t stackBytes = size_t(256) << 10;

  void prepare(Warp &warp) {
    warp.stack.reset(new char[stackBytes]);
    getcontext(&warp.context);
    warp.context.uc_stack.ss_sp = warp.stack.get();
    warp.context.uc_stack.ss_size = stackBytes;
    warp.context.uc_link = &scheduler_;
    makecontext(&warp.context, &Grid::enter, 0);
  }
  void step(Warp &warp) {
    running = &warp;
    blockIdx = warp.cta->index;
    threadIdx.x = unsigned(32 * warp.number) + (warp.lanes == 1 ? 0 : 1);
    swapcontext(&scheduler_, &warp.context);
  }
  static void enter() {
    Grid &grid = *current();
    grid.kernel_();
    grid.running->done = true;
    ++grid.changes;
  }

  std::function<void()> kernel_;
  ucontext_t scheduler_{};
};

inline Grid &grid() {
  return *Grid::current();
}

/// By the number of its first CTA what a cluster that runs is given; those are not launched.
using Responses = std::map<int, std::deque<int>>;

inline bool isGiven(const Responses &responses, int number) {
  for (const auto &[asking, given] : responses)
    for (const int one : given)
      if (one == number)
        return true;
  return false;
}

/// Runs a grid and prints "x,y,z warp: line" for every operation. 0, or 3 where warps wait for
/// ever.
inline int run(HostIndex extents, HostIndex shape, int warps, const std::function<void()> &kernel,
               std::deque<std::string> additions = {}, const Responses &responses = {}) {
  Grid grid;
  grid.additions = std::move(additions);
  for (unsigned z = 0; z < extents.z; z += shape.z)
    for (unsigned y = 0; y < extents.y; y += shape.y)
      for (unsigned x = 0; x < extents.x; x += shape.x) {
        const int number = int(x + extents.x * (y + extents.y * z));
        if (isGiven(responses, number))
          continue;
        grid.place({x, y, z}, shape, warps);
        const auto given = responses.find(number);
        if (given != responses.end())
          grid.clusters.back().responses = given->second;
      }
  const bool ended = grid.run(kernel);
  for (auto &warp : grid.warps) {
    for (const std::string &line : warp->lines)
      std::printf("%s: %s\n", warp->name().c_str(), line.c_str());
    if (!warp->done)
      std::printf("%s: (%s for ever)\n", warp->name().c_str(),
                  warp->lanes == 1 ? "waits" : "its other lanes wait");
  }
  return ended ? 0 : 3;
}

} // namespace host_mode
} // namespace sluice
