#include "Launch/DeviceHeaders.h"

#include "Support/FileOutput.h"

#include <filesystem>

namespace sluice {

Result<int64_t> writeDeviceHeaders(const std::string &folder) {
  std::error_code error;
  std::filesystem::create_directories(folder + "/sluice", error);
  if (error)
    return inputError("cannot create " + folder + "/sluice: " + error.message());
  for (const DeviceHeader &h : deviceHeaders())
    if (auto written = writeFile(folder + "/" + std::string(h.name), h.text); !written)
      return written.error();
  return static_cast<int64_t>(deviceHeaders().size());
}

} // namespace sluice
