#include "Plan/RowsByThreads.h"

#include "Arch/RowsCosts.h"
#include "Plan/RowsTime.h"

#include <algorithm>
#include <cmath>

namespace sluice {

static constexpr int64_t mostByThreads = 4096; // bytes of a row, or a part, that threads load

/// Of rows that start anywhere, the most columns that threads load as fast as rings bring them; an
/// H200: softmax 27106 x 156, rows of whole 8 bytes, 13.1 us and 6.9, 40000 x 500 26.3, 21.5; 26933
/// x 157 14.2, 11.1, 38763 x 467 25.2, 25.3.
static int64_t mostAnywhere(const RowsProblem &p) {
  const int64_t size = byteSize(p.type);
  if (p.piece || size != 2)
    return 0;
  const bool shifts = (p.columns + p.pad) * size % 8 != 0 && p.outputs > 0;
  return shifts ? columnsOfWarp : 2 * columnsOfWarp;
}

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
  if (!isAligned(p) && p.columns > mostAnywhere(p))
    return "rows that start anywhere, which each lane would shift";
  if (parts > 1 && !p.sharedByThreads)
    return "measured: slower";
  return p.vectors && parts > 1 ? "they would load vectors for each block" : "";
}

namespace {

/// A tile has more rows than warps where each then loads vectors once for several, or folds two
/// short rows beside each other; of few rows only as many as leave each SM four CTAs. An H200:
/// scale_bias_relu 24346 x 467 20.2 us, by four rows a warp 12.9; rmsnorm 252054 x 296 80.2, by two
/// 76.7.
int64_t heightByThreads(const RowsProblem &p, const Arch &arch) {
  constexpr int64_t ofLane = 64; // bytes of a tensor that it holds of pieces
  constexpr double few = 3;      // registers for each that its elements of a row are
  const int64_t usual = heightOf(p, 0), size = byteSize(p.type);
  if (p.height)
    return usual;
  int64_t height = usual;
  if (p.piece && p.vectors && (size == 2 || p.isLine)) // of f32 rings are faster otherwise
    height = usual * ofLane / (columnsOfWarp / 32 * size);
  else if (!p.piece && p.inputs == 1 && size == 2 && p.columns <= 2 * columnsOfWarp &&
           p.registers < few)
    height = 2 * usual;
  const int64_t pieces = p.piece ? (p.columns + p.piece - 1) / p.piece : 1;
  while (height > usual && p.rows / height * pieces < 4 * arch.cores)
    height /= 2;
  return height;
}

/// Of a thread. Of kernels and columns as ptxas has them without spills: with 16, 32 and 64
/// elements a lane 48, 80 and 128 of layernorm; of two rows 64 for 40.
int64_t registersByThreads(const RowsProblem &p, const Way &way) {
  constexpr double ofAny = 16, ofElement = 1.7, ofInput = 0.5, ofHeld = 0.8, lanes = 32;
  constexpr double ofRowBeside = 0.75;
  constexpr int64_t ofPieces = 16; // beside those that a piece comes and goes in
  const int64_t rows = way.parts > 1 ? 1 : std::max<int64_t>(way.height / warpsOfCta, 1);
  if (p.piece)
    return ofPieces + 2 * rows * (columnsOfWarp / 32) * byteSize(p.type) / 4;
  const double columns = double(columnsOfTile(p, way.parts)) / lanes; // of a lane
  const double each = ofElement + ofInput * double(p.inputs - 1);
  const double all = std::max(each * double(byteSize(p.type)) / 2, ofHeld * double(p.held) / 4);
  const double ofRows = all * columns * (1 + ofRowBeside * double(rows - 1));
  return std::lround((ofAny + ofRows) / 8) * 8;
}

/// As many CTAs as have registers beside each other.
int64_t besideByThreads(const RowsProblem &p, const Arch &arch, const Way &way) {
  constexpr int64_t spillsFew = 168; // registers that two CTAs have 128 for
  const int64_t registers = registersByThreads(p, way);
  const int64_t warps = way.parts > 1 ? warpsOfCta : std::min(way.height, warpsOfCta);
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
  Way way{parts, 0, false, parts > 1 ? 1 : heightByThreads(p, arch), 0};
  way.share = std::max<int64_t>(p.share, 1);
  way.perSm = p.perSm ? p.perSm : besideByThreads(p, arch, way);
  return time.of(way);
}

Plan planByThreads(const RowsProblem &p, const Arch &arch) {
  Plan plan;
  if (!mayLoadByThreads(p, arch))
    return plan;
  for (const int64_t parts : {int64_t{1}, warpsOfCta}) {
    if (parts > 1 && (p.piece || p.height || !p.shares || !unshared(p).empty()))
      continue;
    if (const std::string why = noThreads(p, parts); why.empty())
      plan.candidates.push_back(planByThreads(p, parts, arch));
    else
      plan.rejected.push_back({"parts=" + std::to_string(parts) + " stages=0", why});
  }
  return plan;
}

} // namespace sluice
