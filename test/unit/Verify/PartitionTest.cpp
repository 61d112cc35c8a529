// Histories of bytes by parts, against histories byte by byte.
#include "Verify/Memory.h"

#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <random>

namespace sluice {
namespace {

constexpr int64_t bytes = 40;

std::vector<Interval> drawnIntervals(std::mt19937 &random) {
  std::vector<Interval> where;
  for (int64_t at = random() % 6; at < bytes; at += random() % 9) {
    const int64_t end = std::min<int64_t>(at + 1 + random() % 7, bytes);
    where.push_back({at, end});
    at = end;
  }
  return where;
}

struct Histories {
  explicit Histories(Partition &parts) : memory(parts) {}

  Memory memory;
  std::array<int, bytes> writers{}; // 0: nobody

  void write(const std::vector<Interval> &where, int writer) {
    memory.each(where, [&](Cell &cell) {
      cell.write.actor = writer;
      return true;
    });
    for (const Interval &w : where)
      std::fill(writers.begin() + w.begin, writers.begin() + w.end, writer);
  }
  void expectAlike() {
    for (int64_t byte = 0; byte < bytes; ++byte) {
      const Cell *cell = memory.at(byte);
      EXPECT_EQ(cell && cell->write.actor > 0 ? cell->write.actor : 0, writers[byte]) << byte;
    }
  }
};

/// Accesses of two runs split the parts of both.
TEST(Partition, KeepsTheHistoryOfEveryByte) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    std::mt19937 random(seed);
    Partition parts;
    std::deque<std::vector<Interval>> accesses;
    std::vector<Histories> runs(2, Histories(parts));
    for (int step = 1; step <= 30; ++step) {
      if (accesses.empty() || random() % 2 == 0)
        accesses.push_back(drawnIntervals(random));
      runs[random() % 2].write(accesses[random() % accesses.size()], step);
      if (random() % 8 == 0)
        runs[0] = runs[1];
      for (Histories &run : runs)
        run.expectAlike();
    }
  }
}

TEST(Partition, VisitsTheLowestBytesFirst) {
  Partition parts;
  const std::vector<Interval> odd{{16, 32}, {48, 64}}, all{{0, 64}}, low{{0, 8}};
  EXPECT_EQ(parts.of(odd).size(), 1u);
  EXPECT_EQ(parts.of(all).size(), 2u);
  EXPECT_EQ(parts.of(low).size(), 1u);
  ASSERT_EQ(parts.of(all).size(), 3u);
  EXPECT_EQ(parts.lowest(parts.of(all)[0]), (Interval{0, 8}));
  EXPECT_EQ(parts.lowest(parts.of(all)[1]), (Interval{8, 16}));
  EXPECT_EQ(parts.lowest(parts.of(all)[2]), (Interval{16, 32}));
  EXPECT_EQ(parts.at(63), parts.of(odd)[0]);
  EXPECT_EQ(parts.at(64), -1);
}

/// A tile that warps copy in turns has thousands of intervals, and a part for each warp.
TEST(Partition, HasOnePartForEachWarp) {
  Partition parts;
  std::vector<std::vector<Interval>> warps(4);
  for (int64_t at = 0; at < 4096; ++at)
    warps[at % 4].push_back({16 * at, 16 * at + 16});
  for (const std::vector<Interval> &warp : warps)
    parts.of(warp);
  const std::vector<Interval> all{{0, 65536}};
  EXPECT_EQ(parts.of(all).size(), 4u);
}

} // namespace
} // namespace sluice
