#include "Program/Types.h"

#include "Support/Spelling.h"

#include <array>
#include <utility>

namespace sluice {
namespace {

constexpr std::array<std::string_view, 10> spaceNames = {
    "unplaced", "global", "smem", "reg", "tmem", "l1", "l0a", "l0b", "l0c", "ub"};
constexpr std::array<std::string_view, 19> layoutNames = {"none",
                                                          "row",
                                                          "sw32",
                                                          "sw64",
                                                          "sw128",
                                                          "panels",
                                                          "lines",
                                                          "span",
                                                          "zN",
                                                          "nZ",
                                                          "zZ",
                                                          "nN",
                                                          "acc",
                                                          "fragA",
                                                          "rowVector",
                                                          "colVector",
                                                          "blocked",
                                                          "blockedRowVector",
                                                          "blockedColVector"};
constexpr std::array<std::string_view, 4> targetNames = {"sm_90a", "sm_100a", "ascend910b",
                                                         "ascend950"};
constexpr std::array<std::string_view, 9> pipeNames = {"none", "S",   "MTE1", "MTE2", "MTE3",
                                                       "M",    "FIX", "V",    "ALL"};
constexpr std::array<std::string_view, 3> policyNames = {"normal", "evict_first", "evict_last"};

} // namespace

std::string_view name(Space space) {
  return spaceNames[static_cast<size_t>(space)];
}
std::optional<Space> parseSpace(std::string_view text) {
  return parseSpelling<Space>(spaceNames, text);
}

std::string_view name(Layout layout) {
  return layoutNames[static_cast<size_t>(layout)];
}
std::optional<Layout> parseLayout(std::string_view text) {
  return parseSpelling<Layout>(layoutNames, text);
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

int64_t chunkElements(Layout layout, DType type) {
  constexpr int64_t panel = 256; // most elements of a side of a box (cuTensorMapEncodeTiled)
  return layout == Layout::panels ? panel : swizzleBytes(layout) / byteSize(type);
}

std::string_view name(Target target) {
  return targetNames[static_cast<size_t>(target)];
}
std::optional<Target> parseTarget(std::string_view text) {
  return parseSpelling<Target>(targetNames, text);
}

std::string_view name(Pipe pipe) {
  return pipeNames[static_cast<size_t>(pipe)];
}
std::optional<Pipe> parsePipe(std::string_view text) {
  return parseSpelling<Pipe>(pipeNames, text);
}

std::string_view name(CachePolicy policy) {
  return policyNames[static_cast<size_t>(policy)];
}
std::optional<CachePolicy> parseCachePolicy(std::string_view text) {
  return parseSpelling<CachePolicy>(policyNames, text);
}

} // namespace sluice
