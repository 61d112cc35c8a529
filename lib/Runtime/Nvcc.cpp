#include "Runtime/Nvcc.h"

#include "Launch/DeviceHeaders.h"
#include "Support/FileOutput.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace sluice {
namespace {

namespace fs = std::filesystem;

/// A folder of our own, gone at the end of life.
class WorkFolder {
public:
  static Result<WorkFolder> make() {
    std::error_code error;
    std::string path = (fs::temp_directory_path(error) / "sluice-XXXXXX").string();
    if (error || !::mkdtemp(path.data()))
      return inputError("cannot make a folder for nvcc: " + std::string(std::strerror(errno)));
    return WorkFolder(path);
  }
  WorkFolder(WorkFolder &&o) noexcept : path_(std::exchange(o.path_, "")) {}
  WorkFolder &operator=(WorkFolder &&) = delete;
  ~WorkFolder() {
    std::error_code ignored;
    if (!path_.empty())
      fs::remove_all(path_, ignored);
  }
  const std::string &path() const { return path_; }

private:
  explicit WorkFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

std::string contents(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Runs a program with its output in `log`; what went wrong, or "".
std::string runProgram(const std::vector<std::string> &words, const std::string &log) {
  std::vector<char *> arguments;
  for (const std::string &word : words)
    arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int failed =
      ::posix_spawn(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed)
    return std::strerror(failed);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      return std::strerror(errno);
  if (WIFEXITED(status))
    return WEXITSTATUS(status) ? "exit " + std::to_string(WEXITSTATUS(status)) : "";
  return "signal " + std::to_string(WTERMSIG(status));
}

} // namespace

std::optional<std::string> findNvcc() {
  std::vector<std::string> places;
  if (const char *named = std::getenv("NVCC"); named && *named)
    return named;
  std::stringstream path(std::getenv("PATH") ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(path, folder, ':');)
    places.push_back(folder + "/nvcc");
  places.push_back("/usr/local/cuda/bin/nvcc");
  for (const std::string &place : places)
    if (::access(place.c_str(), X_OK) == 0)
      return place;
  return std::nullopt;
}

Result<std::string> compileByNvcc(const std::string &nvcc, const std::string &text,
                                  const std::string &kernel) {
  auto folder = WorkFolder::make();
  if (!folder)
    return folder.error();
  const std::string start = folder->path() + "/" + kernel;
  if (auto written = writeDeviceHeaders(folder->path()); !written)
    return written.error();
  if (auto written = writeFile(start + ".cu", text); !written)
    return written.error();
  const std::string failed =
      runProgram({nvcc, "-std=c++17", "-gencode=arch=compute_90a,code=sm_90a", "-cubin", "-I",
                  folder->path(), "-o", start + ".cubin", start + ".cu"},
                 start + ".log");
  std::string cubin = contents(start + ".cubin");
  if (failed.empty() && !cubin.empty())
    return cubin;
  const std::string log = contents(start + ".log");
  return inputError(nvcc + " failed (kernel " + kernel +
                    "): " + (failed.empty() ? "it wrote no cubin" : failed) +
                    (log.empty() ? "" : "\n" + log));
}

} // namespace sluice
