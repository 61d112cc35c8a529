// What a map reads in shared memory, 8 columns of a lane at a time: of what stays there over a loop
// no thread holds a whole row.
#include "Emit/Cuda/Printer.h"

#include <algorithm>

namespace sluice::cuda {

/// Whole rows of a warp each, of which its lanes have columns as in registers.
std::optional<RegisterTile> ElementPrinter::pieceTile(const View &v) {
  const Buffer &b = program_.buffers[v.object];
  const bool wholeRows = b.layout == Layout::panels && !v.transposed && v.shape == b.shape &&
                         b.shape[0] == warps() && b.shape[1] % (32 * blockedPiece) == 0;
  if (!wholeRows) {
    fail("map reads " + b.name +
         " in shared memory, where it has panels of 256 columns and a row for each warp; copy it " +
         "into registers first");
    return std::nullopt;
  }
  RegisterTile t;
  t.blocked = t.ofPiece = true;
  t.name = bufferNames_[v.object];
  t.type =
      "Blocked<" + valueType(b.type, /*integers=*/true) + ", 1, " + number(32 * blockedPiece) + ">";
  t.columns = t.viewColumns = b.shape[1];
  return t;
}

void ElementPrinter::namePieces(MapTiles &tiles) {
  for (RegisterTile &tile : tiles.ins)
    if (tile.ofPiece)
      tile.name = names_.take(tile.name + "_at");
  if (std::ranges::any_of(tiles.ins, &RegisterTile::ofPiece))
    tiles.piece = names_.take("i");
}

/// Those of values `i` .. `i` + 7.
void ElementPrinter::readPieces(const Map &o, const std::vector<RegisterTile> &ins,
                                const std::string &i) {
  for (size_t k = 0; k < ins.size(); ++k) {
    if (!ins[k].ofPiece)
      continue;
    const View &v = o.ins[k];
    out().line(ins[k].type + " " + ins[k].name + ";");
    out().line("loadBlockedShared<" + tileNames_[v.object] + ", " + number(warps()) + ">(" +
               ins[k].name + ", " + address(v) + ", 0, 32 * " + i + ", " + warp() + ");");
  }
}

void ElementPrinter::eachPiece(const Map &o, const MapTiles &tiles, const ValuesBody &body) {
  const std::string count = number(tiles.outs[0].values());
  const std::string &i = tiles.piece;
  if (i.empty())
    return body("0", count);
  out().line("#pragma unroll");
  out().open("for (int " + i + " = 0; " + i + " < " + count + "; " + i +
             " += " + number(blockedPiece) + ") {");
  readPieces(o, tiles.ins, i);
  body(i, i + " + " + number(blockedPiece));
  out().close();
}

} // namespace sluice::cuda
