// Views with an agent's values put in: bounds, bytes, shares of warps, TMA limits.
#pragma once

#include "Simulate/UnitPart.h"

namespace sluice {

class UnitViews : public UnitPart {
public:
  using UnitPart::UnitPart;

protected:
  ~UnitViews() = default;

  bool inBounds(Actor &a, const Stmt &s, const View &view);
  /// Views inside their buffers, shapes that belong together; a violation otherwise.
  bool wellFormed(Actor &a, const Stmt &s);
  Tile resolve(Actor &a, const View &view, int cta);
  void nameRows(Actor &a, const RowNumbers &rows, Tile &tile);
  /// Rows of the operation that this agent does: by the first register tile among `views`.
  std::vector<RowRange> share(Actor &a, const Stmt &s,
                              const std::vector<const View *> &views) const;
  /// Elements of a view inside its tensor; all of them for a buffer.
  double elementsInside(Actor &a, const View &view) const;
  /// Boxes of a tensor copy: one instruction each.
  int64_t boxesOf(const View &shared) const;
  /// Reports what a tensor copy between the two would break.
  bool tmaCanMove(Actor &a, const Stmt &s, const View &global, const View &shared);

private:
  /// Of a view of a tensor, with its clips.
  std::vector<int64_t> extentsOf(const Actor &a, const View &view) const;
  std::string brokenTmaLimit(const View &global, const View &shared) const;
  std::string brokenTmaAddress(Actor &a, const View &shared) const;
};

} // namespace sluice
