#include "Machine/FileOutput.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <optional>
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

int writeNew(const std::string &path, const Pieces &pieces, mode_t mode) {
  int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  return file < 0 ? errno : writeAndClose(file, pieces);
}

int writeAndRename(const std::string &path, const Pieces &pieces, mode_t mode) {
  std::string temporary = temporaryBeside(path);
  int code = writeNew(temporary, pieces, mode);
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

Result<int64_t> writeFiles(const std::vector<OutputFile> &files) {
  std::vector<std::string> temporaries;
  std::optional<Error> failed;
  int64_t total = 0;
  for (const OutputFile &file : files) {
    temporaries.push_back(temporaryBeside(file.path));
    struct stat status;
    int code = ::stat(file.path.c_str(), &status) == 0 && S_ISDIR(status.st_mode) ? EISDIR : 0;
    if (!code)
      code = writeNew(temporaries.back(), {file.bytes}, 0666);
    if (code) {
      failed = failure(file.path, code);
      break;
    }
    total += static_cast<int64_t>(file.bytes.size());
  }
  for (size_t i = 0; i < temporaries.size(); ++i)
    if (!failed && ::rename(temporaries[i].c_str(), files[i].path.c_str()) != 0)
      failed = failure(files[i].path, errno);
  for (const std::string &temporary : temporaries)
    if (failed)
      ::unlink(temporary.c_str());
  return failed ? Result<int64_t>(*failed) : total;
}

} // namespace sluice
