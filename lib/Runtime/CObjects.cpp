// sluice_launch_objects and sluice_objects_key of include/sluice/runtime.h: tensors of a language's
// tensor library.
#include "Runtime/CFailure.h"

#include <cstring>
#include <iterator>
#include <optional>

namespace sluice {
namespace {

constexpr int32_t cuda = 2; // kDLCUDA of dlpack.h

/// DLTensor of dlpack.h, version 1.
struct DlTensor {
  void *data;
  int32_t deviceType, device, rank;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *extents, *strides; // elements
  uint64_t byteOffset;
};

struct DlType {
  uint8_t code, bits; // DLDataTypeCode, and of one element
};

DlType dlTypeOf(int32_t type) {
  switch (type) {
  case SLUICE_S8:
    return {0, 8};
  case SLUICE_I32:
    return {0, 32};
  case SLUICE_E4M3:
    return {10, 8};
  case SLUICE_E5M2:
    return {12, 8};
  case SLUICE_F16:
    return {2, 16};
  case SLUICE_BF16:
    return {4, 16};
  default: // f32, and tf32: the product cuts it
    return {2, 32};
  }
}

std::optional<DlTensor> read(const sluice_objects_call &call, void *objects, int32_t i) {
  DlTensor t{};
  void *object = call.item(objects, i);
  if (!object || call.read(object, &t) != 0 || (t.rank > 0 && !t.strides))
    return std::nullopt;
  t.data = static_cast<char *>(t.data) + t.byteOffset;
  return t;
}

bool isOfType(const DlTensor &t, int32_t type) {
  const DlType wanted = dlTypeOf(type);
  return t.code == wanted.code && t.bits == wanted.bits && t.lanes == 1;
}

/// 8-byte words: type, rank and place in 16 bytes, then extents and strides.
size_t writeKey(const DlTensor &t, int64_t *words) {
  const int64_t place = reinterpret_cast<uintptr_t>(t.data) % 16;
  words[0] = t.code | t.bits << 8 | int64_t(t.lanes) << 16 | int64_t(t.rank) << 32 | place << 40;
  std::memcpy(words + 1, t.extents, sizeof(int64_t) * t.rank);
  std::memcpy(words + 1 + t.rank, t.strides, sizeof(int64_t) * t.rank);
  return 1 + 2 * t.rank;
}

} // namespace
} // namespace sluice

using namespace sluice;

sluice_status sluice_launch_objects(const sluice_objects_call *call, void *objects) {
  if (!call || !call->kernel)
    return failNull("sluice_launch_objects", call ? "kernel" : "call");
  const int32_t count = sluice_tensor_count(call->kernel);
  sluice_tensor tensors[maxTensors];
  int32_t device = 0;
  for (int32_t i = 0; i < count; ++i) {
    sluice_tensor_info info;
    if (sluice_status failed = sluice_describe(call->kernel, i, &info))
      return failed;
    const auto t = read(*call, objects, i);
    if (!t || !isOfType(*t, info.type) || t->deviceType != cuda || (i > 0 && t->device != device))
      return SLUICE_UNREAD;
    device = t->device;
    tensors[i] = {t->data, t->extents, t->strides, t->rank, info.type};
  }
  void *stream = nullptr;
  if (call->stream(cuda, device, &stream) != 0)
    return SLUICE_UNREAD;
  void *left = call->leave(); // a launch may wait for room in the driver's queue
  const sluice_status status =
      sluice_launch(call->kernel, tensors, count, nullptr, 0, device, stream);
  call->enter(left);
  return status;
}

void *sluice_objects_key(const sluice_objects_call *call, void *objects, int32_t count) {
  int64_t words[maxTensors];
  size_t used = 0;
  for (int32_t i = 0; i < count; ++i) {
    const auto t = read(*call, objects, i);
    if (!t || used + 1 + 2 * t->rank > std::size(words))
      return call->bytes("", 0);
    used += writeKey(*t, words + used);
  }
  return call->bytes(reinterpret_cast<const char *>(words), ptrdiff_t(used * sizeof(int64_t)));
}
