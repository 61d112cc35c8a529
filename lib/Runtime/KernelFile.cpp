#include "Runtime/KernelFile.h"

#include "Runtime/Compile.h"
#include "Support/Sha256.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace sluice {
namespace {

namespace fs = std::filesystem;

Result<std::string> readFile(const fs::path &path) {
  std::error_code error;
  if (fs::is_directory(path, error))
    return inputError("cannot read '" + path.string() + "': it is a folder");
  std::ifstream file(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file)
    return inputError("cannot read '" + path.string() + "'");
  return bytes;
}

Result<DeviceKernel> compileSource(Manifest manifest, const fs::path &folder) {
  auto source = readFile(folder / manifest.source);
  if (!source)
    return source.error();
  auto cubin = compileCuda(*source, manifest.plan.kernel, manifest.plan.target);
  if (!cubin)
    return cubin.error();
  return DeviceKernel::create(std::move(manifest.plan), std::move(*cubin));
}

} // namespace

Result<DeviceKernel> loadKernel(Manifest manifest, std::string cubin) {
  if (sha256(cubin) != manifest.cubinSha256)
    return inputError("kernel " + manifest.plan.kernel +
                      ": the cubin is not the one that its manifest was written for; build both "
                      "again");
  return DeviceKernel::create(std::move(manifest.plan), std::move(cubin));
}

Result<DeviceKernel> loadKernelFile(const std::string &manifestPath) {
  auto text = readFile(manifestPath);
  if (!text)
    return text.error();
  auto manifest = readManifest(*text);
  if (!manifest) {
    Error error = manifest.error();
    error.message = "'" + manifestPath + "': " + error.message;
    return error;
  }
  const fs::path folder = fs::path(manifestPath).parent_path();
  std::error_code error;
  if (!fs::exists(folder / manifest->cubin, error) && fs::exists(folder / manifest->source, error))
    return compileSource(std::move(*manifest), folder);
  auto cubin = readFile(folder / manifest->cubin);
  if (!cubin)
    return cubin.error();
  return loadKernel(std::move(*manifest), std::move(*cubin));
}

} // namespace sluice
