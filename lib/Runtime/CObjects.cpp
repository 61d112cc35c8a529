// sluice_launch_objects of include/sluice/runtime.h: tensors of a language's tensor library.
#include "Runtime/CFailure.h"

#include <optional>

namespace sluice {
namespace {

constexpr int32_t maxTensors = 64; // that sluice_load takes
constexpr int32_t cuda = 2;        // kDLCUDA of dlpack.h

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

/// Tensor `i` of the kernel, or nothing where it is not such a one.
std::optional<DlTensor> read(const sluice_objects_call &call, void *objects, int32_t i,
                             int32_t type) {
  DlTensor t{};
  void *object = call.item(objects, i);
  if (!object || call.read(object, &t) != 0)
    return std::nullopt;
  const DlType wanted = dlTypeOf(type);
  const bool same = t.code == wanted.code && t.bits == wanted.bits && t.lanes == 1;
  if (!same || t.deviceType != cuda || (t.rank > 0 && !t.strides))
    return std::nullopt;
  return t;
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
    const auto t = read(*call, objects, i, info.type);
    if (!t || (i > 0 && t->device != device))
      return SLUICE_UNREAD;
    device = t->device;
    tensors[i] = {static_cast<char *>(t->data) + t->byteOffset, t->extents, t->strides, t->rank,
                  info.type};
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
