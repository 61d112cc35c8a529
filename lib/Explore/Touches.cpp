#include "Explore/Touches.h"

#include <algorithm>

namespace sluice::explorer {

int64_t Toucher::rowsOf(const View &view) {
  if (view.kind == View::tensor && view.transposed)
    return view.shape.back();
  if (view.kind == View::buffer || view.shape.size() == 1)
    return view.rows();
  int64_t rows = 1;
  for (size_t d = 0; d + 1 < view.shape.size(); ++d)
    rows *= view.shape[d];
  return rows;
}

/// A copy by threads between a tensor and columns of a tile that are contiguous: each warp copies
/// some of the columns.
bool Toucher::columnsOf(const Stmt &s) const {
  const auto *copy = std::get_if<Copy>(&s.op);
  if (!copy || s.exec != Exec::threads || isAscend(program_.target) ||
      copy->source.kind == copy->destination.kind)
    return false;
  const bool stores = copy->source.kind == View::buffer;
  const View &tile = stores ? copy->source : copy->destination;
  const View &tensor = stores ? copy->destination : copy->source;
  const Buffer &b = program_.buffers[tile.object];
  return b.space == Space::smem && tile.shape.size() == 2 && tensor.shape.size() >= 2 &&
         (b.minor == 0) != tile.transposed;
}

Toucher::Share Toucher::shareOf(const Agent &agent, const Stmt &s,
                                const std::vector<const View *> &views) const {
  if (columnsOf(s)) {
    View first = *views[0];
    first.transposed = !first.transposed;
    const int64_t all = rowsOf(first);
    return {rowsOfWarp(Layout::row, all, agent.warpInRole(), agent.warpsInRole()), all, true};
  }
  Share share{{}, rowsOf(*views[0])};
  share.rows = {{0, share.all}};
  if (isAscend(program_.target) || s.exec != Exec::threads)
    return share;
  bool copies = false;
  for (const View *v : views) {
    const Buffer *b = program_.buffer(*v);
    if (!b || b->space != Space::reg)
      continue;
    copies |= b->layout == Layout::colVector;
    if (b->layout == Layout::colVector || b->layout == Layout::row || v->transposed)
      continue;
    const int64_t first = agent.value(v->offset[0]);
    share.rows.clear();
    for (RowRange r : rowsOfWarp(b->layout, b->shape[0], agent.warpInRole(), agent.warpsInRole())) {
      const RowRange inView{std::max<int64_t>(r.begin - first, 0),
                            std::min(r.end - first, v->rows())};
      if (inView.begin < inView.end)
        share.rows.push_back(inView);
    }
    return share;
  }
  if (!copies)
    share.rows = rowsOfWarp(Layout::row, share.all, agent.warpInRole(), agent.warpsInRole());
  return share;
}

void Toucher::addBuffer(const Agent &agent, const View &view, RowRange rows, bool all,
                        std::vector<Interval> &bytes) {
  const Buffer &b = program_.buffers[view.object];
  const int64_t slot = agent.value(view.slot);
  View part = view;
  if (!all) {
    const int along = view.transposed ? 1 : 0;
    part.offset[along].constant += rows.begin;
    part.shape[along] = rows.end - rows.begin;
  }
  std::vector<int64_t> offsets;
  for (const Index &i : part.offset)
    offsets.push_back(agent.value(i));
  bool inside = slot >= 0 && slot < b.slots;
  for (size_t d = 0; d < offsets.size() && d < b.shape.size(); ++d)
    inside &= offsets[d] >= 0 && offsets[d] + part.shape[d] <= b.shape[d];
  if (!inside) {
    outOfBounds = b.name + " is touched outside of its slots or tile";
    return;
  }
  for (const Interval &i : footprint(program_, part, slot, offsets))
    bytes.push_back(i);
}

void Toucher::addTensor(const Agent &agent, const View &view, RowRange rows, bool all,
                        std::vector<Interval> &bytes) {
  Launch::Shape shape = launch_.tensors[view.object];
  for (const Clip &c : view.clips)
    shape.extents[c.dimension] =
        std::max<int64_t>(0, std::min(shape.extents[c.dimension], agent.value(c.end)));
  const DType type = program_.tensors[view.object].type;
  std::vector<int64_t> start;
  for (const Index &i : view.offset)
    start.push_back(agent.value(i));
  View part = view;
  auto add = [&](const std::vector<int64_t> &offsets) {
    for (const Interval &i : tensorFootprint(type, shape, part, offsets))
      if (i.begin < i.end)
        bytes.push_back(i);
  };
  if (all)
    return add(start);
  if (view.transposed || view.shape.size() <= 2) {
    const size_t along = view.transposed ? view.shape.size() - 1 : 0;
    start[along] += rows.begin;
    part.shape[along] = rows.end - rows.begin;
    return add(start);
  }
  for (size_t d = 0; d + 1 < view.shape.size(); ++d)
    part.shape[d] = 1;
  for (int64_t row = rows.begin; row < rows.end; ++row) {
    std::vector<int64_t> offsets = start;
    int64_t rest = row;
    for (size_t d = view.shape.size() - 1; d-- > 0; rest /= view.shape[d])
      offsets[d] += rest % view.shape[d];
    add(offsets);
  }
}

std::optional<Touch> Toucher::touch(const Agent &agent, const View &whole, bool write,
                                    const Share &share, int cta, int owner) {
  View view = whole;
  view.transposed ^= share.columns;
  std::vector<Interval> bytes;
  const int64_t rows = rowsOf(view);
  for (const RowRange &r : share.rows) {
    const bool all = rows != share.all || r == RowRange{0, rows};
    if (view.kind == View::tensor)
      addTensor(agent, view, r, all, bytes);
    else
      addBuffer(agent, view, r, all, bytes);
  }
  if (bytes.empty())
    return {};
  std::sort(bytes.begin(), bytes.end(), [](auto &a, auto &b) { return a.begin < b.begin; });
  size_t kept = 0;
  for (const Interval &i : bytes)
    if (kept && i.begin <= bytes[kept - 1].end)
      bytes[kept - 1].end = std::max(bytes[kept - 1].end, i.end);
    else
      bytes[kept++] = i;
  bytes.resize(kept);
  Touch t;
  t.write = write;
  t.tensor = view.kind == View::tensor;
  MemoryId memory{MemoryId::tensor, 0, view.object};
  if (const Buffer *b = program_.buffer(view)) {
    t.shared = b->space == Space::smem;
    memory = b->space == Space::reg ? MemoryId{MemoryId::registers, owner, view.object}
                                    : MemoryId{MemoryId::onChip, cta, static_cast<int>(b->space)};
  }
  t.footprint = memory_.footprint(memory, bytes);
  return t;
}

} // namespace sluice::explorer
