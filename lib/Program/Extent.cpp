#include "Program/Extent.h"

#include <charconv>
#include <optional>
#include <string_view>

namespace sluice {

static std::optional<int64_t> parseNumber(std::string_view text) {
  int64_t value = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || end != text.data() + text.size())
    return {};
  return value;
}

Extent parseExtent(const std::string &text) {
  if (auto number = parseNumber(text))
    return {"", *number};
  const size_t sign = text.find_first_of("+-");
  if (sign != std::string::npos)
    if (auto more = parseNumber(std::string_view(text).substr(sign + 1)); more && *more >= 0)
      return {text.substr(0, sign), text[sign] == '+' ? *more : -*more};
  return {text, 0};
}

std::string textOf(const Extent &extent) {
  if (extent.name.empty())
    return std::to_string(extent.more);
  if (extent.more == 0)
    return extent.name;
  return extent.name + (extent.more > 0 ? "+" : "") + std::to_string(extent.more);
}

} // namespace sluice
