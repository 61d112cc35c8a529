#include "Launch/DeviceHeaders.h"

#include "Support/FileOutput.h"

#include <filesystem>

namespace sluice {

Result<int64_t> writeDeviceHeaders(const std::string &folder) {
  std::error_code error;
  std::filesystem::create_directories(folder + "/sluice", error);
  if (error)
    return inputError("cannot create " + folder + "/sluice: " + error.message());
  int64_t number = 0;
  for (const auto &headers : {deviceHeaders(), hostHeaders()})
    for (const DeviceHeader &h : headers) {
      if (auto written = writeFile(folder + "/" + std::string(h.name), h.text); !written)
        return written.error();
      ++number;
    }
  return number;
}

} // namespace sluice
