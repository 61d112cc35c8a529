// How a kernel along rows goes: who holds a row, who stores it, and how much a CTA takes.
#pragma once

#include "Arch/Arch.h"
#include "Plan/Plan.h"

namespace sluice {

/// Bytes of a part of a row that a warp holds; `longest`: of those of the most CTAs, where rows
/// begin at multiples of 16 bytes; `alone`: of a single CTA's.
struct HeldPart {
  int64_t whole = 4096, longest = 4096, alone = 4096;
};
int64_t mostOfPart(const HeldPart &held, int64_t parts, bool aligned);
/// Of so many vectors beside parts of so many bytes of the inputs, those for which a thread of that
/// many CTAs on an SM has no registers: shared memory holds them.
int64_t vectorsInShared(int64_t inputs, int64_t vectors, int64_t partBytes, int64_t perSm);

/// Whether the elements of rows that lie side by side are taken as one line of numbers, in lines of
/// a piece each (Tensor::isLine), whatever the columns are.
enum class AsLine : uint8_t { never, chosen, always };

/// Who loads rows: whatever is faster, copies of a load warp into rings, or threads to registers,
/// of CTAs that have one block each.
enum class LoadedRows : uint8_t { chosen, inRings, byThreads };

/// Tensors of rows x columns, of which a CTA takes one block of rows after another.
struct RowsProblem {
  int64_t rows = 0, columns = 0, pad = 0; // pad: elements between rows
  DType type = DType::bf16;
  int64_t inputs = 1, outputs = 1; // tensors of rows
  int64_t vectors = 0;             // of one row, the same for all
  int64_t folds = 1;               // of a row, each an exchange that needs the one before
  int64_t visits = 2;              // of a row that nobody holds
  bool shares = true;              // the warps of a CTA may share a row
  bool clusters = false;           // those of a cluster too
  bool draws = true;               // clusters that stay may draw their rows from a counter
  bool drawsAlone = false;         // so may CTAs of which each has a row
  int64_t sums = 0;   // tensors of sums over rows, in f32: added up beside rows that are held
  bool spills = true; // also where a thread has no registers for both, and nothing else is left
  int64_t piece = 0;  // columns of a block at most; 0: it has whole rows
  AsLine line = AsLine::never; // of pieces, where nothing is the same for all rows
  bool isLine = false;         // rows are lines, of which the last may be short
  double computing = 0.2;      // cycles of an SM for each element of a piece of a row
  double beginning = 0;        // more of a CTA, for a long text or numbers of its first rows
  LoadedRows loaded = LoadedRows::inRings;
  bool sharedByThreads = true; // also rows that eight warps share
  int64_t stages = 0;          // of rings; 0: the planner chooses
  int64_t usual = 0;           // where nothing else decides them
  int64_t share = -1; // blocks of a CTA, 0: as many as there are for those that stay; -1: as above
  int64_t ctas = 0;   // the most of a launch, of those that stay
  int64_t perSm = 0;  // CTAs that an SM has room for at once; 0: the planner chooses
  double registers = 2.1; // of a thread, for each that its elements of a row are; of an H100's
  int64_t most = 0;       // bytes of a row that a warp holds
  HeldPart whole = {};    // of a row
  // Cycles of a warp more for each column of its part of a row that starts anywhere and that CTAs
  // share.
  double shifting = 0;
  // Of tiles that somebody else has planned; 0: the planner does.
  int64_t height = 0;  // rows of a tile where a warp has each
  int64_t staying = 0; // stages of CTAs that stay, which shared memory has room for
  // Bytes in registers for each column of a row, what is in the making too; 0: inputs and vectors
  // are held, and what `registers` says of them.
  int64_t held = 0;
};

/// Columns that the lanes of a warp take, 8 each.
constexpr int64_t columnsOfWarp = 256;
/// Of a piece of a row of so many columns, at most `most`: the most of which a row of pieces has
/// hardly more columns beyond the tensor's than the least that would do.
int64_t columnsOfPiece(int64_t columns, int64_t most);
/// Columns of a piece of a line of whole rows, of at most `most`: those of three rows, or fewer.
int64_t mostInLine(int64_t columns, int64_t most);
/// Of a line of whole rows, in pieces of `piece` columns: as few as are whole 16 bytes and leave
/// hardly a column of the last piece without an element.
int64_t rowsOfLine(int64_t columns, DType type, int64_t piece);
/// Columns of a row in a line of several, at least: those of more rows beside each other in a piece
/// would be loaded one row after the other.
constexpr int64_t leastInLine = 256;

/// Columns of each of so many parts of a row: all have as many where those are whole pieces of 16
/// bytes; else they are multiples of 8, and the last ones have fewer or none.
int64_t columnsOfPart(int64_t columns, int64_t parts, DType type);

/// What decides how high a tile is.
struct TileOfRows {
  bool stored = true, aligned = true; // to multiples of 16 bytes
  int64_t registers = 0;              // of a thread, for rows and sums beside them
};
/// Of a thread whose warp holds so many columns of the inputs, and of sums in f32; and the most
/// that it has for them.
constexpr int64_t registersOfWarp = 192;
int64_t registersOfRow(int64_t columns, int64_t bytesOfInputs, int64_t sums);
/// Rows of a tile where a warp has each, or two of those that are not stored: eight; four where
/// they are long, or rows and sums many, so that a thread has more registers, or where eight leave
/// no room for the stages. Rows that start anywhere are shifted on their way to registers and back:
/// eight warps work, and the longer of them have eight rows too.
int64_t rowsOfTile(int64_t rowBytes, int64_t inputs, int64_t stages, TileOfRows tile = {});
/// Of CTAs that stay, of rows of which a warp holds `most` bytes: four; three of long rows that
/// start anywhere, if a tile has eight then.
int64_t stagesOfStaying(int64_t columns, int64_t pad, int64_t elementBytes, int64_t most);

/// Settings `parts`, `staging`, `stages`, `share` and, where it is so, `line`; no candidates where
/// sums have no registers, or where a line is asked for and there is none.
Plan planRows(const RowsProblem &problem, const Arch &arch);
/// Stages and share alone, where so many warps share a row, or one piece of it is a tile.
PlanCandidate planShare(const RowsProblem &problem, int64_t parts, const Arch &arch);

} // namespace sluice
