#include "Plan/RowsByThreads.h"

#include "Arch/RowsCosts.h"
#include "Plan/RowsTime.h"

#include <algorithm>
#include <cmath>

namespace sluice {

static constexpr int64_t mostByThreads = 4096; // bytes of a row, or a part, that threads load

std::string noThreads(const RowsProblem &p, int64_t parts) {
  const int64_t part = columnsOfTile(p, parts) * byteSize(p.type);
  if (p.sums)
    return "CTAs that add up rows stay, and have rings";
  if (p.ctas)
    return "of " + std::to_string(p.ctas) + " CTAs each has several blocks";
  if (!p.piece && (part > mostByThreads || !hasWholeParts(p, parts)))
    return "parts of " + std::to_string(part) + " bytes";
  if (p.loaded == LoadedRows::byThreads)
    return "";
  if (!isAligned(p))
    return "rows that start anywhere, which they would load by element";
  if (parts > 1 && !p.sharedByThreads)
    return "measured: slower";
  return p.vectors && parts > 1 ? "they would load vectors for each block" : "";
}

namespace {

/// Of a thread. Of kernels and columns as ptxas has them without spills: with 16, 32 and 64
/// elements a lane 48, 80 and 128 of layernorm.
int64_t registersByThreads(const RowsProblem &p, const Way &way) {
  constexpr double ofAny = 16, ofElement = 1.7, ofInput = 0.5, ofHeld = 0.8, lanes = 32;
  constexpr int64_t ofPieces = 32;
  if (p.piece)
    return ofPieces;
  const double columns = double(columnsOfTile(p, way.parts)) / lanes; // of a lane
  const double each = ofElement + ofInput * double(p.inputs - 1);
  const double all = std::max(each * double(byteSize(p.type)) / 2, ofHeld * double(p.held) / 4);
  return std::lround((ofAny + all * columns) / 8) * 8;
}

/// As many CTAs as have registers beside each other.
int64_t besideByThreads(const RowsProblem &p, const Arch &arch, const Way &way) {
  constexpr int64_t spillsFew = 168; // registers that two CTAs have 128 for
  const int64_t registers = registersByThreads(p, way);
  const int64_t warps = way.parts > 1 ? warpsOfCta : way.height;
  return std::clamp<int64_t>(arch.registersPerSm / (32 * warps * registers),
                             registers <= spillsFew ? 2 : 1, arch.warpsPerSm / warps);
}

} // namespace

bool mayLoadByThreads(const RowsProblem &p, const Arch &arch) {
  const bool measured = rowsCostsOf(arch).byThreads > 0;
  return p.loaded == LoadedRows::byThreads || (p.loaded == LoadedRows::chosen && measured);
}

PlanCandidate planByThreads(RowsProblem p, int64_t parts, const Arch &arch) {
  p.piece = p.piece ? columnsOfWarp : 0;
  const RowsTime time(p, arch);
  Way way{parts, 0, false, parts > 1 ? 1 : heightOf(p, 0), 0};
  way.share = std::max<int64_t>(p.share, 1);
  way.perSm = p.perSm ? p.perSm : besideByThreads(p, arch, way);
  return time.of(way);
}

Plan planByThreads(const RowsProblem &p, const Arch &arch) {
  Plan plan;
  if (!mayLoadByThreads(p, arch))
    return plan;
  for (const int64_t parts : {int64_t{1}, warpsOfCta}) {
    if (parts > 1 && (p.piece || !p.shares || !unshared(p).empty()))
      continue;
    if (const std::string why = noThreads(p, parts); why.empty())
      plan.candidates.push_back(planByThreads(p, parts, arch));
    else
      plan.rejected.push_back({"parts=" + std::to_string(parts) + " stages=0", why});
  }
  return plan;
}

} // namespace sluice
