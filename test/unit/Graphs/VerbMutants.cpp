#include "Graphs/VerbMutants.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <vector>

namespace sluice::test {

namespace {

std::vector<std::string> linesOf(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

bool isVerb(const std::string &line) {
  for (const char *verb : {"sluice.acquire", "sluice.commit", "sluice.wait", "sluice.release"})
    if (line.find(verb) != std::string::npos)
      return true;
  return false;
}

} // namespace

uint64_t given(const char *variable, uint64_t otherwise) {
  const char *text = std::getenv(variable);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

std::string withVerbElsewhere(const std::string &text, std::mt19937_64 &random, std::string &what) {
  auto lines = linesOf(text);
  std::vector<size_t> verbs;
  for (size_t i = 0; i < lines.size(); ++i)
    if (isVerb(lines[i]))
      verbs.push_back(i);
  if (verbs.empty())
    return text;
  const size_t at = verbs[random() % verbs.size()];
  const std::string line = lines[at];
  what = line.substr(line.find_first_not_of(' ')) + " of line " + std::to_string(at + 1);
  const auto place = lines.begin() + std::ptrdiff_t(at);
  switch (random() % 3) {
  case 0:
    lines.erase(place);
    what += " removed";
    break;
  case 1:
    lines.insert(place, line);
    what += " doubled";
    break;
  default: {
    const auto by = std::ptrdiff_t(1 + random() % 4) * (random() % 2 ? 1 : -1);
    lines.erase(place);
    const auto to =
        std::clamp<std::ptrdiff_t>(std::ptrdiff_t(at) + by, 1, std::ptrdiff_t(lines.size()));
    lines.insert(lines.begin() + to, line);
    what += " moved by " + std::to_string(by);
  }
  }
  std::string joined;
  for (const std::string &l : lines)
    joined += l + "\n";
  return joined;
}

} // namespace sluice::test
