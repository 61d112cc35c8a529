// Views with the agent's values put in: bounds, bytes, shares of warps, TMA limits.
#include "Program/AscendCores.h"
#include "Program/Joined.h"
#include "Program/OperationFacts.h"
#include "Program/Sharing.h"
#include "Program/TensorMemory.h"
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

int64_t elementCount(const View &v) {
  return rowCount(v) * columnCount(v);
}

} // namespace

bool UnitViews::inBounds(Actor &a, const Stmt &s, const View &view) {
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

bool UnitViews::wellFormed(Actor &a, const Stmt &s) {
  std::string wrong;
  auto need = [&](bool holds, const char *what) {
    if (!holds && wrong.empty())
      wrong = what;
  };
  const std::vector<const View *> views = viewsOf(s.op);
  const OperationFacts facts = factsOf(s.op);
  if (facts.move && !facts.ofTensorMemory && !std::holds_alternative<RemoteCopy>(s.op)) {
    const char *what = std::holds_alternative<Copy>(s.op) ? "a copy between views of different size"
                       : std::holds_alternative<TmaLoad>(s.op)
                           ? "a TMA load between views of different size"
                           : "a TMA store between views of different size";
    const auto *copy = std::get_if<Copy>(&s.op);
    const bool dealtOut = copy && crossingOf(program_, *copy) == Crossing::toVectors;
    need(elementCount(*facts.move.source) ==
             elementCount(*facts.move.destination) * (dealtOut ? 2 : 1),
         what);
  } else if (auto *map = std::get_if<Map>(&s.op)) {
    need(!map->outs.empty() && map->fn.inputs == static_cast<int>(map->ins.size()) &&
             map->fn.results.size() == map->outs.size(),
         "a map whose function does not have its operands' number");
    for (const View *v : views)
      need(map->outs.empty() ||
               ((rowCount(*v) == 1 || rowCount(*v) == rowCount(map->outs[0])) &&
                (columnCount(*v) == 1 || columnCount(*v) == columnCount(map->outs[0]))),
           "a map of views of different shape");
  } else if (auto *reduce = std::get_if<Reduce>(&s.op)) {
    const bool dealt = reduce->axis == 1 && rowCount(reduce->in) == rowCount(reduce->out) &&
                       columnCount(reduce->in) % columnCount(reduce->out) == 0;
    need(dealt || elementCount(reduce->out) ==
                      (reduce->axis == 1 ? rowCount(reduce->in) : columnCount(reduce->in)),
         "a reduction into a view of another length");
  } else if (facts.product) {
    const auto *product = std::get_if<Tcgen05Mma>(&s.op); // of a pair a CTA has half of b
    const View d = product && product->pair ? partOfColumns(*product, false) : *views[0];
    const View a = product && product->pair ? rowsForPart(*product, false) : *views[1];
    need(rowCount(d) == rowCount(a) && columnCount(*views[1]) == rowCount(*views[2]) &&
             columnCount(d) == columnCount(*views[2]),
         "a product of tiles whose shapes do not fit");
  }
  if (!wrong.empty()) {
    fail("R20", agentName(a) + ": " + wrong, s.loc);
    return false;
  }
  for (const View *v : views)
    if (!inBounds(a, s, *v))
      return false;
  return true;
}

std::vector<int64_t> UnitViews::extentsOf(const Actor &a, const View &view) const {
  std::vector<int64_t> extents = world_.launch.tensors[view.object].extents;
  for (const Clip &c : view.clips)
    extents[c.dimension] = std::clamp<int64_t>(a.agent.value(c.end), 0, extents[c.dimension]);
  return extents;
}

Tile UnitViews::resolve(Actor &a, const View &view, int cta) {
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
  t.extents = extentsOf(a, view);
  if (const Tensor &tensor = program_.tensors[view.object]; hasShortParts(tensor))
    t.together = elementsTogether(tensor, world_.launch.tensors[view.object]);
  t.origin = std::move(offset);
  t.shape = view.shape;
  t.rows = rowCount(view);
  t.cols = columnCount(view);
  return t;
}

void UnitViews::nameRows(Actor &a, const RowNumbers &rows, Tile &tile) {
  const HostTensor &numbers = (*world_.tensors)[rows.numbers.object];
  const std::vector<int64_t> all = integersOf(numbers);
  const int64_t first = a.agent.value(rows.numbers.offset[0]), count = rows.numbers.shape[0];
  tile.namedDimension = rows.dimension;
  tile.named.clear();
  for (int64_t row = first; row < first + count; ++row)
    tile.named.push_back(row >= 0 && row < int64_t(all.size()) ? all[row] : -1);
}

std::vector<RowRange> UnitViews::share(Actor &a, const Stmt &s,
                                       const std::vector<const View *> &views) const {
  const auto value = [&](const Index &i) { return a.agent.value(i); };
  if (!copiesColumns(program_, s))
    return sharedRows(program_, a.agent, s.exec, views, value);
  const View columns = turned(*views[0]);
  return sharedRows(program_, a.agent, s.exec, {&columns}, value);
}

double UnitViews::elementsInside(Actor &a, const View &view) const {
  double count = 1;
  std::vector<int64_t> extents;
  if (view.kind == View::tensor)
    extents = extentsOf(a, view);
  for (size_t d = 0; d < view.shape.size(); ++d) {
    int64_t extent = view.shape[d];
    if (view.kind == View::tensor) {
      int64_t at = a.agent.value(view.offset[d]);
      int64_t end = std::min(at + extent, extents[d]);
      extent = std::max<int64_t>(0, end - std::max<int64_t>(at, 0));
    }
    count *= static_cast<double>(extent);
  }
  return count;
}

namespace {

/// Elements of a box along the contiguous dimension: a tile is cut into the chunks of its layout.
int64_t innerBox(const Buffer &b, const View &shared) {
  const int64_t along = shared.shape[b.minor], chunk = chunkElements(b.layout, b.type);
  return chunk ? std::min(along, chunk) : along;
}

} // namespace

int64_t UnitViews::boxesOf(const View &shared) const {
  const Buffer &b = program_.buffers[shared.object];
  if (isAsItLies(b.layout)) // a copy for each line, or for all
    return b.layout == Layout::lines ? shared.shape[1 - b.minor] : 1;
  const int64_t inner = innerBox(b, shared);
  return (shared.shape[b.minor] + inner - 1) / inner;
}

/// The limits of a tensor map and of its box (CUDA driver API, cuTensorMapEncodeTiled; PTX ISA,
/// cp.async.bulk.tensor). Empty when they are kept.
std::string UnitViews::brokenTmaLimit(const View &global, const View &shared) const {
  const Buffer &b = program_.buffers[shared.object];
  const Launch::Shape &shape = world_.launch.tensors[global.object];
  const Tensor &tensor = program_.tensors[global.object];
  int64_t size = byteSize(b.type);
  if (b.space != Space::smem || (!chunkElements(b.layout, b.type) && b.layout != Layout::row))
    return "TMA moves tiles of shared memory in layout row, panels, sw32, sw64 or sw128; " +
           b.name + " is " + std::string(name(b.layout)) + " in " + std::string(name(b.space));
  const bool isEmpty =
      std::ranges::find(shape.extents, 0) != shape.extents.end(); // one map for all
  for (size_t d = 0; d < shape.strides.size() && !isEmpty; ++d)
    if (static_cast<int>(d) != tensor.minor && shape.extents[d] > 1 && shape.strides[d] * size % 16)
      return "stride " + std::to_string(shape.strides[d] * size) + " bytes of " + tensor.name +
             " is not a multiple of 16";
  int64_t lines = shared.shape[1 - b.minor], inner = innerBox(b, shared);
  if (inner * size % 16)
    return "the inner box is " + std::to_string(inner * size) + " bytes, not a multiple of 16";
  if (inner > 256 || lines > 256)
    return "a box of " + std::to_string(std::max(inner, lines)) + " elements, at most 256";
  return {};
}

/// Where boxes may lie in shared memory: at multiples of 128 bytes (PTX ISA, cp.async.bulk.tensor),
/// swizzled ones at whole patterns of 8 spans. Empty when they do.
std::string UnitViews::brokenTmaAddress(Actor &a, const View &shared) const {
  const Buffer &b = program_.buffers[shared.object];
  const int64_t span = swizzleBytes(b.layout), align = span ? 8 * span : 128;
  const int64_t chunk = chunkElements(b.layout, b.type);
  const LayoutMap &map = *world_.maps[shared.object];
  int64_t line = a.agent.value(shared.offset[1 - b.minor]);
  for (int64_t at = 0; at < shared.shape[b.minor]; at += innerBox(b, shared)) {
    int64_t element = a.agent.value(shared.offset[b.minor]) + at;
    if (element % (chunk ? chunk : 1))
      return std::string("the box starts inside a ") + (span ? "swizzle span" : "panel");
    int64_t address = b.offset + a.agent.value(shared.slot) * b.slotBytes +
                      (map.offset(b.minor ? line : element, b.minor ? element : line));
    if (address % align)
      return "shared memory address " + std::to_string(address) + " of " + b.name +
             " is not a multiple of " + std::to_string(align);
  }
  return {};
}

bool UnitViews::tmaCanMove(Actor &a, const Stmt &s, const View &global, const View &shared) {
  if (isAsItLies(program_.buffers[shared.object].layout))
    return true; // any stride, from any element on
  std::string limit = brokenTmaLimit(global, shared);
  std::string broken = limit.empty() ? brokenTmaAddress(a, shared) : limit;
  if (!broken.empty())
    fail(limit.empty() ? "R17" : "R15", agentName(a) + ": " + broken, s.loc);
  return broken.empty();
}

} // namespace sluice
