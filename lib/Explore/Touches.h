// Which bytes an agent's part of an operation touches.
#pragma once

#include "Explore/Script.h"

namespace sluice::explorer {

class Toucher {
public:
  Toucher(const Program &program, const Launch &launch, CellMap &memory)
      : program_(program), launch_(launch), memory_(memory) {}

  /// Rows of an operation that an agent does, of `all`.
  struct Share {
    std::vector<RowRange> rows;
    int64_t all;
    bool columns = false; // counted in the columns of the views
  };
  /// `views[0]` counts the rows. A tile in registers says which rows a warp has; without one the
  /// warps of the role take equal parts.
  Share shareOf(const Agent &agent, const Stmt &s, const std::vector<const View *> &views) const;
  /// The part of a view; in the memory of `cta`, registers of agent number `owner`. Nothing when no
  /// byte is touched.
  std::optional<Touch> touch(const Agent &agent, const View &whole, bool write, const Share &share,
                             int cta, int owner);
  /// Set when a view leaves its object.
  std::optional<std::string> outOfBounds;

private:
  static int64_t rowsOf(const View &view);
  bool columnsOf(const Stmt &s) const;
  void addBuffer(const Agent &agent, const View &view, RowRange rows, bool all,
                 std::vector<Interval> &bytes);
  void addTensor(const Agent &agent, const View &view, RowRange rows, bool all,
                 std::vector<Interval> &bytes);

  const Program &program_;
  const Launch &launch_;
  CellMap &memory_;
};

} // namespace sluice::explorer
