#include "Plan/AscendGemm.h"

#include "Arch/Limits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace sluice {
namespace {

constexpr int64_t granule = 16;       // rows and columns of a fractal
constexpr int64_t sumBytes = 4;       // f32
constexpr int64_t mostStages = 4;     // more hide nothing: a pipe has one transfer under way
constexpr int64_t slotsInL0 = 2;      // of A and of B (PlaceAscend)
constexpr int64_t mostSide = 512;     // of a tile
constexpr int64_t mostDepth = 512;    // of a step
constexpr int64_t besideTiles = 8192; // bytes of UB for vectors of a row or a column
constexpr int64_t rowsOfBlock = 32;   // that two vector cores finish of a split tile (SplitSteps)
constexpr int64_t mostSplit = 8;      // cores that share the steps of a tile

int64_t ceilDiv(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

int64_t upTo(int64_t n, int64_t multiple) {
  return std::max<int64_t>(ceilDiv(n, multiple), 1) * multiple;
}

struct Tile {
  int64_t bm, bn, bk = 0;
  int64_t depth = 0;           // of a product: what L0A and L0B hold of a step, in two slots each
  int64_t stages = 0, acc = 0; // slots in L1 and in L0C
  int64_t split = 1;           // cores that share its steps
  bool units = false;          // FIX takes sums as they come
};

/// Cycles in which a core's pipes are at work.
struct Pipes {
  double mte2 = 0, mte1 = 0, m = 0, fix = 0;
};

class AscendPlanner {
public:
  AscendPlanner(const AscendGemm &problem, const Arch &arch) : p_(problem), arch_(arch) {}

  Plan plan() {
    for (const int64_t bm : sides(p_.M, p_.rows))
      for (const int64_t bn : sides(p_.N, p_.columns)) {
        if (std::string reason = lack(bm * bn); !reason.empty()) {
          plan_.rejected.push_back({settings({bm, bn}), std::move(reason)});
          break; // wider ones have more
        }
        for (int64_t bk = mostDepth; bk >= deep(); bk /= 2)
          consider({bm, bn, std::min(bk, upTo(p_.K, deep()))});
      }
    std::ranges::stable_sort(plan_.candidates, {}, &PlanCandidate::cycles);
    return std::move(plan_);
  }

private:
  /// Rows or columns of tiles: no more than there are; beyond 256 few.
  static std::vector<int64_t> sides(int64_t extent, int64_t multiple) {
    const int64_t all = std::min(upTo(extent, multiple), mostSide);
    std::vector<int64_t> sides;
    for (int64_t side = multiple; side <= all; side += side < 256 ? multiple : 64)
      sides.push_back(side);
    if (sides.back() != all)
      sides.push_back(all);
    return sides;
  }

  /// What has no room for so many elements of C; empty: nothing.
  std::string lack(int64_t elements) const {
    const auto more = [](const std::string &what, int64_t bytes, int64_t room) {
      return bytes <= room
                 ? ""
                 : what + " of " + std::to_string(bytes) + " bytes; it has " + std::to_string(room);
    };
    std::string sums = more("L0C: sums", elements * sumBytes, arch_.l0cBytes);
    return sums.empty() ? more("UB: half of the tile with what is computed of it",
                               elements / 2 * p_.vectorBytes, arch_.ubBytes - besideTiles)
                        : sums;
  }

  int64_t size() const { return byteSize(p_.type); }
  /// Of whole fractals, 16 of f32.
  int64_t deep() const { return std::max<int64_t>(granule, 32 / size()); }
  /// Cycles of a product of fractals (Simulate/Engines.cpp).
  double ofFractals() const { return p_.type == DType::f32 ? 2 : 1; }

  /// The largest part of a step of which L0A and L0B hold two slots (splitK of PlaceAscend).
  int64_t depthOfProduct(const Tile &t) const {
    for (int64_t part = t.bk; part >= deep(); part -= deep())
      if (t.bk % part == 0 && slotsInL0 * t.bm * part * size() <= arch_.l0aBytes &&
          slotsInL0 * t.bn * part * size() <= arch_.l0bBytes)
        return part;
    return 0;
  }

  void consider(Tile t) {
    const int64_t fit = arch_.l1Bytes / ((t.bm + t.bn) * t.bk * size());
    t.stages = std::min({fit, mostStages, mostEventIds});
    t.depth = depthOfProduct(t);
    t.acc = 2 * t.bm * t.bn * sumBytes <= arch_.l0cBytes ? 2 : 1;
    const std::string whole = settings(t);
    if (t.stages < 2 || t.depth == 0 || whole == last_)
      return;
    last_ = whole;
    PlanCandidate c = timed(t);
    Tile byUnits = t; // where there are two slots M waits for no store
    byUnits.units = p_.units && t.acc == 1;
    if (PlanCandidate faster = timed(byUnits); faster.cycles < c.cycles)
      c = std::move(faster);
    plan_.candidates.push_back(std::move(c));
    for (int64_t split = 2; split <= mostSplit && isForSplit(t, split); ++split) {
      Tile parts = t;
      parts.split = split;
      plan_.candidates.push_back(timed(parts));
    }
  }

  /// Where there is a core for each part, with a step at least, and room for what vector cores add.
  bool isForSplit(const Tile &t, int64_t split) const {
    const int64_t sums = rowsOfVector(t) * t.bn * (p_.vectorBytes + 3 * sumBytes);
    return all(t) > 0 && all(t) * split <= arch_.cores && steps(t) >= split &&
           sums <= arch_.ubBytes - besideTiles;
  }

  int64_t all(const Tile &t) const {
    const auto [down, across] = tiles(t);
    return down * across * p_.products;
  }
  int64_t steps(const Tile &t) const { return ceilDiv(p_.K, t.bk); }
  /// Of the part of a tile that a core takes.
  int64_t stepsOfPart(const Tile &t) const { return ceilDiv(steps(t), t.split); }
  static int64_t rowsOfVector(const Tile &t) {
    return (t.bm % rowsOfBlock == 0 ? rowsOfBlock : t.bm) / 2;
  }

  /// Behind the meeting of all cores: a vector core loads the parts of its rows, adds and stores.
  double adding(const Tile &t) const {
    if (t.split == 1)
      return 0;
    const int64_t cores = std::min<int64_t>(all(t) * t.split, arch_.cores);
    const double blocks = double(ceilDiv(all(t) * ceilDiv(t.bm, 2 * rowsOfVector(t)), cores));
    const auto elements = double(rowsOfVector(t) * t.bn), parts = double(t.split);
    const double loads = parts * (arch_.moveLatency + elements * double(sumBytes) / arch_.gmToUb);
    const double adds = (parts + 2) * elements / arch_.vectorPerCycle; // zeros before, C behind
    const double stores = arch_.moveLatency + elements * double(byteSize(p_.out)) / arch_.ubToGm;
    return 2 * arch_.flagLatency + blocks * std::max({loads, adds, stores}) + stores + adds / parts;
  }

  std::pair<int64_t, int64_t> tiles(const Tile &t) const {
    return {ceilDiv(p_.M, t.bm), ceilDiv(p_.N, t.bn)};
  }

  /// What tiles have beyond the tensors is multiplied, but neither loaded nor stored.
  Pipes ofTile(const Tile &t, double rows, double columns) const {
    const double steps = double(stepsOfPart(t)), parts = steps * double(t.bk / t.depth);
    const double start = arch_.moveLatency;
    const int64_t depthOfPart = std::min(p_.K, stepsOfPart(t) * t.bk);
    Pipes w;
    w.mte2 = steps * 2 * start + (rows + columns) * double(depthOfPart * size()) / arch_.gmToL1;
    const double depth = steps * double(t.bk * size());
    w.mte1 = parts * 2 * start + depth * double(t.bm) / arch_.l1ToL0a +
             depth * double(t.bn) / arch_.l1ToL0b;
    w.m = parts * arch_.mmadSetup + double(t.bm / granule * (t.bn / granule)) * steps *
                                        double(ceilDiv(t.bk * size(), 32)) * ofFractals();
    // To the vector cores go whole tiles; on A2/A3 as a store to a workspace.
    if (t.split > 1) { // whole tiles of sums
      w.fix = start + double(t.bm * t.bn) * sumBytes / arch_.l0cToGm;
      return w;
    }
    const bool across = p_.vectorBytes > 0 && arch_.l0cToUb > 0;
    w.fix = start + (across ? double(t.bm * t.bn) * sumBytes / arch_.l0cToUb
                            : rows * columns * double(byteSize(p_.out)) / arch_.l0cToGm);
    return w;
  }

  /// Of the products of a tile, for the store of the one before: with a single slot of L0C until
  /// FIX has taken what is in it. By units it stores under the last product of the one tile and
  /// under the first of the next.
  double waitForFix(const Tile &t, const Pipes &one) const {
    const double products = double(std::max<int64_t>(ceilDiv(p_.K, t.bk) * (t.bk / t.depth), 1));
    return t.units ? std::max(0.0, one.fix - 2 * one.m / products) : one.fix;
  }

  /// Tiles of a core that end outside of C, which nothing overlaps with: their rows or columns may
  /// come to the same cores.
  double brokenTiles(const Tile &t) const {
    const auto [down, across] = tiles(t);
    const int64_t broken = (down * across - p_.M / t.bm * (p_.N / t.bn)) * p_.products;
    return double(ceilDiv(broken, arch_.cores) + (broken > 0 ? 1 : 0));
  }

  PlanCandidate timed(const Tile &t) const {
    const int64_t ofCore = ceilDiv(all(t) * t.split, arch_.cores);
    const Pipes one = ofTile(t, std::min<double>(double(t.bm), double(p_.M)),
                             std::min<double>(double(t.bn), double(p_.N)));
    const auto n = double(ofCore);
    const double steps = std::max<double>(double(stepsOfPart(t)), 1);
    const double products = n * one.m + (t.acc == 1 ? (n - 1) * waitForFix(t, one) : 0);
    const std::array<std::pair<double, const char *>, 4> pipes = {
        {{n * one.mte2, "MTE2"}, {n * one.mte1, "MTE1"}, {products, "M"}, {n * one.fix, "FIX"}}};
    const auto busiest = std::ranges::max_element(pipes, {}, [](auto &p) { return p.first; });
    // The first step is loaded before anything else is at work; behind the last one it goes on.
    const double last = one.m / steps + one.fix, first = one.mte2 / steps;
    PlanCandidate c;
    c.settings = settings(t);
    c.cycles = busiest->first + (busiest == pipes.begin() ? last : first + last) + adding(t) +
               (t.units ? brokenTiles(t) * (first + last) : 0);
    c.tensor = ofFractals() * double(p_.M) * double(p_.N) * double(p_.K * size() * p_.products) /
               (granule * granule * 32.0 * arch_.cores);
    c.limit = busiest->second;
    c.why = reason(t, n, one, c.cycles);
    return c;
  }

  /// Rows of tiles taken together, so that the tiles of a wave are about a square of C: that has
  /// the least of A and B.
  int64_t group(const Tile &t) const {
    const double square = std::sqrt(double(arch_.cores) * double(t.bn) / double(t.bm));
    return std::clamp<int64_t>(std::llround(square), 1, std::max<int64_t>(tiles(t).first, 1));
  }

  std::string settings(const Tile &t) const {
    std::string text = "bm=" + std::to_string(t.bm) + " bn=" + std::to_string(t.bn);
    if (t.bk == 0)
      return text;
    text += " bk=" + std::to_string(t.bk) + " stages=" + std::to_string(t.stages);
    const auto [down, across] = tiles(t);
    const bool waves = all(t) > arch_.cores && down > 1 && across > 1;
    return text + (t.split > 1 ? " split=" + std::to_string(t.split) : "") +
           (waves ? " group=" + std::to_string(group(t)) : "") + (t.units ? " unit=yes" : "");
  }

  std::string workOfCore(const Tile &t, double n) const {
    const std::string tiles = std::to_string(all(t)), cores = std::to_string(arch_.cores);
    if (t.split == 1)
      return "tiles of a core " + std::to_string(std::lround(n));
    return "of " + cores + " cores " + std::to_string(all(t) * t.split) + " have a part of the " +
           tiles + (all(t) == 1 ? " tile" : " tiles") + ", " + std::to_string(stepsOfPart(t)) +
           " of " + std::to_string(steps(t)) + " steps; adding them up takes " +
           std::to_string(std::lround(adding(t))) + " cycles";
  }

  std::string reason(const Tile &t, double n, const Pipes &one, double cycles) const {
    const auto share = [&](const char *pipe, double of) {
      return std::string(pipe) + " " + std::to_string(std::lround(100 * n * of / cycles)) + " %";
    };
    const auto kilobytes = [](int64_t slots, int64_t bytes) {
      return std::to_string(slots) + " x " + std::to_string(bytes / 1024) + " KB";
    };
    return share("MTE2", one.mte2) + ", " + share("MTE1", one.mte1) + ", " + share("M", one.m) +
           ", " + share("FIX", one.fix) + "; " + workOfCore(t, n) + "; L1 " +
           kilobytes(t.stages, (t.bm + t.bn) * t.bk * size()) + ", L0A " +
           kilobytes(slotsInL0, t.bm * t.depth * size()) + ", L0B " +
           kilobytes(slotsInL0, t.bn * t.depth * size()) + ", L0C " +
           kilobytes(t.acc, t.bm * t.bn * sumBytes) +
           (t.units ? ", stored as M hands it over, unit by unit" : "");
  }

  const AscendGemm p_;
  const Arch &arch_;
  Plan plan_;
  std::string last_; // settings of the last tile, of whole steps
};

} // namespace

Plan planAscendGemm(const AscendGemm &problem, const Arch &arch) {
  return AscendPlanner(problem, arch).plan();
}

} // namespace sluice
