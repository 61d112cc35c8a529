#include "Arch/RowsCosts.h"
#include "Plan/RowsByThreads.h"
#include "Plan/RowsTime.h"
#include "Program/Extent.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>

namespace sluice {
namespace {

// bench/ROWS.md
// Of a thread, for its elements of a row and of sums: where a warp has rows, and where those that
// share one have a part each.
constexpr int64_t mostOfShared = 112;
constexpr int64_t leastRounds = 6; // of CTAs that take a few blocks: on each SM
constexpr int64_t leastDrawn = 8;  // rows of a cluster that draws them
// Of a thread of two CTAs of nine warps, for its elements of a row: softmax of 1792 columns spills
// nothing, layernorm beside its weights 392 bytes.
constexpr int64_t mostBesideAnother = 28;
// The same where rows are aligned, whose lines nobody shifts: softmax of 2048 columns a warp, and
// cross_entropy, which stores nothing of a row, spill nothing.
constexpr int64_t mostAlignedBesideAnother = 32;
// Of a thread of nine warps, which has 168, for rows and vectors as they lie in memory: layernorm
// of 4096 columns a warp, 192 of them, spills, with 128 it does not.
constexpr int64_t mostBesideVectors = 160;
// The same of three, beside vectors in shared memory, and the most CTAs: with 12 layernorm of 5001
// columns spills nothing.
constexpr int64_t mostOfFour = 12;
constexpr int64_t mostOnSm = 4;
constexpr int64_t besideRings = 2048; // bytes of shared memory, for exchanges and barriers

/// Whether parts that are not all whole are worth it: no warp holds a row, or none has registers
/// for it beside sums.
bool takesShortParts(const RowsProblem &p) {
  return p.columns * byteSize(p.type) > p.most || (p.sums && registersOf(p, 1) > registersOfWarp);
}

/// Why rows shall not have such parts; empty: they may.
std::string uneven(const RowsProblem &p, int64_t parts, const std::string &number) {
  if (hasWholeParts(p, parts) || takesShortParts(p))
    return "";
  if (p.columns % parts)
    return std::to_string(p.columns) + " columns are not " + number + " equal parts";
  return "parts of " + std::to_string(p.columns * byteSize(p.type) / parts) +
         " bytes: TMA loads multiples of 16";
}

} // namespace

std::string unshared(const RowsProblem &p) {
  const int64_t row = p.columns * byteSize(p.type);
  if (const std::string why = uneven(p, warpsOfCta, "eight"); !why.empty())
    return why;
  if (row < pieceBytes)
    return "rows of " + std::to_string(row) + " bytes: parts of less than 512";
  return "";
}

namespace {

/// Whether the warps that share a row hold their parts.
bool holds(const RowsProblem &p, int64_t parts) {
  return columnsOfPart(p.columns, parts, p.type) * byteSize(p.type) <=
         mostOfPart(p.whole, parts, isAligned(p));
}

/// Whether so many warps have room for their parts of a row.
bool suits(const RowsProblem &p, int64_t parts) {
  return holds(p, parts) && (!p.sums || registersOf(p, parts) <= mostOfShared);
}

/// Whether one CTA holds so much of a row that no cluster is better at it.
bool suitsOneCta(const RowsProblem &p) {
  return suits(p, warpsOfCta) &&
         columnsOfPart(p.columns, warpsOfCta, p.type) * byteSize(p.type) <= p.whole.whole;
}

/// Why the CTAs of a cluster shall not share a row; empty: they may.
std::string unclustered(const RowsProblem &p) {
  const int64_t row = p.columns * byteSize(p.type);
  if (suitsOneCta(p))
    return "a CTA holds rows of " + std::to_string(row) + " bytes";
  if (p.sums && !suits(p, 2 * warpsOfCta))
    return "beside sums a pair of CTAs has no registers for rows of " + std::to_string(row) +
           " bytes";
  return "";
}

/// Rows that one CTA does not hold: over as few CTAs as do, or over eight, in two visits; what is
/// visited once nobody has to hold. Else why not.
std::string clusterOf(const RowsProblem &p, int64_t stages, std::vector<Way> &ways) {
  std::string why = unclustered(p);
  for (int64_t ctas = 2; ctas <= 8 && why.empty(); ctas *= 2) {
    const int64_t parts = warpsOfCta * ctas;
    if (p.visits == 2 && ctas < 8 && !suits(p, parts))
      continue;
    why = uneven(p, parts, std::to_string(parts));
    if (why.empty())
      ways.push_back({parts, 0, !holds(p, parts), 1, stages});
    if (p.visits == 2)
      break;
  }
  return why;
}

/// Those that are not among the ways.
std::string clustersBeyond(const std::vector<Way> &ways) {
  const int64_t most = ways.empty() ? 0 : ways.back().parts;
  return most == 32 ? "parts=64" : most == 16 ? "parts=32, 64" : "parts=16, 32, 64";
}

} // namespace

static int64_t roundedUp(int64_t value, int64_t to) {
  return (value + to - 1) / to * to;
}

int64_t mostOfPart(const HeldPart &held, int64_t parts, bool aligned) {
  constexpr int64_t mostParts = 64;
  if (parts == warpsOfCta && aligned)
    return std::max(held.whole, held.alone);
  return parts == mostParts && aligned ? std::max(held.whole, held.longest) : held.whole;
}

int64_t vectorsInShared(int64_t inputs, int64_t vectors, int64_t partBytes, int64_t perSm) {
  constexpr int64_t bytesOfLanes = 128; // that a register of each has
  const int64_t most = perSm > 1 ? mostAlignedBesideAnother / (perSm - 1) : mostBesideVectors;
  const int64_t room = most / std::max(partBytes / bytesOfLanes, int64_t{1});
  return std::clamp<int64_t>(inputs + vectors - room, 0, vectors);
}

bool isAligned(const RowsProblem &p) {
  return (p.columns + p.pad) * byteSize(p.type) % 16 == 0;
}

bool hasWholeParts(const RowsProblem &p, int64_t parts) {
  return columnsOfPart(p.columns, parts, p.type) * parts == p.columns;
}

int64_t columnsOfTile(const RowsProblem &p, int64_t parts) {
  return roundedUp(columnsOfPart(p.columns, parts, p.type), columnsOfWarp);
}

int64_t registersOf(const RowsProblem &p, int64_t parts) {
  const bool rounded = parts == 1 || !hasWholeParts(p, parts);
  const int64_t columns = rounded ? columnsOfTile(p, parts) : p.columns / parts;
  return registersOfRow(columns, p.inputs * byteSize(p.type), p.sums);
}

int64_t columnsOfPart(int64_t columns, int64_t parts, DType type) {
  constexpr int64_t together = 8; // columns of a lane
  if (columns % parts == 0 && (parts == 1 || columns / parts * byteSize(type) % 16 == 0))
    return columns / parts;
  return roundedUp((columns + parts - 1) / parts, together);
}

int64_t columnsOfPiece(int64_t columns, int64_t most) {
  const int64_t least = roundedUp(std::max<int64_t>(columns, 1), columnsOfWarp);
  int64_t piece = std::min(least, std::max(most / columnsOfWarp, int64_t{1}) * columnsOfWarp);
  while (8 * roundedUp(columns, piece) > 9 * least)
    piece -= columnsOfWarp;
  return piece;
}

int64_t mostInLine(int64_t columns, int64_t most) {
  return std::clamp(2 * columns / columnsOfWarp * columnsOfWarp, columnsOfWarp, most);
}

int64_t rowsOfLine(int64_t columns, DType type, int64_t piece) {
  const int64_t together = 16 / byteSize(type), least = together / std::gcd(columns, together);
  int64_t rows = least;
  while (32 * roundedUp(rows * columns, piece) > 33 * rows * columns)
    rows += least;
  return rows;
}

int64_t registersOfRow(int64_t columns, int64_t bytesOfInputs, int64_t sums) {
  return columns / 32 * (bytesOfInputs + 4 * sums) / 4;
}

int64_t rowsOfTile(int64_t rowBytes, int64_t inputs, int64_t stages, TileOfRows tile) {
  constexpr int64_t room = 220 << 10, shortRow = 4096; // bytes
  const int64_t ofEight = tile.aligned ? 104 : 80;     // registers of nine warps, beside others
  if ((tile.stored && tile.aligned && rowBytes > shortRow) || tile.registers > ofEight)
    return 4;
  const int64_t most = !tile.stored && rowBytes <= shortRow ? 16 : 8;
  return most * rowBytes * inputs * stages <= room ? most : 4;
}

int64_t stagesOfStaying(int64_t columns, int64_t pad, int64_t elementBytes, int64_t most) {
  constexpr int64_t many = 4, few = 3;
  const bool aligned = (columns + pad) * elementBytes % 16 == 0;
  const int64_t bytes = roundedUp(columns, columnsOfWarp) * elementBytes;
  const bool high = rowsOfTile(bytes, 1, few, {.aligned = aligned}) == 8;
  return columns * elementBytes <= most && !aligned && high ? few : many;
}

int64_t heightOf(const RowsProblem &p, int64_t stages) {
  if (p.height)
    return p.height;
  const int64_t columns = p.piece ? columnsOfPiece(p.columns, p.piece) : p.columns;
  const bool aligned = isAligned(p);
  return rowsOfTile(columns * byteSize(p.type), p.inputs, stages,
                    {p.outputs > 0 || p.sums > 0, aligned, p.sums ? registersOf(p, 1) : 0});
}

/// Stages of CTAs that stay.
static int64_t stagesOf(const RowsProblem &p) {
  for (const int64_t stages : {p.stages, p.staying, p.usual})
    if (stages)
      return stages;
  return stagesOfStaying(p.columns, p.pad, byteSize(p.type), p.most);
}

/// What shared memory does not hold of a way; empty: it holds all. Pieces of parts are as wide as
/// there is room for.
static std::string tooMuch(const RowsProblem &p, const Way &way, int64_t inFlight, int64_t room) {
  const int64_t bytes = inFlight * (way.pieces ? p.visits : 1); // a ring for each visit
  if (p.folds == 0 || (way.pieces && way.parts > 1) || bytes <= room)
    return "";
  return std::to_string(way.stages) + " stages are " + std::to_string(bytes / 1024) +
         " KB, and shared memory has " + std::to_string(room / 1024);
}

/// Takes those out that `why` says something of.
template <typename Why> static void reject(std::vector<Way> &ways, Plan &plan, Why &&why) {
  std::erase_if(ways, [&](const Way &way) {
    const std::string reason = why(way);
    const std::string share = way.share ? " share=" + std::to_string(way.share) : "";
    if (!reason.empty())
      plan.rejected.push_back({"parts=" + std::to_string(way.parts) + share, reason});
    return !reason.empty();
  });
}

/// Of rows of which each warp has some, and which are read alone.
static int64_t stagesOfWarps(const RowsProblem &p, const Arch &arch) {
  const int64_t few = rowsCostsOf(arch).stagesOfReaders;
  return p.visits == 1 && p.usual && !p.stages && few ? few : stagesOf(p);
}

/// Those that are open, staged by nobody; the others go to the plan with their reason.
static std::vector<Way> openWays(const RowsProblem &p, const Arch &arch, Plan &plan) {
  const int64_t row = p.columns * byteSize(p.type);
  const int64_t stages = stagesOf(p);
  const bool pieces = p.folds > 0 && row > p.most;
  std::vector<Way> ways = {
      {1, 0, pieces, heightOf(p, stages), pieces ? stages : stagesOfWarps(p, arch)}};
  if (p.shares)
    ways.push_back({warpsOfCta, 0, !holds(p, warpsOfCta), 1, stages});
  reject(ways, plan, [&](const Way &way) { return way.parts > 1 ? unshared(p) : ""; });
  if (p.shares && p.clusters)
    if (const std::string why = clusterOf(p, stages, ways); !why.empty())
      plan.rejected.push_back({clustersBeyond(ways), why});
  const RowsTime time(p, arch);
  for (Way &way : ways) // as many stages of long parts as there is room for
    while (way.ctas() > 1 && !way.pieces && !p.stages && way.stages > 2 &&
           time.sharedBytes(way) + besideRings > arch.sharedBytes)
      --way.stages;
  const bool held = std::ranges::any_of(ways, [](const Way &way) { return !way.pieces; });
  reject(ways, plan, [&](const Way &way) {
    return way.pieces && p.visits == 2 && held && !isAligned(p)
               ? "rows that start anywhere are shifted in each visit, and more warps hold them"
               : "";
  });
  reject(ways, plan, [&](const Way &way) {
    return p.sums && way.pieces
               ? "no registers for sums beside rows of " + std::to_string(row) + " bytes"
               : "";
  });
  // Where others suit better.
  const size_t open = ways.size();
  reject(ways, plan, [&, left = open](const Way &way) mutable {
    const int64_t most = way.parts == 1 ? registersOfWarp : mostOfShared;
    const int64_t registers = registersOf(p, way.parts);
    return p.sums && registers > most && (!p.spills || left-- > 1)
               ? "rows and sums are " + std::to_string(registers) + " registers of a thread"
               : "";
  });
  const auto room = [&](const Way &way) {
    const int64_t beside = time.bytesOfVectors(way) + time.roomOfLines(way);
    return tooMuch(p, way, time.bytesInFlight(way), arch.sharedBytes - beside);
  };
  if (std::ranges::any_of(ways, [&](const Way &way) { return room(way).empty(); }))
    reject(ways, plan, room); // else lowering says what has no room
  return ways;
}

/// Stages of CTAs that take so many blocks; the pieces of a row are as many again.
static int64_t stagesOf(const RowsProblem &p, const Arch &arch, const Way &way, int64_t share) {
  const int64_t most = way.pieces && way.parts == 1 ? stagesOfWarps(p, arch) : stagesOf(p);
  if (p.stages || p.usual || way.pieces || share >= 8)
    return most;
  return std::min<int64_t>(share == 1 ? 1 : 2, most);
}

/// The same way for CTAs that take so many blocks, of launches that keep all SMs busy with them.
static std::optional<Way> sharedOut(const RowsProblem &p, const RowsTime &time, const Arch &arch,
                                    Way way, int64_t share) {
  way.share = share;
  way.stages = stagesOf(p, arch, way, share);
  if (way.parts == 1)
    way.height = heightOf(p, way.stages);
  if (p.share == share)
    return p.sums ? std::nullopt : std::optional(way);
  const int64_t rounds = hasRowsInLine(p) ? time.ctasPerSm(way) : leastRounds;
  const bool only = hasRowsInLine(p) && share == 1; // none of them stays
  const bool enough = only || time.blocks(way) / share >= rounds * arch.cores;
  const bool room = time.bytesInFlight(way) <= arch.sharedBytes / 2 || share < 8;
  const bool pair = way.ctas() == 2 && share == 2 && p.vectors == 0;
  const bool again = way.pieces && p.visits == 2;
  const bool met = p.visits == 1 && way.parts > 1; // every block waits for its warps
  if (again || met || (way.ctas() > 1 && !pair) || p.sums || !enough || !room)
    return {};
  return way;
}

/// Of a thread, for the elements that it holds at a time of rows of which nothing is stored.
static int64_t registersOfReader(const RowsProblem &p, const Way &way) {
  constexpr int64_t bytesOfLanes = 128, warps = 8;
  const int64_t line = way.pieces ? pieceBytes : p.columns * byteSize(p.type) / way.parts;
  const int64_t lines = way.parts > 1 ? 1 : (way.height + warps - 1) / warps;
  return p.inputs * line * lines / bytesOfLanes;
}

/// Whether CTAs of which each has a row draw them: beside vectors, and where rows start anywhere.
static bool drawsRows(const RowsProblem &p, const Arch &arch, const Way &way) {
  return p.drawsAlone && way.parts > 1 && way.ctas() == 1 && !way.pieces &&
         (p.vectors > 0 || !isAligned(p)) && rowsCostsOf(arch).byDrawnRows > 0;
}

/// Registers of a thread for its elements of a row, beside so many CTAs on an SM.
static int64_t mostBeside(const RowsProblem &p, int64_t perSm) {
  if (perSm == mostOnSm)
    return mostOfFour;
  return (isAligned(p) ? mostAlignedBesideAnother : mostBesideAnother) / (perSm - 1);
}

/// Why several CTAs, or clusters, lie on an SM.
enum class Beside : uint8_t { nothing, reads, clusters, drawnRows };

/// Of two clusters on the same SMs, which stay, one shifts and folds its row, or computes its
/// exponentials, while the other waits for its exchange. So do two to four CTAs of which each draws
/// its rows, and two, of rows of which nothing is stored.
static Beside reasonOf(const RowsProblem &p, const Arch &arch, const Way &way) {
  const RowsCosts &costs = rowsCostsOf(arch);
  const bool exchanges = way.parts > 1 && !way.pieces; // of every row
  if (drawsRows(p, arch, way))
    return Beside::drawnRows;
  if (way.perSm == 2 && p.visits == 1 && way.ctas() == 1 && !exchanges && costs.byReaderPairs > 0)
    return Beside::reads;
  const bool pairs = way.perSm == 2 && way.ctas() > 1 && p.visits == 2 && !way.pieces;
  return pairs && (!isAligned(p) || costs.alignedPairs) ? Beside::clusters : Beside::nothing;
}

/// As many stages as the SM has room for, two of rows that are stored, one beside vectors in shared
/// memory; of more than two CTAs no more than it takes to keep memory busy. 0: there is no room.
static int64_t stagesBeside(const RowsProblem &p, const RowsTime &time, const Arch &arch, Way way,
                            Beside reason) {
  constexpr int64_t enough = 80 << 10; // bytes in flight of an SM
  const bool reads = reason == Beside::reads;
  const auto fits = [&] {
    const int64_t shared = time.sharedBytes(way) + arch.sharedOfSystem + besideRings;
    return way.perSm * shared <= arch.sharedBytes;
  };
  const auto isMuch = [&] {
    return reason == Beside::drawnRows && way.perSm > 2 &&
           way.perSm * way.stages * p.inputs * p.columns * byteSize(p.type) > enough;
  };
  way.stages = p.stages ? p.stages : reads ? stagesOf(p) : 2;
  const int64_t fewest = reads ? 2 : time.bytesOfVectors(way) > 0 ? 1 : way.stages;
  const int64_t least = p.stages || (reads && p.usual) ? way.stages : fewest;
  while (way.stages > least && (!fits() || isMuch()))
    --way.stages;
  return fits() ? way.stages : 0;
}

/// The way with so many on an SM; nothing: there is no reason, or no room.
static std::optional<Way> besideOthers(const RowsProblem &p, const RowsTime &time, const Arch &arch,
                                       Way way, int64_t perSm) {
  way.perSm = perSm;
  const Beside reason = reasonOf(p, arch, way);
  const bool asked = p.ctas || p.share > 0 || p.perSm == 1;
  if (reason == Beside::nothing || p.sums || asked)
    return {};
  way.stages = stagesBeside(p, time, arch, way, reason);
  const int64_t held =
      reason == Beside::reads ? registersOfReader(p, way) : registersOf(p, way.parts);
  return way.stages && held <= mostBeside(p, perSm) ? std::optional(way) : std::nullopt;
}

/// Beside as many as an SM has room for.
static std::optional<Way> besideMost(const RowsProblem &p, const RowsTime &time, const Arch &arch,
                                     const Way &way) {
  std::optional<Way> most;
  for (int64_t perSm = mostOnSm; perSm > 1 && !most; --perSm)
    most = besideOthers(p, time, arch, way, perSm);
  return most;
}

/// Clusters that stay, and CTAs whose warps hold rows of which they store nothing, draw their rows
/// where each has several: some move them faster than others. So do CTAs of which each has a row,
/// alone on an SM where two have no room for two stages each. Not beside what is asked for a row
/// ahead by warps that share one; rows that start anywhere, which are loaded and stored line by
/// line, only by several on the same SMs.
static std::optional<Way> drawing(const RowsProblem &p, const RowsTime &time, const Arch &arch,
                                  Way way) {
  way.drawn = true;
  const bool several = time.blocks(way) * way.ctas() >= leastDrawn * arch.cores;
  const bool can = p.visits == 1 ? way.parts == 1 : way.ctas() > 1 || drawsRows(p, arch, way);
  if (!p.draws || !can || way.pieces || (!isAligned(p) && way.perSm == 1) || p.sums || p.ctas ||
      !several)
    return {};
  if (way.perSm > 1 || !drawsRows(p, arch, way))
    return way;
  if (const auto pair = besideOthers(p, time, arch, way, 2); pair && pair->stages > 1)
    return {};
  way.stages = p.stages ? p.stages : std::min<int64_t>(way.stages, 2);
  return way;
}

/// Those with the number of blocks of a CTA that the problem has, or all.
static std::vector<Way> withShares(const RowsProblem &p, const Arch &arch,
                                   const std::vector<Way> &ways) {
  const RowsTime time(p, arch);
  std::vector<Way> all;
  for (const Way &way : ways) {
    if (p.share <= 0 && !hasRowsInLine(p)) // which would load vectors for each tile
      all.push_back(way);
    if (const auto drawn = p.share <= 0 ? drawing(p, time, arch, way) : std::nullopt)
      all.push_back(*drawn);
    if (const auto beside = besideMost(p, time, arch, way)) {
      if (!drawsRows(p, arch, *beside)) // in turn they are as slow as one
        all.push_back(*beside);
      if (const auto drawn = drawing(p, time, arch, *beside))
        all.push_back(*drawn);
    }
    const auto shares =
        p.share < 0 ? std::vector<int64_t>{1, 2, 4, 8} : std::vector<int64_t>(p.share > 0, p.share);
    for (const int64_t share : shares)
      if (const auto with = sharedOut(p, time, arch, way, share))
        all.push_back(*with);
  }
  return all;
}

/// Why an SM has no room for as many such CTAs as the problem asks for; empty: it has.
static std::string crowded(const RowsProblem &p, const RowsTime &time, const Way &way) {
  const int64_t room = time.roomOfSm(way);
  if (p.perSm <= room)
    return "";
  return way.share
             ? "an SM has room for " + std::to_string(room) + ", not " + std::to_string(p.perSm)
             : "CTAs that stay have an SM each";
}

/// Row by row.
static Plan planByRows(const RowsProblem &p, const Arch &arch) {
  const int64_t row = p.columns * byteSize(p.type);
  const int64_t between = p.pad * byteSize(p.type);
  const RowsTime time(p, arch);
  Plan plan;
  const std::vector<Way> ways = openWays(p, arch, plan);
  if (ways.empty())
    return plan;
  const bool stages = p.outputs > 0 && !p.isLine && row % 16 == 0 && between % 16 == 0;
  if (p.outputs > 0 && !stages && !p.isLine)
    plan.rejected.push_back(
        {"staging=1", "rows of " + std::to_string(row) + " bytes" +
                          (between ? " with " + std::to_string(between) + " between" : "") +
                          ": TMA stores multiples of 16"});
  std::vector<Way> shared = withShares(p, arch, ways);
  reject(shared, plan, [&](const Way &way) { return crowded(p, time, way); });
  for (Way way : shared) {
    const bool byRole = stages && hasWholeParts(p, way.parts);
    const bool apart = way.share && way.ctas() > 1; // clusters that end: none waits for its stores
    std::vector<PlanCandidate> candidates;
    if (!apart || !stages)
      candidates.push_back(time.of(way));
    way.staging = 1;
    const bool oneSlot =
        way.perSm > 1 && way.stages == 1; // the next row comes while this is stored
    if (byRole && !oneSlot && (apart || !way.share))
      candidates.push_back(time.of(way));
    // Where clusters are as fast either way, by the role; beside vectors by who computes.
    if (way.ctas() > 1 && (way.perSm == 1 || p.vectors == 0))
      std::ranges::reverse(candidates);
    plan.candidates.insert(plan.candidates.end(), candidates.begin(), candidates.end());
  }
  std::ranges::stable_sort(plan.candidates, {}, &PlanCandidate::cycles);
  return plan;
}

/// Why the elements of rows are no line of numbers; empty: they are.
static std::string noLine(const RowsProblem &p) {
  if (p.vectors && p.columns < leastInLine)
    return "rows of " + std::to_string(p.columns) + " columns, of which a piece has many";
  if (p.pad)
    return std::to_string(p.pad) + " elements lie between rows";
  return p.rows > 0 && p.columns > mostExtent / p.rows ? "more than 2^31 - 2^20 elements" : "";
}

/// The same elements as one line: rows are its pieces, or several rows beside vectors.
static RowsProblem lineOf(RowsProblem p) {
  const int64_t elements = p.rows * p.columns;
  if (p.vectors)
    p.piece = mostInLine(p.columns, p.piece);
  p.columns = p.vectors ? rowsOfLine(p.columns, p.type, p.piece) * p.columns : p.piece;
  p.rows = (elements + p.columns - 1) / p.columns;
  p.isLine = true;
  return p;
}

/// In rings, unless threads shall load them; and by threads.
static Plan planEither(const RowsProblem &p, const Arch &arch) {
  Plan plan = p.loaded == LoadedRows::byThreads ? Plan() : planByRows(p, arch);
  Plan more = planByThreads(p, arch);
  std::ranges::move(more.candidates, std::back_inserter(plan.candidates));
  // In front: the last reason is told where nothing is left.
  plan.rejected.insert(plan.rejected.begin(), more.rejected.begin(), more.rejected.end());
  return plan;
}

/// By rows first where both take as long.
Plan planRows(const RowsProblem &p, const Arch &arch) {
  Plan plan = p.line == AsLine::always ? Plan() : planEither(p, arch);
  const std::string why = p.line == AsLine::never ? "" : noLine(p);
  if (!why.empty())
    plan.rejected.push_back({"line=yes", why});
  if (p.line != AsLine::never && why.empty()) {
    Plan line = planEither(lineOf(p), arch);
    for (PlanCandidate &candidate : line.candidates) {
      candidate.settings += " line=yes";
      plan.candidates.push_back(std::move(candidate));
    }
    if (p.line == AsLine::always)
      plan.rejected = std::move(line.rejected);
  }
  std::ranges::stable_sort(plan.candidates, {}, &PlanCandidate::cycles);
  return plan;
}

PlanCandidate planShare(const RowsProblem &p, int64_t parts, const Arch &arch) {
  const RowsTime time(p, arch);
  const int64_t stages = stagesOf(p);
  const Way staying{parts, 0, false, parts > 1 ? 1 : heightOf(p, stages), stages};
  PlanCandidate best = time.of(staying);
  for (const Way &way : withShares(p, arch, {staying}))
    if (PlanCandidate candidate = time.of(way); candidate.cycles < best.cycles)
      best = std::move(candidate);
  if (mayLoadByThreads(p, arch) && noThreads(p, parts).empty())
    if (PlanCandidate threads = planByThreads(p, parts, arch); threads.cycles < best.cycles)
      best = std::move(threads);
  return best;
}

} // namespace sluice
