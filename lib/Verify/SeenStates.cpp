#include "Verify/SeenStates.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace sluice {

static std::pair<uint64_t, uint64_t> fingerprint(const std::string &text) {
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return {hash.high64, hash.low64};
}

bool SeenStates::insert(std::string normalForm) {
  if (byFingerprint())
    return fingerprints_.insert(fingerprint(normalForm)).second;
  const int64_t bytes = static_cast<int64_t>(normalForm.size());
  if (!texts_.insert(std::move(normalForm)).second)
    return false;
  bytesLeft_ -= bytes;
  if (byFingerprint()) {
    for (const std::string &text : texts_)
      fingerprints_.insert(fingerprint(text));
    texts_.clear();
  }
  return true;
}

void SeenStates::clear() {
  for (const std::string &text : texts_)
    bytesLeft_ += static_cast<int64_t>(text.size());
  texts_.clear();
  fingerprints_.clear();
}

} // namespace sluice
