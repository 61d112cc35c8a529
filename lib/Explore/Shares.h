// Which warp has which element of what all threads of a role do. The explorer's own; the checker
// has Program/Sharing.h.
#pragma once

#include "Explore/Course.h"

#include <vector>

namespace sluice::explorer {

/// A view's elements as operations count them: the last dimension of a tensor is its columns, all
/// others its rows.
int64_t rowsOf(const View &view);
int64_t columnsOf(const View &view);
/// Where element (row, column) is in the tensor or tile, from the start of the view.
std::vector<int64_t> elementOf(const View &view, int64_t row, int64_t column);

/// Rows of an operation, and which of them an agent does.
struct Share {
  std::vector<bool> mine;
  bool columns = false; // counted in the columns of the views

  static Share whole(int64_t rows) { return {std::vector<bool>(rows, true)}; }
  int64_t count() const;
};

/// The first view counts the rows. A tile in registers says which rows a warp has; without one the
/// warps of the role take equal parts.
Share shareOf(const Standpoint &at, const Stmt &s, const std::vector<const View *> &views);

/// Rows of a tile in registers of which a warp holds elements; empty: the layout says nothing.
std::vector<bool> heldRows(const Buffer &tile, int warpInRole, int warpsInRole);

/// Views of a text that say whose rows of `view` a warp may touch; none: all of them.
std::vector<const View *> dividedBy(const Program &program, const Raw &raw, const View &view);

} // namespace sluice::explorer
