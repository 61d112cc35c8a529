// Launches the kernel that `sluice build gemm -o out` made: no compiler, no MLIR, only
// libsluice_rt and the CUDA driver. The extents are those of the call; the same cubin serves all.
//
//   06_launch out/gemm.json [M N K]
#include "sluice/Launch.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

using sluice::launch::Kernel, sluice::launch::Matrix, sluice::launch::Status;

namespace {

constexpr int device = 0;
constexpr uint16_t one = 0x3c00, notANumber = 0x7e00; // f16

int refuse(const Status &status) {
  std::fprintf(stderr, "error: %s\n", status.message().c_str());
  return 2;
}

/// `elements` times one f16 value on the device; null and `status` where that fails.
void *filled(size_t elements, uint16_t value, Status &status) {
  void *data = nullptr;
  const std::vector<uint16_t> host(elements, value);
  status = Status(sluice_memory_allocate(device, 2 * elements, &data));
  if (status)
    status = Status(sluice_memory_write(device, data, host.data(), 2 * elements));
  return data;
}

/// K ones times K ones is K, which f16 holds exactly up to 2048.
size_t wrongElements(const std::vector<uint16_t> &c, int64_t k) {
  const _Float16 expected = static_cast<_Float16>(k);
  size_t wrong = 0;
  for (const uint16_t &bits : c)
    wrong += *reinterpret_cast<const _Float16 *>(&bits) != expected;
  return wrong;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2 && argc != 5) {
    std::fprintf(stderr, "usage: 06_launch out/gemm.json [M N K]\n");
    return 2;
  }
  const int64_t m = argc > 2 ? std::atoll(argv[2]) : 512, n = argc > 2 ? std::atoll(argv[3]) : 256,
                k = argc > 2 ? std::atoll(argv[4]) : 1024;
  Status status(SLUICE_OK);
  Kernel gemm = Kernel::load(argv[1], status);
  if (!status)
    return refuse(status);
  void *data[3];
  const size_t elements[3] = {size_t(m * k), size_t(k * n), size_t(m * n)};
  for (int t = 0; t < 3; ++t)
    if (data[t] = filled(elements[t], t < 2 ? one : notANumber, status); !status)
      return refuse(status);
  const Matrix a(data[0], SLUICE_F16, m, k), b(data[1], SLUICE_F16, k, n),
      c(data[2], SLUICE_F16, m, n);
  if (status = gemm({a.tensor(), b.tensor(), c.tensor()}); !status)
    return refuse(status);
  std::vector<uint16_t> host(elements[2]);
  if (status = Status(sluice_memory_read(device, host.data(), data[2], 2 * host.size())); !status)
    return refuse(status);
  const size_t wrong = wrongElements(host, k);
  std::printf("%s %lld x %lld x %lld: %zu of %zu elements are wrong\n", sluice_name(gemm.get()),
              static_cast<long long>(m), static_cast<long long>(n), static_cast<long long>(k),
              wrong, host.size());
  for (void *memory : data)
    sluice_memory_free(device, memory);
  return wrong ? 1 : 0;
}
