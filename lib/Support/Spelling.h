// Enumerations as words.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace sluice {

/// The enumerator of a word; `names` has one spelling each, in the order of the enumeration.
template <typename E, size_t N>
std::optional<E> parseSpelling(const std::array<std::string_view, N> &names,
                               std::string_view text) {
  for (size_t i = 0; i < N; ++i)
    if (names[i] == text)
      return static_cast<E>(i);
  return std::nullopt;
}

} // namespace sluice
