#include "Plan/GemmPlan.h"

#include "Plan/GemmTime.h"

#include <algorithm>
#include <array>
#include <optional>

namespace sluice {
namespace {

constexpr int64_t fewSteps = 16;        // below them writing C sets the order of the tiles
constexpr double worthCutting = 0.99;   // two launches that save less are not worth their trouble
constexpr double worthStreaming = 0.9;  // its time is modelled less well, and it takes workspaces
constexpr int64_t mostStreamed = 65536; // tiles of stream-K (mode=streamk)

class GemmPlanner {
public:
  /// `swapped`: the problem is that of C^T.
  GemmPlanner(const GemmProblem &problem, const Arch &arch, bool swapped = false)
      : grid_(problem, arch, swapped), time_(grid_) {}

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
    stream();
    return planOf(found_);
  }

private:
  struct Timed {
    PlanCandidate candidate;
    GemmShape shape;
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
    const GemmShape shape{bm, bn, 1, 1, 1};
    if (std::string reason = grid_.registersLack(shape); !reason.empty()) {
      rejected_.push_back({shape.text(), reason});
      return;
    }
    if (p_.groups || swapped_) // without clusters, C staged whole
      time(shape);
    for (const int64_t staging : {1, 2})
      for (const auto &[m, n] : {std::pair{1, 1}, {2, 1}, {1, 2}})
        if (!p_.groups && !swapped_ && (staging == 1 || isStoredByTma(p_, swapped_)) &&
            !(grid_.copying() && m * n > 1)) // no copy is shared
          time({bm, bn, staging, m, n});
    if (p_.groups) // a loop over tiles
      return;
    for (const int64_t split : {2, 4, 8})
      if (const GemmShape shared{bm, bn, 1, 1, 1, split}; sharesSteps(shared))
        time(shared);
  }

  /// Where the tiles leave SMs idle, or wait for copies, and every CTA has a step and columns by
  /// the eight.
  bool sharesSteps(const GemmShape &s) const {
    const auto [rows, columns] = grid_.tiles(s);
    const bool idle = grid_.copiesAhead(s) || rows * columns * s.split <= grid_.atOnce(s);
    return idle && s.split <= grid_.steps() && s.bn % (8 * s.split) == 0;
  }

  /// Rows of tiles taken together: one where most of the time goes into C, which is then written in
  /// long rows.
  int64_t group(const GemmShape &s, double steps) const {
    if (steps <= fewSteps)
      return 1;
    return rowsOfSquare(grid_.tiles(s).first / s.clusterM, grid_.atOnce(s), s);
  }

  void time(const GemmShape &s) {
    const int64_t row = s.bn * byteSize(p_.out), stages = grid_.stages(s);
    if (s.staging > 1 && s.staging >= row / partBytes(row))
      return; // as many slots as parts: the whole tile
    if (stages < 2) {
      if (s.ctas() == 1)
        rejected_.push_back({settings(s), "shared memory: fewer than two stages fit into " +
                                              std::to_string(arch_.sharedBytes) + " bytes"});
      return;
    }
    const auto [cycles, limit] = time_.of(s);
    PlanCandidate c;
    c.settings = settings(s) + " stages=" + std::to_string(stages) + dealing(s);
    c.tensor = double(p_.M) * double(p_.N) * double(p_.K * byteSize(p_.type)) /
               (arch_.tensorPerCycle * arch_.cores);
    c.cycles = cycles;
    c.limit = limit;
    found_.push_back({std::move(c), s});
  }

  /// The steps of all tiles in equal shares, where that is clearly faster than whole tiles.
  void stream() {
    if (!p_.streams || grid_.copying() || found_.empty())
      return;
    const int64_t bytes = (p_.M + p_.N) * p_.K * byteSize(p_.type);
    if (bytes > arch_.l2Bytes) {
      rejected_.push_back(
          {"mode=streamk", "second-level cache: CTAs take other steps at a time, of A "
                           "and B of " +
                               std::to_string(bytes) + " bytes; it holds " +
                               std::to_string(arch_.l2Bytes)});
      return;
    }
    const GemmPlanner shared = streamed();
    if (shared.found_.empty())
      return;
    Timed best = shared.found_.front();
    const double whole = cycles(found_.front());
    if (cycles(best) < worthStreaming * whole) {
      best.candidate.why =
          inShares(best.shape) + "; whole tiles take " + rounded(whole) + " cycles";
      found_.insert(found_.begin(), std::move(best));
    } else {
      rejected_.push_back(
          {best.candidate.settings, "stream-K: " + rounded(cycles(best)) +
                                        " cycles, not a tenth less than whole tiles (" +
                                        inShares(best.shape) + ")"});
    }
  }

  /// With tiles whose steps are dealt out, the fastest first.
  GemmPlanner streamed() const {
    GemmPlanner shared(p_, arch_);
    for (const int64_t bm : {64, 128, 192, 256})
      for (const int64_t bn : widths())
        for (const int64_t staging : {1, 2})
          for (const auto &[m, n] : {std::pair{1, 1}, {2, 1}, {1, 2}}) {
            const GemmShape shape{bm, bn, staging, m, n, 1, true};
            const auto [rows, columns] = grid_.tiles(shape);
            if (grid_.registersLack(shape).empty() && rows * columns <= mostStreamed &&
                (staging == 1 || isStoredByTma(p_, swapped_)))
              shared.time(shape);
          }
    std::ranges::stable_sort(shared.found_, {}, cycles);
    return shared;
  }

  std::string inShares(const GemmShape &s) const {
    const GemmShares shares = grid_.shares(s);
    return std::to_string(shares.ctas) + " CTAs with " + std::to_string(shares.steps) +
           " steps each, of at most " + std::to_string(shares.tiles) + " tiles, " +
           std::to_string(shares.ofOne) + " to a tile";
  }
  static std::string rounded(double cycles) { return std::to_string(int64_t(cycles + 0.5)); }

  std::string settings(const GemmShape &s) const {
    if (swapped_)
      return "bm=" + std::to_string(s.bn) + " bn=" + std::to_string(s.bm) + " swap=yes" +
             (isStoredByTma(p_, swapped_) ? " staging=1" : "");
    return s.text() + (p_.groups || !isStoredByTma(p_, swapped_)
                           ? ""
                           : " staging=" + std::to_string(s.staging));
  }

  /// How tiles and steps are dealt out, where that is to choose.
  std::string dealing(const GemmShape &s) const {
    std::string text;
    if (s.clusterM * s.clusterN > 1)
      text += " cluster=" + std::to_string(s.clusterM) + "x" + std::to_string(s.clusterN);
    if (s.split > 1)
      text += " split=" + std::to_string(s.split);
    const auto steps = double(ceilDiv(grid_.steps(), s.split));
    if (grid_.copiesAhead(s))
      text += " mode=pipelined";
    if (s.streamed)
      text += " mode=streamk";
    else if (grid_.persistent(s) && !p_.groups)
      text += " mode=persistent group=" + std::to_string(group(s, steps));
    return text;
  }

  /// Columns of the tiles that all SMs compute together; the rest by a launch of its own, whose
  /// tiles fit it better.
  std::optional<Timed> cut(const Timed &whole) const {
    const GemmShape &s = whole.shape;
    const auto [rows, columns] = grid_.tiles(s);
    const int64_t waves = rows * columns / grid_.atOnce(s);
    if (waves == 0)
      return std::nullopt;
    const int64_t first = waves * grid_.atOnce(s) / rows / s.clusterN * s.clusterN * s.bn;
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
    problem.streams = false;
    return problem;
  }

  /// For TMA: a part from this column on, in tensors of this width.
  bool startsAligned(int64_t column) const {
    constexpr int64_t bytes = 16;
    return std::ranges::all_of(std::array{byteSize(p_.type), byteSize(p_.out)}, [&](int64_t size) {
      return column * size % bytes == 0 && p_.N * size % bytes == 0;
    });
  }

  const GemmGrid grid_;
  const GemmTime time_;
  const GemmProblem &p_ = grid_.problem;
  const Arch &arch_ = grid_.arch;
  const bool swapped_ = grid_.swapped;
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
  const int64_t bn = t.pair ? t.bn / 2 : t.bn;
  const bool widened = !t.bByColumns && bn * byteSize(type) % 32 != 0;
  const int64_t columns = widened ? ceilDiv(bn, chunk) * chunk : bn;
  return (arch.sharedBytes - barriers - staging - parts) /
         ((t.bm + columns) * t.bk * byteSize(type) + t.factors);
}

Plan planGemm(const GemmProblem &problem, const Arch &arch) {
  return planEitherWay(problem, [&](const GemmProblem &one, bool isSwapped) {
    GemmPlanner planner(one, arch, isSwapped);
    return isSwapped ? planner.plan() : planner.planWithCuts();
  });
}

} // namespace sluice
