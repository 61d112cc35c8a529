// Compiles printed text with nvcc, where there is one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace sluice::test {

/// Path of nvcc: $NVCC, the PATH, /usr/local/cuda.
std::optional<std::string> findNvcc();

struct Compilation {
  int status;
  std::string log;    // of nvcc and ptxas -v
  std::string output; // path of the cubin, or the PTX itself
};

/// Warnings are errors. `edit` changes the headers in the folder that it is given.
Compilation compile(const std::string &text, const std::string &name,
                    const std::function<void(const std::string &)> &edit = {});

Compilation compileToPtx(const std::string &text, const std::string &name,
                         const std::string &arch = "compute_90a");

/// The instructions of a cubin: its ELF sections .text.*, 16 bytes an instruction.
std::string machineCode(const std::string &cubin);
/// Products among them, by the low 12 bits of their encoding (nvdisasm -hex): HGMMA 0x9f0 with A in
/// shared memory, 0xdf0 with A in registers; IGMMA 0x9f1 of s8, QGMMA 0x9f3 of e4m3 and e5m2.
int64_t countProducts(const std::string &machineCode);
/// Instructions of every loop, sorted: from the target of a conditional branch back up to the
/// branch (BRA 0x947; its offset begins at bit 34, with its low byte at bit 16).
std::vector<int64_t> loopLengths(const std::string &machineCode);

} // namespace sluice::test
