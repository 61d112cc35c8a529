#include "kernels/Catalog.h"

#include "Support/Nearest.h"

#include <algorithm>
#include <charconv>

namespace sluice {
namespace {

template <typename T> std::optional<T> parse(const std::string &text) {
  T value = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size())
    return {};
  return value;
}

std::string join(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words)
    text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// What is wrong with a value; empty: nothing.
std::string wrongValue(const Parameter &p, const std::string &value) {
  if (value == "auto" && p.value == "auto") // others without choices: resolve()
    return "";
  std::string start = "parameter " + p.name + "=" + value + ": ";
  if (!p.choices.empty()) {
    if (std::ranges::find(p.choices, value) != p.choices.end())
      return "";
    return start + "it must be one of " + join(p.choices);
  }
  const std::string range = std::to_string(p.low) + " to " + std::to_string(p.high);
  if (p.real) {
    const std::optional<float> number = parse<float>(value);
    const bool inside = number && *number >= float(p.low) && *number <= float(p.high);
    return inside ? "" : start + "it must be a number from " + range;
  }
  const std::optional<int64_t> number = parse<int64_t>(value);
  if (!number)
    return start + "it must be an integer";
  return *number < p.low || *number > p.high ? start + "it must be " + range : "";
}

} // namespace

int64_t Parameters::number(const std::string &name) const {
  return isAuto(name) ? 0 : parse<int64_t>(text(name)).value();
}

float Parameters::real(const std::string &name) const {
  return parse<float>(text(name)).value();
}

int64_t Parameters::value(const Extent &extent) const {
  return extent.at(extent.name.empty() ? 0 : number(extent.name));
}

DType Parameters::dtype(const std::string &name) const {
  return parseDType(text(name)).value();
}

std::string Parameters::str() const {
  std::string out;
  for (const auto &[name, value] : values_)
    if (value != "auto")
      out += (out.empty() ? "" : " ") + name + "=" + value;
  return out;
}

const KernelEntry *findKernel(const std::string &name) {
  auto at = std::ranges::find(catalog(), name, &KernelEntry::name);
  return at == catalog().end() ? nullptr : &*at;
}

std::vector<std::string> kernelNames() {
  std::vector<std::string> names;
  for (const KernelEntry &entry : catalog())
    names.push_back(entry.name);
  return names;
}

Result<Parameters> resolve(const KernelEntry &entry,
                           const std::map<std::string, std::string> &settings) {
  std::map<std::string, std::string> values;
  std::vector<std::string> names;
  for (const Parameter &p : entry.parameters) {
    values[p.name] = p.value;
    names.push_back(p.name);
  }
  for (const auto &[name, value] : settings) {
    auto p = std::ranges::find(entry.parameters, name, &Parameter::name);
    if (p == entry.parameters.end())
      return inputError(unknownName("parameter of " + entry.name, name, names));
    if (value == "auto" && p->choices.empty()) {
      values[name] = p->value;
      continue;
    }
    if (std::string wrong = wrongValue(*p, value); !wrong.empty())
      return inputError(wrong);
    values[name] = value;
  }
  return Parameters(std::move(values));
}

} // namespace sluice
