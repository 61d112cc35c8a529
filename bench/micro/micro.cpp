// Microbenchmarks: what a Hopper GPU takes for each operation that the model of lib/Arch knows.
// micro bench/micro/kernels.cu prints rows as they come; clocks are those of the SM.
#include "Device.h"

#include "Bench/GpuState.h"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>

using namespace sluice;
using namespace sluice::micro;

namespace {

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

void row(const std::string &what, double value, const char *unit) {
  std::printf("%-58s %10.2f %s\n", what.c_str(), value, unit);
  std::fflush(stdout);
}

std::string text(const char *format, auto... values) {
  char line[128];
  std::snprintf(line, sizeof line, format, values...);
  return line;
}

constexpr int64_t line = 128; // bytes of a row of the maps
constexpr int64_t allRows = Device::dataBytes / line;

void tmaLatencies(Device &d) {
  for (int rows : {8, 64, 128, 256}) {
    CUtensorMap map = d.map(d.data(), allRows, rows);
    int bytes = rows * int(line), step = rows, count = 64;
    const std::vector<void *> arguments{&map, d.out(), &bytes, &step, &count};
    const Shape shape{1, 32, 1, 65536};
    d.flush();
    row(text("TMA load of %d KB, from HBM, until the wait returns", bytes / 1024),
        median(d.numbers("tmaLatency", shape, arguments, count)), "clocks");
    row(text("TMA load of %d KB, from L2", bytes / 1024),
        median(d.numbers("tmaLatency", shape, arguments, count)), "clocks");
  }
}

constexpr int64_t mib = 1 << 20;

/// Bytes that a CTA receives in a clock: `count` boxes of `rows`, each CTA over one of `parts`
/// parts of `partBytes`.
double stream(Device &d, int ctas, int rows, int depth, int64_t partBytes, int parts, int count,
              bool warm) {
  CUtensorMap map = d.map(d.data(), allRows, rows);
  int bytes = rows * int(line), step = rows;
  int partRows = int(partBytes / line / rows) * rows;
  const std::vector<void *> arguments{&map,   d.out(), &bytes,    &step,
                                      &count, &depth,  &partRows, &parts};
  const Shape shape{unsigned(ctas), 32, 1, unsigned(bytes * depth + 1024)};
  if (warm)
    d.numbers("tmaStream", shape, arguments, ctas);
  else
    d.flush();
  return double(count) * bytes / median(d.numbers("tmaStream", shape, arguments, ctas));
}

void tmaStreams(Device &d) {
  const int all = d.multiprocessors();
  for (int depth : {1, 2, 4, 6})
    row(text("TMA loads of 32 KB, %d under way, one SM, 1 MB", depth),
        stream(d, 1, 256, depth, mib, 1, 512, true), "bytes/clock");
  for (int depth : {1, 2, 4, 6})
    row(text("the same, %d under way, all SMs, 12 parts of 1 MB", depth),
        stream(d, all, 256, depth, mib, 12, 512, true), "bytes/clock/SM");
  for (int rows : {8, 32, 64, 128})
    row(text("boxes of %d KB, up to 128 KB under way, all SMs, 12 parts", rows * 128 / 1024),
        stream(d, all, rows, std::min(16, 1024 / rows), mib, 12, 131072 / rows, true),
        "bytes/clock/SM");
  for (int64_t kib : {64, 128, 192, 256, 384})
    row(text("32 KB, 6 under way, all SMs, each over its own %d KB", int(kib)),
        stream(d, all, 256, 6, kib * 1024, all, 512, true), "bytes/clock/SM");
  row("32 KB, 6 under way, all SMs, from HBM, each over its own 8 MB",
      stream(d, all, 256, 6, 8 * mib, all, 256, false), "bytes/clock/SM");
}

void multicasts(Device &d) {
  const int all = d.multiprocessors();
  for (int cluster : {2, 4}) {
    int bytes = 32768, rows = 256, step = rows, count = 512, depth = 6,
        region = int(4 * mib / line);
    CUtensorMap map = d.map(d.data(), allRows, rows / cluster);
    const std::vector<void *> arguments{&map,   d.out(), &bytes,  &step,
                                        &count, &depth,  &region, &cluster};
    const unsigned ctas = unsigned(all * 7 / 8 / cluster * cluster); // all at the same time
    const Shape shape{ctas, 32, unsigned(cluster), unsigned(bytes * depth + 1024)};
    d.numbers("tmaMulticastStream", shape, arguments, int(ctas));
    row(text("multicast to %d CTAs, boxes of 32 KB, 6 under way, received", cluster),
        double(count) * bytes /
            median(d.numbers("tmaMulticastStream", shape, arguments, int(ctas))),
        "bytes/clock/SM");
  }
}

void stores(Device &d) {
  const int all = d.multiprocessors();
  for (int rows : {64, 128, 256}) {
    CUtensorMap map = d.map(d.data(), allRows, rows);
    int step = rows, count = 32, region = int(mib / 8 / line);
    const unsigned bytes = unsigned(rows * line);
    const std::vector<double> both = d.numbers("tmaStoreLatency", {1, 32, 1, bytes + 1024},
                                               {&map, d.out(), &step, &count}, 2 * count);
    std::vector<double> read, arrived;
    for (int i = 0; i < count; ++i) {
      read.push_back(both[2 * i]);
      arrived.push_back(both[2 * i + 1]);
    }
    row(text("TMA store of %u KB, until its source is free", bytes / 1024), median(read), "clocks");
    row(text("TMA store of %u KB, until it has arrived", bytes / 1024), median(arrived), "clocks");
    count = 512;
    for (int ctas : {1, all}) {
      const Shape shape{unsigned(ctas), 32, 1, bytes + 1024};
      row(text("TMA stores of %u KB, %d SMs, 128 KB each", bytes / 1024, ctas),
          double(count) * bytes /
              median(d.numbers("tmaStoreStream", shape, {&map, d.out(), &step, &count, &region},
                               ctas)),
          "bytes/clock/SM");
    }
  }
}

void products(Device &d) {
  int count = 256;
  for (const char *n : {"8", "32", "64", "128", "192", "256"}) {
    const std::vector<void *> arguments{d.out(), &count};
    for (int groups : {1, 2}) {
      const Shape shape{1, unsigned(128 * groups), 1, 65536};
      row(text("wgmma m64n%sk16, both operands in smem, %d warpgroup(s), each", n, groups),
          median(d.numbers(std::string("products") + n, shape, arguments, groups)) / (4.0 * count),
          "clocks");
      row(text("wgmma m64n%sk16, A in registers, %d warpgroup(s), each", n, groups),
          median(d.numbers(std::string("productsOfRegisters") + n, shape, arguments, groups)) /
              (4.0 * count),
          "clocks");
    }
    row(text("wgmma m64n%sk16, alone, until its wait returns", n),
        d.numbers(std::string("singleProducts") + n, {1, 128, 1, 65536}, arguments, 1)[0] / count,
        "clocks");
  }
}

void barriers(Device &d) {
  int count = 1024, local = 0, remote = 1;
  row("mbarrier: arrival of one warp to the return of another's wait",
      d.numbers("mbarrierTurns", {2, 64, 2, 0}, {d.out(), &count, &local}, 1)[0] / (2.0 * count),
      "clocks");
  row("mbarrier: the same between the CTAs of a cluster",
      d.numbers("mbarrierTurns", {2, 64, 2, 0}, {d.out(), &count, &remote}, 1)[0] / (2.0 * count),
      "clocks");
  for (unsigned threads : {128, 256, 384})
    row(text("named barrier of %u threads", threads),
        d.numbers("namedBarriers", {1, threads, 1, 0}, {d.out(), &count}, 1)[0] / count, "clocks");
  row("cluster barrier of 2 CTAs",
      d.numbers("clusterBarriers", {2, 128, 2, 0}, {d.out(), &count}, 1)[0] / count, "clocks");
}

void sharedMemory(Device &d) {
  int count = 1024;
  for (unsigned warps : {1, 4, 8})
    row(text("stmatrix.x4 by %u warps, each", warps),
        d.numbers("matrixStores", {1, 32 * warps, 1, 32768}, {d.out(), &count}, 1)[0] / count,
        "clocks");
  for (int bytes : {1024, 16384, 65536}) {
    int rounds = 64;
    row(text("bulk copy of %d KB to a peer's shared memory, one way", bytes / 1024),
        d.numbers("peerCopies", {2, 32, 2, 132096}, {d.out(), &bytes, &rounds}, 1)[0] /
            (2.0 * rounds),
        "clocks");
  }
}

void chains(Device &d) {
  for (bool far : {false, true}) {
    const int64_t nodes = 1024, distance = far ? (1 << 20) - 256 : 4096;
    const Driver &driver = **Driver::get();
    for (int64_t i = 0; i < nodes; ++i) {
      const CUdeviceptr at = d.data() + i * distance,
                        next = d.data() + (i * 397 + 1) % nodes * distance;
      driver.copyToDevice(at, &next, sizeof next);
    }
    CUdeviceptr first = d.data();
    int count = int(nodes);
    const std::vector<void *> arguments{&first, d.out(), &count};
    if (far)
      d.flush();
    else
      d.numbers("chase", {}, arguments, 1);
    row(far ? "load from HBM" : "load from L2", d.numbers("chase", {}, arguments, 1)[0] / count,
        "clocks");
  }
}

/// In every launch, after the operands of others have filled L2.
void firstLoads(Device &d) {
  const int all = d.multiprocessors();
  CUtensorMap map = d.map(d.data(), allRows, 128);
  int bytes = 128 * int(line), step = 128;
  const std::vector<void *> arguments{&map, d.out(), &bytes, &step};
  for (bool cold : {true, false}) {
    std::vector<double> clocks;
    for (int i = 0; i < 5; ++i) {
      if (cold)
        d.flush();
      clocks.push_back(
          median(d.numbers("firstLoad", {unsigned(all), 384, 1, 204800}, arguments, all)));
    }
    row(cold ? "entry of a CTA to the end of its first load, 16 KB, HBM" : "the same from L2",
        median(clocks), "clocks");
  }
}

void issues(Device &d) {
  CUtensorMap map = d.map(d.data(), allRows, 8);
  int bytes = 1024, count = 16;
  const std::vector<void *> arguments{&map, d.out(), &bytes, &count};
  d.numbers("issues", {1, 32, 1, 4096}, arguments, 3);
  const std::vector<double> clocks = d.numbers("issues", {1, 32, 1, 4096}, arguments, 3);
  const char *names[3] = {"mbarrier.arrive.expect_tx", "cp.async.bulk.tensor",
                          "mbarrier.try_wait of a phase that is over"};
  for (int i = 0; i < 3; ++i)
    row(text("issue of %s", names[i]), clocks[i] / count, "clocks");
}

/// Kernels of 20 us: what an interval is longer.
void launches(Device &d) {
  int ns = 20000;
  const unsigned all = unsigned(d.multiprocessors());
  for (bool early : {false, true})
    row(text("between two kernels of a CTA per SM%s", early ? ", the second started early" : ""),
        d.interval("spin", {all, 384, 1, 204800, early}, {d.out(), &ns}) - ns / 1000.0, "us");
}

} // namespace

int main(int argc, char **argv) {
  std::ifstream file(argc == 2 ? argv[1] : "");
  if (!file) {
    std::fprintf(stderr, "usage: micro bench/micro/kernels.cu\n");
    return 2;
  }
  Device d(std::string(std::istreambuf_iterator<char>(file), {}));
  std::printf("%s, %d SMs\n", d.name().c_str(), d.multiprocessors());
  tmaLatencies(d);
  tmaStreams(d);
  multicasts(d);
  stores(d);
  products(d);
  barriers(d);
  sharedMemory(d);
  chains(d);
  issues(d);
  firstLoads(d);
  launches(d);
  if (const auto state = gpuState())
    std::printf("SM clock %d MHz\n", state->smMHz);
  return 0;
}
