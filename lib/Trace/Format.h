// Numbers and texts for people: the same on every machine and in every locale.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sluice::trace {

/// `decimals` digits after the point, trailing zeros dropped: 2.50 -> "2.5", 3.00 -> "3".
std::string decimal(double number, int decimals);
/// The same with all digits.
std::string fixed(double number, int decimals);
/// Whole from 100 on, else one decimal; thousands grouped: "18,432", "12.5". Not finite: "-".
std::string cyclesText(double cycles);
/// "0.42 us" / "12.3 us" / "1.2 ms" of that many cycles.
std::string timeText(double cycles, double clockGhz);
/// 0.934 -> "93 %".
std::string percentText(double fraction);

/// Safe as XML text and as an attribute: markup escaped, characters XML forbids become U+FFFD.
std::string xmlEscaped(std::string_view text);
/// One line of it: control characters become spaces.
std::string oneLine(std::string_view text);
/// Characters, not bytes.
size_t length(std::string_view utf8);
/// At most `characters`, the last one an ellipsis where something was dropped.
std::string shortened(std::string_view utf8, size_t characters);
/// Words in lines of at most so many characters; one that is longer has a line of its own.
std::vector<std::string> wrapped(std::string_view utf8, size_t characters);
/// `text` and spaces up to `characters`.
std::string padded(std::string_view utf8, size_t characters);

} // namespace sluice::trace
