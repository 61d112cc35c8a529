#include "Support/Command.h"

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

namespace sluice {

namespace fs = std::filesystem;

Result<WorkFolder> WorkFolder::make() {
  std::error_code error;
  std::string path = (fs::temp_directory_path(error) / "sluice-XXXXXX").string();
  if (error || !::mkdtemp(path.data()))
    return inputError("cannot make a folder for a compiler: " + std::string(std::strerror(errno)));
  return WorkFolder(path);
}

WorkFolder::~WorkFolder() {
  std::error_code ignored;
  if (!path_.empty())
    fs::remove_all(path_, ignored);
}

std::string contentsOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

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

std::string findProgram(const std::vector<std::string> &names) {
  for (const std::string &name : names) {
    if (name.find('/') != std::string::npos && ::access(name.c_str(), X_OK) == 0)
      return name;
    std::stringstream path(std::getenv("PATH") ? std::getenv("PATH") : "");
    for (std::string folder; std::getline(path, folder, ':');)
      if (const std::string place = folder + "/" + name;
          !name.empty() && ::access(place.c_str(), X_OK) == 0)
        return place;
  }
  return "";
}

} // namespace sluice
