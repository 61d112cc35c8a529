// sluice_launch_objects: tensors of a language, read by functions that its tensor library gives.
#include "Launch/Allocations.h"
#include "Launch/Manifests.h"

#include <cstring>
#include <gtest/gtest.h>
#include <string>

namespace sluice::test {
namespace {

using fake_cuda::record;

/// DLTensor of dlpack.h.
struct Object {
  void *data;
  int32_t deviceType = 2, device = 0, rank = 2;
  uint8_t code = 2, bits = 16;
  uint16_t lanes = 1;
  const int64_t *extents, *strides;
  uint64_t byteOffset = 0;
};

std::string kept;
int readers = 0, outside = 0, stream = 0;

extern "C" {
void *item(void *objects, ptrdiff_t i) {
  return static_cast<Object **>(objects)[i];
}
int readObject(void *object, void *tensor) {
  ++readers;
  std::memcpy(tensor, object, sizeof(Object));
  return 0;
}
int readNothing(void *, void *) {
  return -1;
}
int streamOf(int32_t type, int32_t device, void **out) {
  *out = device == 0 ? &stream : nullptr;
  return type == 2 ? 0 : -1;
}
int noStream(int32_t, int32_t, void **) {
  return -1;
}
void *leave() {
  ++outside;
  return &outside;
}
void *keep(const char *text, ptrdiff_t count) {
  kept.assign(text, count);
  return &kept;
}
void enter(void *left) {
  --*static_cast<int *>(left);
}
}

class Objects : public testing::Test {
protected:
  void SetUp() override {
    startDriver();
    for (int i = 0; i < 3; ++i) {
      const sluice_tensor &t = gemm.tensors[i];
      objects[i] = {.data = t.data, .extents = t.extents, .strides = t.strides};
      pointers[i] = &objects[i];
    }
    call.kernel = kernel;
    readers = 0;
  }
  void TearDown() override { sluice_release(kernel); }

  sluice_status launch() { return sluice_launch_objects(&call, pointers); }

  sluice_kernel *kernel = loadGemm();
  Gemm gemm{300, 512, 192};
  Object objects[3];
  Object *pointers[3];
  sluice_objects_call call{nullptr, item, readObject, streamOf, leave, enter, keep};
};

TEST_F(Objects, AreReadAndLaunched) {
  objects[1].byteOffset = 32;
  ASSERT_EQ(launch(), SLUICE_OK) << sluice_error();
  EXPECT_EQ(readers, 3);
  EXPECT_EQ(outside, 0);
  EXPECT_EQ(record().launch.stream, &stream);
  fake_cuda::EncodedMap b;
  std::memcpy(&b, record().launch.parameters + 128, sizeof b);
  EXPECT_EQ(b.address, 0x200020u);
  const int64_t before = allocations();
  ASSERT_EQ(launch(), SLUICE_OK);
  EXPECT_EQ(allocations(), before);
}

TEST_F(Objects, OfOtherTypesAndDevicesAreLeft) {
  const auto leaves = [&](auto change) {
    Object before = objects[1];
    change(objects[1]);
    EXPECT_EQ(launch(), SLUICE_UNREAD);
    objects[1] = before;
  };
  leaves([](Object &o) { o.code = 4; });
  leaves([](Object &o) { o.bits = 32; });
  leaves([](Object &o) { o.lanes = 2; });
  leaves([](Object &o) { o.deviceType = 1; });
  leaves([](Object &o) { o.device = 1; });
  leaves([](Object &o) { o.strides = nullptr; });
  pointers[2] = nullptr;
  EXPECT_EQ(launch(), SLUICE_UNREAD);
  EXPECT_EQ(record().calls.launch, 0);
}

TEST_F(Objects, ThatCannotBeReadAreLeft) {
  call.read = readNothing;
  EXPECT_EQ(launch(), SLUICE_UNREAD);
  call.read = readObject, call.stream = noStream;
  EXPECT_EQ(launch(), SLUICE_UNREAD);
  EXPECT_EQ(record().calls.launch, 0);
}

TEST_F(Objects, WrongShapesAreErrors) {
  objects[1].rank = 1;
  EXPECT_EQ(launch(), SLUICE_FAILED);
  EXPECT_STREQ(sluice_error(), "kernel gemm, tensor B: its rank is 2, not 1");
  EXPECT_EQ(outside, 0);
  call.kernel = nullptr;
  EXPECT_EQ(launch(), SLUICE_FAILED);
  EXPECT_STREQ(sluice_error(), "sluice_launch_objects: kernel is null");
  EXPECT_EQ(sluice_launch_objects(nullptr, pointers), SLUICE_FAILED);
  EXPECT_STREQ(sluice_error(), "sluice_launch_objects: call is null");
}

TEST_F(Objects, OneKeyForOneKernel) {
  const auto key = [&](int32_t count = 3) {
    sluice_objects_key(&call, pointers, count);
    return kept;
  };
  const std::string first = key();
  EXPECT_EQ(first.size(), 3u * 5 * 8);
  EXPECT_NE(key(2), first);
  objects[0].data = static_cast<char *>(objects[0].data) + 4096, objects[0].device = 1;
  EXPECT_EQ(key(), first);
  const auto differs = [&](auto change) {
    Object before = objects[1];
    change(objects[1]);
    EXPECT_NE(key(), first);
    objects[1] = before;
    EXPECT_EQ(key(), first);
  };
  const int64_t other[] = {192, 520};
  differs([](Object &o) { o.code = 4; });
  differs([](Object &o) { o.bits = 8; });
  differs([](Object &o) { o.lanes = 2; });
  differs([](Object &o) { o.byteOffset = 2; });
  differs([&](Object &o) { o.extents = other; });
  differs([&](Object &o) { o.strides = other; });
  differs([](Object &o) { o.rank = 1; });
  objects[1].rank = 40; // more than a key holds
  EXPECT_EQ(key(), "");
  call.read = readNothing;
  EXPECT_EQ(key(1), "");
}

} // namespace
} // namespace sluice::test
