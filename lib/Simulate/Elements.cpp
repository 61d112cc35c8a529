#include "Simulate/Elements.h"

#include "Simulate/Kernels.h"
#include "Support/HostTensor.h"
#include "Support/Rounding.h"

#include <cstring>

namespace sluice {
namespace {

template <typename T> void unpack(const std::byte *from, std::vector<int64_t> &to) {
  for (size_t i = 0; i < to.size(); ++i) {
    T value;
    std::memcpy(&value, from + i * sizeof(T), sizeof(T));
    to[i] = value; // NOLINT(bugprone-signed-char-misuse): an i8 keeps its sign
  }
}

template <typename T> void pack(const std::vector<int64_t> &from, std::vector<std::byte> &raw) {
  for (size_t i = 0; i < from.size(); ++i) {
    T value = static_cast<T>(from[i]);
    std::memcpy(raw.data() + i * sizeof(T), &value, sizeof(T));
  }
}

} // namespace

Elements::Elements(DType type, int64_t count, double value) : type(type) {
  if (isExactInteger(type))
    integers.assign(count, static_cast<int64_t>(roundTo(type, value)));
  else
    reals.assign(count, static_cast<float>(roundTo(type, value)));
}

void Elements::take(const Elements &from, int64_t begin, int64_t stride) {
  for (size_t i = 0; i < reals.size(); ++i)
    reals[i] = from.reals[begin + int64_t(i) * stride];
  for (size_t i = 0; i < integers.size(); ++i)
    integers[i] = from.integers[begin + int64_t(i) * stride];
}

void Elements::append(const Elements &more) {
  reals.insert(reals.end(), more.reals.begin(), more.reals.end());
  integers.insert(integers.end(), more.integers.begin(), more.integers.end());
}

Elements converted(Elements from, DType type) {
  if (from.type == type)
    return from;
  if (!isExactInteger(from.type) && !isExactInteger(type)) {
    from.type = type;
    roundAll(type, from.reals.data(), from.size());
    return from;
  }
  Elements to(type, from.size());
  for (int64_t i = 0; i < from.size(); ++i)
    if (!isExactInteger(type))
      to.reals[i] = static_cast<float>(roundTo(type, static_cast<double>(from.integers[i])));
    else if (isExactInteger(from.type))
      to.integers[i] = wrapTo(type, from.integers[i]);
    else
      to.integers[i] = static_cast<int64_t>(roundTo(type, static_cast<double>(from.reals[i])));
  return to;
}

Elements unpacked(DType type, const std::byte *from, int64_t count) {
  Elements elements(type, count);
  if (type == DType::s8)
    unpack<int8_t>(from, elements.integers);
  else if (type == DType::i32)
    unpack<int32_t>(from, elements.integers);
  else if (type == DType::index)
    unpack<int64_t>(from, elements.integers);
  else
    loadElements(type, from, count, elements.reals.data());
  return elements;
}

Elements gather(const Tile &tile, RowRange range) {
  int64_t count = (range.end - range.begin) * tile.cols;
  if (!isExactInteger(tile.type)) {
    Elements elements(tile.type, count);
    tile.gather(range, elements.reals.data());
    return elements;
  }
  std::vector<std::byte> raw(count * byteSize(tile.type));
  tile.gather(range, raw.data());
  return unpacked(tile.type, raw.data(), count);
}

void scatter(const Tile &tile, RowRange range, const Elements &from) {
  if (!isExactInteger(from.type) && !isExactInteger(tile.type))
    return tile.scatter(range, from.reals.data());
  if (from.type != tile.type)
    return scatter(tile, range, converted(from, tile.type));
  std::vector<std::byte> raw(from.size() * byteSize(tile.type));
  if (tile.type == DType::s8)
    pack<int8_t>(from.integers, raw);
  else if (tile.type == DType::i32)
    pack<int32_t>(from.integers, raw);
  else
    pack<int64_t>(from.integers, raw);
  tile.scatter(range, raw.data());
}

} // namespace sluice
