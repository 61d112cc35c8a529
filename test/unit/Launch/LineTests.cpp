// Tensors that are passed as one line of numbers: whatever their rank, if they are dense.
#include "Launch/Manifests.h"
#include "Support/Sha256.h"

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace sluice::test {
namespace {

std::string lineManifest() {
  const std::string tensor = R"("type": "f32", "extents": ["elements"], "contiguous": 0,
     "align": 16, "line": true, )";
  return R"({"sluice_manifest": 1, "kernel": "next", "target": "sm_90a",
  "source": "next.cu", "cubin": "next.cubin", "cubin_sha256": ")" +
         sha256(kCubin) + R"(",
  "block": [160, 1, 1], "shared_bytes": 9000, "cluster": [1, 1, 1], "overlaps_previous": false,
  "grid": [["ceildiv", ["ceildiv", ["extent", "X", 0], 512], 4], 1, 1],
  "tensors": [
    {"name": "X", )" +
         tensor + R"("input": true, "output": false},
    {"name": "Y", )" +
         tensor + R"("input": false, "output": true}],
  "arguments": [], "tensor_maps": [],
  "parameters": [
    {"kind": "pointer", "name": "XGlobal", "of": "X"},
    {"kind": "extent", "name": "XElements", "of": "X", "dim": 0}],
  "proof": {"verdict": "proven", "trip_counts": "all", "assumptions": []}})";
}

class Lines : public testing::Test {
protected:
  void SetUp() override {
    startDriver();
    const size_t bytes[] = {8, 4, 0};
    std::memcpy(fake_cuda::record().parameterBytes, bytes, sizeof bytes);
    const std::string text = lineManifest();
    ASSERT_EQ(sluice_load_memory(text.c_str(), kCubin.data(), kCubin.size(), &kernel_), SLUICE_OK)
        << sluice_error();
  }
  void TearDown() override { sluice_release(kernel_); }

  /// X and Y with these extents and strides; the error, empty: there is none.
  std::string launched(std::vector<int64_t> extents, std::vector<int64_t> strides,
                       std::vector<int64_t> others) {
    const std::vector<int64_t> dense(others.size(), 1);
    const sluice_tensor tensors[] = {{reinterpret_cast<void *>(0x100000), extents.data(),
                                      strides.data(), int32_t(extents.size()), SLUICE_F32},
                                     {reinterpret_cast<void *>(0x90000000), others.data(),
                                      dense.data(), int32_t(others.size()), SLUICE_F32}};
    const auto status = sluice_launch(kernel_, tensors, 2, nullptr, 0, 0, nullptr);
    return status == SLUICE_OK ? "" : sluice_error();
  }
  static int32_t elements() {
    int32_t value;
    std::memcpy(&value, fake_cuda::record().launch.parameters + 8, sizeof value);
    return value;
  }

  sluice_kernel *kernel_ = nullptr;
};

TEST_F(Lines, AreTheElementsOfDenseTensors) {
  EXPECT_EQ(launched({5, 7, 100}, {700, 100, 1}, {3500}), "");
  EXPECT_EQ(elements(), 3500);
  EXPECT_EQ(fake_cuda::record().launch.grid[0], 2u); // 7 lines of 512 are two tiles
  EXPECT_EQ(launched({3500, 1}, {1, 9}, {3500}), "");
  EXPECT_EQ(elements(), 3500);
}

TEST_F(Lines, AreRefusedByName) {
  EXPECT_EQ(launched({5, 700}, {704, 1}, {3500}),
            "kernel next, tensor X: it is passed as one line of numbers, and its elements do not "
            "lie side by side");
  EXPECT_EQ(launched({3500}, {2}, {3500}), "kernel next, tensor X: dimension 0 must be contiguous");
  EXPECT_EQ(launched({70000, 70000}, {70000, 1}, {3500}),
            "kernel next, tensor X: an extent of 4900000000 does not fit printed code, the limit "
            "is 2^31 - 2^20");
  EXPECT_EQ(launched({5, 700}, {700, 1}, {3501}),
            "kernel next, tensor Y: dimension 0 is elements = 3501, but in tensor X elements = "
            "3500");
}

} // namespace
} // namespace sluice::test
