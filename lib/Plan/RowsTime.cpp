#include "Plan/RowsTime.h"

#include "Arch/GemmCosts.h"
#include "Program/LineRoom.h"

#include <algorithm>
#include <cmath>

namespace sluice {
namespace {

// Fits to times of an H100 (bench/RESULTS.md, "Along rows"; bench/ROWS.md).
constexpr double nearBytes = 12e6; // of rows under way that L2 still has for a second visit
constexpr double nearVectors = 65536;
constexpr double readingAlone = 20; // bytes a cycle for an SM while few read
constexpr double betweenVisits = 500;
constexpr double visitingTwice = 13.5; // bytes a cycle of an SM, those of both visits and results
constexpr double spilledBytes = 28;    // to and fro, for each register too many and row
constexpr double spilling = 10;        // bytes a cycle of an SM
constexpr double foldedByWarp = 1.3;   // elements a cycle of pieces that are visited once
constexpr double launching = 2000;

// Of clusters (bench/ROWS.md).
constexpr double byClusters = 0.93;        // of the memory's rate
constexpr double byPairsOfClusters = 0.85; // of two on the same SMs
// Where whoever is ahead takes the next row: of the memory's rate, and cycles between two draws for
// each CTA of a cluster, or of CTAs of which each draws its own.
constexpr double drawing = 375;
constexpr double computingBytes = 16; // that the warps of a CTA work through in a cycle

// Of rows that start at any element: each visit of two shifts them; a warp that holds one is at
// work for so long, and so long for each byte of it.
constexpr double shiftedTwice = 2.4, shiftedRow = 1000, shiftedByte = 1.0;

// Of CTAs that take a few blocks and make room for others (bench/ROWS.md).
constexpr double byClustersInTurn = 0.96, byClustersThatStore = 0.8;
// Of rows that start at any element, for each byte that a warp has, and at most.
constexpr double shiftingByte = 4.5, beginningShifted = 7000;
constexpr double movingPieces = 16;   // bytes a cycle of one, there and back
constexpr double exposed = 0.06;      // of the shorter of moving and working, where a CTA is alone
constexpr double shiftedPieces = 1.6; // times as long as others, where a CTA is alone on its SM
constexpr double ofAnyKernel = 26, ofPieces = 24; // registers of a thread
constexpr double ofCounted = 1.1; // for each that holds an element, those in the making counted too

} // namespace

RowsTime::RowsTime(const RowsProblem &p, const Arch &arch)
    : p_(p), arch_(arch), cost_(rowsCostsOf(arch)), rowBytes_(p.columns * byteSize(p.type)),
      span_(p.piece ? columnsOfPiece(p.columns, p.piece) * byteSize(p.type) : rowBytes_),
      ctas_(p.ctas ? p.ctas : arch.cores) {}

int64_t RowsTime::blocks(const Way &way) const {
  return (p_.rows + way.height - 1) / way.height * (p_.piece ? (rowBytes_ + span_ - 1) / span_ : 1);
}

PlanCandidate RowsTime::of(const Way &way) const {
  PlanCandidate candidate;
  const auto set = [&](const char *name, int64_t value) {
    candidate.settings += name + std::to_string(value);
  };
  set("parts=", way.parts);
  set(" staging=", way.staging);
  set(" stages=", way.stages);
  set(" share=", way.share);
  if (ctasPerSm(way) > 1)
    set(" per_sm=", ctasPerSm(way));
  if (way.drawn)
    candidate.settings += " dynamic=yes";
  if (way.stages == 0 && way.parts == 1 && way.height != heightOf(p_, 0))
    set(" height=", way.height);
  candidate.tensor = double(p_.rows * (p_.inputs + p_.outputs) * rowBytes_) / rate(arch_.cores) /
                     double(arch_.cores);
  if (way.stages == 0)
    timeThreads(way, candidate);
  else if (way.share)
    timeShares(way, candidate);
  else
    timeStaying(way, candidate);
  return candidate;
}

/// Of CTAs that run from the first block to the last.
void RowsTime::timeStaying(const Way &way, PlanCandidate &candidate) const {
  const int64_t teams = std::clamp<int64_t>(blocks(way), 1, way.perSm * atOnce(way) / way.ctas());
  const double used = double(teams * way.ctas()) / double(way.perSm);
  Block block = blockOf(way, used);
  if (way.drawn)
    block.moving = std::max(block.moving, drawCycles(way) / double(way.perSm));
  if (const double computing = shiftingOfRow(way); computing > block.moving)
    block.moving = computing, block.limit = "computing";
  const double each = double(blocks(way)) / double(teams);
  const double waves = way.drawn ? each : std::ceil(each);
  // Who draws a row of its own is met by whoever is ahead; the last of a cluster is waited for.
  const double met = way.ctas() > 1 ? waves - 1 : way.drawn && way.parts > 1 ? 0 : waves;
  candidate.cycles = launching + lastCycles(way, used);
  if (way.perSm == 1)
    candidate.cycles += waves * block.moving + met * block.meeting;
  else // those of an SM work on their rows beside each other
    candidate.cycles +=
        waves * std::max(double(way.perSm) * block.moving,
                         way.drawn ? 0.0 : block.moving + block.meeting); // as if in step
  candidate.limit = block.limit;
  candidate.why = whyOf(way, used);
}

/// Of an SM, on a norm's row that a CTA has and that starts anywhere.
double RowsTime::shiftingOfRow(const Way &way) const {
  const bool shifts = p_.drawsAlone && way.parts > 1 && way.ctas() == 1 && !way.pieces;
  return shifts && !isAligned(p_) && p_.shifting > 0
             ? cost_.shiftingRow * double(columnsOfTile(p_, way.parts))
             : 0;
}

/// Between two draws of a CTA, or of a cluster.
double RowsTime::drawCycles(const Way &way) const {
  if (way.ctas() > 1)
    return drawing * double(way.ctas());
  return way.parts > 1 ? cost_.drawingRow : cost_.drawingAlone;
}

/// Of CTAs that take a few blocks: as SMs take the next one when they have room, what they load
/// lies close together, and memory is at its best; but each begins anew, which others have to hide.
void RowsTime::timeShares(const Way &way, PlanCandidate &candidate) const {
  const double share = double(way.share), moved = double(p_.inputs + p_.outputs);
  const double memory = moved * double(bytesOfCta(way)) / rate(arch_.cores);
  const bool serial = way.parts > 1 && way.share == 1 && p_.folds > 0;
  const double best = way.ctas() > 1 ? way.staging ? byClustersInTurn : byClustersThatStore
                      : serial       ? cost_.sharedAlone
                                     : 1;
  const double moving = double(way.ctas()) * memory / (best - cost_.drift * std::log2(share));
  const double working = workingOfShare(way);
  const double alone = ctasPerSm(way) > 1 ? 0 : p_.piece ? exposed : cost_.exposedAlone;
  const double waited = alone * std::min(moving, working); // for each other
  const double ofSm = double(blocks(way)) / double(arch_.cores);
  const double busy = std::max({ofSm * moving, roundsOf(way) * working, ofSm * sharedCycles(way)});
  candidate.cycles =
      launching + (p_.piece ? beginningOfPieces(way) : beginningCycles(way)) + busy + ofSm * waited;
  candidate.limit = working > moving ? "beginning" : "memory";
  candidate.why = whyOf(way, double(arch_.cores));
}

/// Of CTAs whose threads load what they have: others beside them hide how long that takes.
void RowsTime::timeThreads(const Way &way, PlanCandidate &candidate) const {
  const double rated = byteSize(p_.type) == 4 ? cost_.byThreadsF32
                       : p_.piece             ? cost_.piecesByThreads
                                              : cost_.byThreads;
  const double moved = double((p_.inputs + p_.outputs) * bytesOfCta(way));
  const double moving = moved / rate(arch_.cores) / (rated > 0 ? rated : 0.95);
  const double each = (beginningByThreads(way) + moving) / double(ctasPerSm(way));
  const double beside = hasRowsInLine(p_) ? cost_.pieceInLine : 0;
  const double ofVectors = (cost_.besideVectors - 1) * double(warpsOfCta) / double(way.height);
  const double computing =
      p_.piece && p_.vectors ? computingPiece(way) * (1 + ofVectors) + beside : foldingRows(way);
  const double working = std::max(computing, each);
  const double rounds = double(blocks(way)) / double(arch_.cores);
  candidate.cycles = launching + beginningByThreads(way) + rounds * std::max(moving, working);
  candidate.limit = working > moving ? working > each ? "computing" : "beginning" : "memory";
  candidate.why = whyOf(way, double(arch_.cores));
}
double RowsTime::beginningByThreads(const Way &way) const {
  const double exchanges = way.parts > 1 ? cost_.exchangeThreads * double(p_.folds) : 0;
  return cost_.beginningThreads + exchanges + double(p_.vectors) * cost_.loadingPieces;
}
/// Of an SM, for the instructions of warps that fold the rows of a block.
double RowsTime::foldingRows(const Way &way) const {
  constexpr double schedulers = 4, lanes = 32;
  if (p_.folds == 0 || way.pieces)
    return 0;
  const auto warps = double(way.parts > 1 ? warpsOfCta : way.height);
  const double row =
      cost_.foldingRow + cost_.foldingElement * double(columnsOfTile(p_, way.parts)) / lanes;
  return warps / schedulers * row * (way.stages ? cost_.foldingFromRing : 1);
}

/// Blocks of an SM. CTAs that begin slowly, as they load vectors of rows in a line, come in waves,
/// of which the last has half as many where they are many.
double RowsTime::roundsOf(const Way &way) const {
  const auto ofSm = double(blocks(way)) / double(arch_.cores);
  const auto wave = double(way.share * ctasPerSm(way));
  const double waves = ofSm / wave;
  return hasRowsInLine(p_) ? (waves < 2 ? std::ceil(waves) : waves + 0.5) * wave : ofSm;
}

/// Cycles of an SM for each block that CTAs take from their launch to their end. Those of an SM
/// wait beside each other; pieces of rows they compute one after the other.
double RowsTime::workingOfShare(const Way &way) const {
  const auto share = double(way.share), together = double(ctasPerSm(way));
  if (p_.piece) {
    const auto ofWave = double(arch_.cores) * share * together;
    const bool atOnce = hasRowsInLine(p_) && double(blocks(way)) <= ofWave; // none begins later
    return (atOnce ? 0 : beginningOfPieces(way) / (share * together)) + computingPiece(way) +
           (isAligned(p_) ? 0 : cost_.shiftingBlock);
  }
  const double each = (beginningCycles(way) + share * computingCycles(way)) / (share * together);
  return std::max({each, shiftingOfRow(way), way.parts == 1 ? foldingRows(way) : 0});
}

/// From the launch of a CTA to its first tile, and from the last to its end.
double RowsTime::beginningCycles(const Way &way) const {
  return cost_.beginning + p_.beginning + double(p_.vectors) * cost_.loadingVector +
         (isAligned(p_) ? 0 : std::min(shiftingByte * double(bytesOfPart(way)), beginningShifted)) +
         (way.parts > 1 ? cost_.exchange * double(p_.folds) : 0);
}
double RowsTime::beginningOfPieces(const Way &way) const {
  const double moved = double((p_.inputs + p_.outputs) * bytesOfCta(way));
  const auto vectors = double(p_.vectors);
  return cost_.beginningPieces + moved / movingPieces + p_.beginning +
         vectors * cost_.loadingPieces + (isAligned(p_) ? 0 : cost_.shiftingPieces) +
         (hasRowsInLine(p_) ? cost_.beginningInLine + vectors * cost_.loadingInLine : 0);
}

/// Of an SM, for what each of the warps that share a row does for it, however short, and for what
/// they do where a CTA begins.
double RowsTime::sharedCycles(const Way &way) const {
  const bool shares = way.parts > 1 && p_.folds > 0;
  return shares ? cost_.sharedRow * (1 + 1 / double(way.share)) : 0;
}

/// Of a block, where a CTA has an SM to itself.
double RowsTime::computingCycles(const Way &way) const {
  return cost_.computingTile * double(p_.inputs * bytesOfCta(way));
}

/// Of an SM, for a block of pieces; fewer than eight warps do not keep it busy.
double RowsTime::computingPiece(const Way &way) const {
  const auto warps = double(way.height * ctasPerSm(way));
  return p_.computing * double(bytesOfCta(way)) / double(byteSize(p_.type)) *
         std::max(1.0, double(warpsOfCta) / warps);
}

/// Of a thread. A kernel without folds holds what it has loaded, and packs its results.
int64_t RowsTime::registersOfThread(const Way &way) const {
  const int64_t part = way.pieces ? std::min(bytesOfPart(way), pieceBytes) : bytesOfPart(way);
  const int64_t tensors = p_.inputs + p_.vectors + (p_.folds ? 0 : p_.outputs);
  const int64_t element = p_.held ? p_.held : tensors * byteSize(p_.type);
  const double held = double(part / byteSize(p_.type) * element) / 128;
  const double all = p_.held    ? ofAnyKernel + ofCounted * held
                     : p_.folds ? ofAnyKernel + p_.registers * held
                                : ofPieces + held;
  return std::min<int64_t>(255, (std::lround(all) + 7) / 8 * 8);
}

/// By shared memory, warps and registers. A scheduler has a quarter of the registers (CUDA
/// programming guide, compute capability 9.0), for whole warps.
int64_t RowsTime::roomOfSm(const Way &way) const {
  if (!way.share || way.stages == 0)
    return way.perSm;
  const int64_t warps = (way.parts > 1 ? warpsOfCta : way.height) + 1; // and the one that loads
  const int64_t byRegisters = arch_.registersPerSm / 4 / (32 * registersOfThread(way)) * 4 / warps;
  const int64_t ofCta = bytesInFlight(way) + roomOfLines(way) + arch_.sharedOfSystem;
  const int64_t byMemory = arch_.sharedBytes / ofCta;
  return std::max<int64_t>(std::min({byRegisters, byMemory, arch_.warpsPerSm / warps}), 1);
}

int64_t RowsTime::bytesInFlight(const Way &way) const {
  return way.stages * p_.inputs * bytesOfPiece(way);
}

int64_t RowsTime::roomOfLines(const Way &way) const {
  const int64_t whole = 256 * byteSize(p_.type); // what a warp takes at a time
  const bool alone = way.parts == 1 && !way.pieces;
  const int64_t behind = alone ? (span_ + whole - 1) / whole * whole - span_ : 0;
  const int64_t around = isAligned(p_) && !p_.isLine ? 0 : lineRoom;
  const int64_t lines = way.parts > 1 ? warpsOfCta : way.height;
  return way.stages * p_.inputs * lines * (behind + around);
}

int64_t RowsTime::bytesOfVectors(const Way &way) const {
  if (way.parts == 1 || way.pieces)
    return 0;
  const int64_t size = byteSize(p_.type), part = columnsOfPart(p_.columns, way.parts, p_.type);
  return vectorsInShared(p_.inputs, p_.vectors, part * size, way.perSm) * warpsOfCta *
         columnsOfTile(p_, way.parts) * size;
}

/// Bytes a cycle for each of so many SMs.
double RowsTime::rate(double sms) const {
  return std::min(readingAlone, arch_.hbmBytesPerCycle * arch_.cores / sms);
}
/// CTAs that run at once. A cluster lies within a GPC: beyond pairs some SMs stay idle.
int64_t RowsTime::atOnce(const Way &way) const {
  const int64_t most = way.ctas() > 2 && arch_.gemm ? arch_.gemm->coresOfClusters : arch_.cores;
  return std::max(std::min(ctas_, most), way.ctas());
}
/// Of a tensor, in a block of rows.
int64_t RowsTime::bytesOfCta(const Way &way) const {
  return way.height * span_ / way.ctas();
}
/// Of a row, what a warp has in its line of a tile.
int64_t RowsTime::bytesOfPart(const Way &way) const {
  return hasWholeParts(p_, way.parts) ? span_ / way.parts
                                      : columnsOfTile(p_, way.parts) * byteSize(p_.type);
}
/// Of a tensor, what is loaded at a time.
int64_t RowsTime::bytesOfPiece(const Way &way) const {
  const int64_t row =
      hasWholeParts(p_, way.parts) ? span_ / way.ctas() : bytesOfPart(way) * way.parts / way.ctas();
  return way.height * (way.pieces ? std::min(row, pieceBytes * way.parts / way.ctas()) : row);
}
double RowsTime::bytesUnderWay(const Way &way, double used) const {
  return used * double(p_.inputs * bytesOfCta(way));
}
double RowsTime::readAgain(const Way &way, double used) const {
  return twice(way) ? std::max(0.0, 1 - nearBytes / bytesUnderWay(way, used)) : 0;
}
double RowsTime::efficiency(const Way &way) const {
  if (p_.visits == 1 && !way.drawn && cost_.byReaders > 0)
    return way.perSm > 1 ? cost_.byReaderPairs : cost_.byReaders;
  const double slots = way.perSm == 2 && way.stages == 1 ? cost_.oneSlot : 0;
  const double pairs = isAligned(p_) ? cost_.byDrawnPairs : cost_.byDrawnPairsAnywhere;
  constexpr double counted = 16384; // bytes in flight
  if (way.ctas() > 1)
    return way.perSm > 1 ? (way.drawn ? pairs : byPairsOfClusters) - slots
                         : (way.drawn ? cost_.byDrawn : byClusters);
  if (way.parts > 1)
    return way.drawn ? cost_.byDrawnRows - slots -
                           cost_.inFlight * double(way.perSm * bytesInFlight(way)) / counted
                     : cost_.byParts;
  if (way.drawn)
    return cost_.byDrawn;
  return byteSize(p_.type) == 4 && !way.staging ? cost_.byWarpsF32 : cost_.byWarps;
}

/// Of a second visit: few bytes are in the first-level cache still.
double RowsTime::vectorCycles(const Way &way) const {
  const double bytes = double(p_.vectors * rowBytes_) / double(way.ctas());
  return twice(way) && bytes > nearVectors ? bytes / arch_.l2BytesPerCycle : 0;
}

RowsTime::Block RowsTime::blockOf(const Way &way, double used) const {
  const double memory = double((p_.inputs + p_.outputs) * bytesOfCta(way)) / rate(used);
  const double read = double(p_.inputs * bytesOfCta(way));
  const double again = read * readAgain(way, used);
  const double shifts = twice(way) && !isAligned(p_) ? shiftedTwice : 1;
  const double visits =
      twice(way) ? double((2 * p_.inputs + p_.outputs) * bytesOfCta(way)) / visitingTwice : 0;
  const bool besideAnother = way.ctas() > 1 && way.perSm > 1 && !isAligned(p_);
  const double shifted = besideAnother ? cost_.shiftingBeside * shiftingColumns(way) : 0;
  const double moving = std::max(visits, shifts * (memory / efficiency(way) + again / rate(used)) +
                                             vectorCycles(way) + shifted);
  const double meeting = meetingCycles(way, moving, used);
  const double arriving = read * arch_.tmaLatency / double(bytesInFlight(way));
  if (const double spilling = spillingCycles(way); spilling > moving)
    return {spilling, meeting, "spills"};
  const double folding = foldingCycles(way, bytesOfCta(way));
  if (std::max(arriving, folding) > moving)
    return {std::max(arriving, folding), meeting, arriving > folding ? "latency" : "folds"};
  const double computing = !p_.piece ? shiftingCycles(way)
                           : isAligned(p_)
                               ? computingPiece(way)
                               : computingPiece(way) * shiftedPieces + cost_.shiftingBlock;
  if (const double working = std::max(computing, way.parts == 1 ? foldingRows(way) : 0);
      working > moving)
    return {working, meeting, "computing"};
  const char *limit = "memory";
  if (used < double(arch_.cores) / 2)
    limit = "few rows";
  else if (again / rate(used) > meeting || moving == visits)
    limit = "second read";
  else if (meeting > memory / 20)
    limit = way.parts > 1 ? "exchange" : "visits";
  return {moving, meeting, limit};
}

/// On so many bytes of a row that a cluster has, to its end: the warps go on to the next when they
/// have stored theirs.
double RowsTime::workingCycles(const Way &way, double used, int64_t bytes) const {
  const bool hidden = way.staging || (p_.sums == 1 && cost_.storesBesideSum);
  const double storing = hidden ? 0 : double(p_.outputs * bytes) / rate(used);
  const bool shifts = !isAligned(p_) && way.ctas() > 2;
  const double shifting = shifts ? shiftingColumns(way) : 0;
  const double exchange = cost_.clusterExchange + cost_.sendingToCta * double(way.ctas());
  return double(p_.inputs * bytes) / computingBytes + exchange * double(p_.folds) +
         cost_.applyingVector * double(p_.vectors * bytes) + shifting + storing;
}
/// Of a warp, for its part of a row that starts anywhere.
double RowsTime::shiftingColumns(const Way &way) const {
  return p_.shifting * double(columnsOfTile(p_, way.parts));
}
/// Of what a thread has no registers for, beside sums.
double RowsTime::spillingCycles(const Way &way) const {
  const int64_t more = p_.sums ? registersOf(p_, way.parts) - registersOfWarp : 0;
  return way.parts == 1 && more > 0 ? double(way.height * 32 * more) * spilledBytes / spilling : 0;
}
/// Of rows that warps hold, one each, and shift.
double RowsTime::shiftingCycles(const Way &way) const {
  const bool held = p_.folds > 0 && !way.pieces && way.parts == 1;
  return held && !isAligned(p_) ? shiftedRow + shiftedByte * double(p_.inputs * rowBytes_) : 0;
}
/// Of pieces that are folded as they come.
double RowsTime::foldingCycles(const Way &way, int64_t bytes) const {
  if (!way.pieces || p_.visits == 2)
    return 0;
  const auto warps = double(way.parts > 1 ? warpsOfCta : way.height);
  return double(p_.inputs * bytes) / double(byteSize(p_.type)) / (warps * foldedByWarp);
}
/// Behind the last load: stores, folds.
double RowsTime::lastCycles(const Way &way, double used) const {
  const double storing = way.staging ? double(bytesOfCta(way)) / rate(used) : 0;
  if (way.ctas() == 1)
    return storing + foldingCycles(way, bytesOfPiece(way));
  return storing + workingCycles(way, used, twice(way) ? bytesOfCta(way) : bytesOfPiece(way));
}
/// What moving does not hide: of a cluster, and of pieces that are folded as they come, it hides
/// exchanges, as the rows behind arrive meanwhile.
double RowsTime::meetingCycles(const Way &way, double moving, double used) const {
  const double visits = twice(way) ? betweenVisits : 0;
  if (way.ctas() > 1)
    return std::max(0.0, workingCycles(way, used, bytesOfCta(way)) - moving) + visits;
  const double exchanges = way.parts > 1 ? cost_.exchange * double(p_.folds) : 0;
  const double folding = foldingCycles(way, bytesOfCta(way));
  return folding > 0 ? std::clamp(folding + exchanges - moving, 0.0, exchanges)
                     : exchanges + visits;
}

std::string RowsTime::whyOf(const Way &way, double used) const {
  const auto kilobytes = [](double bytes) {
    return std::to_string(std::lround(bytes / 1024)) + " KB";
  };
  std::string why = way.parts > 1
                        ? "a row of "
                        : std::to_string(way.height) + (p_.isLine ? " lines of " : " rows of ");
  why += std::to_string(span_) + " bytes";
  why += p_.piece && span_ < rowBytes_ ? " of " + std::to_string(rowBytes_) : "";
  why += way.parts > 1 ? " in " + std::to_string(way.parts) + " warps" : "";
  why += way.ctas() > 1 ? " of " + std::to_string(way.ctas()) + " CTAs, " : ", ";
  why += twice(way) ? "twice" : way.pieces ? "once, piece by piece" : "once";
  why += way.stages ? "; " + kilobytes(double(bytesInFlight(way))) + " in flight"
                    : "; by threads, to registers";
  if (spillingCycles(way) > 0)
    why += ", rows and sums are " + std::to_string(registersOf(p_, way.parts)) +
           " registers of a thread: it spills";
  if (way.share)
    why += ", " + std::to_string(way.share) + (way.share > 1 ? " blocks" : " block") + " a CTA, " +
           std::to_string(ctasPerSm(way)) + (ctasPerSm(way) > 1 ? " CTAs" : " CTA") + " an SM";
  else if (way.perSm > 1)
    why += ", " + std::to_string(way.perSm) + " CTAs an SM";
  if (twice(way))
    why += ", " + std::to_string(std::lround(bytesUnderWay(way, used) / 1e6)) +
           " MB under way: " + std::to_string(std::lround(100 * readAgain(way, used))) +
           " % read again from memory";
  return why;
}

} // namespace sluice
