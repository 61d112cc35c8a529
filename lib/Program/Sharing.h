// Which rows of a tile a warp of a role works on.
#pragma once

#include "Program/Agent.h"
#include "Program/LayoutMap.h"

#include <vector>

namespace sluice {

/// Rows of a view as operations count them: all dimensions but the last, of a tensor.
int64_t rowCount(const View &view);
int64_t columnCount(const View &view);

/// The agent's rows of an operation, counted in its first view. A register tile among the views
/// says whose rows they are; without one the warps take equal parts, a tile that is replicated over
/// the warps goes to all of them. Elected lanes and Ascend pipes do all rows. `value` gives the
/// agent's value of an index.
std::vector<RowRange> sharedRows(const Program &program, const AgentPosition &agent, Exec exec,
                                 const std::vector<const View *> &views,
                                 const std::function<int64_t(const Index &)> &value);

/// A copy by threads between a tensor and shared memory goes line by line. Whether its lines are
/// columns: then the warps take equal parts of the columns, the rows of the views turned.
bool copiesColumns(const Program &program, const Stmt &stmt);
/// The view with its two dimensions swapped.
View turned(View view);
/// The copy with its lines as rows.
Copy byLines(const Program &program, const Stmt &stmt, const Copy &copy);

/// Of threads that move a tile between registers and a tensor of such elements: whether each
/// element is moved by the lane that holds it. On their way to or from a tensor fragments of 16
/// bits are handed from lane to lane, so that pieces are wider; so are whole rows on their way to
/// one, of 32 bits so that lanes write whole sectors. Other tiles are dealt out anew by each
/// statement.
bool movedByHolders(Layout tile, DType elements, bool stores);

/// Views of a text, what it writes first.
std::vector<const View *> operandsOf(const Raw &raw);
/// Whose rows say which ones of `view` a warp's raw text may touch; none: all of them.
std::vector<const View *> sharersOf(const Program &program, const Raw &raw, const View &view);

/// The boxes of `view` that hold the rows `range`; a view of one row is met whole by every range.
std::vector<View> restrictedTo(const View &view, RowRange range, int64_t rowsOfOperation);

} // namespace sluice
