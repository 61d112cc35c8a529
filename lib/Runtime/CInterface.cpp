// The functions of include/sluice/runtime.h for kernels.
#include "sluice/runtime.h"

#include "Runtime/CFailure.h"
#include "Runtime/Compile.h"
#include "Runtime/Context.h"
#include "Runtime/KernelFile.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace sluice;

struct sluice_kernel {
  DeviceKernel kernel;
};

namespace {

thread_local std::string lastError;

sluice_status keep(Result<DeviceKernel> loaded, sluice_kernel **kernel) {
  if (!loaded)
    return fail(loaded.error());
  const size_t tensors = loaded->plan().tensors.size();
  if (tensors > maxTensors)
    return fail(unsupportedError("kernel " + loaded->plan().kernel + " takes " +
                                 std::to_string(tensors) + " tensors, the limit is " +
                                 std::to_string(maxTensors)));
  *kernel = new sluice_kernel{std::move(*loaded)};
  return SLUICE_OK;
}

std::optional<DType> typeOf(int32_t type) {
  switch (type) {
  case SLUICE_S8:
    return DType::s8;
  case SLUICE_I32:
    return DType::i32;
  case SLUICE_E4M3:
    return DType::e4m3;
  case SLUICE_E5M2:
    return DType::e5m2;
  case SLUICE_F16:
    return DType::f16;
  case SLUICE_BF16:
    return DType::bf16;
  case SLUICE_TF32:
    return DType::tf32;
  case SLUICE_F32:
    return DType::f32;
  default:
    return std::nullopt;
  }
}

int32_t typeNumber(DType type) {
  for (int32_t n = SLUICE_S8; n <= SLUICE_F32; ++n)
    if (typeOf(n) == type)
      return n;
  return 0;
}

/// The caller's tensors in our words; `elements`: where those have their extent that are passed as
/// one line.
std::optional<Error> convert(const LaunchPlan &plan, const sluice_tensor *tensors, int32_t count,
                             TensorArgument *out, int64_t *elements) {
  if (count != int32_t(plan.tensors.size()))
    return inputError("kernel " + plan.kernel + " takes " + std::to_string(plan.tensors.size()) +
                      " tensors, not " + std::to_string(count));
  for (int32_t i = 0; i < count; ++i) {
    const sluice_tensor &t = tensors[i];
    const auto refuse = [&](const std::string &why) {
      return inputError("kernel " + plan.kernel + ", tensor " + plan.tensors[i].name + ": " + why);
    };
    const auto type = typeOf(t.type);
    if (!type)
      return refuse("there is no sluice_type " + std::to_string(t.type));
    if (t.rank > 0 && (!t.extents || !t.strides))
      return refuse(t.extents ? "its strides are null" : "its extents are null");
    out[i] = {reinterpret_cast<uint64_t>(t.data), t.extents, t.strides, t.rank, *type};
    if (plan.tensors[i].isLine)
      takeAsLine(out[i], elements[i]);
  }
  return std::nullopt;
}

/// SLUICE_CURRENT_DEVICE becomes the device of the thread's context.
std::optional<Error> settleDevice(int32_t &device) {
  if (device != SLUICE_CURRENT_DEVICE)
    return std::nullopt;
  auto current = currentDevice();
  if (!current)
    return current.error();
  device = *current;
  return std::nullopt;
}

} // namespace

sluice_status sluice::fail(const Error &error) {
  lastError = (error.location.line > 0 ? error.location.str() + ": " : "") + error.message;
  return error.kind == Error::unsupported ? SLUICE_UNSUPPORTED : SLUICE_FAILED;
}

sluice_status sluice::failNull(const char *function, const char *argument) {
  return fail(inputError(std::string(function) + ": " + argument + " is null"));
}

const char *sluice_error(void) {
  return lastError.c_str();
}

sluice_status sluice_load(const char *path, sluice_kernel **kernel) {
  if (!path || !kernel)
    return failNull("sluice_load", path ? "kernel" : "manifest_path");
  *kernel = nullptr;
  return keep(loadKernelFile(path), kernel);
}

sluice_status sluice_load_memory(const char *text, const void *cubin, size_t bytes,
                                 sluice_kernel **kernel) {
  if (!text || !cubin || !kernel)
    return failNull("sluice_load_memory", !text ? "manifest" : !cubin ? "cubin" : "kernel");
  *kernel = nullptr;
  auto manifest = readManifest(text);
  if (!manifest)
    return fail(manifest.error());
  return keep(loadKernel(std::move(*manifest), {static_cast<const char *>(cubin), bytes}), kernel);
}

void sluice_release(sluice_kernel *kernel) {
  delete kernel;
}

sluice_status sluice_prepare(const sluice_kernel *kernel, int32_t device) {
  if (!kernel)
    return failNull("sluice_prepare", "kernel");
  if (auto failed = settleDevice(device))
    return fail(*failed);
  if (auto failed = kernel->kernel.prepare(device))
    return fail(*failed);
  return SLUICE_OK;
}

sluice_status sluice_launch(const sluice_kernel *kernel, const sluice_tensor *tensors,
                            int32_t tensorCount, const int64_t *arguments, int32_t argumentCount,
                            int32_t device, void *stream) {
  if (!kernel)
    return failNull("sluice_launch", "kernel");
  if ((!tensors && tensorCount > 0) || (!arguments && argumentCount > 0))
    return failNull("sluice_launch", tensorCount > 0 && !tensors ? "tensors" : "arguments");
  TensorArgument converted[maxTensors];
  int64_t elements[maxTensors];
  if (auto wrong = convert(kernel->kernel.plan(), tensors, tensorCount, converted, elements))
    return fail(*wrong);
  if (auto failed = settleDevice(device))
    return fail(*failed);
  const LaunchArguments with{{converted, size_t(tensorCount)},
                             {arguments, size_t(std::max(argumentCount, 0))}};
  if (auto failed = kernel->kernel.launch(with, device, stream))
    return fail(*failed);
  return SLUICE_OK;
}

sluice_status sluice_launch_call(const sluice_call *c) {
  if (!c)
    return failNull("sluice_launch_call", "call");
  return sluice_launch(c->kernel, c->tensors, c->tensor_count, c->arguments, c->argument_count,
                       c->device, c->stream);
}

const char *sluice_name(const sluice_kernel *kernel) {
  return kernel ? kernel->kernel.plan().kernel.c_str() : "";
}

int32_t sluice_tensor_count(const sluice_kernel *kernel) {
  return kernel ? int32_t(kernel->kernel.plan().tensors.size()) : 0;
}

int32_t sluice_argument_count(const sluice_kernel *kernel) {
  return kernel ? int32_t(kernel->kernel.plan().arguments.size()) : 0;
}

sluice_status sluice_describe(const sluice_kernel *kernel, int32_t tensor,
                              sluice_tensor_info *info) {
  if (!kernel || !info)
    return failNull("sluice_describe", kernel ? "info" : "kernel");
  const LaunchPlan &plan = kernel->kernel.plan();
  if (tensor < 0 || tensor >= int32_t(plan.tensors.size()))
    return fail(inputError("kernel " + plan.kernel + " has no tensor " + std::to_string(tensor) +
                           "; it has " + std::to_string(plan.tensors.size())));
  const Tensor &t = plan.tensors[tensor];
  *info = {t.name.c_str(), typeNumber(t.type), t.rank, t.minor, t.input, t.output, t.align};
  return SLUICE_OK;
}

sluice_status sluice_compile(const char *source, const char *name, void **cubin, size_t *bytes) {
  if (!source || !name || !cubin || !bytes)
    return failNull("sluice_compile", !source  ? "source"
                                      : !name  ? "kernel"
                                      : !cubin ? "cubin"
                                               : "cubin_bytes");
  auto compiled = compileCuda(source, name);
  if (!compiled)
    return fail(compiled.error());
  *cubin = std::malloc(compiled->size());
  if (!*cubin)
    return fail(
        inputError("no memory for a cubin of " + std::to_string(compiled->size()) + " bytes"));
  std::memcpy(*cubin, compiled->data(), compiled->size());
  *bytes = compiled->size();
  return SLUICE_OK;
}

void sluice_free(void *cubin) {
  std::free(cubin);
}
