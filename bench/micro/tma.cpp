// Where the copy engine takes boxes: random coordinates, types, swizzles, boxes, tensors and
// promotions, each box against what the machine model says. `tma bench/micro/tma.cu SECONDS SEED
// ROWS` writes a row for each box to the file ROWS and prints how many go wrong, by what the rule
// is about (R15): whether the box starts at a multiple of 16 bytes, and before the tensor.
//
// A copy that the engine refuses ends the context, so probes run in processes of their own, which
// say in memory that all share how far they have come. The first process touches no CUDA: a child
// of one that has cannot.
#include "Runtime/Compile.h"
#include "Runtime/DeviceMemory.h"
#include "Runtime/Driver.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace sluice;

namespace {

constexpr int workers = 12, most = 1 << 18; // processes at a time; probes
constexpr int cannotRun = 3;                // exit status of a process: no GPU, no compiler
constexpr int64_t tensorBytes = 1 << 21, guardBytes = 1 << 12, boxBytes = 1 << 16;

enum Outcome : char { untried, running, right, wrong, refused };

struct Probe {
  int store, size, swizzle, across, lines; // bytes of an element, box in elements
  int width, height, stride, base;         // elements, bytes from a line to the next, bytes
  int c0, c1, promotion;
};

constexpr std::array settings{
    std::pair{"store", &Probe::store},     std::pair{"size", &Probe::size},
    std::pair{"swizzle", &Probe::swizzle}, std::pair{"across", &Probe::across},
    std::pair{"lines", &Probe::lines},     std::pair{"width", &Probe::width},
    std::pair{"height", &Probe::height},   std::pair{"stride", &Probe::stride},
    std::pair{"base", &Probe::base},       std::pair{"c0", &Probe::c0},
    std::pair{"c1", &Probe::c1},           std::pair{"promotion", &Probe::promotion}};

class Draw {
public:
  Draw(uint32_t seed, uint32_t number) : random_{seed, number} {}
  int below(int n) { return int(generator_() % uint32_t(n)); }
  int between(int a, int b) { return a + below(b - a + 1); }
  template <size_t n> int of(const int (&list)[n]) { return list[below(int(n))]; }

  /// A coordinate near an end of the tensor, anywhere, or far outside.
  int coordinate(int extent, int box) {
    switch (below(8)) {
    case 0:
      return 0;
    case 1:
      return between(-box - 1, 0);
    case 2:
      return extent + between(-3, 40);
    case 3:
      return of({-(1 << 20), 0x7ff00000, -(1 << 30), 0x7fffff00});
    case 4:
      return between(0, 8);
    default:
      return between(-box, extent + box);
    }
  }

  Probe probe() {
    Probe p{};
    p.store = below(4) == 0;
    p.size = of({1, 2, 4});
    p.swizzle = of({0, 32, 64, 128, 128});
    const int bytes = p.swizzle ? p.swizzle : of({16, 32, 48, 64, 128, 256});
    p.across = std::min(bytes / p.size, 256);
    p.lines = of({1, 8, 16, 64, 64, 128, 256});
    p.width = of({1, 4, 17, 32, 60, 64, 76, 100, 152, 160, 256, 500});
    p.height = of({1, 5, 64, 73, 153, 256});
    p.stride = (p.width * p.size + 15) / 16 * 16 + of({0, 0, 0, 16, 64});
    p.base = of({0, 0, 16, 48, 128});
    p.c0 = coordinate(p.width, p.across);
    if (below(6) > 0) // of 16 bytes, mostly: what is not ends the context, and a new one takes long
      p.c0 -= p.c0 % (16 / p.size);
    p.c1 = coordinate(p.height, p.lines);
    p.promotion = below(4);
    return p;
  }

private:
  std::seed_seq random_;
  std::mt19937 generator_{random_};
};

Probe probe(uint32_t seed, int number) {
  return Draw(seed, uint32_t(number)).probe();
}

bool inside(const Probe &p, int64_t line, int64_t column) {
  return line >= 0 && line < p.height && column >= 0 && column < p.width;
}

/// Where byte `b` of line `l` of a box lies: the swizzle exchanges chunks of 16 bytes within 128,
/// 256, 512 or 1024 bytes.
int64_t swizzled(const Probe &p, int64_t l, int64_t b) {
  const int64_t pitch = p.across * p.size, at = l * pitch + b;
  return p.swizzle ? at ^ ((at >> 7 & (p.swizzle / 16 - 1)) << 4) : at;
}

/// The GPU in one of the processes. A failed call ends the process.
class Bench {
public:
  explicit Bench(const std::string &cubin) {
    CUmodule module;
    check(driver_.moduleLoadData(&module, cubin.data()));
    check(driver_.moduleGetFunction(&load_, module, "loadBox"));
    check(driver_.moduleGetFunction(&store_, module, "storeBox"));
    constexpr int maxDynamicSharedBytes = 8; // CU_FUNC_ATTRIBUTE_...
    check(driver_.functionSetAttribute(load_, maxDynamicSharedBytes, boxBytes));
    check(driver_.functionSetAttribute(store_, maxDynamicSharedBytes, boxBytes));
    for (int64_t i = 0; i < tensorBytes; ++i)
      content_[i] = static_cast<unsigned char>((i * 2654435761u >> 13) | 1); // no byte is zero
  }

  Outcome outcome(const Probe &p) { return p.store ? stored(p) : loaded(p); }

private:
  static void check(CUresult result) {
    if (result)
      std::_Exit(1);
  }

  /// False: the driver refuses the map.
  bool map(const Probe &p, CUtensorMap &map) const {
    const int type = p.size == 1 ? 0 : p.size == 2 ? 6 : 7; // u8, f16, f32
    const uint64_t extents[2] = {uint64_t(p.width), uint64_t(p.height)};
    const uint64_t strides[1] = {uint64_t(p.stride)};
    const uint32_t box[2] = {uint32_t(p.across), uint32_t(p.lines)}, steps[2] = {1, 1};
    const int swizzle = p.swizzle == 128 ? 3 : p.swizzle / 32;
    void *base = reinterpret_cast<void *>(data_.address() + guardBytes + p.base);
    return driver_.tensorMapEncodeTiled(&map, type, 2, base, extents, strides, box, steps, 0,
                                        swizzle, p.promotion, 0) == 0;
  }

  void launch(CUfunction function, std::vector<void *> arguments) {
    const CUlaunchConfig config{1, 1, 1, 128, 1, 1, boxBytes, nullptr, nullptr, 0};
    check(driver_.launchKernel(&config, function, arguments.data(), nullptr));
    check(driver_.contextSynchronize());
  }

  Outcome loaded(const Probe &p) {
    CUtensorMap m;
    if (!map(p, m))
      return untried;
    check(driver_.copyToDevice(data_.address(), content_.data(), tensorBytes));
    CUdeviceptr out = out_.address();
    int bytes = p.across * p.size * p.lines, c0 = p.c0, c1 = p.c1;
    launch(load_, {&m, &out, &bytes, &c0, &c1});
    check(driver_.copyToHost(box_.data(), out, size_t(bytes)));
    for (int64_t l = 0; l < p.lines; ++l)
      for (int64_t b = 0; b < p.across * p.size; ++b) {
        const int64_t line = p.c1 + l, column = p.c0 + b / p.size;
        const unsigned char expected =
            inside(p, line, column) ? content_[place(p, line, column, b)] : 0;
        if (box_[swizzled(p, l, b)] != expected)
          return wrong;
      }
    return right;
  }

  Outcome stored(const Probe &p) {
    CUtensorMap m;
    if (!map(p, m))
      return untried;
    check(driver_.copyToDevice(data_.address(), content_.data(), tensorBytes));
    int bytes = p.across * p.size * p.lines, c0 = p.c0, c1 = p.c1;
    launch(store_, {&m, &bytes, &c0, &c1});
    check(driver_.copyToHost(after_.data(), data_.address(), tensorBytes));
    expected_ = content_;
    for (int64_t l = 0; l < p.lines; ++l)
      for (int64_t b = 0; b < p.across * p.size; ++b)
        if (const int64_t line = p.c1 + l, column = p.c0 + b / p.size; inside(p, line, column))
          expected_[place(p, line, column, b)] =
              static_cast<unsigned char>(swizzled(p, l, b) % 251);
    return after_ == expected_ ? right : wrong;
  }

  static int64_t place(const Probe &p, int64_t line, int64_t column, int64_t b) {
    return guardBytes + p.base + line * p.stride + column * p.size + b % p.size;
  }

  const Driver &driver_ = **Driver::get();
  CUfunction load_ = nullptr, store_ = nullptr;
  DeviceMemory data_ = std::move(*DeviceMemory::allocate(tensorBytes, "tensor")),
               out_ = std::move(*DeviceMemory::allocate(boxBytes, "box"));
  std::vector<unsigned char> content_ = std::vector<unsigned char>(tensorBytes), after_ = content_,
                             expected_ = content_, box_ = std::vector<unsigned char>(boxBytes);
};

using Clock = std::chrono::steady_clock;

/// A worker's probes: numbers congruent to it, from the first untried one on.
void work(int worker, const std::string &text, uint32_t seed, Outcome *outcomes, int *reached,
          Clock::time_point end) {
  const auto device = cudaDevice();
  const auto cubin = device ? compileCuda(text, "loadBox") : device.error();
  if (!cubin) {
    std::fprintf(stderr, "error: %s\n", cubin.error().message.c_str());
    std::_Exit(cannotRun);
  }
  Bench bench(*cubin);
  for (int &n = reached[worker]; n + worker < most && Clock::now() < end;) {
    const int number = n + worker;
    n += workers;
    const Probe p = probe(seed, number);
    outcomes[number] = running;
    outcomes[number] = bench.outcome(p);
  }
}

/// Starts each worker again whose context a probe has ended. False: none can run.
bool runAll(const std::string &text, uint32_t seed, Outcome *outcomes, int *reached,
            Clock::time_point end) {
  std::map<pid_t, int> children;
  const auto start = [&](int worker) {
    const pid_t child = fork();
    if (child == 0) {
      work(worker, text, seed, outcomes, reached, end);
      std::_Exit(0);
    }
    children[child] = worker;
  };
  for (int w = 0; w < workers; ++w)
    start(w);
  bool able = true;
  for (int status; !children.empty();) {
    const pid_t child = wait(&status);
    able &= !WIFEXITED(status) || WEXITSTATUS(status) != cannotRun;
    const int worker = children.at(child);
    children.erase(child);
    if (const int last = reached[worker] - workers + worker; last >= 0)
      if (outcomes[last] == running)
        outcomes[last] = refused;
    if (able && Clock::now() < end)
      start(worker);
  }
  return able;
}

void write(const Probe &p, Outcome outcome, FILE *rows) {
  static constexpr const char *names[] = {"", "", "right", "wrong", "refused"};
  std::fprintf(rows, "%s", names[outcome]);
  for (const auto &[name, member] : settings)
    std::fprintf(rows, " %s=%d", name, p.*member);
  std::fprintf(rows, "\n");
}

void report(uint32_t seed, const Outcome *outcomes, FILE *rows) {
  std::map<std::array<bool, 4>, std::array<int, 5>> by;
  for (int n = 0; n < most; ++n) {
    if (outcomes[n] == untried)
      continue;
    const Probe p = probe(seed, n);
    ++by[{p.store != 0, p.c0 * p.size % 16 != 0, p.c0 < 0, p.c1 < 0}][outcomes[n]];
    write(p, outcomes[n], rows);
  }
  std::printf("seed %u\n", seed);
  for (const auto &[kind, found] : by)
    std::printf("%-6s %-22s %-12s %-12s %6d right %6d wrong %6d refused\n",
                kind[0] ? "stores" : "loads", kind[1] ? "not at 16 bytes" : "at 16 bytes",
                kind[2] ? "column < 0" : "", kind[3] ? "line < 0" : "", found[right], found[wrong],
                found[refused]);
}

template <typename T> T *shared(size_t count) {
  void *memory =
      mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<T *>(memory);
}

} // namespace

int main(int argc, char **argv) {
  std::ifstream file(argc > 1 ? argv[1] : "");
  if (!file) {
    std::fprintf(stderr, "usage: tma bench/micro/tma.cu [SECONDS [SEED [ROWS]]]\n");
    return 2;
  }
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const int seconds = argc > 2 ? std::atoi(argv[2]) : 60;
  const uint32_t seed = argc > 3 ? uint32_t(std::atoll(argv[3])) : std::random_device{}();
  auto *outcomes = shared<Outcome>(most);
  auto *reached = shared<int>(workers);
  if (!outcomes || !reached ||
      !runAll(text, seed, outcomes, reached, Clock::now() + std::chrono::seconds(seconds)))
    return 2;
  FILE *rows = std::fopen(argc > 4 ? argv[4] : "/dev/null", "w");
  if (!rows)
    return 2;
  report(seed, outcomes, rows);
  std::fclose(rows);
  return 0;
}
