// Map and reduce: loops over the values that a thread has of register tiles.
#pragma once

#include "Emit/Cuda/ColumnLimit.h"
#include "Emit/Cuda/Views.h"

#include <functional>

namespace sluice::cuda {

class ElementPrinter : public ViewPrinter {
public:
  using ViewPrinter::ViewPrinter;

  void map(const Map &o);
  void reduce(const Reduce &o);

private:
  /// Arguments of an element function for the value of this index.
  using ArgumentsAt = std::function<std::vector<std::string>(const std::string &)>;
  void mapValues(const Map &o, const std::vector<RegisterTile> &outs, int64_t count,
                 const std::string &i, const ArgumentsAt &argumentsAt);
  void foldLanes(const Reduce &o, const RegisterTile &in, const RegisterTile &to);
  void mapPieces(const Map &o, const ColumnLimit &limit, const RegisterTile &to, int64_t count,
                 const std::string &i, const ArgumentsAt &argumentsAt);
  void foldNumbers(const Reduce &o, const RegisterTile &in, const RegisterTile &to);
  std::string element(const RegisterTile &tile, const RegisterTile &space, const std::string &i);
  /// Prints what is not a single expression; yields the texts of the results.
  std::vector<std::string> elementFn(const ElementFn &fn, const std::vector<std::string> &arguments,
                                     const std::vector<DType> &resultTypes,
                                     const std::vector<Index> &shared = {});
};

} // namespace sluice::cuda
