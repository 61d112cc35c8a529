// The pieces of a row are visited twice: what the first visit adds up the second needs. Where a CTA
// holds its rows whole, a piece is the row; else it is loaded again for the second visit, from the
// second-level cache as far as that has it still: the last pieces first.
#pragma once

#include "kernels/Rows.h"

#include <functional>

namespace sluice::rows {

class Visits {
public:
  using Tiles = std::vector<lang::Tile>;

  /// `streamed`: tiles of a piece that both visits load together. A part of a row of at most
  /// `whole` bytes is held; with `tiles` a row that is one tile too.
  Visits(lang::KernelBuilder &k, const RowsConfig &c, int64_t streamed, int64_t whole = 4096,
         bool tiles = false);

  lang::Tensor input(std::string name);
  lang::Tensor output(std::string name) { return output(std::move(name), c_.type); }
  lang::Tensor output(std::string name, DType type);
  /// The same for all rows; the second visit has it.
  lang::Tensor vector(std::string name);
  Tiles vectorsAt(const lang::Index &column);

  /// For each block of rows; in `body` one first and one second visit.
  void eachBlock(const std::function<void()> &body);
  void first(const std::function<void(const Tiles &tiles, const lang::Index &column)> &body);
  void second(const std::function<void(const Tiles &tiles, const Tiles &vectors,
                                       const lang::Index &column)> &body);
  void store(const lang::Tile &y, const lang::Tensor &to, const lang::Index &column);

  /// As eachBlock, on every CTA even without rows, with what stands in front of it and behind.
  void everyCta(const std::function<void()> &before, const std::function<void()> &body,
                const std::function<void()> &behind);
  /// Sums over the rows of a CTA, of rows that are held: a line for each row of its tile.
  lang::Tensor linesOfSums(std::string name);
  lang::Tile zeros(const char *name);
  void storeSums(const lang::Tile &tile, const lang::Tensor &to);

  /// One number for each row of a tile: of each part of a row where warps share it.
  lang::Tile numbers(double from, const char *name);
  /// Sums over rows, from 0 on, of what comes piece by piece: of parts of a row in several pieces
  /// each lane's own, so that nobody exchanges them before the row ends.
  lang::Tile sums(const char *name);
  /// What a piece adds to them.
  lang::Tile sumsOf(const lang::Tile &piece,
                    const std::function<lang::Element(lang::Element)> &element);
  /// One number for each row of a tile.
  lang::Tile ofRows(const lang::Tile &sums, const char *name);
  /// Those of the rows at hand, of a tensor of one number a row.
  lang::Tile numbersOf(const lang::Tensor &from, const char *name);
  /// The same in each block, loaded a block ahead; in front of all blocks.
  lang::Tile numbersAhead(const lang::Tensor &from, const char *name);
  /// To such a tensor, what is one number of each row (joined).
  void storeNumbers(const lang::Tile &ofRows, const lang::Tensor &to);
  /// Where warps share a row: the numbers of all its parts side by side, in one exchange.
  Tiles ofAllParts(const Tiles &numbers);
  /// What the numbers of a row are together.
  lang::Tile joined(const lang::Tile &numbers, double identity,
                    const std::function<lang::Element(lang::Element, lang::Element)> &op,
                    const char *name);
  /// Whether no piece has columns beyond the tensor's.
  bool isInside() const;
  /// fn(x, number of the row), and `outside` beyond the tensor's columns.
  lang::Tile inside(const lang::Tile &x, const lang::Tile &ofRow, const lang::Index &column,
                    double outside,
                    const std::function<lang::Element(lang::Element, lang::Element)> &fn,
                    const char *name);
  /// Columns from `column` of a part on: of a part, and of the row, where short parts end.
  struct Left {
    lang::Index ofPart, ofRow;
  };
  Left left(const lang::Index &column);
  /// Columns of part `part` of a row, as a number.
  lang::Element columnsOf(const lang::Element &part) const;
  /// Those of the part in this line of a tile, as an integer, and those of a piece of it.
  lang::Element leftOf(const Left &left, const lang::Element &line) const;
  lang::Element countOf(const Left &left, const lang::Element &line) const;
  /// Columns of its row in front of a piece that begins at `column` of this CTA's first part, and
  /// of an element in this line and column of the piece.
  lang::Index before(const lang::Index &column) const;
  lang::Element placeOf(const lang::Index &before, const lang::Element &line,
                        const lang::Element &at) const;
  /// First row of the block, in the kernel's tensors of one number a row.
  const lang::Index &row() const { return *row_; }
  int64_t rows() const { return rows_; }
  /// The first part of a row that this CTA has: that of line 0 of its tiles.
  lang::Index firstPart() const;
  bool shares() const { return c_.parts > 1; }
  /// Whether the second visit has the tiles of the first.
  bool holds() const { return whole_; }
  bool ofOneCta() const { return ctasOfRow(c_) == 1; }

private:
  /// Of a part, or of a row of a warp's.
  lang::Index columnsFrom(const lang::Index &column);
  /// The CTA, or the cluster that shares its rows, of so many in the grid.
  lang::Index teamOf(const lang::Index &teams, bool drawn = false);
  lang::Tile load(const lang::Tensor &from, const lang::Index &column, int64_t rows,
                  std::string name, lang::LoadOptions options = {});
  Tiles loadedVectors(const lang::Index &column);
  /// Of the vectors that are held, those for which registers leave no room.
  int64_t vectorsInShared() const;
  struct Ahead {
    lang::Tensor from;
    lang::Tile now, coming;
  };
  int64_t columnsOfSums() const;
  int64_t each() const { return shares() ? 1 : rows_; } // rows of a tensor in a block
  void blocksOf(const Share &share, const std::function<void()> &body);
  void blocksOfVectors(const std::function<void()> &body);
  void drawnBlocks(const lang::Index &blocks, const lang::Index &team, const lang::Index &teams,
                   const std::function<void()> &body);

  lang::KernelBuilder &k_;
  RowsConfig c_;
  int64_t width_, columns_, rows_; // of a row or its part; of a piece
  bool whole_;
  std::vector<lang::Tensor> inputs_, vectors_;
  std::optional<lang::Index> row_, across_, team_;
  std::optional<lang::Index> place_; // of the CTA among those that share its rows
  Tiles held_, heldVectors_;
  std::vector<Ahead> ahead_;
  std::function<void()> ask_; // loads them: behind the fences of pieces, which wait for all loads
};

} // namespace sluice::rows
