// Kernels that go along rows: no product, each byte moved once. Tiles are rows that come through a
// ring; a CTA takes one block of rows after another. Here is what they share; Pointwise, Norms and
// Softmax have the kernels.
#pragma once

#include "Plan/RowsPlan.h"
#include "kernels/Catalog.h"
#include "sluice/KernelBuilder.h"

namespace sluice {

struct RowsConfig {
  DType type = DType::bf16;
  int64_t columns = 4096; // of a row
  int64_t stages = 4;     // 0: threads load to registers, and nothing is circular
  int64_t ctas =
      1; // of those that stay to the last block: at most so many, each with every ctas-th
  // 1: the result takes the place of a loaded tile, from where a role of its own stores it; 0: who
  // computes stores.
  int64_t staging = 0;
  // 8: the warps of a CTA share a row, each has a part; 16, 32, 64: those of a cluster of 2, 4 or 8
  // CTAs do.
  int64_t parts = 1;
  int64_t pad = 0;    // elements between rows
  int64_t share = 0;  // blocks of rows, side by side, that a CTA or a cluster takes; 0: it stays
  int64_t sums = 0;   // tensors of sums over rows, which a thread has beside the rows that it holds
  int64_t perSm = 1;  // CTAs that an SM has room for at once
  bool drawn = false; // of CTAs that share rows and stay: those behind the first are drawn
  bool line = false;  // rows lie side by side: their elements are one line of numbers
  // Columns of a row where lines are of whole rows, as something is the same for all of them; 0:
  // lines are pieces.
  int64_t rowOfLine = 0;
  int64_t onChip = 0;   // Ascend: bytes of the unified buffer of a vector core; else 0
  int64_t scratch = 0;  // Ascend: tiles of f32 that comparisons and choices need beside others
  int64_t tileRows = 0; // of a tile, where planned, or where sums over rows ask for so many
};

namespace rows {

/// CTAs that share a row, and of its parts those that one CTA has.
int64_t ctasOfRow(const RowsConfig &c);
int64_t partsOfCta(const RowsConfig &c);
/// Columns of a part of a row. All have as many where bulk tensor copies can move such parts; else
/// they are multiples of 8, and the last ones have fewer or none.
int64_t columnsOfPart(const RowsConfig &c);
bool hasShortParts(const RowsConfig &c);
/// CTAs, or clusters of those that share rows, of the most that a launch has.
int64_t teamsOf(const RowsConfig &c);

/// Whether a row is one tile, in the registers of a warp; for others there is LongRows.
bool isOneTile(const RowsConfig &c);
/// Columns of a tile that holds a row, and of a piece of a row of at most `most`.
int64_t columnsOfRow(const RowsConfig &c);
int64_t columnsOfPiece(const RowsConfig &c, int64_t most);
/// Columns of a piece of an element-wise kernel, at most: 2048 bytes.
inline int64_t mostOfPiece(DType type) {
  return 2048 / byteSize(type);
}
/// The same where threads load to registers: what the lanes of a warp take.
inline int64_t mostOfPiece(const RowsConfig &c, int64_t inRings) {
  return c.stages ? inRings : columnsOfWarp;
}
/// For tensors of which a piece has at most `most` columns: where rows are one line of numbers,
/// lines of a piece take their place.
RowsConfig byLines(RowsConfig c, int64_t most);
/// The same where something is the same for all rows: lines of as few rows as are whole pieces.
RowsConfig byLinesOfRows(RowsConfig c, int64_t most);
/// Of a tile of so many columns, where a stage loads `inputs` of them.
int64_t rowsOfTile(const RowsConfig &c, int64_t columns, int64_t inputs, bool stored = true);

/// Rows as they lie in memory, of c's type.
lang::Tensor input(lang::KernelBuilder &k, const RowsConfig &c, std::string name);
lang::Tensor output(lang::KernelBuilder &k, const RowsConfig &c, std::string name);
/// The same for `eachPiece`: of any number of columns, so that pieces end where the tensor does, or
/// lines.
lang::Tensor inputOfPieces(lang::KernelBuilder &k, const RowsConfig &c, std::string name);
lang::Tensor outputOfPieces(lang::KernelBuilder &k, const RowsConfig &c, std::string name);
/// 1 x columns, the same for all rows. There is one line, so that its address alone is aligned.
lang::Tensor vector(lang::KernelBuilder &k, const RowsConfig &c, std::string name);
/// One number for every row; on Ascend they lie side by side (oneForEachRow).
lang::Tensor inputOfRows(lang::KernelBuilder &k, const RowsConfig &c, std::string name,
                         DType type = DType::f32);
lang::Tensor outputOfRows(lang::KernelBuilder &k, const RowsConfig &c, std::string name,
                          DType type = DType::f32);

/// How results are stored: by way of shared memory, where a target has a choice.
lang::StoreOptions storesOf(const RowsConfig &c);

/// The blocks of a CTA, or of a cluster: block(0) to block(count - 1).
struct Share {
  lang::Index first, step, count;
  lang::Index block(const lang::Index &t) const { return first + t * step; }
};
/// How the CTAs are dealt to the SMs.
lang::GridOptions gridOf(const RowsConfig &c);
/// Of so many teams as there are CTAs, or clusters, of which `team` is one.
lang::Index teamsFor(lang::KernelBuilder &k, const RowsConfig &c, const lang::Index &blocks);
Share shareOf(lang::KernelBuilder &k, const RowsConfig &c, const lang::Index &blocks,
              const lang::Index &team, const lang::Index &teams);
/// The same where a team takes c.share blocks, side by side.
Share sideBySide(lang::KernelBuilder &k, const RowsConfig &c, const lang::Index &blocks,
                 const lang::Index &team);

/// Of loops over tiles: what is in flight; nothing where threads load to registers.
inline lang::LoopOptions loopOf(const RowsConfig &c) {
  return c.stages ? lang::stages(c.stages) : lang::LoopOptions();
}

/// Whether threads load the one block of a CTA, so that there is no loop.
inline bool hasOneBlock(const RowsConfig &c) {
  return c.stages == 0 && c.share <= 1;
}

/// body(block) for a CTA's share of the blocks.
template <typename F>
void eachBlock(lang::KernelBuilder &k, const RowsConfig &c, const lang::Index &blocks, F &&body) {
  if (c.onChip) { // every grid is dealt to the cores
    const auto [block] = k.grid(blocks);
    return body(block);
  }
  if (hasOneBlock(c)) {
    const auto [block] = k.grid(blocks, gridOf(c));
    return body(block);
  }
  const lang::Index ctas = teamsFor(k, c, blocks);
  const auto [cta] = k.grid(ctas, gridOf(c));
  const Share share = shareOf(k, c, blocks, cta, ctas);
  k.loop(share.count, loopOf(c), "t", [&](lang::Index t) { body(share.block(t)); });
}

/// body(row) for every block of `rows` rows of x, where a tile holds whole rows.
template <typename F>
void eachRows(lang::KernelBuilder &k, const RowsConfig &c, const lang::Tensor &x, int64_t rows,
              F &&body) {
  const lang::Index blocks = k.name(ceilDiv(x.dim(0), rows), "blocks");
  eachBlock(k, c, blocks, [&](lang::Index block) { body(k.name(block * rows, "row")); });
}

/// The same for kernels that read a few numbers of each row a block ahead: before(row) for the
/// first block, then body(row, next), where `next` is the row of the block that comes next. Of
/// blocks that are drawn, or dealt to cores, or of CTAs that have one, nobody knows that:
/// before(row) for each, and no `next`.
template <typename G, typename F>
void eachRowsAhead(lang::KernelBuilder &k, const RowsConfig &c, const lang::Tensor &x, int64_t rows,
                   G &&before, F &&body) {
  const lang::Index blocks = k.name(ceilDiv(x.dim(0), rows), "blocks");
  if (c.onChip || hasOneBlock(c))
    return eachBlock(k, c, blocks, [&](lang::Index block) {
      const lang::Index row = k.name(block * rows, "row");
      before(row);
      body(row, std::nullopt);
    });
  const lang::Index ctas = teamsFor(k, c, blocks);
  lang::GridOptions grid = gridOf(c);
  grid.dynamic = c.drawn;
  const auto [cta] = k.grid(ctas, grid);
  const auto rowOf = [&](const lang::Index &block) { return k.name(block * rows, "row"); };
  if (c.drawn)
    return k.loop(lang::Range(cta, blocks, ctas), loopOf(c), "t", [&](lang::Index t) {
      const lang::Index row = rowOf(t);
      before(row);
      body(row, std::nullopt);
    });
  const Share share = shareOf(k, c, blocks, cta, ctas);
  before(share.block(0) * rows);
  k.loop(share.count, loopOf(c), "t", [&](lang::Index t) {
    const lang::Index row = rowOf(share.block(t));
    body(row, row + share.step * rows);
  });
}

/// Where pieces of `rows` x `columns` lie: `across` strips of columns, each of `blocks` pieces.
struct Pieces {
  lang::Index across, blocks;
};
Pieces piecesOf(lang::KernelBuilder &k, const lang::Tensor &x, int64_t rows, int64_t columns);

/// body(row, column, beside) for every piece of `rows` x `columns` of x, where `beside` is what
/// beside(column) loads for its columns; lines are pieces. A CTA that takes a share has pieces of
/// one strip, side by side with those of its neighbours, and loads it once.
template <typename G, typename F>
void eachPiece(lang::KernelBuilder &k, const RowsConfig &c, const lang::Tensor &x, int64_t rows,
               int64_t columns, G &&beside, F &&body) {
  if (c.line && !c.rowOfLine)
    return eachRows(k, c, x, rows, [&](const lang::Index &row) { body(row, 0, beside(0)); });
  const Pieces pieces = piecesOf(k, x, rows, columns);
  if (c.share == 0 || hasOneBlock(c)) {
    eachBlock(k, c, k.name(pieces.blocks * pieces.across, "pieces"), [&](const lang::Index &at) {
      const lang::Index piece = k.name(at, "piece");
      const lang::Index row = k.name(piece / pieces.across * rows, "row");
      const lang::Index column = k.name(piece % pieces.across * columns, "column");
      body(row, column, beside(column));
    });
    return;
  }
  const auto [cta] = k.grid(teamsFor(k, c, pieces.blocks) * pieces.across, gridOf(c));
  const lang::Index column = k.name(cta % pieces.across * columns, "column");
  const Share share = sideBySide(k, c, pieces.blocks, cta / pieces.across);
  const auto loaded = beside(column);
  k.loop(share.count, loopOf(c), "t",
         [&](lang::Index t) { body(k.name(share.block(t) * rows, "row"), column, loaded); });
}

/// The same with nothing beside: body(row, column).
template <typename F>
void eachPiece(lang::KernelBuilder &k, const RowsConfig &c, const lang::Tensor &x, int64_t rows,
               int64_t columns, F &&body) {
  eachPiece(
      k, c, x, rows, columns, [](const lang::Index &) { return 0; },
      [&](const lang::Index &row, const lang::Index &column, int) { body(row, column); });
}

/// Of "auto" CTAs there are `cores`; stages are four. Rows that start anywhere are shifted on their
/// way to registers and back, so that eight warps work rather than four: of long ones there are
/// three stages, if eight rows have room then.
RowsConfig configOf(const Parameters &p, int64_t cores);
/// As many as run at once.
RowsConfig configOf(const Parameters &p, const Arch &arch);

/// An entry of the catalogue for sm_90a and sm_100a with these parameters; the rest is to be filled
/// in.
KernelEntry entryWith(std::string name, std::string summary, std::vector<Parameter> parameters);
/// The parameter of that name, which the entry has.
Parameter &parameterOf(KernelEntry &entry, const std::string &name);

/// dtype: one that element functions compute with.
Parameter typeParameter(std::string help = "element type");

/// An entry of the catalogue with the parameters that all have; the rest is to be filled in.
/// `tensors`: those of rows x cols; `vectors`: of 1 x cols.
KernelEntry entryOf(std::string name, std::string summary, std::vector<std::string> tensors,
                    std::vector<std::string> vectors = {});

/// Stages that are neither given nor planned; after its build is set, before setPlan.
void setUsualStages(KernelEntry &entry, int64_t stages);

/// Lets rows that lie side by side be one line of numbers; before setPlan.
void setLine(KernelEntry &entry);

/// Lets the warps of a CTA, or of a cluster too, share rows.
void setParts(KernelEntry &entry);

/// Of kernels whose rows threads load faster where a warp has hardly more than one vector of each:
/// 131072 x 256 on an H200, quantise 46.9 us by rings, 26.1, cross_entropy 50.4, 33.2; 65536 x
/// 1024, quantise 50.8, 52.4.
LoadedRows loadedWhereShort(const Parameters &p);

/// The entry with what lies between rows (`pad`) in its shapes; the last that is done to it.
KernelEntry padded(KernelEntry entry);

/// An input of labels, one column number a row.
void setLabels(KernelEntry &entry);

/// The entry for Ascend too, whose vector cores have instructions for all of it.
KernelEntry alsoForVectors(KernelEntry entry);
/// Columns of a tile there, at most `most`, and rows of one.
int64_t columnsForVectors(int64_t columns, int64_t most);
int64_t rowsForVectors(const RowsConfig &c, int64_t columns, int64_t inputs, bool stored);
/// Of a kernel that compares data: with room for that.
RowsConfig withChoices(RowsConfig c);
/// With tiles and teams whose sums over rows are so many lines: row r of the input in line r %
/// lines, whatever the tiles are. The cores have about as much to do; nothing: no tile fits such a
/// number.
std::optional<RowsConfig> addingUp(RowsConfig c, int64_t lines, int64_t inputs, int64_t cores);

/// The lines of sums over rows that CTAs with blocks of `count` rows store.
Matrix sumsOfCtas(const Matrix &x, int64_t ctas, int64_t count);

/// Whether the planner chooses: the author says neither who holds rows nor who stores them.
bool isPlanned(const Parameters &p);
Plan planOf(RowsProblem problem, const Parameters &p, const Arch &arch);
/// Lets the planner choose who holds a row and who stores it, unless the author says either: after
/// all else but `padded`, as that follows from it. `kind`: what a problem has beside extents, type
/// and stages.
/// `instead`: what to do where nothing can be planned.
void setPlan(KernelEntry &entry, std::function<RowsProblem(const Parameters &)> kind,
             std::string instead = "");

/// A reference in float64 for one output, of which a host's main computes element (i, j) by the
/// statements `element`.
void setReference(KernelEntry &entry, std::string output,
                  std::function<Matrix(const Matrices &)> compute, std::string element,
                  std::string terms);

} // namespace rows

KernelEntry copyEntry();
KernelEntry addEntry();
KernelEntry biasGeluEntry();
KernelEntry siluMulEntry();
KernelEntry siluMulBackwardEntry();
KernelEntry geluBackwardEntry();
KernelEntry scaleBiasReluEntry();
KernelEntry dropoutEntry();
KernelEntry addDropoutEntry();

KernelEntry quantiseEntry();
KernelEntry argMaxEntry();
KernelEntry ropeEntry();
KernelEntry transposeEntry();

KernelEntry rmsNormEntry();
KernelEntry layerNormEntry();
KernelEntry addRmsNormEntry();
KernelEntry addLayerNormEntry();
KernelEntry rmsNormBackwardEntry();
KernelEntry layerNormBackwardEntry();
KernelEntry normWeightsBackwardEntry();
KernelEntry sumRowsEntry();

KernelEntry softmaxEntry();
KernelEntry logSoftmaxEntry();
KernelEntry softmaxBackwardEntry();
KernelEntry crossEntropyEntry();
KernelEntry crossEntropyBackwardEntry();

} // namespace sluice
