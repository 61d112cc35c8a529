// Tensors in NumPy's .npy files, versions 1.0 to 3.0 (NumPy Enhancement Proposal 1).
//
// NumPy has no bfloat16 and no 8-bit floats: bf16 is read from '<u2' or '|V2' (what ml_dtypes
// saves) and written as '<u2'; e4m3 and e5m2 are read from '|u1' or '|V1' and written as '|u1'.
#pragma once

#include "Support/HostTensor.h"
#include "Support/Result.h"

#include <optional>
#include <string>
#include <string_view>

namespace sluice {

/// What the first bytes of a file promise; already held against the size of the file.
struct NpyHeader {
  DType type = DType::f32;
  std::vector<int64_t> extents;
  bool fortranOrder = false;
  int64_t dataOffset = 0, dataBytes = 0;
};

/// Longest start of a file that can matter to parseNpyHeader.
constexpr int64_t kNpyHeaderLimit = 1 << 16;

/// `start`: the first min(fileBytes, kNpyHeaderLimit) bytes. `expected` settles which of two types
/// that share a NumPy name is meant; a file of any other type is an error.
Result<NpyHeader> parseNpyHeader(std::string_view start, int64_t fileBytes,
                                 std::optional<DType> expected = {});

/// Memory is allocated only after the header has been compared with the size of the file.
Result<HostTensor> readNpy(const std::string &path, std::optional<DType> expected = {});

/// Returns the number of bytes written. Tensors that are dense in neither order are packed.
Result<int64_t> writeNpy(const std::string &path, const HostTensor &tensor);

} // namespace sluice
