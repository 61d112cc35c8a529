// What goes to the terminal beside results: the one error line, notes, and a progress bar.
#pragma once

#include "Support/Result.h"

#include <chrono>
#include <string>

namespace sluice::tool {

/// Exit codes of the contract.
constexpr int kExitGood = 0, kExitViolated = 1, kExitUsage = 2, kExitUnsupported = 3;

/// The rule that a refusal names in front of its message, "R16"; empty: none.
std::string ruleOf(const Error &error);

/// Prints "error: [file:line:col: ]message" and returns the exit code of its kind; where it names a
/// rule, that of a violation.
int report(const Error &error);
void note(const std::string &message);
void warn(const std::string &message);

/// "[file:line:col: ]message"
std::string placed(const Error &error);

/// Writes to a file; to stdout when `path` is empty or "-".
Result<bool> writeText(const std::string &path, const std::string &text);

/// A bar on stderr, once something has taken over two seconds, if that is a terminal.
class Progress {
public:
  explicit Progress(std::string what);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;
  void show(double fraction);

private:
  std::string what_;
  std::chrono::steady_clock::time_point begin_, last_;
  bool terminal_, drawn_ = false;
};

} // namespace sluice::tool
