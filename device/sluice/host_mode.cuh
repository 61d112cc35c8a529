// Host mode: with SLUICE_HOST defined the host's compiler takes a printed kernel as it is, and
// every warp runs as a fiber whose barriers are real and whose data is not. What a warp does is
// written down, one line an operation: with barriers as @bytes in shared memory and tiles as
// [begin,end). A line that only a wait can reach comes after that wait has been passed; warps that
// can never go on end the program. C++17, glibc's ucontext.
#pragma once

#include <sluice/copy.cuh>
#include <sluice/cursor.cuh>
#include <sluice/fragment.cuh>
#include <sluice/mbarrier.cuh>
#include <sluice/number.cuh>
#include <sluice/scope.cuh>
#include <sluice/shared_tile.cuh>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <ucontext.h>
#include <vector>

namespace sluice {

/// A tensor map: the tensor's name and the bytes of one box.
struct TensorMap {
  const char *tensor;
  u32 boxBytes;
};

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
};

struct Warp {
  Cta *cta = nullptr;
  int number = 0;
  std::vector<std::string> lines;
  std::unique_ptr<char[]> stack;
  ucontext_t context{};
  bool done = false;
};

/// The CTAs of one cluster, warp after warp.
class Cluster {
public:
  static Cluster *&current() {
    static Cluster *cluster = nullptr;
    return cluster;
  }

  std::vector<Cta> ctas;
  std::vector<std::unique_ptr<Warp>> warps;
  Meeting meeting;
  i64 changes = 0;
  Warp *running = nullptr;

  Cta &here() { return *running->cta; }
  Barrier &barrier(u32 address, int rank) {
    ++changes;
    return ctas[size_t(rank)].barriers[address];
  }
  void say(const char *format, ...) __attribute__((format(printf, 2, 3))) {
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
    makecontext(&warp.context, &Cluster::enter, 0);
  }
  void step(Warp &warp) {
    running = &warp;
    blockIdx = warp.cta->index;
    threadIdx.x = unsigned(32 * warp.number);
    swapcontext(&scheduler_, &warp.context);
  }
  static void enter() {
    Cluster &cluster = *current();
    cluster.kernel_();
    cluster.running->done = true;
    ++cluster.changes;
  }

  std::function<void()> kernel_;
  ucontext_t scheduler_{};
};

inline Cluster &cluster() {
  return *Cluster::current();
}

/// Runs every cluster of the grid and prints "x,y,z warp: line" for every operation. 0, or 3 where
/// warps of a cluster wait for ever.
inline int run(HostIndex grid, HostIndex shape, int warps, const std::function<void()> &kernel) {
  int result = 0;
  for (unsigned z = 0; z < grid.z; z += shape.z)
    for (unsigned y = 0; y < grid.y; y += shape.y)
      for (unsigned x = 0; x < grid.x; x += shape.x) {
        Cluster cluster;
        const unsigned size = shape.x * shape.y * shape.z;
        cluster.ctas.resize(size);
        for (unsigned r = 0; r < size; ++r) {
          Cta &cta = cluster.ctas[r];
          cta.rank = int(r);
          cta.index = {x + r % shape.x, y + r / shape.x % shape.y, z + r / (shape.x * shape.y)};
          for (int w = 0; w < warps; ++w) {
            cluster.warps.emplace_back(new Warp);
            cluster.warps.back()->cta = &cta;
            cluster.warps.back()->number = w;
          }
        }
        if (!cluster.run(kernel))
          result = 3;
        for (auto &warp : cluster.warps) {
          const HostIndex at = warp->cta->index;
          for (const std::string &line : warp->lines)
            std::printf("%u,%u,%u %d: %s\n", at.x, at.y, at.z, warp->number, line.c_str());
          if (!warp->done)
            std::printf("%u,%u,%u %d: (waits for ever)\n", at.x, at.y, at.z, warp->number);
        }
      }
  return result;
}

/// Bytes that some elements of a tile touch.
struct Range {
  u32 begin = ~0u, end = 0;
  void add(u32 at, u32 bytes) {
    begin = std::min(begin, at);
    end = std::max(end, at + bytes);
  }
};

} // namespace host_mode

using host_mode::cluster;

// ---- Warps and lanes

inline int warpOfCta() {
  return int(threadIdx.x / 32);
}
inline u32 sharedAddress(const void *) {
  return 0; // addresses count from the start of dynamic shared memory
}
inline int clusterRank() {
  return cluster().here().rank;
}
inline bool electLane() {
  return true;
}
template <int sync = 0> void warpSync() {}
template <int registers> void registersGrow() {}
template <int registers> void registersShrink() {}

// ---- mbarriers

template <int sync = 0> void mbarrierInit(u32 barrier, u32 count) {
  cluster().say("init @%u count %u", barrier, count);
  cluster().barrier(barrier, clusterRank()) = {count, count, 0, 0};
}
template <int sync = 0> void mbarrierInval(u32 barrier) {
  cluster().say("inval @%u", barrier);
}
inline void arriveAt(u32 barrier, int rank, i64 count, i64 bytes) {
  host_mode::Barrier &b = cluster().barrier(barrier, rank);
  b.bytes += bytes;
  b.pending -= count;
  b.settle();
}
template <Scope scope = Scope::cta, int sync = 0> void mbarrierArrive(u32 barrier, u32 count = 1) {
  cluster().say("arrive @%u count %u", barrier, count);
  arriveAt(barrier, clusterRank(), count, 0);
}
template <Scope scope = Scope::cta, int sync = 0>
void mbarrierArriveRemote(u32 barrier, u32 rank, u32 count = 1) {
  cluster().say("arrive @%u of %u count %u", barrier, rank, count);
  arriveAt(barrier, int(rank), count, 0);
}
template <Scope scope = Scope::cta, int sync = 0>
void mbarrierArriveExpectTx(u32 barrier, u32 bytes) {
  cluster().say("arrive @%u bytes %u", barrier, bytes);
  arriveAt(barrier, clusterRank(), 1, bytes);
}
template <Scope scope = Scope::cta, int sync = 0>
void mbarrierArriveExpectTxRemote(u32 barrier, u32 rank, u32 bytes) {
  cluster().say("arrive @%u of %u bytes %u", barrier, rank, bytes);
  arriveAt(barrier, int(rank), 1, bytes);
}
template <int sync = 0> void mbarrierExpectTx(u32 barrier, u32 bytes) {
  cluster().say("expect @%u bytes %u", barrier, bytes);
  arriveAt(barrier, clusterRank(), 0, bytes);
}
template <int sync = 0> void mbarrierExpectTxRemote(u32 barrier, u32 rank, u32 bytes) {
  cluster().say("expect @%u of %u bytes %u", barrier, rank, bytes);
  arriveAt(barrier, int(rank), 0, bytes);
}
template <Scope scope = Scope::cta, int sync = 0> void mbarrierWait(u32 barrier, u32 parity) {
  host_mode::Barrier &b = cluster().barrier(barrier, clusterRank());
  cluster().await([&] { return b.phase != (parity & 1); });
  cluster().say("wait @%u parity %u", barrier, parity & 1);
}

// ---- Records of what happens

struct Stamp;
template <u32 kept> struct Stamps {
  Stamps(Stamp *, u32) {}
  void begin() {}
  void end(u32 event) { cluster().say("event %u", event); }
  void finish() {}
};
template <u32 kept> struct Checksums {
  explicit Checksums(u64 *) {}
  void slot(u32 address, u32 bytes) { cluster().say("sum [%u,%u)", address, address + bytes); }
  void finish() {}
};

// ---- Other barriers, fences, groups

template <int sync = 0> void namedBarrierSync(int id, int threads) {
  host_mode::Meeting &meeting = cluster().here().named[id];
  const i64 generation = meeting.generation;
  meeting.arrive(32, threads);
  ++cluster().changes;
  cluster().await([&] { return meeting.generation != generation; });
  cluster().say("bar.sync %d of %d", id, threads);
}
template <int sync = 0> void namedBarrierArrive(int id, int threads) {
  cluster().here().named[id].arrive(32, threads);
  cluster().say("bar.arrive %d of %d", id, threads);
}
template <int sync = 0> void clusterArrive() {
  cluster().say("cluster.arrive");
  cluster().meeting.arrive(1, i64(cluster().warps.size()));
}
template <int sync = 0> void clusterArriveRelaxed() {
  clusterArrive<sync>();
}
/// Every warp arrives before it waits, so the phase it waits for is the number of its arrivals.
template <int sync = 0> void clusterWait() {
  i64 arrivals = 0;
  for (const std::string &line : cluster().running->lines)
    arrivals += line == "cluster.arrive";
  cluster().await([&] { return cluster().meeting.generation >= arrivals; });
  cluster().say("cluster.wait");
}
template <int sync = 0> void fenceProxyAsync() {
  cluster().say("fence proxy async");
}
template <int sync = 0> void fenceProxyAsyncGlobal() {
  cluster().say("fence proxy async global");
}
template <int sync = 0> void fenceMbarrierInit() {
  cluster().say("fence mbarrier init");
}
template <int sync = 0> void bulkCommit() {
  cluster().say("bulk commit");
}
template <int pending, int sync = 0> void bulkWait() {
  cluster().say("bulk wait %d", pending);
}
template <int pending, int sync = 0> void bulkWaitRead() {
  cluster().say("bulk wait read %d", pending);
}
template <int sync = 0> void cpAsyncCommit() {
  cluster().say("copies commit");
}
template <int pending, int sync = 0> void cpAsyncWait() {
  cluster().say("copies wait %d", pending);
}
template <int sync = 0> void waitForPreviousKernel() {
  cluster().say("kernel before");
}
template <int sync = 0> void launchDependents() {
  cluster().say("next kernel");
}

// ---- Tensor copies: they end at once

template <class... Coordinates> std::string coordinatesText(Coordinates... c) {
  std::string text;
  ((text += " " + std::to_string(c)), ...);
  return text;
}
template <int boxes, int step, int chunk>
host_mode::Range boxRange(u32 from, const TensorMap &map) {
  host_mode::Range range;
  for (int i = 0; i < boxes; ++i)
    range.add(from + u32(i * chunk), map.boxBytes);
  return range;
}
template <int boxes, int step, int chunk, class... Coordinates>
void tmaLoad(u32 to, const TensorMap &map, u32 barrier, Coordinates... c) {
  const auto range = boxRange<boxes, step, chunk>(to, map);
  cluster().say("load %s%s to [%u,%u) bytes %u @%u", map.tensor, coordinatesText(c...).c_str(),
                range.begin, range.end, boxes * map.boxBytes, barrier);
  arriveAt(barrier, clusterRank(), 0, -i64(boxes) * map.boxBytes);
}
template <int boxes, int step, int chunk, class... Coordinates>
void tmaMulticast(u32 mask, u32 to, const TensorMap &map, u32 barrier, Coordinates... c) {
  const auto range = boxRange<boxes, step, chunk>(to, map);
  cluster().say("load %s%s to [%u,%u) bytes %u @%u mask %u", map.tensor,
                coordinatesText(c...).c_str(), range.begin, range.end, boxes * map.boxBytes,
                barrier, mask);
  for (int rank = 0; rank < int(cluster().ctas.size()); ++rank)
    if (mask >> rank & 1)
      arriveAt(barrier, rank, 0, -i64(boxes) * map.boxBytes);
}
template <int boxes, int step, int chunk, class... Coordinates>
void tmaStore(const TensorMap &map, u32 from, Coordinates... c) {
  const auto range = boxRange<boxes, step, chunk>(from, map);
  cluster().say("store %s%s from [%u,%u)", map.tensor, coordinatesText(c...).c_str(), range.begin,
                range.end);
}
template <int boxes, int step, int chunk, class... Coordinates>
void tmaAdd(const TensorMap &map, u32 from, Coordinates... c) {
  const auto range = boxRange<boxes, step, chunk>(from, map);
  cluster().say("add %s%s from [%u,%u)", map.tensor, coordinatesText(c...).c_str(), range.begin,
                range.end);
}

// ---- Products

template <class TileType, bool major> struct SharedOperand {
  using Tile = TileType;
  u32 base;
  int mn, k;
  SharedOperand from(int moreMn, int moreK) const { return {base, mn + moreMn, k + moreK}; }
  host_mode::Range range(int mns, int ks) const {
    constexpr int size = int(sizeof(typename Tile::Element));
    host_mode::Range range;
    for (int i = mn; i < mn + mns; ++i)
      for (int j = k; j < k + ks; ++j)
        range.add(base +
                      (major ? Tile::offsetInLine(i, j * size) : Tile::offsetInLine(j, i * size)),
                  size);
    return range;
  }
};
template <class Tile, int slotBytes>
SharedOperand<Tile, true> kMajor(Buffer<Tile, slotBytes> buffer, int slot) {
  return {buffer[slot], 0, 0};
}
template <class Tile, int slotBytes>
SharedOperand<Tile, false> mnMajor(Buffer<Tile, slotBytes> buffer, int slot) {
  return {buffer[slot], 0, 0};
}
struct RegisterOperand {};
template <class Frag> RegisterOperand inRegisters(const Frag &, int = 0) {
  return {};
}
template <int sync = 0, class... Frags> void wgmmaFence(Frags &...) {
  cluster().say("wgmma fence");
}
template <int sync = 0> void wgmmaCommit() {
  cluster().say("wgmma commit");
}
template <int pending, int sync = 0, class... Frags> void wgmmaWait(Frags &...) {
  cluster().say("wgmma wait %d", pending);
}
template <int K, int warpgroups, class D, int N, int blocks, class A, bool aMajor, class B,
          bool bMajor>
void wgmma(Fragment<D, N, blocks> &, SharedOperand<A, aMajor> a, SharedOperand<B, bMajor> b,
           bool accumulate, int warpgroup) {
  host_mode::Range rows; // those of this warp: a fragment has 16 of the 64
  const int ofWarp = 16 * (warpOfCta() % 4);
  for (int block = 0; block < blocks; ++block) {
    const auto part = a.from(64 * (block * warpgroups + warpgroup) + ofWarp, 0).range(16, K);
    rows.add(part.begin, part.end - part.begin);
  }
  const auto columns = b.range(N, K);
  cluster().say("wgmma a [%u,%u) b [%u,%u) %d", rows.begin, rows.end, columns.begin, columns.end,
                int(accumulate));
}
template <int K, int N, int blocks, class B, bool bMajor>
void wgmma(Fragment<float, N, blocks> &, RegisterOperand, SharedOperand<B, bMajor> b,
           bool accumulate) {
  const auto columns = b.range(N, K);
  cluster().say("wgmma b [%u,%u) %d", columns.begin, columns.end, int(accumulate));
}

// ---- Copies of registers and of threads

template <class Tile, int warps, class Frag>
host_mode::Range fragmentRange(u32 to, int row0, int col0, int warp) {
  host_mode::Range range;
  for (int block = 0; block < Frag::rowBlocks; ++block)
    for (int r = 0; r < 16; ++r)
      for (int c = 0; c < Frag::columns; ++c) {
        const int row = (block * (warps / 4) + warp / 4) * 64 + warp % 4 * 16 + r;
        range.add(to + Tile::offset(row0 + row, col0 + c), sizeof(typename Tile::Element));
      }
  return range;
}
template <class Tile, int warps, class Frag>
void storeFragmentShared(u32 to, int row0, int col0, const Frag &, int warp) {
  const auto range = fragmentRange<Tile, warps, Frag>(to, row0, col0, warp);
  cluster().say("stage [%u,%u)", range.begin, range.end);
}
template <class Tile, int warps, class Frag>
void storeFragmentMatrices(u32 to, int row0, int col0, const Frag &f, int warp) {
  storeFragmentShared<Tile, warps>(to, row0, col0, f, warp);
}
template <class Tile, int warps, class Frag>
void loadFragmentShared(Frag &, u32 from, int row0, int col0, int warp) {
  const auto range = fragmentRange<Tile, warps, Frag>(from, row0, col0, warp);
  cluster().say("read [%u,%u)", range.begin, range.end);
}
template <class Tile, int warps, class Frag>
void loadFragmentMatrices(Frag &f, u32 from, int row0, int col0, int warp) {
  loadFragmentShared<Tile, warps>(f, from, row0, col0, warp);
}
/// In host mode a tensor's base is the text of its name.
template <class T> void sayWindow(const char *verb, const Window<T> &w) {
  cluster().say("%s %s %d %d", verb, reinterpret_cast<const char *>(w.base), w.row, w.col);
}
template <int warps, bool paired, class T, class Frag>
void storeFragment(const Window<T> &w, const Frag &, int) {
  sayWindow("write", w);
}
template <int warps, class T, class Frag> void loadFragment(Frag &, const Window<T> &w, int) {
  sayWindow("fetch", w);
}
template <int warps, class T, class Frag>
void storeRowVector(const Window<T> &w, const Frag &, int) {
  sayWindow("write", w);
}
template <int warps, class T, class Frag> void loadRowVector(Frag &, const Window<T> &w, int) {
  sayWindow("fetch", w);
}
template <class T, class Frag> void loadColVector(Frag &, const Window<T> &w) {
  sayWindow("fetch", w);
}
template <class Tile, int lines, int along> host_mode::Range linesRange(u32 to, int l0, int a0) {
  constexpr int size = int(sizeof(typename Tile::Element));
  host_mode::Range range;
  for (int l = l0; l < l0 + lines; ++l)
    for (int a = a0; a < a0 + along; ++a)
      range.add(to + Tile::offsetInLine(l, a * size), size);
  return range;
}
template <class Tile, int lines, int along, int bytes, int threads, class T>
void loadTile(u32 to, int line0, int along0, const Window<T> &w, int) {
  const auto range = linesRange<Tile, lines, along>(to, line0, along0);
  cluster().say("copy %s %d %d to [%u,%u)", reinterpret_cast<const char *>(w.base), w.row, w.col,
                range.begin, range.end);
}
template <class Tile, int lines, int along, int bytes, int threads, class T>
void loadTileAsync(u32 to, int line0, int along0, const Window<T> &w, int thread) {
  loadTile<Tile, lines, along, bytes, threads>(to, line0, along0, w, thread);
}
template <class Tile, int lines, int along, int bytes, int threads, class T>
void storeTile(const Window<T> &w, u32 from, int line0, int along0, int) {
  const auto range = linesRange<Tile, lines, along>(from, line0, along0);
  cluster().say("copy [%u,%u) to %s %d %d", range.begin, range.end,
                reinterpret_cast<const char *>(w.base), w.row, w.col);
}

} // namespace sluice
