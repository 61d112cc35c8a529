// What libsluice_rt.so says: the call, the kernel and the argument by name.
#include "Launch/Manifests.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace sluice::test {
namespace {

using fake_cuda::record;

class LaunchErrors : public testing::Test {
protected:
  void SetUp() override {
    record() = {};
    fake_cuda::setCurrent(fake_cuda::context(0));
  }
  void TearDown() override { sluice_release(kernel); }
  std::string error(sluice_status status) { return status == SLUICE_OK ? "" : sluice_error(); }
  /// A launch while this call of the driver fails.
  std::string failing(const char *call) {
    sluice_kernel *fresh = loadGemm();
    record().failing = call;
    record().failure = 2;
    const std::string text = error(Gemm(256, 256, 128).launch(fresh, 0));
    record() = {};
    sluice_release(fresh);
    return text;
  }

  sluice_kernel *kernel = loadGemm();
};

TEST_F(LaunchErrors, EveryCallOfTheDriverIsChecked) {
  const std::string why = ": CUDA_ERROR_OUT_OF_MEMORY, out of memory";
  EXPECT_EQ(failing("cuModuleLoadData"), "cuModuleLoadData failed (kernel gemm, device 0)" + why);
  EXPECT_EQ(failing("cuModuleGetFunction"),
            "cuModuleGetFunction failed (kernel gemm, device 0)" + why);
  EXPECT_EQ(failing("cuFuncSetAttribute"),
            "cuFuncSetAttribute failed (kernel gemm, 100000 bytes of shared memory)" + why);
  EXPECT_EQ(failing("cuMemAlloc"), "cuMemAlloc failed (kernel gemm, 256 bytes)" + why);
  EXPECT_EQ(failing("cuMemsetD8"), "cuMemsetD8 failed (kernel gemm, 256 bytes)" + why);
  EXPECT_EQ(failing("cuTensorMapEncodeTiled"),
            "cuTensorMapEncodeTiled failed (kernel gemm, tensor A)" + why);
  EXPECT_EQ(failing("cuLaunchKernelEx"), "cuLaunchKernelEx failed (kernel gemm, device 0)" + why);
  EXPECT_EQ(failing("cuCtxGetCurrent"), "cuCtxGetCurrent failed (kernel gemm, device 0)" + why);
}

TEST_F(LaunchErrors, AMapThatFailedIsNotKept) {
  record().failing = "cuTensorMapEncodeTiled";
  record().failure = 1;
  EXPECT_NE(Gemm(256, 256, 128).launch(kernel, 0), SLUICE_OK);
  record().failing = nullptr;
  EXPECT_EQ(Gemm(256, 256, 128).launch(kernel, 0), SLUICE_OK);
  EXPECT_EQ(record().calls.tensorMapEncode, 3);
}

TEST_F(LaunchErrors, Tensors) {
  Gemm gemm(256, 256, 128);
  gemm.tensors[1].type = SLUICE_BF16;
  EXPECT_EQ(error(gemm.launch(kernel)), "kernel gemm, tensor B: its elements are f16, not bf16");
  gemm.tensors[1].type = 77;
  EXPECT_EQ(error(gemm.launch(kernel)), "kernel gemm, tensor B: there is no sluice_type 77");
  gemm.tensors[1].type = SLUICE_F16;
  gemm.tensors[2].rank = 1;
  EXPECT_EQ(error(gemm.launch(kernel)), "kernel gemm, tensor C: its rank is 2, not 1");
  gemm.tensors[2].rank = 2;
  gemm.tensors[0].data = reinterpret_cast<void *>(0x10002);
  EXPECT_EQ(error(gemm.launch(kernel)),
            "kernel gemm, tensor A: its address is no multiple of 16 bytes");
  gemm.tensors[0].strides = nullptr;
  EXPECT_EQ(error(gemm.launch(kernel)), "kernel gemm, tensor A: its strides are null");
  EXPECT_EQ(error(sluice_launch(kernel, gemm.tensors, 2, nullptr, 0, 0, nullptr)),
            "kernel gemm takes 3 tensors, not 2");
  EXPECT_EQ(error(sluice_launch(kernel, nullptr, 3, nullptr, 0, 0, nullptr)),
            "sluice_launch: tensors is null");
  EXPECT_EQ(error(sluice_launch_call(nullptr)), "sluice_launch_call: call is null");
  const sluice_call two{kernel, gemm.tensors, nullptr, 2, 0, 0, 0, nullptr};
  EXPECT_EQ(error(sluice_launch_call(&two)), "kernel gemm takes 3 tensors, not 2");
  EXPECT_EQ(error(Gemm(256, 256, 127).launch(kernel)),
            "kernel gemm, tensor A: the stride of dimension 0 is 127 elements, and the kernel "
            "assumes multiples of 16 bytes");
  EXPECT_EQ(record().calls.launch, 0);
}

TEST_F(LaunchErrors, ExtentsThatDependOnAName) {
  sluice_kernel *more = loadGemm(R"(["K", "N"])", R"(["K+64", "N"])");
  EXPECT_EQ(error(Gemm(256, 256, 128).launch(more)),
            "kernel gemm, tensor B: dimension 0 is K+64 = 128, but in tensor A K = 128");
  sluice_release(more);
  EXPECT_EQ(record().calls.launch, 0);
}

TEST_F(LaunchErrors, WhatTheAuthorAssumes) {
  sluice_kernel *even = loadGemm("\"proof\"", R"("assumptions": [{"text": "K comes in sixteens",
    "at": "gemm.cpp:15:10", "holds": ["eq", ["rem", ["extent", "A", 1], 16], 0]}], "proof")");
  EXPECT_EQ(error(Gemm(256, 256, 128).launch(even)), "");
  EXPECT_EQ(error(Gemm(256, 256, 120).launch(even)),
            "gemm.cpp:15:10: kernel gemm assumes \"K comes in sixteens\"; this launch has extent 1 "
            "of A = 120");
  EXPECT_EQ(record().calls.launch, 1);
  sluice_release(even);
}

TEST_F(LaunchErrors, MemoryThatIsWritten) {
  Gemm gemm(256, 256, 256);
  gemm.tensors[2].data = gemm.tensors[0].data;
  EXPECT_EQ(error(gemm.launch(kernel)),
            "kernel gemm: C, which it writes, and A share memory; give C memory of its own");
  sluice_kernel *inPlace = loadGemm(R"("output": true)", R"("output": true, "in_place": "A")");
  EXPECT_EQ(error(gemm.launch(inPlace)), "");
  sluice_release(inPlace);
  EXPECT_EQ(record().calls.launch, 1);
}

TEST_F(LaunchErrors, Devices) {
  EXPECT_EQ(error(sluice_prepare(kernel, 7)), "there is no device 7; this machine has 2");
  EXPECT_EQ(error(sluice_prepare(kernel, -7)), "there is no device -7; this machine has 2");
  EXPECT_EQ(error(Gemm(256, 256, 128).launch(kernel, 64)),
            "there is no device 64; this machine has 2");
  record().capability = 80;
  EXPECT_EQ(error(sluice_prepare(kernel, 1)),
            "kernel gemm is for sm_90a, and fake GPU has compute capability 8.0");
  EXPECT_EQ(record().calls.moduleLoad, 0);
}

TEST_F(LaunchErrors, Loading) {
  sluice_kernel *none = nullptr;
  const auto load = [&](const std::string &text, const std::string &cubin) {
    return error(sluice_load_memory(text.c_str(), cubin.data(), cubin.size(), &none));
  };
  EXPECT_EQ(load(gemmManifest(), "other code"),
            "kernel gemm: the cubin is not the one that its manifest was written for; build both "
            "again");
  EXPECT_EQ(load(gemmManifest("\"kernel\"", "\"kernels\""), kCubin),
            "not a usable launch manifest: member 'kernel' must be a text");
  EXPECT_EQ(error(sluice_load("/nowhere/gemm.json", &none)), "cannot read '/nowhere/gemm.json'");
  EXPECT_EQ(error(sluice_load(nullptr, &none)), "sluice_load: manifest_path is null");
  EXPECT_EQ(none, nullptr);
  sluice_tensor_info info;
  EXPECT_EQ(error(sluice_describe(kernel, 3, &info)), "kernel gemm has no tensor 3; it has 3");
}

TEST_F(LaunchErrors, CoverOfTheCInterface) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("sluice-launch-" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::ofstream(folder / "gemm.json") << gemmManifest();
  std::ofstream(folder / "gemm.cubin") << kCubin;
  launch::Status status(SLUICE_OK);
  auto gemm = launch::Kernel::load((folder / "gemm.json").string(), status);
  ASSERT_TRUE(status) << status.message();
  Gemm with(256, 256, 128);
  status = gemm({with.a.tensor(), with.b.tensor(), with.c.tensor()});
  EXPECT_TRUE(status) << status.message();
  EXPECT_EQ(record().calls.launch, 1);
  status = gemm({with.a.tensor()});
  EXPECT_EQ(status.message(), "kernel gemm takes 3 tensors, not 1");
  sluice_tensor_info info{};
  ASSERT_EQ(sluice_describe(gemm.get(), 2, &info), SLUICE_OK);
  EXPECT_EQ(std::string(info.name) + " " + std::to_string(info.type), "C 6");
  EXPECT_TRUE(info.output && !info.input);
  auto none = launch::Kernel::load((folder / "none.json").string(), status);
  EXPECT_FALSE(none);
  EXPECT_NE(status.message().find("none.json"), std::string::npos);
  fs::remove_all(folder);
}

} // namespace
} // namespace sluice::test
