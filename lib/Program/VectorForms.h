// Element functions that are one instruction of the vector cores, as the lowering makes them.
#pragma once

#include "Program/Program.h"

#include <optional>

namespace sluice {

struct VectorForm {
  enum Kind {
    move,       // out = in, of one type
    cast,       // out = in, of another type
    spread,     // one number a row, over 32 bytes
    turn,       // out = in, with rows and columns exchanged
    fill,       // out = number
    unary,      // out = op(in)
    binary,     // out = op(in, in)
    widened,    // in place: f32 + f16
    withNumber, // out = op(in, number)
    bitwise,    // out = op(in, in), bit by bit
    numbers,    // 0, 1 ... in the only row
    columns,    // in place: number in columns from the limit on
    rows,       // in place: number in rows from the limit on
  } kind;
  ElementOp op = ElementOp::add;
  DType type = DType::f32; // that it computes with; tiles of another are read as their bits
  int number = -1;         // node of the function
  Index limit = {};        // columns and rows: of row 0
  bool slopes = false;     // the limit of row r is r more
};

/// None: it is no single instruction.
std::optional<VectorForm> vectorForm(const Program &program, const Map &map);

/// Whether a copy between a box of a tensor and a tile takes one number of each row, which lie side
/// by side.
bool isOfOneColumn(const Program &program, const View &box, const View &tile);

/// Whether the fold is one: f32, at most 64 columns, a sum, the largest or the smallest.
bool isOneFold(const Program &program, const Reduce &fold);

} // namespace sluice
