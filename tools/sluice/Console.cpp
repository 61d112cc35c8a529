#include "Console.h"

#include "Support/FileOutput.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace sluice::tool {
namespace {

/// One line, whatever a file name or a message holds.
std::string oneLine(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return text;
}

constexpr std::chrono::milliseconds kPatience(2000), kRefresh(100);

} // namespace

std::string ruleOf(const Error &error) {
  const std::string &message = error.message;
  const size_t colon = message.find(": ");
  const std::string rule = message.substr(0, colon == std::string::npos ? 0 : colon);
  const bool numbered = rule.size() > 1 && rule[0] == 'R' &&
                        rule.find_first_not_of("0123456789", 1) == std::string::npos;
  return numbered ? rule : "";
}

int report(const Error &error) {
  std::fprintf(stderr, "error: %s\n", oneLine(placed(error)).c_str());
  if (!ruleOf(error).empty())
    return kExitViolated;
  return error.kind == Error::input ? kExitUsage : kExitUnsupported;
}

void note(const std::string &message) {
  std::fprintf(stderr, "note: %s\n", oneLine(message).c_str());
}

void warn(const std::string &message) {
  std::fprintf(stderr, "warning: %s\n", oneLine(message).c_str());
}

std::string placed(const Error &error) {
  return (error.location.line > 0 ? error.location.str() + ": " : "") + error.message;
}

Result<bool> writeText(const std::string &path, const std::string &text) {
  if (path.empty() || path == "-") {
    bool whole = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (!whole || std::fflush(stdout) != 0)
      return inputError("cannot write to stdout");
    return true;
  }
  auto written = writeFile(path, text);
  if (!written)
    return written.error();
  return true;
}

Progress::Progress(std::string what)
    : what_(std::move(what)), begin_(std::chrono::steady_clock::now()), last_(begin_),
      terminal_(::isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
  if (drawn_)
    std::fputs("\r\x1b[K", stderr);
}

void Progress::show(double fraction) {
  auto now = std::chrono::steady_clock::now();
  if (!terminal_ || now - begin_ < kPatience || (drawn_ && now - last_ < kRefresh))
    return;
  last_ = now;
  drawn_ = true;
  constexpr int width = 40;
  fraction = std::clamp(fraction, 0.0, 1.0);
  int full = static_cast<int>(fraction * width);
  std::string bar = std::string(size_t(full), '#') + std::string(size_t(width - full), ' ');
  std::fprintf(stderr, "\r%s [%s] %3d %%", what_.c_str(), bar.c_str(), int(fraction * 100));
  std::fflush(stderr);
}

} // namespace sluice::tool
