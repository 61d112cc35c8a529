// Output files: whole or not at all.
#pragma once

#include "Support/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace sluice {

/// Writes `bytes` (text or binary) to `path` and returns their number. The bytes go to a temporary
/// in the same folder that replaces `path` at the end, so a failure leaves what was there before
/// and no partial file. A symbolic link is followed. Devices and pipes ("/dev/stdout") are written
/// directly.
Result<int64_t> writeFile(const std::string &path, std::string_view bytes);

/// The same for a file that comes in several pieces, one after the other (a header, then its data).
Result<int64_t> writePieces(const std::string &path, const std::vector<std::string_view> &pieces);

struct OutputFile {
  std::string path; // inside the folder: "gemm.cu", "sluice/base.cuh"
  std::string bytes;
};
/// Several files of one folder, all of them or none: every byte is on the disk before the first
/// file changes. Folders that are missing are made, and taken away again after a failure.
Result<int64_t> writeFolder(const std::string &folder, const std::vector<OutputFile> &files);

} // namespace sluice
