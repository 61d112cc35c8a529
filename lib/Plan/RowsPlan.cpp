#include "Plan/RowsPlan.h"

#include "Arch/GemmCosts.h"

#include <algorithm>
#include <cmath>

namespace sluice {
namespace {

// Fits to times of an H100 (bench/RESULTS.md, "Along rows"; bench/ROWS.md).
constexpr double nearBytes = 12e6; // of rows under way that L2 still has for a second visit
constexpr double nearVectors = 65536;
constexpr double readingAlone = 20; // bytes a cycle for an SM while few read
constexpr double exchange = 150;    // cycles of a fold across warps
constexpr double betweenVisits = 500;
constexpr double launching = 2000;
constexpr double byWarps = 0.95, byWarpsF32 = 0.91, byParts = 0.97; // of the memory's rate
constexpr int64_t pieceBytes = 4096;   // of a row that is visited twice
constexpr int64_t warpsOfCta = 8;      // that share a row
constexpr int64_t mostRegisters = 192; // of a thread, for its elements of a row and of sums

// Of clusters (bench/ROWS.md).
constexpr int64_t cachedBytes = 32768;  // of a row: its second visit costs less than a cluster
constexpr double byClusters = 0.93;     // of the memory's rate
constexpr double clusterExchange = 900; // cycles of a fold across CTAs
constexpr double computingBytes = 16;   // that the warps of a CTA work through in a cycle

/// One way to go along the rows.
struct Way {
  int64_t parts, staging;
  bool twice;     // pieces of a row are visited twice
  int64_t height; // rows of a tile

  int64_t ctas() const { return std::max<int64_t>(parts / warpsOfCta, 1); } // of a row
};

class RowsTime {
public:
  RowsTime(const RowsProblem &p, const Arch &arch)
      : p_(p), arch_(arch), rowBytes_(p.columns * byteSize(p.type)),
        ctas_(p.ctas ? p.ctas : arch.cores) {}

  PlanCandidate of(const Way &way) const {
    const int64_t blocks = (p_.rows + way.height - 1) / way.height;
    const int64_t teams = std::clamp<int64_t>(blocks, 1, atOnce(way) / way.ctas());
    const double used = double(teams * way.ctas());
    const double memory = double((p_.inputs + p_.outputs) * bytesOfCta(way)) / rate(used);
    const auto [block, limit] = blockCycles(way, used, memory);
    const double waves = std::ceil(double(blocks) / double(teams));
    const double last = (way.staging ? double(bytesOfCta(way)) / rate(used) : 0) +
                        (way.ctas() > 1 ? workingCycles(way, used) : 0);
    PlanCandidate candidate;
    candidate.settings =
        "parts=" + std::to_string(way.parts) + " staging=" + std::to_string(way.staging);
    candidate.cycles = launching + waves * block + last;
    candidate.tensor = double(p_.rows * (p_.inputs + p_.outputs) * rowBytes_) / rate(arch_.cores) /
                       double(arch_.cores);
    candidate.limit = limit;
    candidate.why = whyOf(way, used);
    return candidate;
  }

  int64_t bytesInFlight(const Way &way) const {
    const int64_t row = rowBytes_ / way.ctas();
    const int64_t piece = std::min(row, way.twice ? pieceBytes * way.parts / way.ctas() : row);
    return p_.stages * way.height * p_.inputs * piece;
  }

private:
  /// Bytes a cycle for each of so many SMs.
  double rate(double sms) const {
    return std::min(readingAlone, arch_.hbmBytesPerCycle * arch_.cores / sms);
  }
  /// CTAs that run at once. A cluster lies within a GPC: beyond pairs some SMs stay idle.
  int64_t atOnce(const Way &way) const {
    const int64_t most = way.ctas() > 2 && arch_.gemm ? arch_.gemm->coresOfClusters : arch_.cores;
    return std::max(std::min(ctas_, most), way.ctas());
  }
  /// Of a tensor, in a block of rows.
  int64_t bytesOfCta(const Way &way) const { return way.height * rowBytes_ / way.ctas(); }
  double bytesUnderWay(const Way &way, double used) const {
    return used * double(p_.inputs * bytesOfCta(way));
  }
  double readAgain(const Way &way, double used) const {
    return way.twice ? std::max(0.0, 1 - nearBytes / bytesUnderWay(way, used)) : 0;
  }
  double efficiency(const Way &way) const {
    if (way.ctas() > 1)
      return byClusters;
    if (way.parts > 1)
      return byParts;
    return byteSize(p_.type) == 4 && !way.staging ? byWarpsF32 : byWarps;
  }

  /// Of a second visit: few bytes are in the first-level cache still.
  double vectorCycles(const Way &way) const {
    const double bytes = double(p_.vectors * rowBytes_) / double(way.ctas());
    return way.twice && bytes > nearVectors ? bytes / arch_.l2BytesPerCycle : 0;
  }

  std::pair<double, const char *> blockCycles(const Way &way, double used, double memory) const {
    const double read = double(p_.inputs * bytesOfCta(way));
    const double again = read * readAgain(way, used);
    const double moving = memory / efficiency(way) + again / rate(used) + vectorCycles(way);
    const double meeting = meetingCycles(way, moving, used);
    const double arriving = read * arch_.tmaLatency / double(bytesInFlight(way));
    if (arriving > moving)
      return {arriving + meeting, "latency"};
    const char *limit = "memory";
    if (used < double(arch_.cores) / 2)
      limit = "few rows";
    else if (again / rate(used) > meeting)
      limit = "second read";
    else if (meeting > memory / 20)
      limit = way.parts > 1 ? "exchange" : "visits";
    return {moving + meeting, limit};
  }

  /// Of a row that a cluster has: the warps go on to the next when they have stored theirs.
  double workingCycles(const Way &way, double used) const {
    const double storing = way.staging ? 0 : double(p_.outputs * bytesOfCta(way)) / rate(used);
    return double(p_.inputs * bytesOfCta(way)) / computingBytes +
           clusterExchange * double(p_.folds) + storing;
  }
  /// What moving does not hide. Of a cluster it hides exchanges: the rows behind arrive meanwhile.
  double meetingCycles(const Way &way, double moving, double used) const {
    const double visits = way.twice ? betweenVisits : 0;
    if (way.ctas() == 1)
      return (way.parts > 1 ? exchange * double(p_.folds) : 0) + visits;
    return std::max(0.0, workingCycles(way, used) - moving) + visits;
  }

  std::string whyOf(const Way &way, double used) const {
    const auto kilobytes = [](double bytes) {
      return std::to_string(std::lround(bytes / 1024)) + " KB";
    };
    std::string why = way.parts > 1 ? "a row of " : std::to_string(way.height) + " rows of ";
    why += std::to_string(rowBytes_) + " bytes";
    why += way.parts > 1 ? " in " + std::to_string(way.parts) + " warps" : "";
    why += way.ctas() > 1 ? " of " + std::to_string(way.ctas()) + " CTAs, " : ", ";
    why += way.twice ? "twice" : "once";
    why += "; " + kilobytes(double(bytesInFlight(way))) + " in flight";
    if (way.twice)
      why += ", " + std::to_string(std::lround(bytesUnderWay(way, used) / 1e6)) +
             " MB under way: " + std::to_string(std::lround(100 * readAgain(way, used))) +
             " % read again from memory";
    return why;
  }

  const RowsProblem &p_;
  const Arch &arch_;
  const int64_t rowBytes_, ctas_;
};

/// Why the warps of a CTA shall not share a row; empty: they may.
std::string unshared(const RowsProblem &p) {
  const int64_t row = p.columns * byteSize(p.type);
  if (p.columns % 8)
    return std::to_string(p.columns) + " columns are not eight equal parts";
  if (row / 8 % 16)
    return "parts of " + std::to_string(row / 8) + " bytes: TMA loads multiples of 16";
  if (row < pieceBytes)
    return "rows of " + std::to_string(row) + " bytes: parts of less than 512";
  return "";
}

/// Whether the warps that share a row hold their parts.
bool holds(const RowsProblem &p, int64_t parts) {
  return p.columns * byteSize(p.type) / parts <= p.whole;
}

/// Rows that one CTA does not hold: over as few CTAs as do, or over eight, in two visits. Else why
/// not.
std::string clusterOf(const RowsProblem &p, std::vector<Way> &ways) {
  const int64_t row = p.columns * byteSize(p.type);
  if (holds(p, warpsOfCta))
    return "a CTA holds rows of " + std::to_string(row) + " bytes";
  if (row <= cachedBytes)
    return "rows of " + std::to_string(row) + " bytes come from the second-level cache again";
  int64_t ctas = 2;
  while (ctas < 8 && !holds(p, warpsOfCta * ctas))
    ctas *= 2;
  const int64_t parts = warpsOfCta * ctas;
  if (p.columns % parts)
    return std::to_string(p.columns) + " columns are not " + std::to_string(parts) + " equal parts";
  if (row / parts % 16)
    return "parts of " + std::to_string(row / parts) + " bytes: TMA loads multiples of 16";
  ways.push_back({parts, 0, !holds(p, parts), 1});
  return "";
}

} // namespace

static int64_t roundedUp(int64_t value, int64_t to) {
  return (value + to - 1) / to * to;
}

int64_t columnsOfPiece(int64_t columns, int64_t most) {
  const int64_t least = roundedUp(std::max<int64_t>(columns, 1), columnsOfWarp);
  int64_t piece = std::min(least, std::max(most / columnsOfWarp, int64_t{1}) * columnsOfWarp);
  while (8 * roundedUp(columns, piece) > 9 * least)
    piece -= columnsOfWarp;
  return piece;
}

int64_t rowsOfTile(int64_t rowBytes, int64_t inputs, int64_t stages, bool stored) {
  constexpr int64_t room = 220 << 10, shortRow = 4096; // bytes
  const int64_t most = !stored && rowBytes <= shortRow ? 16 : 8;
  return most * rowBytes * inputs * stages <= room ? most : 4;
}

/// What shared memory does not hold of a way; empty: it holds all. Pieces of parts are as wide as
/// there is room for.
static std::string tooMuch(const RowsProblem &p, const Way &way, int64_t inFlight, int64_t room) {
  const int64_t bytes = inFlight * (way.twice ? 2 : 1); // a ring for each visit
  if (p.folds == 0 || (way.twice && way.parts > 1) || bytes <= room)
    return "";
  return std::to_string(p.stages) + " stages are " + std::to_string(bytes / 1024) +
         " KB, and shared memory has " + std::to_string(room / 1024);
}

/// Takes those out that `why` says something of.
template <typename Why> static void reject(std::vector<Way> &ways, Plan &plan, Why &&why) {
  std::erase_if(ways, [&](const Way &way) {
    const std::string reason = why(way);
    if (!reason.empty())
      plan.rejected.push_back({"parts=" + std::to_string(way.parts), reason});
    return !reason.empty();
  });
}

/// Those that are open, staged by nobody; the others go to the plan with their reason.
static std::vector<Way> openWays(const RowsProblem &p, const Arch &arch, Plan &plan) {
  const int64_t row = p.columns * byteSize(p.type);
  std::vector<Way> ways = {{1, 0, p.folds > 0 && row > p.most,
                            rowsOfTile(row, p.inputs, p.stages, p.outputs > 0 || p.sums > 0)}};
  if (p.shares)
    ways.push_back({warpsOfCta, 0, !holds(p, warpsOfCta), 1});
  reject(ways, plan, [&](const Way &way) { return way.parts > 1 ? unshared(p) : ""; });
  if (p.shares && p.clusters)
    if (const std::string why = clusterOf(p, ways); !why.empty())
      plan.rejected.push_back({"parts=16, 32, 64", why});
  reject(ways, plan, [&](const Way &way) {
    return p.sums && way.twice
               ? "no registers for sums beside rows of " + std::to_string(row) + " bytes"
               : "";
  });
  const int64_t registers = p.columns / 32 * (p.inputs * byteSize(p.type) + 4 * p.sums) / 4;
  const bool spills = p.sums && registers > mostRegisters && ways.size() > 1;
  reject(ways, plan, [&](const Way &way) {
    return spills && way.parts == 1
               ? "rows and sums are " + std::to_string(registers) + " registers of a thread"
               : "";
  });
  const RowsTime time(p, arch);
  const auto room = [&](const Way &way) {
    return tooMuch(p, way, time.bytesInFlight(way), arch.sharedBytes);
  };
  if (std::ranges::any_of(ways, [&](const Way &way) { return room(way).empty(); }))
    reject(ways, plan, room); // else lowering says what has no room
  return ways;
}

Plan planRows(const RowsProblem &p, const Arch &arch) {
  const int64_t row = p.columns * byteSize(p.type);
  const int64_t between = p.pad * byteSize(p.type);
  const RowsTime time(p, arch);
  Plan plan;
  const std::vector<Way> ways = openWays(p, arch, plan);
  if (ways.empty())
    return plan;
  const bool stages = p.outputs > 0 && row % 16 == 0 && between % 16 == 0;
  if (p.outputs > 0 && !stages)
    plan.rejected.push_back(
        {"staging=1", "rows of " + std::to_string(row) + " bytes" +
                          (between ? " with " + std::to_string(between) + " between" : "") +
                          ": TMA stores multiples of 16"});
  for (Way way : ways) {
    plan.candidates.push_back(time.of(way));
    way.staging = 1;
    if (stages && row / way.parts % 16 == 0)
      plan.candidates.push_back(time.of(way));
  }
  std::ranges::stable_sort(plan.candidates, {}, &PlanCandidate::cycles);
  return plan;
}

} // namespace sluice
