// The launch manifest: a JSON file beside a cubin that says all a launcher needs. Its format is in
// docs/manifest.md.
#pragma once

#include "Launch/LaunchPlan.h"
#include "Support/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sluice {

/// What was proven of the kernel when it was built.
struct ProofRecord {
  std::string verdict; // "proven", "violated", "unsupported"
  std::string tripCounts;
  std::vector<std::string> assumptions;
};

struct Manifest {
  static constexpr int64_t version = 1; // of the format

  LaunchPlan plan;
  std::string source, cubin; // file names in the manifest's folder
  std::string cubinSha256;
  ProofRecord proof;
};

std::string manifestText(const Manifest &manifest);

/// The error names the member that is missing or wrong.
Result<Manifest> readManifest(std::string_view text);

} // namespace sluice
