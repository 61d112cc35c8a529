#include "Program/Sharing.h"

#include <algorithm>

namespace sluice {
namespace {

bool ownsRows(Layout layout) {
  return layout == Layout::acc || layout == Layout::fragA || layout == Layout::rowVector ||
         layout == Layout::blocked || layout == Layout::blockedRowVector || layout == Layout::row;
}

int64_t elementCount(const View &view) {
  int64_t all = 1;
  for (int64_t extent : view.shape)
    all *= extent;
  return all;
}

/// One box per row of a tensor view of which several leading dimensions are longer than 1.
std::vector<View> rowByRow(const View &view, RowRange range) {
  std::vector<View> boxes;
  for (int64_t row = range.begin; row < range.end; ++row) {
    View box = view;
    int64_t rest = row;
    for (size_t d = view.shape.size() - 1; d-- > 0; rest /= view.shape[d]) {
      box.offset[d].constant += rest % view.shape[d];
      box.shape[d] = 1;
    }
    boxes.push_back(std::move(box));
  }
  return boxes;
}

} // namespace

int64_t rowCount(const View &view) {
  if (view.kind == View::buffer)
    return view.rows();
  int64_t last = view.shape.empty() ? 1 : view.shape.back();
  return view.transposed ? last : elementCount(view) / std::max<int64_t>(last, 1);
}

int64_t columnCount(const View &view) {
  return elementCount(view) / std::max<int64_t>(rowCount(view), 1);
}

std::vector<RowRange> sharedRows(const Program &program, const AgentPosition &agent, Exec exec,
                                 const std::vector<const View *> &views,
                                 const std::function<int64_t(const Index &)> &value) {
  const int64_t rows = rowCount(*views[0]);
  if (isAscend(program.target) || exec != Exec::threads)
    return {{0, rows}};
  bool replicated = false;
  for (const View *v : views) {
    const Buffer *b = program.buffer(*v);
    if (!b || b->space != Space::reg)
      continue;
    replicated |= isCopiedPerWarp(b->layout);
    if (!ownsRows(b->layout) || v->transposed)
      continue;
    // Rows of the buffer before the view.
    const int64_t shift = v->offset.empty() ? 0 : value(v->offset[0]);
    std::vector<RowRange> own;
    for (RowRange r : rowsOfWarp(b->layout, b->shape[0], agent.warpInRole(), agent.warpsInRole())) {
      r = {std::max(r.begin - shift, int64_t{0}), std::min(r.end - shift, v->rows())};
      if (r.begin < r.end)
        own.push_back(r);
    }
    return own;
  }
  if (replicated)
    return {{0, rows}};
  return rowsOfWarp(Layout::row, rows, agent.warpInRole(), agent.warpsInRole());
}

bool copiesColumns(const Program &program, const Stmt &stmt) {
  const auto *copy = std::get_if<Copy>(&stmt.op);
  if (!copy || isAscend(program.target) || stmt.exec != Exec::threads)
    return false;
  const bool loads = copy->source.kind == View::tensor;
  const View &place = loads ? copy->destination : copy->source;
  const View &tensor = loads ? copy->source : copy->destination;
  const Buffer *buffer = program.buffer(place);
  if (!buffer || buffer->space != Space::smem || tensor.kind != View::tensor ||
      place.shape.size() < 2 || tensor.shape.size() < 2)
    return false;
  const int contiguous = place.transposed ? 1 - buffer->minor : buffer->minor;
  return contiguous == 0;
}

View turned(View view) {
  view.transposed = !view.transposed;
  return view;
}

Copy byLines(const Program &program, const Stmt &stmt, const Copy &copy) {
  Copy lines = copy;
  if (copiesColumns(program, stmt))
    for (View *v : {&lines.source, &lines.destination})
      *v = turned(*v);
  return lines;
}

bool movedByHolders(Layout tile, DType elements, bool stores) {
  const bool rows = tile == Layout::blocked;
  if (!rows && tile != Layout::acc && tile != Layout::fragA)
    return false;
  const int64_t size = byteSize(elements);
  return rows ? !stores || (size != 2 && size != 4) : size != 2;
}

std::vector<const View *> operandsOf(const Raw &raw) {
  std::vector<const View *> views;
  for (const std::vector<View> *list : {&raw.writes, &raw.reads})
    for (const View &v : *list)
      views.push_back(&v);
  return views;
}

std::vector<const View *> sharersOf(const Program &program, const Raw &raw, const View &view) {
  if (raw.divided)
    return operandsOf(raw);
  const bool own = program.buffers[view.object].space == Space::reg;
  return own ? std::vector{&view} : std::vector<const View *>();
}

std::vector<View> restrictedTo(const View &view, RowRange range, int64_t rowsOfOperation) {
  const int64_t rows = rowCount(view);
  if (rows != rowsOfOperation || range == RowRange{0, rows})
    return {view};
  size_t along = view.transposed ? view.shape.size() - 1 : 0, longer = 0;
  if (view.kind == View::tensor && !view.transposed)
    for (size_t d = 0; d + 1 < view.shape.size(); ++d)
      if (view.shape[d] > 1) {
        along = d;
        ++longer;
      }
  if (longer > 1)
    return rowByRow(view, range);
  View part = view;
  part.offset[along].constant += range.begin;
  part.shape[along] = range.end - range.begin;
  return {part};
}

} // namespace sluice
