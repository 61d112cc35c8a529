// The rules of docs/semantics.md, for `sluice explain`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sluice {

struct Rule {
  std::string label, title, statement, why, source;
};

/// All of them, R1 first.
const std::vector<Rule> &rules();
/// nullptr when there is none of that label.
const Rule *findRule(std::string_view label);
/// What `sluice explain R7` prints.
std::string explain(const Rule &rule);

} // namespace sluice
