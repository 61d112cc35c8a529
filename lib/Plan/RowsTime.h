// What a way to go along rows costs.
#pragma once

#include "Arch/RowsCosts.h"
#include "Plan/RowsPlan.h"

#include <algorithm>

namespace sluice {

constexpr int64_t pieceBytes = 4096; // of a row that nobody holds, for each warp
constexpr int64_t warpsOfCta = 8;    // that share a row

/// One way to go along the rows.
struct Way {
  int64_t parts, staging;
  bool pieces;        // of a row that nobody holds come one after the other
  int64_t height;     // rows of a tile
  int64_t stages;     // 0: threads load to registers
  int64_t share = 0;  // blocks that a CTA takes; 0: there are as many CTAs as run at once
  int64_t perSm = 1;  // of CTAs that stay, those of an SM
  bool drawn = false; // clusters that stay draw their rows

  int64_t ctas() const { return std::max<int64_t>(parts / warpsOfCta, 1); } // of a row
};

/// Whether rows begin at multiples of 16 bytes.
bool isAligned(const RowsProblem &p);
/// Whether all parts of a row have equally many columns, which TMA stores.
bool hasWholeParts(const RowsProblem &p, int64_t parts);
/// Whether lines have several rows, beside vectors that all rows share.
inline bool hasRowsInLine(const RowsProblem &p) {
  return p.isLine && p.vectors > 0;
}
/// Columns of a line of a tile that has a row, or its parts.
int64_t columnsOfTile(const RowsProblem &p, int64_t parts);
/// Of a thread, for its elements of a row, or of its part, and of the sums beside them.
int64_t registersOf(const RowsProblem &p, int64_t parts);

/// Why the warps of a CTA shall not share a row; empty: they may.
std::string unshared(const RowsProblem &p);
/// Rows of a tile where a warp has each.
int64_t heightOf(const RowsProblem &p, int64_t stages);

class RowsTime {
public:
  RowsTime(const RowsProblem &p, const Arch &arch);

  PlanCandidate of(const Way &way) const;
  int64_t bytesInFlight(const Way &way) const;
  /// Of vectors for which registers leave no room; and of shared memory, with those in flight.
  int64_t bytesOfVectors(const Way &way) const;
  /// That lines have beside their elements: tiles have whole 256 columns, and lines that lie as in
  /// the tensor room for that (Program/LineRoom.h; less, if they come by one copy).
  int64_t roomOfLines(const Way &way) const;
  int64_t sharedBytes(const Way &way) const {
    return bytesInFlight(way) + roomOfLines(way) + bytesOfVectors(way);
  }
  /// CTAs that an SM has room for at once, of those that take a few blocks; of those that stay, as
  /// many as the way has.
  int64_t roomOfSm(const Way &way) const;
  /// The same, or as many as the problem asks for.
  int64_t ctasPerSm(const Way &way) const { return p_.perSm ? p_.perSm : roomOfSm(way); }
  /// Blocks of rows, or of pieces of rows, that CTAs take.
  int64_t blocks(const Way &way) const;

private:
  /// Whether rows are visited twice.
  bool twice(const Way &way) const { return way.pieces && p_.visits == 2; }
  double rate(double sms) const;
  int64_t atOnce(const Way &way) const;
  int64_t bytesOfCta(const Way &way) const;
  int64_t bytesOfPart(const Way &way) const;
  int64_t bytesOfPiece(const Way &way) const;
  double bytesUnderWay(const Way &way, double used) const;
  double readAgain(const Way &way, double used) const;
  double efficiency(const Way &way) const;
  double vectorCycles(const Way &way) const;
  struct Block {
    double moving, meeting; // cycles: of loads and stores, and of what those do not hide
    const char *limit;
  };
  Block blockOf(const Way &way, double used) const;
  double workingCycles(const Way &way, double used, int64_t bytes) const;
  double roundsOf(const Way &way) const;
  double foldingRows(const Way &way) const;
  double beginningByThreads(const Way &way) const;
  void timeThreads(const Way &way, PlanCandidate &candidate) const;
  double shiftingColumns(const Way &way) const;
  double shiftingOfRow(const Way &way) const;
  double drawCycles(const Way &way) const;
  double spillingCycles(const Way &way) const;
  double foldingCycles(const Way &way, int64_t bytes) const;
  double lastCycles(const Way &way, double used) const;
  double meetingCycles(const Way &way, double moving, double used) const;
  std::string whyOf(const Way &way, double used) const;
  void timeStaying(const Way &way, PlanCandidate &candidate) const;
  void timeShares(const Way &way, PlanCandidate &candidate) const;
  double workingOfShare(const Way &way) const;
  double beginningCycles(const Way &way) const;
  double beginningOfPieces(const Way &way) const;
  double computingPiece(const Way &way) const;
  double computingCycles(const Way &way) const;
  double sharedCycles(const Way &way) const;
  double shiftingCycles(const Way &way) const;
  int64_t registersOfThread(const Way &way) const;

  const RowsProblem &p_;
  const Arch &arch_;
  const RowsCosts &cost_;
  const int64_t rowBytes_, span_, ctas_; // span: bytes of a row that a block has
};

} // namespace sluice
