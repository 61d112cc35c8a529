// Views with the agent's values put in: bounds, bytes, shares of warps, TMA limits.
#include "Simulate/Unit.h"

#include <algorithm>

namespace sluice {
namespace {

std::vector<int64_t> valuesOf(const Agent &agent, const std::vector<Index> &indices) {
  std::vector<int64_t> values;
  for (const Index &i : indices)
    values.push_back(agent.value(i));
  return values;
}

bool ownsRows(Layout layout) {
  return layout == Layout::acc || layout == Layout::fragA || layout == Layout::rowVector ||
         layout == Layout::blocked;
}

int64_t elementsOf(const View &v) {
  int64_t all = 1;
  for (int64_t e : v.shape)
    all *= e;
  return all;
}

/// A tensor's box is a matrix of all its dimensions but the last, by the last.
int64_t rowsOf(const View &v) {
  if (v.kind == View::buffer)
    return v.rows();
  int64_t last = v.shape.empty() ? 1 : v.shape.back();
  return v.transposed ? last : elementsOf(v) / std::max<int64_t>(last, 1);
}
int64_t colsOf(const View &v) {
  return elementsOf(v) / std::max<int64_t>(rowsOf(v), 1);
}

} // namespace

bool Unit::inBounds(Actor &a, const Stmt &s, const View &view) {
  const Buffer *b = program_.buffer(view);
  if (!b)
    return true;
  int64_t slot = a.agent.value(view.slot);
  bool inside = slot >= 0 && slot < b->slots;
  for (size_t d = 0; d < view.shape.size(); ++d) {
    int64_t at = d < view.offset.size() ? a.agent.value(view.offset[d]) : 0;
    inside = inside && at >= 0 && d < b->shape.size() && at + view.shape[d] <= b->shape[d];
  }
  if (!inside)
    fail("R24",
         agentName(a) + " reaches outside of " + b->name + " (slot " + std::to_string(slot) +
             " of " + std::to_string(b->slots) + ")",
         s.loc);
  return inside;
}

bool Unit::wellFormed(Actor &a, const Stmt &s) {
  std::string wrong;
  auto need = [&](bool holds, const char *what) {
    if (!holds && wrong.empty())
      wrong = what;
  };
  std::vector<const View *> views;
  if (auto *copy = std::get_if<Copy>(&s.op)) {
    views = {&copy->source, &copy->destination};
    need(elementsOf(copy->source) == elementsOf(copy->destination),
         "a copy between views of different size");
  } else if (auto *fill = std::get_if<Fill>(&s.op)) {
    views = {&fill->destination};
  } else if (auto *load = std::get_if<TmaLoad>(&s.op)) {
    views = {&load->source, &load->destination};
    need(elementsOf(load->source) == elementsOf(load->destination),
         "a TMA load between views of different size");
  } else if (auto *store = std::get_if<TmaStore>(&s.op)) {
    views = {&store->source, &store->destination};
    need(elementsOf(store->source) == elementsOf(store->destination),
         "a TMA store between views of different size");
  } else if (auto *map = std::get_if<Map>(&s.op)) {
    views = operandsOf(*map);
    need(!map->outs.empty() && map->fn.inputs == static_cast<int>(map->ins.size()) &&
             map->fn.results.size() == map->outs.size(),
         "a map whose function does not have its operands' number");
    for (const View *v : views)
      need(map->outs.empty() || ((rowsOf(*v) == 1 || rowsOf(*v) == rowsOf(map->outs[0])) &&
                                 (colsOf(*v) == 1 || colsOf(*v) == colsOf(map->outs[0]))),
           "a map of views of different shape");
  } else if (auto *reduce = std::get_if<Reduce>(&s.op)) {
    views = {&reduce->in, &reduce->out};
    need(elementsOf(reduce->out) == (reduce->axis == 1 ? rowsOf(reduce->in) : colsOf(reduce->in)),
         "a reduction into a view of another length");
  } else if (auto *w = std::get_if<Wgmma>(&s.op)) {
    views = {&w->d, &w->a, &w->b};
  } else if (auto *m = std::get_if<Mmad>(&s.op)) {
    views = {&m->d, &m->a, &m->b};
  }
  if (std::holds_alternative<Wgmma>(s.op) || std::holds_alternative<Mmad>(s.op))
    need(rowsOf(*views[0]) == rowsOf(*views[1]) && colsOf(*views[1]) == rowsOf(*views[2]) &&
             colsOf(*views[0]) == colsOf(*views[2]),
         "a product of tiles whose shapes do not fit");
  if (!wrong.empty()) {
    fail("R20", agentName(a) + ": " + wrong, s.loc);
    return false;
  }
  for (const View *v : views)
    if (!inBounds(a, s, *v))
      return false;
  return true;
}

Tile Unit::resolve(Actor &a, const View &view, int cta) {
  Tile t;
  t.type = program_.type(view);
  t.transposed = view.transposed;
  std::vector<int64_t> offset = valuesOf(a.agent, view.offset);
  if (view.kind == View::buffer) {
    t.rows = view.rows();
    t.cols = view.cols();
    t.map = world_.maps[view.object].get();
    t.base = ctas_[cta].memory.slot(view.object, a.agent.value(view.slot), a.agent.warpInRole());
    for (size_t d = 0; d < 2 && d < offset.size(); ++d)
      t.first[d] = offset[d];
    return t;
  }
  t.tensor = &(*world_.tensors)[view.object];
  t.origin = std::move(offset);
  t.shape = view.shape;
  t.rows = rowsOf(view);
  t.cols = colsOf(view);
  return t;
}

std::vector<RowRange> Unit::share(Actor &a, const Stmt &s,
                                  const std::vector<const View *> &views) const {
  const View *first = *views.begin();
  int64_t rows = rowsOf(*first);
  if (isAscend(program_.target) || s.exec != Exec::threads)
    return {{0, rows}};
  bool replicated = false;
  for (const View *v : views) {
    const Buffer *b = program_.buffer(*v);
    if (!b || b->space != Space::reg)
      continue;
    replicated = replicated || b->layout == Layout::colVector;
    if (!ownsRows(b->layout) || v->transposed)
      continue;
    // Rows of the buffer, counted from the view's first.
    int64_t shift = v->offset.empty() ? 0 : a.agent.value(v->offset[0]);
    std::vector<RowRange> result;
    for (RowRange r :
         rowsOfWarp(b->layout, b->shape[0], a.agent.warpInRole(), a.agent.warpsInRole())) {
      r = {std::max(r.begin - shift, int64_t{0}), std::min(r.end - shift, v->rows())};
      if (r.begin < r.end)
        result.push_back(r);
    }
    return result;
  }
  if (replicated)
    return {{0, rows}};
  return rowsOfWarp(Layout::row, rows, a.agent.warpInRole(), a.agent.warpsInRole());
}

double Unit::elementsInside(Actor &a, const View &view) const {
  double count = 1;
  for (size_t d = 0; d < view.shape.size(); ++d) {
    int64_t extent = view.shape[d];
    if (view.kind == View::tensor) {
      int64_t at = a.agent.value(view.offset[d]);
      int64_t end = std::min(at + extent, world_.launch.tensors[view.object].extents[d]);
      extent = std::max<int64_t>(0, end - std::max<int64_t>(at, 0));
    }
    count *= static_cast<double>(extent);
  }
  return count;
}

double Unit::moveGlobal(Actor &a, int tensor, double bytes, bool write, double &begin) {
  SmEngines &e = engines_[a.cta];
  traffic_[tensor] += bytes;
  double missing = bytes * world_.missShare[tensor];
  double service = std::max(bytes / world_.l2Rate, 0.0);
  double memoryBegin = e.hbm.serve(std::max(a.time, (write ? e.tmaStore : e.tmaLoad).free),
                                   missing / world_.hbmRate);
  double memoryEnd = memoryBegin + missing / world_.hbmRate;
  Engine &port = write ? e.tmaStore : e.tmaLoad;
  double start = std::max(a.time, port.free);
  begin = port.serve(a.time, std::max(service, memoryEnd - start));
  return port.free;
}

/// The limits of a tensor map and of its box (CUDA driver API, cuTensorMapEncodeTiled; PTX ISA,
/// cp.async.bulk.tensor). Empty when they are kept.
std::string Unit::checkTma(Actor &a, const View &global, const View &shared) const {
  const Buffer &b = program_.buffers[shared.object];
  const Launch::Shape &shape = world_.launch.tensors[global.object];
  const Tensor &tensor = program_.tensors[global.object];
  int64_t size = byteSize(b.type), span = swizzleBytes(b.layout);
  if (b.space != Space::smem || (!span && b.layout != Layout::row))
    return "TMA moves tiles of shared memory in layout row, sw32, sw64 or sw128; " + b.name +
           " is " + std::string(name(b.layout)) + " in " + std::string(name(b.space));
  for (size_t d = 0; d < shape.strides.size(); ++d)
    if (static_cast<int>(d) != tensor.minor && shape.extents[d] > 1 && shape.strides[d] * size % 16)
      return "stride " + std::to_string(shape.strides[d] * size) + " bytes of " + tensor.name +
             " is not a multiple of 16";
  int64_t lines = shared.shape[1 - b.minor], along = shared.shape[b.minor];
  int64_t inner = span ? std::min(along, span / size) : along;
  if (inner * size % 16)
    return "the inner box is " + std::to_string(inner * size) + " bytes, not a multiple of 16";
  if (inner > 256 || lines > 256)
    return "a box of " + std::to_string(std::max(inner, lines)) + " elements, at most 256";
  int64_t align = span ? 8 * span : 128; // 8 lines of the swizzle pattern; 128 bytes without
  const LayoutMap &map = *world_.maps[shared.object];
  int64_t line = a.agent.value(shared.offset[1 - b.minor]);
  for (int64_t at = 0; at < along; at += inner) {
    int64_t element = a.agent.value(shared.offset[b.minor]) + at;
    if (element * size % (span ? span : 1))
      return "the box starts inside a swizzle span";
    int64_t address = b.offset + a.agent.value(shared.slot) * b.slotBytes +
                      (map.offset(b.minor ? line : element, b.minor ? element : line));
    if (address % align)
      return "shared memory address " + std::to_string(address) + " of " + b.name +
             " is not a multiple of " + std::to_string(align);
  }
  return {};
}

} // namespace sluice
