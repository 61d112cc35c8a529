#include "Plan/RowsByThreads.h"

#include "Arch/RowsCosts.h"
#include "Plan/RowsTime.h"

#include <algorithm>
#include <cmath>

namespace sluice {
namespace {

constexpr int64_t mostByThreads = 4096; // bytes of a row, or a part, that threads load

/// Why threads shall not load rows to registers; empty: they may.
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
  return p.vectors && parts > 1 ? "they would load vectors for each block" : "";
}

/// Of a thread that loads its elements of a row: as many CTAs as have room beside each other.
int64_t besideByThreads(const RowsProblem &p, const Arch &arch, const Way &way) {
  // Of kernels and columns as ptxas has them without spills, 16, 32 and 64 elements a lane: 48, 80
  // and 128 registers of layernorm.
  constexpr double ofAny = 16, ofElement = 1.7, ofInput = 0.5, lanes = 32;
  const int64_t columns = p.piece ? columnsOfPiece(p.columns, p.piece) : columnsOfTile(p, way.parts);
  const double elements = double(columns) / lanes * double(byteSize(p.type)) / 2;
  const double held = ofElement + ofInput * double(p.inputs - 1);
  const int64_t registers = p.folds ? std::lround((ofAny + held * elements) / 8) * 8 : 32;
  const int64_t warps = way.parts > 1 ? warpsOfCta : way.height;
  const int64_t least = registers <= 168 ? 2 : 1; // a few words may spill beside another
  return std::clamp<int64_t>(arch.registersPerSm / (32 * warps * registers), least,
                             arch.warpsPerSm / warps);
}

} // namespace

Plan planByThreads(RowsProblem p, const Arch &arch) {
  Plan plan;
  const bool measured = rowsCostsOf(arch).byThreads > 0;
  if (p.loaded == LoadedRows::inRings || (p.loaded == LoadedRows::chosen && !measured))
    return plan;
  p.piece = p.piece ? columnsOfWarp : 0;
  const RowsTime time(p, arch);
  for (const int64_t parts : {int64_t{1}, warpsOfCta}) {
    if (parts > 1 && (p.piece || !p.shares || !unshared(p).empty()))
      continue;
    if (const std::string why = noThreads(p, parts); !why.empty()) {
      plan.rejected.push_back({"parts=" + std::to_string(parts) + " stages=0", why});
      continue;
    }
    Way way{parts, 0, false, parts > 1 ? 1 : heightOf(p, 0), 0};
    way.share = std::max<int64_t>(p.share, 1);
    way.perSm = p.perSm ? p.perSm : besideByThreads(p, arch, way);
    plan.candidates.push_back(time.of(way));
  }
  return plan;
}

} // namespace sluice
