// Memory spaces, layouts, targets and pipes of the machine. No MLIR here: everything below the
// compiler (virtual machine, checker, printers, runtime) speaks these types alone.
#pragma once

#include "Support/ElementType.h"
#include "Support/Location.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace sluice {

/// Where a buffer lives. `unplaced` exists only above the placed phase.
/// Ascend: l1, l0a, l0b, l0c, ub. NVIDIA: smem, reg, tmem.
enum class Space : uint8_t { unplaced, global, smem, reg, tmem, l1, l0a, l0b, l0c, ub };

std::string_view name(Space space);
std::optional<Space> parseSpace(std::string_view text);

/// How the elements of a two-dimensional tile are laid out in its space.
enum class Layout : uint8_t {
  none,   // not decided (tile phase)
  row,    // dense, the minor dimension contiguous
  sw32,   // chunks of 32/64/128 bytes of the minor dimension; in a chunk one line per index of the
  sw64,   // other dimension, 16-byte units XOR-swizzled over 8 lines (PTX ISA, "swizzling modes");
  sw128,  // chunk after chunk. What a TMA box writes and a wgmma descriptor reads.
  panels, // chunks of 256 elements of the minor dimension as they are, chunk after chunk: the
          // widest that a TMA box writes
  lines,  // lines as a tensor has them that may start anywhere: the pieces of 16 bytes that have
          // a part of a line, behind a head that says where its first element lies, with room to
          // lie as in the tensor (LineRoom.h); what bulk copies write
  span,   // the same of all lines of a tile together, which a tensor has one behind the other: one
          // head, their pieces, one room; what a single bulk copy writes
  zN,     // Ascend fractals of 16 x 32 B, row-major inside, fractals column by column (L1, L0C)
  nZ,     // fractals column-major inside, row by row (L0B; L1 of a transposed source)
  zZ,     // fractals row-major inside, row by row (L0A of A2/A3; L1, of 32 bits that are turned)
  nN,     // fractals column-major inside, column by column (L1, the same of a transposed source)
  acc,    // wgmma accumulator: per warpgroup 64 rows, warp w of it rows 16w .. 16w+15
  fragA,  // wgmma A operand in registers: same rows per warp as acc
  rowVector, // one value per row, replicated over the lanes that share a row of `acc`; shape R x 1
  colVector, // one value per column, replicated over the rows of `acc`; shape 1 x C
  // Registers, whole rows to a warp: equal parts of the rows to the warps of a role, and of a row
  // pieces of 8 columns to the lanes in turn; of 32 columns one to each.
  blocked,
  blockedRowVector, // one value per row, in every lane of the warp that has it; shape R x 1
  blockedColVector, // one value per column, in every warp, dealt like a row of `blocked`; 1 x C
};

std::string_view name(Layout layout);
std::optional<Layout> parseLayout(std::string_view text);

/// Whether every warp of a role has a copy of its own.
inline bool isCopiedPerWarp(Layout layout) {
  return layout == Layout::colVector || layout == Layout::blockedColVector;
}
/// Columns that a lane has together of `blocked`.
constexpr int64_t blockedPiece = 8;

/// Bytes of a swizzle span (32, 64, 128), 0 for every other layout.
int64_t swizzleBytes(Layout layout);
/// Elements of the minor dimension that a chunk of the layout has in each line: those of a swizzle
/// span, of a panel; 0: lines are whole.
int64_t chunkElements(Layout layout, DType type);
/// Bytes of a head, and of a piece: lines are whole pieces, of which bulk copies bring those that
/// have a part of them.
constexpr int64_t lineMargin = 16;
/// Whether bulk copies bring what a tensor has as it lies.
inline bool isAsItLies(Layout layout) {
  return layout == Layout::lines || layout == Layout::span;
}

enum class Target : uint8_t { sm_90a, sm_100a, ascend910b, ascend950 };
std::string_view name(Target target);
std::optional<Target> parseTarget(std::string_view text);
inline bool isAscend(Target t) {
  return t == Target::ascend910b || t == Target::ascend950;
}

/// Pipes of an Ascend core (vendor document "Ascend C: hardware architecture"). `all` only in
/// barriers.
enum class Pipe : uint8_t { none, s, mte1, mte2, mte3, m, fix, v, all };
std::string_view name(Pipe pipe); // "MTE2" ...
std::optional<Pipe> parsePipe(std::string_view text);

/// Which lines the second-level cache evicts first, or last, of those that a copy touches (PTX ISA,
/// "createpolicy"); a hint.
enum class CachePolicy : uint8_t { normal, evictFirst, evictLast };
std::string_view name(CachePolicy policy); // "evict_first" ...
std::optional<CachePolicy> parseCachePolicy(std::string_view text);

} // namespace sluice
