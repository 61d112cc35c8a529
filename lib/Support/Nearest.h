// "did you mean": the known name nearest to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sluice {

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`; case is
/// ignored.
int editDistance(std::string_view a, std::string_view b);

/// The nearest of `names`, or "" when none is near enough to be meant: a third of the
/// letters, or two of them.
std::string nearestName(std::string_view word, const std::vector<std::string> &names);

/// "unknown <kind> 'word'; did you mean 'x'?" or, with nothing near, "unknown <kind> 'word'; known:
/// a, b".
std::string unknownName(std::string_view kind, std::string_view word,
                        const std::vector<std::string> &names);

} // namespace sluice
