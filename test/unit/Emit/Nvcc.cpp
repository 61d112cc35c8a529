#include "Emit/Nvcc.h"

#include "Launch/DeviceHeaders.h"

#include <algorithm>
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

namespace {

std::string contentOf(const fs::path &path) {
  std::stringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// Of this process; gone when it ends.
struct Folder {
  const fs::path path = fs::temp_directory_path() / ("sluice-emit-" + std::to_string(getpid()));
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
};

Compilation run(const std::string &text, const std::string &name, const std::string &flags,
                const std::string &ending,
                const std::function<void(const std::string &)> &edit = {}) {
  static const Folder own;
  const fs::path &folder = own.path;
  if (auto written = writeDeviceHeaders(folder.string()); !written)
    return {1, written.error().message, ""};
  if (edit)
    edit(folder.string());
  fs::path source = folder / (name + ".cu"), log = folder / (name + ".log");
  std::string output = (folder / (name + ending)).string();
  std::ofstream(source) << text;
  std::string command = *findNvcc() + " -std=c++17 " + flags + " -Werror all-warnings -I " +
                        folder.string() + " -o " + output + " " + source.string() + " > " +
                        log.string() + " 2>&1";
  int status = std::system(command.c_str());
  return {status, contentOf(log), output};
}

/// A little-endian number of an ELF file.
uint64_t number(const std::string &bytes, uint64_t at, int size) {
  uint64_t n = 0;
  for (int i = size - 1; i >= 0; --i)
    n = n << 8 | static_cast<unsigned char>(bytes.at(at + i));
  return n;
}

} // namespace

Compilation compile(const std::string &text, const std::string &name,
                    const std::function<void(const std::string &)> &edit) {
  return run(text, name, "-gencode=arch=compute_90a,code=sm_90a -cubin -Xptxas -v", ".cubin", edit);
}

Compilation compileToPtx(const std::string &text, const std::string &name,
                         const std::string &arch) {
  Compilation c = run(text, name, "-arch=" + arch + " -ptx", ".ptx");
  c.output = contentOf(c.output);
  return c;
}

std::string machineCode(const std::string &cubin) {
  const std::string elf = contentOf(cubin);
  if (elf.size() < 64)
    return "";
  const uint64_t table = number(elf, 0x28, 8), size = number(elf, 0x3a, 2),
                 count = number(elf, 0x3c, 2);
  const uint64_t names = number(elf, table + number(elf, 0x3e, 2) * size + 0x18, 8);
  std::string code;
  for (uint64_t s = 0; s < count; ++s) {
    const uint64_t header = table + s * size;
    const std::string name = elf.c_str() + names + number(elf, header, 4);
    if (name.starts_with(".text."))
      code += elf.substr(number(elf, header + 0x18, 8), number(elf, header + 0x20, 8));
  }
  return code;
}

int64_t countProducts(const std::string &code) {
  int64_t products = 0;
  for (size_t at = 0; at + 16 <= code.size(); at += 16) {
    const uint64_t opcode = number(code, at, 2) & 0xfff;
    products += opcode == 0x9f0 || opcode == 0xdf0 || opcode == 0x9f1 || opcode == 0x9f3;
  }
  return products;
}

std::vector<int64_t> loopLengths(const std::string &code) {
  constexpr uint64_t always = 7; // predicate
  std::vector<int64_t> lengths;
  for (size_t at = 0; at + 16 <= code.size(); at += 16) {
    const uint64_t branch = number(code, at, 8);
    const int64_t words = (static_cast<int64_t>(branch) >> 34) * 256 + (branch >> 16 & 0xff);
    if ((branch & 0xfff) == 0x947 && (branch >> 12 & 0xf) != always && words < 0)
      lengths.push_back(-words * 4 / 16);
  }
  std::sort(lengths.begin(), lengths.end());
  return lengths;
}

} // namespace sluice::test
