#include "Parts.h"

#include <algorithm>
#include <utility>

namespace sluice::tool {
namespace {

constexpr const char *form = "--set ... + N=512 bn=128";

/// The extent that is cut, and how much of it the second launch gets.
struct Cut {
  std::string extent;
  int64_t whole = 0, last = 0;
};

/// Extents of the output that one kernel's launches can divide among them.
std::vector<std::string> divisible(const Loaded &whole) {
  const KernelEntry *entry = whole.entry;
  if (!entry || !entry->divisible)
    return {};
  const auto shapes = entry->shapes(*whole.parameters);
  const std::string &output = whole.program.tensors.back().name;
  const auto of = std::ranges::find(shapes, output, &TensorShape::tensor);
  return {of->extents.end() - 2, of->extents.end()};
}

Result<Cut> cutOf(const Options &options, const Loaded &whole) {
  const auto extents = divisible(whole);
  if (extents.empty())
    return unsupportedError("unsupported: " + whole.program.name + " in two launches; gemm can be");
  auto rest = resolve(*whole.entry, options.rest);
  if (!rest)
    return rest.error();
  std::vector<Cut> cuts;
  for (const auto &[name, value] : options.rest)
    if (std::ranges::find(extents, name) != extents.end())
      cuts.push_back({name, whole.parameters->number(name), rest->number(name)});
    else if (std::ranges::find(whole.entry->chosen, name) == whole.entry->chosen.end())
      return inputError("the second launch has " + name + "=" + value +
                        "; it computes what the first does, with tiles and the like of its own");
  if (cuts.size() != 1)
    return inputError("the second launch of " + std::string(form) + ": give it either " +
                      extents[0] + " or " + extents[1] + ", its part of the first's");
  const Cut &cut = cuts.front();
  if (cut.last < 1 || cut.last >= cut.whole)
    return inputError("the second launch has " + cut.extent + "=" + std::to_string(cut.last) +
                      "; it must leave the first some of " + cut.extent + "=" +
                      std::to_string(cut.whole));
  return cut;
}

} // namespace

std::map<std::string, std::string> whereTilesFollow(std::map<std::string, std::string> settings) {
  const auto mode = settings.find("mode");
  const std::string dealt = mode == settings.end() ? "auto" : mode->second;
  if (dealt != "persistent" && dealt != "pingpong")
    settings.erase("steps");
  return settings;
}

namespace {

/// What the second launch computes it computes as the first does; how is its own affair.
std::map<std::string, std::string> settingsOfRest(const Options &options, const Loaded &whole) {
  auto settings = options.set;
  for (const std::string &name : whole.entry->chosen)
    settings.erase(name);
  settings.erase("plan");
  for (const auto &[name, value] : options.rest)
    settings[name] = value;
  return whereTilesFollow(std::move(settings));
}

/// A kernel for `extent` from `first` on.
Result<Part> loadPart(Options options, const Loaded &whole, const std::string &extent,
                      int64_t first) {
  options.rest.clear();
  auto loaded = loadOne(options);
  if (!loaded)
    return loaded.error();
  for (const Loaded *one : {&whole, static_cast<const Loaded *>(&*loaded)})
    for (const Tensor &tensor : one->program.tensors)
      if (!tensor.input && !tensor.output)
        return unsupportedError("unsupported: " + whole.program.name + " in two launches, one of " +
                                "which adds up through workspace " + tensor.name +
                                "; bench it in one, or with another mode");
  const auto shapes = whole.entry->shapes(*whole.parameters);
  std::vector<int64_t> offsets;
  for (size_t t = 0; t < whole.program.tensors.size(); ++t) {
    const Tensor &tensor = whole.program.tensors[t];
    const auto &strides = whole.launch.tensors[t].strides;
    loaded->launch.tensors[t].strides = strides;
    const auto of = std::ranges::find(shapes, tensor.name, &TensorShape::tensor);
    const auto dim = std::ranges::find(of->extents, extent) - of->extents.begin();
    const bool cut = dim < std::ssize(of->extents);
    offsets.push_back(cut ? first * strides[dim] * byteSize(tensor.type) : 0);
  }
  return Part{std::move(*loaded), std::move(offsets)};
}

} // namespace

Result<Parts> loadParts(const Options &options) {
  Options first = options;
  first.rest.clear();
  auto whole = loadOne(first);
  if (!whole)
    return whole.error();
  Parts result{std::move(*whole), {}};
  if (options.rest.empty()) {
    const std::vector<int64_t> offsets(result.whole.program.tensors.size());
    result.parts.push_back({result.whole, offsets});
    return result;
  }
  auto cut = cutOf(options, result.whole);
  if (!cut)
    return cut.error();
  for (std::string before = " + "; const auto &[name, value] : options.rest)
    result.whole.shape += std::exchange(before, " ") + name + "=" + value;
  Options last = options;
  last.set = settingsOfRest(options, result.whole);
  first.set[cut->extent] = std::to_string(cut->whole - cut->last);
  for (const auto &[how, from] : {std::pair{&first, int64_t(0)}, {&last, cut->whole - cut->last}}) {
    auto part = loadPart(*how, result.whole, cut->extent, from);
    if (!part)
      return part.error();
    result.parts.push_back(std::move(*part));
  }
  return result;
}

} // namespace sluice::tool
