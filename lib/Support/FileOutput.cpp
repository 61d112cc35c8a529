#include "Support/FileOutput.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice {
namespace {

using Pieces = std::vector<std::string_view>;

Error failure(const std::string &path, int code) {
  return inputError("cannot write '" + path + "': " + std::strerror(code));
}

/// 0, or the errno of the first failure.
int writeAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t n = ::write(file, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return n < 0 ? errno : ENOSPC;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return 0;
}

/// Writes and closes; 0 or errno. A full network disk may only tell at the close.
int writeAndClose(int file, const Pieces &pieces) {
  int code = 0;
  for (std::string_view piece : pieces)
    if (code == 0)
      code = writeAll(file, piece);
  if (::close(file) != 0 && code == 0)
    code = errno;
  return code;
}

std::string followLinks(const std::string &path) {
  char *real = ::realpath(path.c_str(), nullptr);
  std::string result = real ? real : path;
  std::free(real);
  return result;
}

/// A short name, so that a target with the longest legal name still has a legal temporary.
std::string temporaryBeside(const std::string &path) {
  static std::atomic<unsigned> counter{0};
  size_t slash = path.rfind('/');
  std::string folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
  return folder + ".sluice-" + std::to_string(::getpid()) + "-" + std::to_string(counter++) +
         ".tmp";
}

int writeAndRename(const std::string &path, const Pieces &pieces, mode_t mode) {
  std::string temporary = temporaryBeside(path);
  int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (file < 0)
    return errno;
  int code = writeAndClose(file, pieces);
  if (code == 0 && ::rename(temporary.c_str(), path.c_str()) != 0)
    code = errno;
  if (code != 0)
    ::unlink(temporary.c_str());
  return code;
}

int writeDirectly(const std::string &path, const Pieces &pieces) {
  int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  return file < 0 ? errno : writeAndClose(file, pieces);
}

int write(const std::string &path, const Pieces &pieces) {
  if (path.empty())
    return ENOENT;
  struct stat status;
  if (::stat(path.c_str(), &status) != 0)
    // A name that ends in a slash means a folder, and there is none.
    return path.back() == '/' ? EISDIR : writeAndRename(followLinks(path), pieces, 0666);
  if (S_ISDIR(status.st_mode))
    return EISDIR;
  if (!S_ISREG(status.st_mode))
    return writeDirectly(path, pieces);
  if (::access(path.c_str(), W_OK) != 0) // rename alone would replace a read-only file
    return errno;
  return writeAndRename(followLinks(path), pieces, status.st_mode & 0777);
}

} // namespace

Result<int64_t> writePieces(const std::string &path, const Pieces &pieces) {
  if (int code = write(path, pieces))
    return failure(path, code);
  int64_t total = 0;
  for (std::string_view piece : pieces)
    total += static_cast<int64_t>(piece.size());
  return total;
}

Result<int64_t> writeFile(const std::string &path, std::string_view bytes) {
  return writePieces(path, {bytes});
}

namespace {

/// A folder in the making: temporaries and new folders go again unless keep() is called.
class Draft {
public:
  ~Draft() {
    for (const std::string &file : temporaries_)
      ::unlink(file.c_str());
    for (auto folder = made_.rbegin(); folder != made_.rend(); ++folder)
      ::rmdir(folder->c_str());
  }
  /// 0 or errno.
  int makeFolder(const std::string &path) {
    struct stat status;
    if (path.empty())
      return 0;
    if (::stat(path.c_str(), &status) == 0)
      return S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
    if (const size_t slash = path.find_last_not_of('/'); slash != std::string::npos)
      if (const size_t up = path.rfind('/', slash); up != std::string::npos && up > 0)
        if (int code = makeFolder(path.substr(0, up)))
          return code;
    if (::mkdir(path.c_str(), 0777) != 0)
      return errno;
    made_.push_back(path);
    return 0;
  }
  int write(const std::string &path, std::string_view bytes) {
    struct stat status;
    const bool exists = ::stat(path.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode))
      return EISDIR;
    if (exists && ::access(path.c_str(), W_OK) != 0)
      return errno;
    const std::string temporary = temporaryBeside(path);
    const mode_t mode = exists ? status.st_mode & 0777 : 0666;
    const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file < 0)
      return errno;
    temporaries_.push_back(temporary);
    targets_.push_back(followLinks(path));
    return writeAndClose(file, {bytes});
  }
  int keep() {
    for (size_t i = 0; i < temporaries_.size(); ++i)
      if (::rename(temporaries_[i].c_str(), targets_[i].c_str()) != 0)
        return errno;
    temporaries_.clear();
    made_.clear();
    return 0;
  }

private:
  std::vector<std::string> made_, temporaries_, targets_;
};

} // namespace

Result<int64_t> writeFolder(const std::string &folder, const std::vector<OutputFile> &files) {
  Draft draft;
  int64_t total = 0;
  for (const OutputFile &file : files) {
    const std::string path = folder + "/" + file.path;
    int code = draft.makeFolder(path.substr(0, path.rfind('/')));
    if (code == 0)
      code = draft.write(path, file.bytes);
    if (code != 0)
      return failure(path, code);
    total += static_cast<int64_t>(file.bytes.size());
  }
  if (int code = draft.keep())
    return failure(folder, code);
  return total;
}

} // namespace sluice
