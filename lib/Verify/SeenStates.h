// Normal forms that an exploration has met.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <unordered_set>
#include <utility>

namespace sluice {

/// Whole texts while they are small in all; then, of all, fingerprints of 128 bits (XXH3): among n
/// states two different ones have the same with a probability of about n^2 / 2^129.
class SeenStates {
public:
  explicit SeenStates(int64_t bytesOfTexts) : bytesLeft_(bytesOfTexts) {}

  /// False: it has been met.
  bool insert(std::string normalForm);
  int64_t size() const { return static_cast<int64_t>(texts_.size() + fingerprints_.size()); }
  bool byFingerprint() const { return bytesLeft_ < 0; }
  void clear();

private:
  int64_t bytesLeft_;
  std::unordered_set<std::string> texts_;
  std::set<std::pair<uint64_t, uint64_t>> fingerprints_;
};

} // namespace sluice
