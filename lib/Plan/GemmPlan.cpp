// The model is of whole steps along K, a line of the cache deep; their costs are the machine's
// (Arch/GemmCosts.h). An instruction multiplies as many bytes of any type, so that steps of all
// types are taken to cost the same.
#include "Plan/GemmPlan.h"

#include "Machine/Registers.h"

#include <algorithm>
#include <cmath>

namespace sluice {
namespace {

constexpr int64_t fewSteps = 16; // below them writing C sets the order of the tiles

int64_t ceilDiv(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

/// Bytes of a row of C that are staged at once: the widest swizzle that divides it, or an odd
/// multiple of 16 (PlaceHopper).
int64_t partBytes(int64_t row) {
  for (const int64_t line : {128, 64, 32, 112, 80, 48, 16})
    if (row % line == 0)
      return line;
  return row;
}

constexpr int64_t sumBytes = 4; // f32 or s32

struct Shape {
  int64_t bm, bn, staging, clusterM, clusterN, split = 1;

  int64_t ctas() const { return clusterM * clusterN * split; } // of a cluster
  int64_t columns() const { return bn / split; }               // of C that a CTA finishes

  /// As the lowering chooses them: two blocks of rows each where four would lack registers.
  int64_t warpgroups() const { return bm == 256 && bn > 128 ? 2 : bm / 64; }
  int64_t accumulators() const { return bm * bn / (128 * warpgroups()); } // of a thread
  std::string text() const { return "bm=" + std::to_string(bm) + " bn=" + std::to_string(bn); }
};

class GemmPlanner {
public:
  GemmPlanner(const GemmProblem &problem, const Arch &arch)
      : p_(problem), arch_(arch), cost_(arch.gemm) {}

  Plan plan() {
    for (const int64_t bm : {64, 128, 192, 256})
      for (const int64_t bn : widths())
        consider(bm, bn);
    std::stable_sort(plan_.candidates.begin(), plan_.candidates.end(),
                     [](auto &a, auto &b) { return a.cycles < b.cycles; });
    return std::move(plan_);
  }

private:
  /// Columns of a tile that an instruction multiplies (PTX ISA, wgmma: of s8 fewer). Narrow ones
  /// where C is: first all of it, so that A is read once where several are as fast.
  std::vector<int64_t> widths() const {
    constexpr int64_t narrow = 64, widest = 256;
    const auto granule = [&](int64_t n) { return p_.type == DType::s8 && n > 32 ? 16 : 8; };
    const int64_t all = ceilDiv(p_.N, granule(p_.N)) * granule(p_.N);
    std::vector<int64_t> widths;
    for (int64_t bn = all < narrow ? all : 0; bn > 0; bn -= granule(bn))
      widths.push_back(bn);
    for (int64_t bn = narrow; bn <= widest; bn += granule(bn))
      widths.push_back(bn);
    return widths;
  }

  void consider(int64_t bm, int64_t bn) {
    const Shape shape{bm, bn, 1, 1, 1};
    if (std::string reason = registersLack(shape); !reason.empty()) {
      plan_.rejected.push_back({shape.text(), reason});
      return;
    }
    for (const int64_t staging : {1, 2})
      for (const auto &[m, n] : {std::pair{1, 1}, {2, 1}, {1, 2}})
        time({bm, bn, staging, m, n});
    for (const int64_t split : {2, 4, 8})
      if (const Shape shared{bm, bn, 1, 1, 1, split}; sharesSteps(shared))
        time(shared);
  }

  /// Where the tiles leave SMs idle, and every CTA has a step and columns by the eight.
  bool sharesSteps(const Shape &s) const {
    const auto [rows, columns] = tiles(s);
    return rows * columns * s.split <= atOnce(s) && s.split <= steps() && s.bn % (8 * s.split) == 0;
  }

  /// Along K.
  int64_t steps() const {
    return std::max<int64_t>(ceilDiv(p_.K * byteSize(p_.type), arch_.lineBytes), 1);
  }

  /// Accumulators of a thread beside what else it needs.
  std::string registersLack(const Shape &s) const {
    constexpr int64_t others = 32; // ptxas: a loop over products takes 28
    const int64_t groups = s.warpgroups() + 1;
    const int64_t pool = registersAtLaunch(4 * groups, arch_.registersPerSm) * groups;
    const int64_t sums = p_.sums * s.accumulators();
    const int64_t has = std::min<int64_t>((pool - registersForCopies) / s.warpgroups() / 8 * 8,
                                          mostRegistersOfARole);
    if (sums + others <= has)
      return "";
    return "registers: " + std::to_string(sums) + " for the accumulators and " +
           std::to_string(others) + " others; a thread of " + std::to_string(s.warpgroups()) +
           " warpgroups beside one for copies has " + std::to_string(has);
  }

  /// Tiles in each direction, whole clusters of them.
  std::pair<int64_t, int64_t> tiles(const Shape &s) const {
    return {ceilDiv(ceilDiv(p_.M, s.bm), s.clusterM) * s.clusterM,
            ceilDiv(ceilDiv(p_.N, s.bn), s.clusterN) * s.clusterN};
  }

  /// CTAs. A cluster lies within a GPC: beyond pairs some SMs stay idle.
  int64_t atOnce(const Shape &s) const {
    constexpr int64_t pair = 2;
    const int64_t usable = s.ctas() > pair ? cost_.coresOfClusters : arch_.cores;
    return usable / s.ctas() * s.ctas();
  }

  bool persistent(const Shape &s) const {
    const auto [rows, columns] = tiles(s);
    return rows * columns * s.split > atOnce(s);
  }

  /// The proof of a loop over tiles follows every position of the ring: with more stages than these
  /// it takes seconds, or gives up.
  int64_t stages(const Shape &s) const {
    const int64_t most = !persistent(s) ? 12 : s.clusterM * s.clusterN > 1 ? 5 : 6;
    const int64_t bk = arch_.lineBytes / byteSize(p_.type);
    return std::min(
        stagesBeside({s.bm, s.bn, bk, s.staging, s.split, p_.bByColumns}, p_.type, p_.out, arch_),
        most);
  }

  /// Rate of one operand, in bytes per cycle. `tileBytes`: of a row of its tile, in memory.
  double rate(int64_t rowBytes, int64_t tileBytes) const {
    return rowBytes % arch_.lineBytes == 0 && tileBytes % arch_.sectorBytes == 0
               ? cost_.loadBytesPerCycle
               : cost_.apartBytesPerCycle;
  }

  /// Cycles of a step, and what they come from.
  std::pair<double, const char *> step(const Shape &s) const {
    const bool cluster = s.clusterM * s.clusterN > 1;
    const int64_t instructions = s.bm / 64 * arch_.lineBytes / arch_.productBytes;
    // None takes less than its operands from shared memory, 64 rows of A and the columns of B.
    const double product =
        std::max(cost_.product + cost_.productColumn * double(s.bn),
                 double((64 + s.bn) * arch_.productBytes) / arch_.smemBytesPerCycle);
    double products = double(instructions) * product;
    products += (s.warpgroups() == 1 ? cost_.aloneStep : 0) + (cluster ? cost_.clusterStep : 0);
    // CTAs along M share B's tile, CTAs along N share A's.
    const int64_t rowOfB = p_.bByColumns ? arch_.lineBytes : s.bn * byteSize(p_.type);
    const double loads =
        double(arch_.lineBytes) * s.bm / s.clusterN / rate(p_.rowBytesA, arch_.lineBytes) +
        double(arch_.lineBytes) * s.bn / s.clusterM / rate(p_.rowBytesB, rowOfB);
    const double latency = cost_.loadLatency / double(stages(s) - 1);
    if (products >= loads && products >= latency)
      return {products, "products"};
    return loads >= latency ? std::pair{loads, "loads"} : std::pair{latency, "latency"};
  }

  /// Beside its steps. C staged whole in a loop over tiles is stored under the next tile's
  /// products.
  double tile(const Shape &s, bool persistent) const {
    const int64_t row = s.columns() * byteSize(p_.out);
    const double size = double(s.bm * row) / GemmCosts::storeBytes;
    const double apart = row % arch_.sectorBytes ? cost_.brokenSector
                         : row % arch_.lineBytes ? cost_.brokenLine
                                                 : 0;
    return size * apart + tileInLines(s, persistent, size) + exchange(s);
  }

  /// Each CTA sends all others the sums of their columns.
  double exchange(const Shape &s) const {
    if (s.split == 1)
      return 0;
    const int64_t sent = s.bm * (s.bn - s.columns()) * sumBytes;
    return cost_.exchange + double(sent) / arch_.peerBytesPerCycle;
  }

  double tileInLines(const Shape &s, bool persistent, double size) const {
    if (s.staging == 1)
      return persistent ? cost_.nextTile + size * cost_.copy : cost_.tile + size * cost_.store;
    if (!persistent)
      return cost_.tile + size * cost_.store * cost_.partShare;
    const int64_t row = s.bn * byteSize(p_.out);
    const int64_t later = row / partBytes(row) - 1;
    return cost_.tile + size * cost_.store + double(later) * cost_.part;
  }

  /// Rows of tiles taken together: eight, or four where eight are as many tiles as run at once, or
  /// two where most of the time goes into C, which is then written in long rows.
  static int64_t group(int64_t columns, int64_t atOnce, double steps) {
    return steps <= fewSteps ? 2 : 8 * columns <= atOnce ? 4 : 8;
  }

  /// From and to memory once; what the second-level cache does not hold is not modelled.
  double memory() const {
    const double bytes = double(p_.M * p_.K + p_.K * p_.N) * double(byteSize(p_.type)) +
                         double(p_.M * p_.N * byteSize(p_.out));
    return bytes / (arch_.hbmBytesPerCycle * arch_.cores);
  }

  void time(const Shape &s) {
    const int64_t ring = stages(s),
                  parts = s.bn * byteSize(p_.out) / partBytes(s.bn * byteSize(p_.out));
    const std::string settings = s.text() + " staging=" + std::to_string(s.staging);
    if (s.staging > 1 && s.staging >= parts)
      return; // as many slots as parts: the whole tile
    if (ring < 2) {
      if (s.ctas() == 1)
        plan_.rejected.push_back({settings, "shared memory: fewer than two stages fit into " +
                                                std::to_string(arch_.sharedBytes) + " bytes"});
      return;
    }
    const int64_t size = byteSize(p_.type);
    const auto [rows, columns] = tiles(s);
    const bool loops = persistent(s);
    const auto waves = double(ceilDiv(rows * columns * s.split, atOnce(s)));
    const auto steps = double(ceilDiv(this->steps(), s.split));
    const auto [cycles, limit] = step(s);
    PlanCandidate c;
    c.settings = settings + " stages=" + std::to_string(ring);
    if (s.clusterM * s.clusterN > 1)
      c.settings += " cluster=" + std::to_string(s.clusterM) + "x" + std::to_string(s.clusterN);
    if (s.split > 1)
      c.settings += " split=" + std::to_string(s.split);
    if (loops)
      c.settings += " mode=persistent group=" + std::to_string(group(columns, atOnce(s), steps));
    c.tensor =
        double(p_.M) * double(p_.N) * double(p_.K * size) / (arch_.tensorPerCycle * arch_.cores);
    c.cycles = cost_.start + waves * (steps * cycles + tile(s, loops));
    c.limit = limit;
    if (memory() > c.cycles)
      c.cycles = memory(), c.limit = "memory";
    plan_.candidates.push_back(std::move(c));
  }

  const GemmProblem &p_;
  const Arch &arch_;
  const GemmCosts &cost_;
  Plan plan_;
};

} // namespace

int64_t stagesBeside(const GemmTile &t, DType type, DType out, const Arch &arch) {
  constexpr int64_t barriers = 1024; // bytes, and the alignment of what follows them
  const int64_t row = t.bn / t.split * byteSize(out);
  const int64_t staging = t.bm * (t.staging == 1 ? row : std::min(row, partBytes(row) * t.staging));
  const int64_t parts = t.split > 1 ? t.bm * t.bn * sumBytes : 0;
  const int64_t chunk = 128 / byteSize(type); // of B's rows where no swizzle divides them
  const bool widened = !t.bByColumns && t.bn * byteSize(type) % 32 != 0;
  const int64_t columns = widened ? ceilDiv(t.bn, chunk) * chunk : t.bn;
  return (arch.sharedBytes - barriers - staging - parts) /
         ((t.bm + columns) * t.bk * byteSize(type));
}

Plan planGemm(const GemmProblem &problem, const Arch &arch) {
  return GemmPlanner(problem, arch).plan();
}

} // namespace sluice
