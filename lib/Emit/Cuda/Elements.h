// Map and reduce: loops over the values that a thread has of register tiles.
#pragma once

#include "Emit/Cuda/ColumnLimit.h"
#include "Emit/Cuda/Views.h"

#include <functional>

namespace sluice::cuda {

/// What stands before "rowIndex(i)": the tile itself; where a view has fewer columns, a type like
/// it.
std::string indexOf(const RegisterTile &space);

class ElementPrinter : public ViewPrinter {
public:
  using ViewPrinter::ViewPrinter;

  void map(const Map &o);
  void reduce(const Reduce &o);
  /// Whether what the map gives goes into the fold and nowhere else, and is chosen by the column:
  /// in one loop no choice is kept over all columns (bench/ROWS.md).
  bool isFolded(const Map &map, const Reduce &o);
  void foldMap(const Map &map, const Reduce &o);

private:
  struct MapTiles {
    std::vector<RegisterTile> outs, ins;
    std::string piece = {}; // counts those of inputs in shared memory; empty: there are none
  };
  std::optional<MapTiles> tilesOf(const Map &o);
  // Inputs in shared memory (PieceReads.cpp).
  std::optional<RegisterTile> pieceTile(const View &v);
  void namePieces(MapTiles &tiles);
  void readPieces(const Map &o, const std::vector<RegisterTile> &ins, const std::string &i);
  /// Counts the values of a tile in a loop around `body(from, to)`: in pieces, where some are read
  /// so.
  using ValuesBody = std::function<void(const std::string &from, const std::string &to)>;
  void eachPiece(const Map &o, const MapTiles &tiles, const ValuesBody &body);
  static std::string unlike(const MapTiles &tiles);
  /// Arguments of an element function for the value of this index.
  using ArgumentsAt = std::function<std::vector<std::string>(const std::string &)>;
  void mapValues(const Map &o, const MapTiles &tiles, const std::string &i,
                 const ArgumentsAt &argumentsAt);
  ArgumentsAt argumentsOf(const Map &o, const std::vector<RegisterTile> &ins,
                          const RegisterTile &space);
  void foldLanes(const Reduce &o, const RegisterTile &in, const RegisterTile &to);
  void mapPairs(const Map &o, const MapTiles &tiles, const std::string &i,
                const ArgumentsAt &argumentsAt);
  void mapPieces(const Map &o, const ColumnLimit &limit, const MapTiles &tiles,
                 const std::string &i, const ArgumentsAt &argumentsAt);
  /// Folds of the rows of a tile, side by side: the columns of a thread.
  struct Folds {
    std::string i, folded;  // a counter, and the array, or the tile of several columns
    int64_t even, together; // rows, an even number; folds of each
    int64_t columns = 0;    // of a row of that tile that a lane has; 0: folds are numbers
  };
  Folds beginFolds(const Reduce &o, const RegisterTile &in, const RegisterTile &to,
                   bool one = false);
  /// Whether the fold is into several columns, each of which a lane has that has all that goes into
  /// it.
  bool foldsOnto(const Reduce &o, const RegisterTile &in, const RegisterTile &to) const;
  Folds beginColumns(const Reduce &o, const RegisterTile &to);
  void foldValue(const Reduce &o, const RegisterTile &in, const Folds &folds, const std::string &at,
                 const std::string &value);
  void endFolds(const Reduce &o, const RegisterTile &in, const RegisterTile &to,
                const Folds &folds);
  /// The text of a part of the map's function for the value of this index.
  using ValueAt = std::function<std::string(const ElementFn &, const std::string &at, DType type)>;
  void foldLimited(const Reduce &o, const RegisterTile &in, const Folds &folds,
                   const ColumnLimit &limit, const ElementFn &whole, const ValueAt &valueAt);
  void foldChosen(const Reduce &o, const RegisterTile &in, const Folds &folds,
                  const ColumnChoice &choice, const ValueAt &valueAt);
  void foldNumbers(const Reduce &o, const RegisterTile &in, const RegisterTile &to);
  void foldEach(const Reduce &o, const RegisterTile &in, const RegisterTile &to);
  std::string element(const RegisterTile &tile, const RegisterTile &space, const std::string &i);
  /// Prints what is not a single expression; yields the texts of the results.
  std::vector<std::string> elementFn(const ElementFn &fn, const std::vector<std::string> &arguments,
                                     const std::vector<DType> &resultTypes,
                                     const std::vector<Index> &shared = {});
};

} // namespace sluice::cuda
