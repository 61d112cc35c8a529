#include "Runtime/Compile.h"

#include "Launch/DeviceHeaders.h"
#include "Runtime/Library.h"
#include "Runtime/Nvcc.h"
#include "Support/Sha256.h"

#include <cstdlib>
#include <vector>

namespace sluice {
namespace {

/// NVRTC API, nvrtc.h.
struct Nvrtc {
  int (*createProgram)(void **program, const char *text, const char *name, int headers,
                       const char *const *headerTexts, const char *const *headerNames);
  int (*compileProgram)(void *program, int options, const char *const *texts);
  int (*destroyProgram)(void **program);
  int (*logSize)(void *program, size_t *bytes);
  int (*log)(void *program, char *text);
  int (*cubinSize)(void *program, size_t *bytes);
  int (*cubin)(void *program, char *bytes);
  const char *(*errorString)(int);
};

std::vector<std::string> nvrtcOptions(Target target) {
  return {"--std=c++17", "--gpu-architecture=" + std::string(name(target))};
}

/// $SLUICE_NVRTC, else where CUDA puts it.
Result<Library> openNvrtc() {
  const std::string what = "CUDA run-time compiler (NVRTC)";
  if (const char *named = std::getenv("SLUICE_NVRTC"); named && *named)
    return Library::open({named}, what);
  return Library::open(
      {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", "/usr/local/cuda/lib64/libnvrtc.so"},
      what);
}

Result<Nvrtc> findCalls(const Library &library) {
  Nvrtc n;
  if (!library.find("nvrtcCreateProgram", n.createProgram) ||
      !library.find("nvrtcCompileProgram", n.compileProgram) ||
      !library.find("nvrtcDestroyProgram", n.destroyProgram) ||
      !library.find("nvrtcGetProgramLogSize", n.logSize) ||
      !library.find("nvrtcGetProgramLog", n.log) ||
      !library.find("nvrtcGetCUBINSize", n.cubinSize) || !library.find("nvrtcGetCUBIN", n.cubin) ||
      !library.find("nvrtcGetErrorString", n.errorString))
    return inputError("the NVRTC library is older than CUDA 12");
  return n;
}

std::string logOf(const Nvrtc &n, void *program) {
  size_t bytes = 0;
  if (n.logSize(program, &bytes) || bytes < 2)
    return "";
  std::string log(bytes, '\0');
  if (n.log(program, log.data()))
    return "";
  log.resize(bytes - 1);
  return log;
}

Result<std::string> compileByNvrtc(const Nvrtc &n, const std::string &text,
                                   const std::string &kernel, Target target) {
  auto failure = [&](const char *call, int result, const std::string &log) {
    return inputError(std::string(call) + " failed (kernel " + kernel +
                      "): " + n.errorString(result) + (log.empty() ? "" : "\n" + log));
  };
  std::vector<std::string> names, texts;
  for (const DeviceHeader &h : deviceHeaders()) {
    names.emplace_back(h.name);
    texts.emplace_back(h.text);
  }
  std::vector<const char *> namePointers, textPointers;
  for (size_t i = 0; i < names.size(); ++i) {
    namePointers.push_back(names[i].c_str());
    textPointers.push_back(texts[i].c_str());
  }
  void *program = nullptr;
  if (int r =
          n.createProgram(&program, text.c_str(), (kernel + ".cu").c_str(),
                          static_cast<int>(names.size()), textPointers.data(), namePointers.data()))
    return failure("nvrtcCreateProgram", r, "");
  const std::vector<std::string> options = nvrtcOptions(target);
  std::vector<const char *> optionPointers;
  for (const std::string &option : options)
    optionPointers.push_back(option.c_str());
  int result = n.compileProgram(program, static_cast<int>(options.size()), optionPointers.data());
  std::string log = logOf(n, program), cubin;
  size_t bytes = 0;
  const char *call = "nvrtcCompileProgram";
  if (!result) {
    call = "nvrtcGetCUBIN";
    result = n.cubinSize(program, &bytes);
    cubin.resize(bytes);
    if (!result)
      result = n.cubin(program, cubin.data());
  }
  n.destroyProgram(&program);
  if (result)
    return failure(call, result, log);
  return cubin;
}

Result<std::string> compileFresh(const std::string &text, const std::string &kernel,
                                 Target target) {
  auto library = openNvrtc();
  if (library) {
    auto calls = findCalls(*library);
    return calls ? compileByNvrtc(*calls, text, kernel, target)
                 : Result<std::string>(calls.error());
  }
  if (auto nvcc = findNvcc())
    return compileByNvcc(*nvcc, text, kernel, target);
  Error error = library.error();
  error.message += ", or one with nvcc";
  return error;
}

} // namespace

std::string cubinKey(const std::string &text, const std::string &kernel, Target target) {
  Sha256 hash;
  const auto add =
      [&](std::string_view part) { // with its length, so that parts cannot run together
        hash.add(std::to_string(part.size()) + " ").add(part);
      };
  for (const std::string &option : nvrtcOptions(target))
    add(option);
  for (const DeviceHeader &h : deviceHeaders())
    add(h.name), add(h.text);
  add(kernel), add(text);
  return hash.hex();
}

Result<std::string> compileCuda(const std::string &text, const std::string &kernel, Target target,
                                const CubinCache &cache) {
  const std::string key = cubinKey(text, kernel, target);
  if (auto have = cache.find(key))
    return *have;
  auto cubin = compileFresh(text, kernel, target);
  if (cubin)
    cache.store(key, *cubin);
  return cubin;
}

} // namespace sluice
