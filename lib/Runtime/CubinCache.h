// Machine code on disk, named by what it was compiled from. Any number of processes share a folder:
// a file appears whole or not at all, and one that was damaged is not believed.
#pragma once

#include <optional>
#include <string>

namespace sluice {

class CubinCache {
public:
  /// "": keeps nothing.
  explicit CubinCache(std::string folder) : folder_(std::move(folder)) {}
  /// $SLUICE_CACHE_DIR (set and empty: none), else $XDG_CACHE_HOME/sluice, else ~/.cache/sluice.
  static CubinCache standard();

  const std::string &folder() const { return folder_; }
  std::optional<std::string> find(const std::string &key) const;
  /// A full disk or a folder that cannot be written is no error: the next process compiles again.
  void store(const std::string &key, const std::string &cubin) const;

private:
  std::string path(const std::string &key) const { return folder_ + "/" + key + ".cubin"; }

  std::string folder_;
};

} // namespace sluice
