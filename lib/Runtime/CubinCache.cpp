#include "Runtime/CubinCache.h"

#include "Support/FileOutput.h"
#include "Support/Sha256.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace sluice {

CubinCache CubinCache::standard() {
  if (const char *named = std::getenv("SLUICE_CACHE_DIR"))
    return CubinCache(named);
  if (const char *caches = std::getenv("XDG_CACHE_HOME"); caches && *caches)
    return CubinCache(std::string(caches) + "/sluice");
  if (const char *home = std::getenv("HOME"); home && *home)
    return CubinCache(std::string(home) + "/.cache/sluice");
  return CubinCache("");
}

/// A file is the hash of the code in hexadecimal, a line break and the code.
std::optional<std::string> CubinCache::find(const std::string &key) const {
  if (folder_.empty())
    return std::nullopt;
  std::ifstream file(path(key), std::ios::binary);
  std::string hash;
  if (!std::getline(file, hash))
    return std::nullopt;
  std::string cubin((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (cubin.empty() || sha256(cubin) != hash)
    return std::nullopt;
  return cubin;
}

void CubinCache::store(const std::string &key, const std::string &cubin) const {
  if (folder_.empty())
    return;
  std::error_code ignored;
  std::filesystem::create_directories(folder_, ignored);
  static_cast<void>(writePieces(path(key), {sha256(cubin), "\n", cubin}));
}

} // namespace sluice
