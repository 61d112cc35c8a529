#include "Launch/Manifests.h"

#include "Support/Sha256.h"

#include <cstring>
#include <gtest/gtest.h>

namespace sluice::test {

std::string gemmManifest(const std::string &from, const std::string &to) {
  const std::string map = R"("dims": [1, 0], "box": [64, 128], "swizzle": 128, "promotion": 256,
    "promotion_otherwise": 128, "fill": "zero"})";
  std::string text = R"({"sluice_manifest": 1, "kernel": "gemm", "target": "sm_90a",
  "source": "gemm.cu", "cubin": "gemm.cubin", "cubin_sha256": ")" +
                     sha256(kCubin) + R"(",
  "block": [288, 1, 1], "shared_bytes": 100000, "cluster": [1, 1, 1], "overlaps_previous": false,
  "grid": [["ceildiv", ["extent", "C", 0], 128], ["ceildiv", ["extent", "C", 1], 128], 1],
  "tensors": [
    {"name": "A", "type": "f16", "extents": ["M", "K"], "contiguous": 1, "align": 16,
     "input": true, "output": false},
    {"name": "B", "type": "f16", "extents": ["K", "N"], "contiguous": 1, "align": 16,
     "input": true, "output": false},
    {"name": "C", "type": "f16", "extents": ["M", "N"], "contiguous": 1, "align": 16,
     "input": false, "output": true}],
  "arguments": [],
  "tensor_maps": [{"tensor": "A", )" +
                     map + R"(, {"tensor": "B", )" + map + R"(],
  "parameters": [
    {"kind": "tensor_map", "name": "AMap", "of": "A", "map": 0},
    {"kind": "tensor_map", "name": "BMap", "of": "B", "map": 1},
    {"kind": "extent", "name": "M", "of": "A", "dim": 0},
    {"kind": "pointer", "name": "C", "of": "C"},
    {"kind": "stride", "name": "CStride0", "of": "C", "dim": 0}],
  "proof": {"verdict": "proven", "trip_counts": "all", "assumptions": []}})";
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

void startDriver() {
  fake_cuda::record() = {};
  const size_t bytes[] = {128, 128, 4, 8, 8};
  std::memcpy(fake_cuda::record().parameterBytes, bytes, sizeof bytes);
  fake_cuda::setCurrent(fake_cuda::context(0));
}

sluice_kernel *loadGemm(const std::string &from, const std::string &to) {
  sluice_kernel *kernel = nullptr;
  const auto status =
      sluice_load_memory(gemmManifest(from, to).c_str(), kCubin.data(), kCubin.size(), &kernel);
  EXPECT_EQ(status, SLUICE_OK) << sluice_error();
  return kernel;
}

} // namespace sluice::test
