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

/// "(K+127)/128*32"; nothing: another form.
static std::optional<Extent> parseParts(const std::string &text) {
  const size_t end = text.find(")/");
  if (!text.starts_with("(") || end == std::string::npos)
    return {};
  Extent extent = parseExtent(text.substr(1, end - 1));
  const std::string_view rest = std::string_view(text).substr(end + 2);
  const size_t star = rest.find('*');
  const auto per = parseNumber(rest.substr(0, star));
  const auto times =
      star == rest.npos ? std::optional<int64_t>(1) : parseNumber(rest.substr(star + 1));
  if (!per || !times || *per < 1 || *times < 1 || extent.name.empty())
    return {};
  extent.per = *per;
  extent.times = *times;
  return extent;
}

Extent parseExtent(const std::string &text) {
  if (auto parts = parseParts(text))
    return *parts;
  if (auto number = parseNumber(text))
    return {"", *number};
  const size_t sign = text.find_first_of("+-");
  if (sign != std::string::npos)
    if (auto more = parseNumber(std::string_view(text).substr(sign + 1)); more && *more >= 0)
      return {text.substr(0, sign), text[sign] == '+' ? *more : -*more};
  return {text, 0};
}

std::string textOf(const Extent &extent) {
  if (!extent.tells())
    return "(" + textOf(Extent{extent.name, extent.more}) + ")/" + std::to_string(extent.per) +
           (extent.times > 1 ? "*" + std::to_string(extent.times) : "");
  if (extent.name.empty())
    return std::to_string(extent.more);
  if (extent.more == 0)
    return extent.name;
  return extent.name + (extent.more > 0 ? "+" : "") + std::to_string(extent.more);
}

} // namespace sluice
