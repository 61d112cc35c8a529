#include "Runtime/Nvcc.h"

#include "Launch/DeviceHeaders.h"
#include "Support/Command.h"
#include "Support/FileOutput.h"

#include <cstdlib>

namespace sluice {

std::optional<std::string> findNvcc() {
  if (const char *named = std::getenv("NVCC"); named && *named)
    return named;
  const std::string found = findProgram({"nvcc", "/usr/local/cuda/bin/nvcc"});
  return found.empty() ? std::nullopt : std::optional(found);
}

Result<std::string> compileByNvcc(const std::string &nvcc, const std::string &text,
                                  const std::string &kernel, Target target) {
  auto folder = WorkFolder::make();
  if (!folder)
    return folder.error();
  const std::string start = folder->path() + "/" + kernel;
  if (auto written = writeDeviceHeaders(folder->path()); !written)
    return written.error();
  if (auto written = writeFile(start + ".cu", text); !written)
    return written.error();
  const std::string code(name(target)); // sm_90a: code for compute_90a
  const std::string failed =
      runProgram({nvcc, "-std=c++17", "-gencode=arch=compute_" + code.substr(3) + ",code=" + code,
                  "-cubin", "-I", folder->path(), "-o", start + ".cubin", start + ".cu"},
                 start + ".log");
  std::string cubin = contentsOf(start + ".cubin");
  if (failed.empty() && !cubin.empty())
    return cubin;
  const std::string log = contentsOf(start + ".log");
  return inputError(nvcc + " failed (kernel " + kernel +
                    "): " + (failed.empty() ? "it wrote no cubin" : failed) +
                    (log.empty() ? "" : "\n" + log));
}

} // namespace sluice
