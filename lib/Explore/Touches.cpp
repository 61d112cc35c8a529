#include "Explore/Touches.h"

#include "Explore/Places.h"

#include <algorithm>

namespace sluice::explorer {
namespace {

/// Element by element; sorted and put together in the end.
class ByteSet {
public:
  void add(int64_t byte, int64_t size) {
    if (!ranges_.empty() && ranges_.back().end == byte)
      ranges_.back().end += size;
    else
      ranges_.push_back({byte, byte + size});
  }
  std::vector<ByteRange> take() {
    std::ranges::sort(ranges_, {}, &ByteRange::begin);
    std::vector<ByteRange> whole;
    for (const ByteRange &r : ranges_)
      if (whole.empty() || whole.back().end < r.begin)
        whole.push_back(r);
      else
        whole.back().end = std::max(whole.back().end, r.end);
    return whole;
  }

private:
  std::vector<ByteRange> ranges_;
};

/// Calls `visit` with the place in the view of each element in the rows that are `mine`.
template <typename Visit>
void forEachElement(const View &view, const std::vector<bool> &mine, const Visit &visit) {
  const int64_t columns = columnsOf(view);
  for (int64_t row = 0; row < static_cast<int64_t>(mine.size()); ++row)
    for (int64_t column = 0; mine[row] && column < columns; ++column)
      visit(elementOf(view, row, column));
}

} // namespace

std::vector<ByteRange> Toucher::bytesOfTile(const Standpoint &at, const View &view,
                                            const std::vector<bool> &mine) {
  const Buffer &b = program_.buffers[view.object];
  const int64_t slot = at.value(view.slot), size = byteSize(b.type);
  Part part{view.object, false, view.transposed, {slot}, view.shape, mine};
  for (const Index &i : view.offset)
    part.at.push_back(at.value(i));
  const auto [known, isNew] = known_.try_emplace(part);
  if (!isNew)
    return known->second;
  std::vector<int64_t> &places = places_[{view.object, slot}];
  if (places.empty())
    places = elementPlaces(b, slot);
  ByteSet bytes;
  forEachElement(view, mine, [&](const std::vector<int64_t> &element) {
    const int64_t row = part.at[1] + element[0], column = part.at[2] + element[1];
    const bool inside = slot >= 0 && slot < b.slots && row >= 0 && row < b.shape[0] &&
                        column >= 0 && column < b.shape[1];
    if (inside)
      bytes.add(places[row * b.shape[1] + column], size);
    else
      outOfBounds = b.name + " is touched outside of its slots or tile";
  });
  return known->second = bytes.take();
}

/// Of a tensor that is passed as one line.
static int64_t elementsOfLines(const Tensor &tensor, const Launch::Shape &shape) {
  int64_t all = 1;
  for (const int64_t extent : shape.given.empty() ? shape.extents : shape.given)
    all *= extent;
  return tensor.isLine ? all : 0;
}

/// What is beyond the tensor's end, a row's, or a clip, is not touched.
std::vector<ByteRange> Toucher::bytesOfTensor(const Standpoint &at, const View &view,
                                              const std::vector<bool> &mine) {
  const Launch::Shape &shape = launch_.tensors[view.object];
  const Tensor &tensor = program_.tensors[view.object];
  const int64_t size = byteSize(tensor.type);
  std::vector<int64_t> ends = shape.extents, first;
  for (const Clip &c : view.clips)
    ends[c.dimension] = std::min(ends[c.dimension], at.value(c.end));
  for (const Index &i : view.offset)
    first.push_back(at.value(i));
  Part part{view.object, true, view.transposed, first, view.shape, mine};
  part.at.insert(part.at.end(), ends.begin(), ends.end());
  const auto [known, isNew] = known_.try_emplace(std::move(part));
  if (!isNew)
    return known->second;
  const int64_t all = elementsOfLines(tensor, shape);
  ByteSet bytes;
  forEachElement(view, mine, [&](const std::vector<int64_t> &element) {
    int64_t place = 0;
    for (size_t d = 0; d < element.size(); ++d) {
      const int64_t index = first[d] + element[d];
      if (index < 0 || index >= ends[d])
        return;
      place += index * shape.strides[d];
    }
    if (tensor.joinedExtent > 0 &&
        (first[1] + element[1]) * tensor.extents[2] + first[2] + element[2] >=
            tensor.joinedExtent) // rows x parts x columns of a part
      return;
    if (tensor.isLine && place >= all)
      return;
    bytes.add(place * size, size);
  });
  return known->second = bytes.take();
}

std::vector<ByteRange> Toucher::bytesOf(const Standpoint &at, const View &whole,
                                        const Share &share) {
  View view = whole;
  view.transposed ^= share.columns;
  std::vector<bool> mine = share.mine;
  if (rowsOf(view) != static_cast<int64_t>(mine.size()))
    mine.assign(rowsOf(view), share.count() > 0);
  return view.kind == View::tensor ? bytesOfTensor(at, view, mine) : bytesOfTile(at, view, mine);
}

/// The output that is written in the place of a tensor, or the tensor itself.
int Toucher::placeOf(int tensor) const {
  for (size_t t = 0; t < program_.tensors.size(); ++t)
    if (program_.tensors[t].inPlaceOf == tensor)
      return static_cast<int>(t);
  return tensor;
}

std::optional<Touch> Toucher::touch(const Standpoint &at, const View &view, bool write,
                                    const Share &share, int cta, int owner) {
  const std::vector<ByteRange> bytes = bytesOf(at, view, share);
  if (bytes.empty())
    return {};
  Touch t;
  t.write = write;
  t.tensor = view.kind == View::tensor;
  MemoryId memory{MemoryId::tensor, 0, t.tensor ? placeOf(view.object) : view.object};
  if (const Buffer *b = program_.buffer(view)) {
    t.shared = b->space == Space::smem;
    t.columns = b->space == Space::tmem;
    memory = b->space == Space::reg ? MemoryId{MemoryId::registers, owner, view.object}
                                    : MemoryId{MemoryId::onChip, cta, static_cast<int>(b->space)};
  }
  t.footprint = memory_.footprint(memory, bytes);
  return t;
}

Touch Toucher::allColumns(int cta) {
  constexpr int64_t lanes = 128, columns = 512, columnBytes = 4;
  Touch t;
  t.write = t.columns = true;
  t.footprint = memory_.footprint({MemoryId::onChip, cta, static_cast<int>(Space::tmem)},
                                  {{0, lanes * columns * columnBytes}});
  return t;
}

} // namespace sluice::explorer
