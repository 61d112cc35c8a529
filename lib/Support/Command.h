// Other programs that a run needs, such as compilers: a folder for their files, and how they end.
#pragma once

#include "Support/Result.h"

#include <string>
#include <utility>
#include <vector>

namespace sluice {

/// A folder of our own, gone at the end of life.
class WorkFolder {
public:
  static Result<WorkFolder> make();
  WorkFolder(WorkFolder &&o) noexcept : path_(std::exchange(o.path_, "")) {}
  WorkFolder &operator=(WorkFolder &&) = delete;
  ~WorkFolder();
  const std::string &path() const { return path_; }

private:
  explicit WorkFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

/// All bytes of a file; empty where there is none.
std::string contentsOf(const std::string &path);

/// Runs a program with its output in `log`; what went wrong, or "".
std::string runProgram(const std::vector<std::string> &words, const std::string &log);

/// The first of some programs that is there: by its path, or by its name in a folder of $PATH; "":
/// none.
std::string findProgram(const std::vector<std::string> &names);

} // namespace sluice
