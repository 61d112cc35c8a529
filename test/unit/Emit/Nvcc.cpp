#include "Emit/Nvcc.h"

#include "Emit/DeviceHeaders.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <unistd.h>
#include <vector>

namespace sluice::test {

namespace fs = std::filesystem;

std::optional<std::string> findNvcc() {
  std::vector<std::string> places;
  if (const char *named = std::getenv("NVCC"))
    places.push_back(named);
  std::stringstream path(std::getenv("PATH") ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(path, folder, ':');)
    places.push_back(folder + "/nvcc");
  places.push_back("/usr/local/cuda/bin/nvcc");
  for (const std::string &p : places)
    if (access(p.c_str(), X_OK) == 0)
      return p;
  return std::nullopt;
}

Compilation compile(const std::string &text, const std::string &name) {
  fs::path folder = fs::temp_directory_path() / ("sluice-emit-" + std::to_string(getpid()));
  if (auto written = writeDeviceHeaders(folder.string()); !written)
    return {1, written.error().message, ""};
  fs::path source = folder / (name + ".cu"), log = folder / (name + ".log");
  std::string cubin = (folder / (name + ".cubin")).string();
  std::ofstream(source) << text;
  std::string command = *findNvcc() +
                        " -std=c++17 -gencode=arch=compute_90a,code=sm_90a -cubin"
                        " -Werror all-warnings -Xptxas -v -I " +
                        folder.string() + " -o " + cubin + " " + source.string() + " > " +
                        log.string() + " 2>&1";
  int status = std::system(command.c_str());
  std::stringstream out;
  out << std::ifstream(log).rdbuf();
  return {status, out.str(), cubin};
}

} // namespace sluice::test
