// The model is of whole steps along K, a line of the cache deep; their costs are the machine's
// (Arch/GemmCosts.h). An instruction multiplies as many bytes of any type, so that steps of all
// types are taken to cost the same.
#include "Plan/GemmPlan.h"

#include "Arch/GemmCosts.h"
#include "Machine/Registers.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace sluice {
namespace {

constexpr int64_t fewSteps = 16;      // below them writing C sets the order of the tiles
constexpr double worthCutting = 0.99; // two launches that save less are not worth their trouble

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
  /// `swapped`: the problem is that of C^T.
  GemmPlanner(const GemmProblem &problem, const Arch &arch, bool swapped = false)
      : p_(problem), arch_(arch), cost_(*arch.gemm), swapped_(swapped) {}

  Plan plan() {
    for (const int64_t bm : {64, 128, 192, 256})
      for (const int64_t bn : widths())
        consider(bm, bn);
    std::ranges::stable_sort(found_, {}, cycles);
    return planOf(found_);
  }

  /// With candidates of two launches among them, where these save time.
  Plan planWithCuts() {
    constexpr size_t most = 16; // candidates that are cut, the fastest
    plan();
    if (p_.groups) // of unknown lengths
      return planOf(found_);
    const std::vector<Timed> whole = found_;
    for (size_t i = 0; i < std::min(most, whole.size()); ++i)
      if (auto both = cut(whole[i]))
        found_.push_back(std::move(*both));
    std::ranges::stable_sort(found_, {}, cycles);
    return planOf(found_);
  }

private:
  struct Timed {
    PlanCandidate candidate;
    Shape shape;
  };
  static double cycles(const Timed &timed) { return timed.candidate.cycles; }

  Plan planOf(const std::vector<Timed> &found) const {
    Plan plan{{}, rejected_};
    for (const Timed &timed : found)
      plan.candidates.push_back(timed.candidate);
    return plan;
  }

  /// Columns of a tile that an instruction multiplies (PTX ISA, wgmma: of s8 fewer). Narrow ones
  /// where C is: first all of it, so that A is read once where several are as fast.
  std::vector<int64_t> widths() const {
    constexpr int64_t narrow = 64, widest = 256;
    const auto granule = [&](int64_t n) { return p_.type == DType::s8 && n > 32 ? 16 : 8; };
    const int64_t all = std::max<int64_t>(ceilDiv(p_.N, granule(p_.N)), 1) * granule(p_.N);
    std::vector<int64_t> widths;
    if (swapped_ && all < narrow) { // less would read B again; more only for CTAs that share steps
      widths = {all};
      for (const int64_t shared : {16, 32})
        if (shared > all)
          widths.push_back(shared);
      return widths;
    }
    for (int64_t bn = all < narrow ? all : 0; bn > 0; bn -= granule(bn))
      widths.push_back(bn);
    for (int64_t bn = narrow; bn <= widest; bn += granule(bn))
      widths.push_back(bn);
    return widths;
  }

  void consider(int64_t bm, int64_t bn) {
    const Shape shape{bm, bn, 1, 1, 1};
    if (std::string reason = registersLack(shape); !reason.empty()) {
      rejected_.push_back({shape.text(), reason});
      return;
    }
    if (p_.groups || swapped_) // without clusters, C staged whole
      time(shape);
    for (const int64_t staging : {1, 2})
      for (const auto &[m, n] : {std::pair{1, 1}, {2, 1}, {1, 2}})
        if (!p_.groups && !swapped_ && !(copying() && m * n > 1)) // no copy is shared
          time({bm, bn, staging, m, n});
    if (p_.groups) // a loop over tiles
      return;
    for (const int64_t split : {2, 4, 8})
      if (const Shape shared{bm, bn, 1, 1, 1, split}; sharesSteps(shared))
        time(shared);
  }

  /// Where the tiles leave SMs idle, or wait for copies, and every CTA has a step and columns by
  /// the eight.
  bool sharesSteps(const Shape &s) const {
    const auto [rows, columns] = tiles(s);
    const bool idle = copiesAhead(s) || rows * columns * s.split <= atOnce(s);
    return idle && s.split <= steps() && s.bn % (8 * s.split) == 0;
  }

  /// Along K.
  int64_t steps() const {
    return std::max<int64_t>(ceilDiv(p_.K * byteSize(p_.type), arch_.lineBytes), 1);
  }

  /// What TMA cannot load threads copy: rows that do not start at multiples of 16 bytes.
  static bool byThreads(int64_t rowBytes) { return rowBytes % 16 != 0; }
  bool copying() const { return byThreads(p_.rowBytesA) || byThreads(p_.rowBytesB); }

  /// Whether the warps that compute copy too (mode=pipelined): there are more of them than a role
  /// that loads has.
  bool copiesAhead(const Shape &s) const { return copying() && !p_.groups && !swapped_; }

  /// CTAs that an SM holds: several where the warps that compute copy too, as each then waits for
  /// what it copies.
  int64_t residents(const Shape &s) const {
    if (!copiesAhead(s))
      return 1;
    constexpr int64_t others = 72; // ptxas 13: registers of a thread beside its accumulators
    const int64_t registers = 128 * s.warpgroups() * (p_.sums * s.accumulators() + others);
    const int64_t sums = s.split > 1 ? s.bm * s.bn * sumBytes : 0;
    const int64_t bytes =
        stages(s) * (s.bm + s.bn) * arch_.lineBytes + s.bm * s.columns() * byteSize(p_.out) + sums;
    const int64_t most = std::min(arch_.registersPerSm / registers, arch_.sharedBytes / bytes);
    return std::max<int64_t>(most, 1);
  }

  /// Accumulators of a thread beside what else it needs, and what one instruction needs.
  std::string registersLack(const Shape &s) const {
    // ptxas: a loop over products takes 28, one that copies too 61.
    const int64_t sums = p_.sums * s.accumulators(), others = copiesAhead(s) ? 64 : 32;
    const int64_t groups = s.warpgroups() + (copiesAhead(s) ? 0 : 1);
    const int64_t atLaunch = registersAtLaunch(4 * groups, arch_.registersPerSm);
    const int64_t copies = copying() ? registersOfCopying : registersForCopies;
    const int64_t given = (atLaunch * groups - copies) / s.warpgroups() / 8 * 8;
    const int64_t has =
        copiesAhead(s) ? std::min(atLaunch, mostRegisters) : std::min(given, mostRegistersOfARole);
    const std::string threads = "a thread of " + std::to_string(s.warpgroups()) + " warpgroups" +
                                (copiesAhead(s) ? "" : " beside one for copies") + " has ";
    if (sums + others > has)
      return "registers: " + std::to_string(sums) + " for the accumulators and " +
             std::to_string(others) + " others; " + threads + std::to_string(has);
    if (const int64_t needed = registersOfProduct(s.bn, false); needed > atLaunch)
      return "registers: " + std::to_string(needed) + " for one instruction; " + threads +
             std::to_string(atLaunch) + " at launch";
    return "";
  }

  /// Tiles in each direction, whole clusters of them. Groups are numbered as if each but the last
  /// had one row of tiles more than whole ones.
  std::pair<int64_t, int64_t> tiles(const Shape &s) const {
    if (p_.groups)
      return {ceilDiv(p_.M, s.bm) + p_.groups - 1, ceilDiv(p_.N, s.bn)};
    return {ceilDiv(ceilDiv(p_.M, s.bm), s.clusterM) * s.clusterM,
            ceilDiv(ceilDiv(p_.N, s.bn), s.clusterN) * s.clusterN};
  }

  /// CTAs. A cluster lies within a GPC: beyond pairs some SMs stay idle.
  int64_t atOnce(const Shape &s) const {
    constexpr int64_t pair = 2;
    const int64_t usable = s.ctas() > pair ? cost_.coresOfClusters : arch_.cores;
    return usable * residents(s) / s.ctas() * s.ctas();
  }

  bool persistent(const Shape &s) const {
    if (swapped_ || copiesAhead(s)) // more stages than in a loop over tiles, which has to be proven
      return false;
    const auto [rows, columns] = tiles(s);
    return p_.groups || rows * columns * s.split > atOnce(s);
  }

  /// The proof of a loop over tiles follows every position of the ring: with more stages than these
  /// it takes seconds, or gives up.
  int64_t stages(const Shape &s) const {
    const bool many = p_.groups || s.clusterM * s.clusterN > 1; // states
    // Copies end before the next begin: a third stage would only take room from the L1 cache.
    const int64_t most = copiesAhead(s) ? 2 : !persistent(s) ? 12 : many ? 5 : 6;
    const int64_t bk = arch_.lineBytes / byteSize(p_.type);
    return std::min(
        stagesBeside({s.bm, s.bn, bk, s.staging, s.split, p_.bByColumns}, p_.type, p_.out, arch_),
        most);
  }

  /// SMs that load: where they are few, each gets more of what the second-level cache gives.
  double loading(const Shape &s) const {
    const auto [rows, columns] = tiles(s);
    return double(std::min<int64_t>(rows * columns * s.split, arch_.cores));
  }

  /// Rate of one operand, in bytes per cycle. `tileBytes`: of a row of its tile, in memory.
  double rate(const Shape &s, int64_t rowBytes, int64_t tileBytes) const {
    if (byThreads(rowBytes)) {
      // Lanes take 16 bytes each of whole lines: of 22 pieces, ten lanes have none.
      const int64_t lanes = 32, pieces = std::min(ceilDiv(tileBytes, 16), lanes);
      const double busy = double(lanes / pieces * pieces) / double(lanes);
      const int64_t role = 3; // warps, beside the one that stores
      return busy * (copiesAhead(s) ? cost_.copyBytesPerCycle : arch_.copyBytesOfWarp * role);
    }
    const bool lines = rowBytes % arch_.lineBytes == 0 && tileBytes % arch_.sectorBytes == 0;
    const double ofAll = lines ? cost_.loadBytesPerCycle : cost_.apartBytesPerCycle;
    return std::min(ofAll * double(arch_.cores) / std::max(loading(s), 1.0), arch_.l2BytesAlone);
  }

  /// The rows of a row-major B's tile, up to the next line where no swizzle divides them: each of
  /// its boxes is a swizzle wide. The others are a line wide.
  int64_t boxes(int64_t rowOfB) const {
    const int64_t wide = p_.bByColumns || rowOfB % 32 ? arch_.lineBytes : partBytes(rowOfB);
    return 1 + ceilDiv(rowOfB, wide);
  }

  /// What tiles have beyond all of A and B takes its time, while nothing comes from memory.
  double zeros(const Shape &s) const {
    if (p_.groups)
      return 0;
    const int64_t columns = p_.bByColumns ? std::max<int64_t>(s.bn - p_.N, 0) : 0;
    return double(std::max<int64_t>(s.bm - p_.M, 0) + columns) * cost_.zeroRow;
  }

  /// Four pieces of 16 bytes of a lane are under way at a time (device/sluice/copy.cuh): so many
  /// times a warp waits for its share of a tile, of `lines` of `bytes`.
  static int64_t batches(const Shape &s, int64_t lines, int64_t bytes) {
    const int64_t ofWarp = ceilDiv(lines, 4 * s.warpgroups());
    const int64_t atOnce = std::max<int64_t>(32 / ceilDiv(bytes, 16), 1);
    return ceilDiv(ceilDiv(ofWarp, atOnce), 4);
  }

  /// Cycles until what the warps that compute copy for a step is there: none of them goes on.
  double copyLatency(const Shape &s) const {
    if (!copiesAhead(s))
      return 0;
    const int64_t size = byteSize(p_.type), line = arch_.lineBytes, depth = line / size;
    const auto of = [&](int64_t rowBytes, bool alongK, int64_t extent) {
      if (!byThreads(rowBytes))
        return int64_t(0);
      return alongK ? batches(s, extent, line) : batches(s, depth, extent * size);
    };
    const int64_t waits =
        of(p_.rowBytesA, !p_.aByColumns, s.bm) + of(p_.rowBytesB, p_.bByColumns, s.bn);
    const auto [rows, columns] = tiles(s);
    const bool cold = rows * columns * s.split <= arch_.cores; // nothing beside it, nothing before
    return double(waits) * (s.warpgroups() == 1 ? cost_.aloneCopyBatch
                            : cold              ? cost_.coldCopyBatch
                                                : cost_.copyBatch);
  }

  /// Cycles of a step for C of the tile before, on the same way to the second-level cache.
  double storedBeside(const Shape &s) const {
    if (!persistent(s) || s.staging > 1)
      return 0;
    const auto bytes = double(s.bm * s.columns() * byteSize(p_.out));
    return bytes / double(steps()) / cost_.loadBytesPerCycle;
  }

  /// Cycles of a step of `ctas` on an SM, and what they come from.
  std::pair<double, const char *> step(const Shape &s, double ctas) const {
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
    const int64_t rowOfA = p_.aByColumns ? s.bm * byteSize(p_.type) : arch_.lineBytes;
    const double bytes =
        double(arch_.lineBytes) * s.bm / s.clusterN / rate(s, p_.rowBytesA, rowOfA) +
        double(arch_.lineBytes) * s.bn / s.clusterM / rate(s, p_.rowBytesB, rowOfB);
    products *= ctas;
    // A warpgroup of its own waits most of the time: others of the SM copy meanwhile.
    const double copied = s.warpgroups() == 1 ? std::max(bytes + copyLatency(s), ctas * bytes)
                                              : ctas * bytes + copyLatency(s);
    const double loads = std::max(copied + storedBeside(s), double(boxes(rowOfB)) * cost_.box);
    const double latency = cost_.loadLatency / double(stages(s) - 1);
    if (products >= loads && products >= latency)
      return {products, "products"};
    return loads >= latency ? std::pair{loads, "loads"} : std::pair{latency, "latency"};
  }

  /// Cycles of a step of each wave.
  std::pair<double, const char *> stepOfAllWaves(const Shape &s, int64_t ctas) const {
    const int64_t whole = ctas / atOnce(s), last = ctas % atOnce(s);
    const auto [cycles, limit] = step(s, double(residents(s)));
    if (copiesAhead(s) && s.warpgroups() == 1 && whole > 0) // the last runs between the others
      return {double(ctas) / double(atOnce(s)) * cycles, limit};
    const double ofLast = last ? step(s, double(ceilDiv(last, arch_.cores))).first : 0;
    return {double(whole) * cycles + ofLast, limit};
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
    return cost_.exchange + double(sent) / cost_.exchangeBytesPerCycle;
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
  /// one where most of the time goes into C, which is then written in long rows.
  static int64_t group(int64_t columns, int64_t atOnce, double steps) {
    return steps <= fewSteps ? 1 : 8 * columns <= atOnce ? 4 : 8;
  }

  /// From and to memory once; what the second-level cache does not hold is not modelled.
  double memory() const {
    const auto matrices = double(p_.groups ? std::min(p_.groups, p_.M) : 1); // of groups with rows
    const double bytes =
        (double(p_.M * p_.K) + matrices * double(p_.K * p_.N)) * double(byteSize(p_.type)) +
        double(p_.M * p_.N * byteSize(p_.out));
    return bytes / (arch_.hbmBytesPerCycle * arch_.cores);
  }

  void time(const Shape &s) {
    const int64_t row = s.bn * byteSize(p_.out);
    if (s.staging > 1 && s.staging >= row / partBytes(row))
      return; // as many slots as parts: the whole tile
    if (stages(s) < 2) {
      if (s.ctas() == 1)
        rejected_.push_back({settings(s), "shared memory: fewer than two stages fit into " +
                                              std::to_string(arch_.sharedBytes) + " bytes"});
      return;
    }
    const int64_t size = byteSize(p_.type);
    const auto [rows, columns] = tiles(s);
    const bool loops = persistent(s);
    const int64_t ctas = rows * columns * s.split;
    const auto waves = double(ceilDiv(ctas, atOnce(s)));
    const auto steps = double(ceilDiv(this->steps(), s.split));
    const auto [ofStep, limit] = stepOfAllWaves(s, ctas);
    PlanCandidate c;
    c.settings = settings(s) + " stages=" + std::to_string(stages(s)) + dealing(s);
    c.tensor =
        double(p_.M) * double(p_.N) * double(p_.K * size) / (arch_.tensorPerCycle * arch_.cores);
    const double ofSteps = steps * ofStep, around = waves * tile(s, loops);
    // Of few rows: while memory is behind, some SMs load under the ends of the tiles of others.
    const double beside = swapped_ ? tile(s, loops) : around;
    c.cycles =
        cost_.start + std::max(ofSteps + around, memory() + beside) + waves * steps * zeros(s);
    c.limit = memory() > ofSteps ? "memory" : limit;
    found_.push_back({std::move(c), s});
  }

  std::string settings(const Shape &s) const {
    if (swapped_)
      return "bm=" + std::to_string(s.bn) + " bn=" + std::to_string(s.bm) + " swap=yes staging=1";
    return s.text() + (p_.groups ? "" : " staging=" + std::to_string(s.staging));
  }

  /// How tiles and steps are dealt out, where that is to choose.
  std::string dealing(const Shape &s) const {
    std::string text;
    if (s.clusterM * s.clusterN > 1)
      text += " cluster=" + std::to_string(s.clusterM) + "x" + std::to_string(s.clusterN);
    if (s.split > 1)
      text += " split=" + std::to_string(s.split);
    const auto steps = double(ceilDiv(this->steps(), s.split));
    if (copiesAhead(s))
      text += " mode=pipelined";
    if (persistent(s) && !p_.groups)
      text += " mode=persistent group=" + std::to_string(group(tiles(s).second, atOnce(s), steps));
    return text;
  }

  /// Columns of the tiles that all SMs compute together; the rest by a launch of its own, whose
  /// tiles fit it better.
  std::optional<Timed> cut(const Timed &whole) const {
    const Shape &s = whole.shape;
    const auto [rows, columns] = tiles(s);
    const int64_t waves = rows * columns / atOnce(s);
    if (waves == 0)
      return std::nullopt;
    const int64_t first = waves * atOnce(s) / rows / s.clusterN * s.clusterN * s.bn;
    if (first == 0 || first >= p_.N || !startsAligned(first))
      return std::nullopt;
    GemmPlanner left(withColumns(first), arch_), right(withColumns(p_.N - first), arch_);
    left.time(s);
    const Plan rest = right.plan();
    if (left.found_.empty() || rest.candidates.empty())
      return std::nullopt;
    Timed both = left.found_.front();
    const PlanCandidate &last = rest.candidates.front();
    both.candidate.rest = "N=" + std::to_string(p_.N - first) + " " + last.settings;
    both.candidate.cycles += last.cycles;
    both.candidate.tensor += last.tensor;
    return cycles(both) < worthCutting * cycles(whole) ? std::optional(both) : std::nullopt;
  }

  GemmProblem withColumns(int64_t N) const {
    GemmProblem problem = p_;
    problem.N = N;
    return problem;
  }

  /// For TMA: a part from this column on, in tensors of this width.
  bool startsAligned(int64_t column) const {
    constexpr int64_t bytes = 16;
    return std::ranges::all_of(std::array{byteSize(p_.type), byteSize(p_.out)}, [&](int64_t size) {
      return column * size % bytes == 0 && p_.N * size % bytes == 0;
    });
  }

  const GemmProblem p_;
  const Arch &arch_;
  const GemmCosts &cost_;
  const bool swapped_;
  std::vector<Timed> found_;
  std::vector<PlanRejected> rejected_;
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

/// C^T = B^T A^T.
static GemmProblem swapped(const GemmProblem &p) {
  GemmProblem s = p;
  std::swap(s.M, s.N);
  std::swap(s.rowBytesA, s.rowBytesB);
  s.aByColumns = !p.bByColumns;
  s.bByColumns = !p.aByColumns;
  return s;
}

Plan planGemm(const GemmProblem &problem, const Arch &arch) {
  constexpr int64_t few = 64; // rows that an instruction multiplies
  using Swap = GemmProblem::Swap;
  Plan plan;
  if (problem.swap != Swap::shall)
    plan = GemmPlanner(problem, arch).planWithCuts();
  if (problem.swap == Swap::no || (problem.swap == Swap::may && problem.M >= few))
    return plan;
  const Plan other = GemmPlanner(swapped(problem), arch, true).plan();
  plan.candidates.insert(plan.candidates.end(), other.candidates.begin(), other.candidates.end());
  if (problem.swap == Swap::shall)
    plan.rejected = other.rejected;
  std::ranges::stable_sort(plan.candidates, {}, &PlanCandidate::cycles);
  return plan;
}

} // namespace sluice
