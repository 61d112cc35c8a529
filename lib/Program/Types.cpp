#include "Program/Types.h"

#include <array>
#include <utility>

namespace sluice {
namespace {

/// One spelling per enumerator, in the order of the enumeration.
template <typename E, size_t N>
std::optional<E> find(const std::array<std::string_view, N> &names, std::string_view text) {
  for (size_t i = 0; i < N; ++i)
    if (names[i] == text)
      return static_cast<E>(i);
  return std::nullopt;
}

constexpr std::array<std::string_view, 10> dtypeNames = {"i1",   "s8",  "i32",  "index", "e4m3",
                                                         "e5m2", "f16", "bf16", "tf32",  "f32"};
constexpr std::array<int64_t, 10> dtypeBytes = {1, 1, 4, 8, 1, 1, 2, 2, 4, 4};
constexpr std::array<std::string_view, 10> spaceNames = {
    "unplaced", "global", "smem", "reg", "tmem", "l1", "l0a", "l0b", "l0c", "ub"};
constexpr std::array<std::string_view, 13> layoutNames = {
    "none", "row", "sw32",  "sw64",      "sw128",     "zN",     "nZ",
    "zZ",   "acc", "fragA", "rowVector", "colVector", "blocked"};
constexpr std::array<std::string_view, 4> targetNames = {"sm_90a", "sm_100a", "ascend910b",
                                                         "ascend950"};
constexpr std::array<std::string_view, 9> pipeNames = {"none", "S",   "MTE1", "MTE2", "MTE3",
                                                       "M",    "FIX", "V",    "ALL"};
constexpr std::array<std::string_view, 3> policyNames = {"normal", "evict_first", "evict_last"};

} // namespace

int64_t byteSize(DType type) {
  return dtypeBytes[static_cast<size_t>(type)];
}
std::string_view name(DType type) {
  return dtypeNames[static_cast<size_t>(type)];
}
std::optional<DType> parseDType(std::string_view text) {
  return find<DType>(dtypeNames, text);
}
bool isFloat(DType type) {
  return type >= DType::e4m3;
}

std::string_view name(Space space) {
  return spaceNames[static_cast<size_t>(space)];
}
std::optional<Space> parseSpace(std::string_view text) {
  return find<Space>(spaceNames, text);
}

std::string_view name(Layout layout) {
  return layoutNames[static_cast<size_t>(layout)];
}
std::optional<Layout> parseLayout(std::string_view text) {
  return find<Layout>(layoutNames, text);
}

int64_t swizzleBytes(Layout layout) {
  switch (layout) {
  case Layout::sw32:
    return 32;
  case Layout::sw64:
    return 64;
  case Layout::sw128:
    return 128;
  default:
    return 0;
  }
}

std::string_view name(Target target) {
  return targetNames[static_cast<size_t>(target)];
}
std::optional<Target> parseTarget(std::string_view text) {
  return find<Target>(targetNames, text);
}

std::string_view name(Pipe pipe) {
  return pipeNames[static_cast<size_t>(pipe)];
}
std::optional<Pipe> parsePipe(std::string_view text) {
  return find<Pipe>(pipeNames, text);
}

std::string_view name(CachePolicy policy) {
  return policyNames[static_cast<size_t>(policy)];
}
std::optional<CachePolicy> parseCachePolicy(std::string_view text) {
  return find<CachePolicy>(policyNames, text);
}

std::string Location::str() const {
  if (line == 0)
    return "<unknown>";
  return file + ":" + std::to_string(line) + ":" + std::to_string(column);
}

} // namespace sluice
