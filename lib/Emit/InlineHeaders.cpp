#include "Emit/Standalone.h"
#include "Launch/DeviceHeaders.h"

#include <algorithm>
#include <set>
#include <vector>

namespace sluice {
namespace {

class Inliner {
public:
  std::string text(std::string_view source) {
    std::string result;
    for (size_t at = 0; at < source.size();) {
      const size_t end = std::min(source.find('\n', at), source.size());
      const std::string_view line = source.substr(at, end - at);
      at = end + 1;
      if (isForHost(line))
        continue;
      if (const std::string_view name = included(line); !name.empty())
        result += header(name);
      else if (line != "#pragma once")
        result += std::string(line) + "\n";
    }
    return result;
  }

private:
  /// Lines of host and value mode, whose headers stay outside, and the directives around them.
  bool isForHost(std::string_view line) {
    if (line.starts_with("#if")) {
      const bool host = line == "#ifdef SLUICE_HOST" || line == "#ifdef SLUICE_VALUES";
      const bool device = line == "#ifndef SLUICE_HOST" || line == "#ifndef SLUICE_VALUES";
      conditions_.push_back({host || device, host || skipping()});
      return conditions_.back().ours || skipping();
    }
    if (conditions_.empty() || (line != "#else" && !line.starts_with("#endif")))
      return skipping();
    const Condition inner = conditions_.back();
    conditions_.pop_back();
    const bool around = skipping();
    if (line == "#else")
      conditions_.push_back({inner.ours, inner.ours ? !inner.skips || around : inner.skips});
    return inner.ours || around;
  }
  bool skipping() const { return !conditions_.empty() && conditions_.back().skips; }

  static std::string_view included(std::string_view line) {
    constexpr std::string_view start = "#include <sluice/";
    if (!line.starts_with(start) || !line.ends_with(">"))
      return {};
    return line.substr(start.size() - 7, line.size() - start.size() + 6);
  }
  std::string header(std::string_view name) {
    const DeviceHeader *found = nullptr;
    for (const auto &headers : {deviceHeaders(), hostHeaders(), ascendHeaders()})
      for (const DeviceHeader &h : headers)
        if (h.name == name)
          found = &h;
    if (!found || !seen_.insert(std::string(name)).second)
      return "";
    std::string inner = text(found->text);
    while (inner.starts_with("\n"))
      inner.erase(0, 1);
    return "\n// ---- " + std::string(name) + "\n" + inner;
  }

  struct Condition {
    bool ours, skips;
  };
  std::vector<Condition> conditions_;
  std::set<std::string> seen_;
};

} // namespace

std::string inlineHeaders(const std::string &text) {
  return Inliner().text(text);
}

} // namespace sluice
