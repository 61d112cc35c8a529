#include "Trace/Format.h"

#include "Support/Json.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace sluice::trace {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD"; // U+FFFD

std::string grouped(std::string digits) {
  const size_t first = digits.starts_with('-') ? 1 : 0;
  for (size_t at = digits.size(); at > first + 3;)
    digits.insert(at -= 3, ",");
  return digits;
}

/// Visits every character; malformed bytes and what XML 1.0 forbids arrive as U+FFFD.
template <typename Visit> void eachCharacter(std::string_view text, Visit visit) {
  for (size_t i = 0; i < text.size();) {
    const size_t bytes = utf8Length(text, i);
    const std::string_view c = text.substr(i, bytes == 0 ? 1 : bytes);
    const bool control = c.size() == 1 && static_cast<unsigned char>(c[0]) < 0x20 && c != "\t" &&
                         c != "\n" && c != "\r";
    const bool forbidden = c == "\xEF\xBF\xBE" || c == "\xEF\xBF\xBF"; // U+FFFE, U+FFFF
    visit(bytes == 0 || control || forbidden ? kReplacement : c);
    i += c.size();
  }
}

} // namespace

std::string fixed(double number, int decimals) {
  if (!std::isfinite(number))
    return "-";
  char text[400];
  const auto end =
      std::to_chars(text, text + sizeof text, number, std::chars_format::fixed, decimals).ptr;
  std::string result(text, end);
  const bool zero = result.find_first_of("123456789") == std::string::npos;
  return zero && result[0] == '-' ? result.substr(1) : result;
}

std::string decimal(double number, int decimals) {
  std::string result = fixed(number, decimals);
  if (result.find('.') != std::string::npos) {
    result.erase(result.find_last_not_of('0') + 1);
    if (result.ends_with('.'))
      result.pop_back();
  }
  return result;
}

std::string cyclesText(double cycles) {
  if (!std::isfinite(cycles))
    return "-";
  const bool large = std::abs(cycles) >= 100;
  return large ? grouped(decimal(cycles, 0)) : decimal(cycles, 1);
}

std::string timeText(double cycles, double clockGhz) {
  const double us = cycles / (clockGhz * 1000);
  if (!std::isfinite(us))
    return "-";
  if (us >= 1000)
    return decimal(us / 1000, us >= 100000 ? 1 : 2) + " ms";
  return decimal(us, us >= 100 ? 0 : us >= 10 ? 1 : us >= 1 ? 2 : 3) + " us";
}

std::string percentText(double fraction) {
  const bool small = std::abs(fraction) < 0.0995;
  return decimal(fraction * 100, small ? 1 : 0) + " %";
}

std::string xmlEscaped(std::string_view text) {
  std::string out;
  eachCharacter(text, [&](std::string_view c) {
    if (c == "&")
      out += "&amp;";
    else if (c == "<")
      out += "&lt;";
    else if (c == ">")
      out += "&gt;";
    else if (c == "\"")
      out += "&quot;";
    else if (c == "\n") // survives inside attributes only as a reference
      out += "&#10;";
    else
      out += c;
  });
  return out;
}

std::string oneLine(std::string_view text) {
  std::string out;
  eachCharacter(text, [&](std::string_view c) {
    out += c == "\n" || c == "\r" || c == "\t" || c == "\x7f" ? " " : c;
  });
  return out;
}

size_t length(std::string_view utf8) {
  size_t count = 0;
  eachCharacter(utf8, [&](std::string_view) { ++count; });
  return count;
}

std::string shortened(std::string_view utf8, size_t characters) {
  if (length(utf8) <= characters)
    return std::string(utf8);
  std::string out;
  size_t count = 0;
  eachCharacter(utf8, [&](std::string_view c) {
    if (++count < characters)
      out += c;
  });
  return characters == 0 ? "" : out + "\xE2\x80\xA6"; // U+2026
}

std::vector<std::string> wrapped(std::string_view utf8, size_t characters) {
  std::vector<std::string> lines(1);
  for (size_t begin = 0; begin < utf8.size();) {
    const size_t end = std::min(utf8.find(' ', begin), utf8.size());
    const std::string_view word = utf8.substr(begin, end - begin);
    if (!lines.back().empty() && length(lines.back()) + 1 + length(word) > characters)
      lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + std::string(word);
    begin = end + 1;
  }
  return lines;
}

std::string padded(std::string_view utf8, size_t characters) {
  std::string out(utf8);
  const size_t have = length(utf8);
  return have < characters ? out + std::string(characters - have, ' ') : out;
}

} // namespace sluice::trace
