#include "Support/Nearest.h"

#include <algorithm>
#include <cctype>

namespace sluice {
namespace {

constexpr size_t kLongest = 64; // longer words are nobody's typing error

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

} // namespace

int editDistance(std::string_view a, std::string_view b) {
  std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i)
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = static_cast<int>(i + j);
        continue;
      }
      int same = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + same});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
          lower(a[i - 2]) == lower(b[j - 1]))
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

std::string nearestName(std::string_view word, const std::vector<std::string> &names) {
  if (word.size() > kLongest)
    return "";
  const std::string *best = nullptr;
  int least = std::max(word.size() < 4 ? 1 : 2, static_cast<int>(word.size()) / 3) + 1;
  for (const std::string &name : names)
    if (int distance = editDistance(word, name); distance < least) {
      least = distance;
      best = &name;
    }
  return best ? *best : "";
}

std::string unknownName(std::string_view kind, std::string_view word,
                        const std::vector<std::string> &names) {
  std::string text = "unknown " + std::string(kind) + " '" + std::string(word) + "'";
  if (std::string near = nearestName(word, names); !near.empty())
    return text + "; did you mean '" + near + "'?";
  if (names.empty())
    return text;
  text += "; known: ";
  for (size_t i = 0; i < names.size(); ++i)
    text += (i ? ", " : "") + names[i];
  return text;
}

} // namespace sluice
