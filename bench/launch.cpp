// What a launch costs the host: libsluice_rt against the bare driver call with the same parameters,
// in turns, on the smallest product: launch-overhead out/gemm.json
#include "sluice/Launch.h"
#include "Runtime/Context.h"
#include "Runtime/KernelFile.h"
#include "Runtime/TensorMap.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>

using namespace sluice;

namespace {

constexpr int64_t extents[3] = {128, 128, 64}; // M, N, K: one tile, one step
constexpr int batch = 200, rounds = 50;        // a batch is under the driver's queue of launches

int refuse(const std::string &message) {
  std::fprintf(stderr, "error: %s\n", message.c_str());
  return 2;
}

/// The driver's own call, parameters encoded once by hand.
class Bare {
public:
  std::optional<Error> prepare(const Manifest &manifest, const std::string &cubin,
                               const LaunchArguments &with) {
    const LaunchPlan &plan = manifest.plan;
    const Driver &d = **Driver::get();
    CUmodule module = nullptr;
    if (CUresult r = d.moduleLoadData(&module, cubin.data()))
      return d.error("cuModuleLoadData", plan.kernel, r);
    if (CUresult r = d.moduleGetFunction(&function_, module, plan.kernel.c_str()))
      return d.error("cuModuleGetFunction", plan.kernel, r);
    constexpr int maxDynamicSharedBytes = 8;
    if (CUresult r =
            d.functionSetAttribute(function_, maxDynamicSharedBytes, int(plan.sharedBytes)))
      return d.error("cuFuncSetAttribute", plan.kernel, r);
    config_ = {1,       1,       1, unsigned(plan.threads), 1, 1, unsigned(plan.sharedBytes),
               nullptr, nullptr, 0};
    for (const KernelParameter &p : plan.parameters) {
      Slot slot{};
      if (p.kind == KernelParameter::tensorMap) {
        const TensorArgument &t = with.tensors[plan.maps[p.object].tensor];
        if (auto failed = encodeTensorMap(plan, tensorMapKey(plan, p.object, t), slot.map))
          return failed;
      } else {
        const TensorArgument &t = with.tensors[p.object];
        slot.word = p.kind == KernelParameter::pointer  ? int64_t(t.address)
                    : p.kind == KernelParameter::extent ? t.extents[p.dim]
                                                        : t.strides[p.dim];
      }
      slots_.push_back(slot);
    }
    for (Slot &slot : slots_)
      parameters_.push_back(&slot);
    return std::nullopt;
  }
  bool launch() {
    return (*Driver::get())->launchKernel(&config_, function_, parameters_.data(), nullptr) == 0;
  }

private:
  union alignas(64) Slot {
    CUtensorMap map;
    int64_t word;
  };
  CUfunction function_ = nullptr;
  CUlaunchConfig config_{};
  std::vector<Slot> slots_;
  std::vector<void *> parameters_;
};

/// Microseconds of one call, mean of a batch that then is waited for; negative where one failed.
double microseconds(const std::function<bool()> &call) {
  const auto begin = std::chrono::steady_clock::now();
  bool good = true;
  for (int i = 0; i < batch; ++i)
    good &= call();
  const std::chrono::duration<double, std::micro> passed = std::chrono::steady_clock::now() - begin;
  return good && sluice_wait(0) == SLUICE_OK ? passed.count() / batch : -1;
}

struct Quartiles {
  double low, median, high;
};

Quartiles quartiles(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return {v[v.size() / 4], v[v.size() / 2], v[v.size() * 3 / 4]};
}

void print(const char *what, const std::vector<double> &values) {
  const Quartiles q = quartiles(values);
  std::printf("%-34s %6.2f us  (quartiles %.2f to %.2f)\n", what, q.median, q.low, q.high);
  std::fflush(stdout);
}

std::string bytesOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2)
    return refuse("usage: launch-overhead out/gemm.json");
  const std::string path = argv[1];
  auto manifest = readManifest(bytesOf(path));
  if (!manifest)
    return refuse(path + ": " + manifest.error().message);
  launch::Status status(SLUICE_OK);
  auto kernel = launch::Kernel::load(path, status);
  if (!status)
    return refuse(status.message());
  auto device = cudaDevice();
  if (!device)
    return refuse(device.error().message);
  std::vector<launch::Matrix> matrices;
  for (auto [rows, cols] : {std::pair{0, 2}, {2, 1}, {0, 1}}) {
    void *data = nullptr;
    if (sluice_memory_allocate(0, 2 * extents[rows] * extents[cols], &data) != SLUICE_OK)
      return refuse(sluice_error());
    matrices.emplace_back(data, SLUICE_F16, extents[rows], extents[cols]);
  }
  std::array<sluice_tensor, 3> tensors;
  std::array<TensorArgument, 3> arguments;
  for (int i = 0; i < 3; ++i) {
    const sluice_tensor &t = tensors[i] = matrices[i].tensor();
    arguments[i] = {reinterpret_cast<uint64_t>(t.data), t.extents, t.strides, 2, DType::f16};
  }
  Bare bare;
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  if (auto failed = bare.prepare(*manifest, bytesOf(folder + manifest->cubin), {arguments, {}}))
    return refuse(failed->message);
  const auto ours = [&] {
    return sluice_launch(kernel.get(), tensors.data(), 3, nullptr, 0, SLUICE_CURRENT_DEVICE,
                         nullptr) == SLUICE_OK;
  };
  std::vector<double> driver, library, more;
  for (int round = 0; round < rounds + 2; ++round) {
    const double theirs = microseconds([&] { return bare.launch(); }), mine = microseconds(ours);
    if (theirs < 0 || mine < 0)
      return refuse(mine < 0 ? sluice_error() : "a launch failed");
    if (round >= 2) // the first ones warm up
      driver.push_back(theirs), library.push_back(mine), more.push_back(mine - theirs);
  }
  std::printf("launch of %s on %s\n", sluice_name(kernel.get()), device->name.c_str());
  print("driver, cuLaunchKernelEx", driver);
  print("libsluice_rt, sluice_launch", library);
  print("over the driver's (aim: 5)", more);
  return quartiles(more).median <= 5 ? 0 : 1;
}
